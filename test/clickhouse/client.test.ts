import { expect, it } from 'vitest'
import { openDatabase } from '../support/engine.ts'

it('reads rows with bound parameters', async () => {
  const clickhouse = openDatabase('default')
  const query = {
    text: 'SELECT {p0:String} AS text, {p1:UInt64} AS number',
    params: { p0: "it's \\ \n", p1: '18446744073709551615' },
  }
  const { rows, memoryBytes } = await clickhouse.read(query, { label: 'test' })
  expect(rows).toEqual([{ text: "it's \\ \n", number: '18446744073709551615' }])
  expect(memoryBytes).toBeGreaterThan(0)
  await clickhouse.close()
})
