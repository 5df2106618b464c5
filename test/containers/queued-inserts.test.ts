import { expect, inject, it, onTestFinished } from 'vitest'
import { newDatabaseName } from '../support/engine.ts'
import { clientOf, column, createNumbers, insertNumbers } from '../support/own-engine.ts'

it('a small body that a server queues is stored once, however often it is sent with its token', async () => {
  const endpoint = inject('engine')
  const database = newDatabaseName()
  const clickhouse = clientOf({ state: 'ready', endpoint: () => endpoint }, database)
  onTestFinished(() => clickhouse.command(`DROP DATABASE ${database} SYNC`))
  await createNumbers(clickhouse)
  const bodies = Array.from({ length: 20 }, (_, number) => [`token ${number % 10}`, [[number % 10, 1]]] as const)
  await Promise.all(bodies.map(([token, rows]) => insertNumbers(clickhouse, token, rows)))
  for (const [token, rows] of bodies) await insertNumbers(clickhouse, token, rows)
  expect(await column(clickhouse, 'SELECT toUInt32(n) FROM numbers ORDER BY n')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})
