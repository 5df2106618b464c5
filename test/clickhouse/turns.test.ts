import { expect, it } from 'vitest'
import { createTurns } from '../../server/clickhouse/turns.ts'

const limits = { concurrentMax: 1, waitingMax: 2, waitMsMax: 60_000 }

it('those who wait come in the order they asked', async () => {
  const turns = createTurns(limits)
  const order: string[] = []
  const end = await turns.take()
  const waiting = ['first', 'second'].map(async (name) => {
    const endTurn = await turns.take()
    order.push(name)
    endTurn()
  })
  end()
  await Promise.all(waiting)
  expect(order).toEqual(['first', 'second'])
})

it('who waits and goes away leaves the turn to the next', async () => {
  const turns = createTurns(limits)
  const end = await turns.take()
  const caller = new AbortController()
  const gone = turns.take(caller.signal)
  const next = turns.take()
  caller.abort()
  await expect(gone).rejects.toThrow('aborted')
  end()
  await expect(next).resolves.toBeTypeOf('function')
})

it('a turn ended twice ends once', async () => {
  const turns = createTurns({ ...limits, waitingMax: 0 })
  const end = await turns.take()
  end()
  end()
  await turns.take()
  await expect(turns.take()).rejects.toMatchObject({ code: 'too_many_requests' })
})

it('who waited too long is refused', async () => {
  const turns = createTurns({ ...limits, waitMsMax: 1 })
  await turns.take()
  await expect(turns.take()).rejects.toMatchObject({ code: 'too_many_requests' })
})
