import { setImmediate } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  createFairQueue,
  type FairQueue,
  type FairQueueOptions,
  type Turn,
} from '../../server/clickhouse/fair-queue.ts'

const options: FairQueueOptions = {
  concurrentMax: 1,
  firstTurnsMax: 0,
  waitingPerOrgMax: 9,
  waitMsMax: 60_000,
  refusalMs: 0,
  sharedMax: Number.POSITIVE_INFINITY,
  recentMs: 0,
}

/** Asks for turns and returns the organizations in the order in which they get one. Each turn is released at once. */
async function orderOf(queue: FairQueue, orgs: readonly string[]): Promise<string[]> {
  const order: string[] = []
  const waiting = orgs.map(async (org) => {
    const turn = await queue.acquire(org)
    order.push(org)
    turn.release()
  })
  await Promise.all(waiting)
  return order
}

/** Takes several turns, which must be free. */
function take(queue: FairQueue, orgs: readonly string[]): Promise<Turn[]> {
  return Promise.all(orgs.map((org) => queue.acquire(org)))
}

it('admits the callers of one organization in order of arrival', async () => {
  const queue = createFairQueue(options)
  const [held] = await take(queue, ['a'])
  const order: number[] = []
  const waiting = [1, 2, 3].map(async (number) => {
    const turn = await queue.acquire('a')
    order.push(number)
    turn.release()
  })
  held?.release()
  await Promise.all(waiting)
  expect(order).toEqual([1, 2, 3])
})

it('gives all turns to an organization that is alone, and ranks them', async () => {
  const queue = createFairQueue({ ...options, concurrentMax: 3 })
  expect((await take(queue, ['a', 'a', 'a'])).map(({ rank }) => rank)).toEqual([1, 2, 3])
  expect(queue.counts).toEqual({ held: 3, waiting: 0 })
})

it('an organization holds only some turns while another was served recently, and later all', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const queue = createFairQueue({ ...options, concurrentMax: 4, sharedMax: 2, recentMs: 10_000 })
  const [calm] = await take(queue, ['calm'])
  calm?.release()
  await take(queue, ['flood', 'flood'])
  const waiting = take(queue, ['flood', 'flood'])
  expect(queue.counts).toEqual({ held: 2, waiting: 2 })
  vi.advanceTimersByTime(9_000)
  const [again] = await take(queue, ['calm'])
  again?.release()
  vi.advanceTimersByTime(9_000)
  expect(queue.counts).toEqual({ held: 2, waiting: 2 })
  vi.advanceTimersByTime(1_000)
  expect((await waiting).map(({ rank }) => rank)).toEqual([3, 4])
})

it('a line has room for a caller for each turn that its organization may not hold', async () => {
  const limits = { concurrentMax: 3, sharedMax: 1, waitingPerOrgMax: 1, recentMs: 10_000 }
  const queue = createFairQueue({ ...options, ...limits })
  const [, held] = await take(queue, ['calm', 'burst'])
  const waiting = orderOf(queue, ['burst', 'burst', 'burst'])
  expect(queue.counts).toEqual({ held: 2, waiting: 3 })
  await expect(queue.acquire('burst')).rejects.toMatchObject({ code: 'too_many_requests' })
  held?.release()
  expect(await waiting).toEqual(['burst', 'burst', 'burst'])
})

it('refuses slowly, without holding a place in the line, and at once when the caller is gone', async () => {
  const hourMs = 3_600_000
  const queue = createFairQueue({ ...options, waitingPerOrgMax: 0, refusalMs: hourMs })
  const [held] = await take(queue, ['flood'])
  const leaving = new AbortController()
  const left = queue.acquire('flood', leaving.signal).catch((error: unknown) => error)
  expect(await Promise.race([left, setImmediate('not yet')])).toBe('not yet')
  expect(queue.counts).toEqual({ held: 1, waiting: 0 })
  held?.release()
  expect(await orderOf(queue, ['flood'])).toEqual(['flood'])
  expect(await Promise.race([left, setImmediate('not yet')])).toBe('not yet')
  leaving.abort('gone')
  expect(await left).toBe('gone')
})

it('refuses a caller that stays after the pause', async () => {
  const queue = createFairQueue({ ...options, waitingPerOrgMax: 0, refusalMs: 300 })
  await queue.acquire('flood')
  const startMs = performance.now()
  await expect(queue.acquire('flood')).rejects.toMatchObject({ code: 'too_many_requests' })
  // Timers of Node.js may end a millisecond early.
  expect(performance.now() - startMs).toBeGreaterThan(298)
})

it('one organization that fills its line delays another by at most one turn', async () => {
  const queue = createFairQueue(options)
  const [held] = await take(queue, ['flood'])
  const order = orderOf(queue, ['flood', 'flood', 'flood', 'flood', 'calm', 'calm'])
  held?.release()
  expect(await order).toEqual(['calm', 'flood', 'calm', 'flood', 'flood', 'flood'])
  expect(queue.counts).toEqual({ held: 0, waiting: 0 })
})

it('a free turn goes to the organization that holds the fewest', async () => {
  const queue = createFairQueue({ ...options, concurrentMax: 3 })
  const [first] = await take(queue, ['a', 'a', 'b'])
  const [ofA, ofB] = [queue.acquire('a'), queue.acquire('b')]
  first?.release()
  const got = await Promise.race([ofA.then(() => 'a'), ofB.then(() => 'b')])
  expect(got).toBe('a')
  const next = queue.acquire('c')
  ;(await ofA).release()
  expect((await next).rank).toBe(1)
})

it('an organization without a turn gets one although another holds all of them', async () => {
  const queue = createFairQueue({ ...options, concurrentMax: 2, firstTurnsMax: 1 })
  const held = await take(queue, ['flood', 'flood', 'calm'])
  const waiting = orderOf(queue, ['flood', 'calm', 'third'])
  expect(queue.counts).toEqual({ held: 3, waiting: 3 })
  for (const turn of held) turn.release()
  expect((await waiting).sort()).toEqual(['calm', 'flood', 'third'])
})

it('a full line refuses the callers of its own organization only', async () => {
  const queue = createFairQueue({ ...options, waitingPerOrgMax: 1 })
  const [held] = await take(queue, ['flood'])
  const waiting = queue.acquire('flood')
  await expect(queue.acquire('flood')).rejects.toMatchObject({ code: 'too_many_requests' })
  const calm = queue.acquire('calm')
  held?.release()
  ;(await calm).release()
  ;(await waiting).release()
})

it('gives the turn of a caller that aborts to the next one', async () => {
  const queue = createFairQueue(options)
  const [held] = await take(queue, ['a'])
  const caller = new AbortController()
  const aborted = queue.acquire('a', caller.signal)
  const next = queue.acquire('a')
  caller.abort()
  await expect(aborted).rejects.toThrow('aborted')
  expect(queue.counts.waiting).toBe(1)
  held?.release()
  expect((await next).rank).toBe(1)
})

it('frees a turn once, even when it is released twice', async () => {
  const queue = createFairQueue({ ...options, waitingPerOrgMax: 0 })
  const [held] = await take(queue, ['a'])
  held?.release()
  held?.release()
  await queue.acquire('a')
  await expect(queue.acquire('a')).rejects.toMatchObject({ code: 'too_many_requests' })
})

it('refuses a caller that has waited too long', async () => {
  const queue = createFairQueue({ ...options, waitMsMax: 1 })
  await queue.acquire('a')
  await expect(queue.acquire('a')).rejects.toMatchObject({ code: 'too_many_requests' })
})
