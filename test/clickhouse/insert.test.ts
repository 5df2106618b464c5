import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { freshDatabase } from '../support/engine.ts'
import { column, createNumbers, insertNumbers, uint64Rows } from '../support/own-engine.ts'

let clickhouse: ClickHouse
beforeEach(async () => {
  clickhouse = await freshDatabase()
  await createNumbers(clickhouse)
})
afterEach(() => clickhouse.close())

const numbers = () => column(clickhouse, 'SELECT toUInt32(n) FROM numbers ORDER BY n')

it('rows are stored when the insert is acknowledged', async () => {
  await insertNumbers(clickhouse, 'a', [[1, 1]])
  expect(await numbers()).toEqual([1])
})

it('a body in several buffers is one insert', async () => {
  const buffers = [uint64Rows([[1]]), uint64Rows([[1], [2]]), uint64Rows([[1]])]
  await clickhouse.insert('numbers', ['n', 'day'], buffers, { org: 'acme', dedupToken: 'a', rows: 2 })
  expect(await numbers()).toEqual([1, 2])
})

it.each([2, 5_000])('a body of %i rows that is sent again with its token is stored once', async (count) => {
  const rows = Array.from({ length: count }, (_, index) => [index, index % 2])
  await insertNumbers(clickhouse, 'a', rows)
  await insertNumbers(clickhouse, 'a', rows)
  expect(await numbers()).toHaveLength(count)
})

it('a body that is sent several times concurrently is stored once', async () => {
  await Promise.all(Array.from({ length: 12 }, () => insertNumbers(clickhouse, 'a', [[1, 1]])))
  expect(await numbers()).toEqual([1])
})

it('equal rows with a different token are stored again', async () => {
  await insertNumbers(clickhouse, 'a', [[1, 1]])
  await insertNumbers(clickhouse, 'b', [[1, 1]])
  expect(await numbers()).toEqual([1, 1])
})

it('a body of which one partition was stored before a crash is completed when it is sent again', async () => {
  await insertNumbers(clickhouse, 'a', [[1, 1]])
  await insertNumbers(clickhouse, 'a', [
    [1, 1],
    [2, 2],
  ])
  expect(await numbers()).toEqual([1, 2])
})

it('a body that is not RowBinary of its columns fails with an error that reveals none of its content', async () => {
  const insert = clickhouse.insert('numbers', ['n', 'day'], Buffer.from('secret'), {
    org: 'acme',
    dedupToken: 'a',
    rows: 1,
  })
  await expect(insert).rejects.toMatchObject({
    message: expect.stringMatching(/^ClickHouse refused an insert into numbers/),
  })
  await expect(insert).rejects.toMatchObject({ message: expect.not.stringContaining('secret') })
})
