import { expect, it } from 'vitest'
import { createConcurrencyLimit } from '../../server/clickhouse/concurrency-limit.ts'

const options = { concurrentMax: 1, waitingMax: 2, waitMsMax: 60_000 }

it('admits waiting callers in order of arrival', async () => {
  const limit = createConcurrencyLimit(options)
  const order: string[] = []
  const release = await limit.acquire()
  const waiting = ['first', 'second'].map(async (name) => {
    const releaseOwn = await limit.acquire()
    order.push(name)
    releaseOwn()
  })
  release()
  await Promise.all(waiting)
  expect(order).toEqual(['first', 'second'])
})

it('gives the slot of a caller that aborts to the next one', async () => {
  const limit = createConcurrencyLimit(options)
  const release = await limit.acquire()
  const caller = new AbortController()
  const aborted = limit.acquire(caller.signal)
  const next = limit.acquire()
  caller.abort()
  await expect(aborted).rejects.toThrow('aborted')
  release()
  await expect(next).resolves.toBeTypeOf('function')
})

it('frees a slot once, even when it is released twice', async () => {
  const limit = createConcurrencyLimit({ ...options, waitingMax: 0 })
  const release = await limit.acquire()
  release()
  release()
  await limit.acquire()
  await expect(limit.acquire()).rejects.toMatchObject({ code: 'too_many_requests' })
})

it('refuses a caller that has waited too long', async () => {
  const limit = createConcurrencyLimit({ ...options, waitMsMax: 1 })
  await limit.acquire()
  await expect(limit.acquire()).rejects.toMatchObject({ code: 'too_many_requests' })
})
