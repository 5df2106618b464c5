import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../support/engine.ts'
import { query } from '../support/own-engine.ts'

/** Takes 280 MB where all groups are in memory, with two threads. Each thread has groups of its own. */
const grouped = `
  SELECT sum(length(numbers)) AS n
  FROM (SELECT number % 100000 AS remainder, groupArray(number) AS numbers FROM numbers(10000000) GROUP BY remainder)
`

it('groups go to temporary files where they exceed the memory of a query', async () => {
  const queryMemoryBytesMax = 128 * 1024 ** 2
  const limited = openDatabase('default', { queryRowsMax: Number.MAX_SAFE_INTEGER, queryMemoryBytesMax })
  onTestFinished(() => limited.close())
  const options = { for: 'system', label: 'a test', settings: { max_threads: 2 } } as const
  const { rows, memoryBytes } = await limited.read(query(grouped), options)
  expect(rows).toEqual([{ n: '10000000' }])
  expect(memoryBytes).toBeLessThan(queryMemoryBytesMax)
})

it('groups beyond the limit of temporary files are refused as a query that is too large', async () => {
  const clickhouse = openDatabase('default', {})
  onTestFinished(() => clickhouse.close())
  const settings = 'max_bytes_before_external_group_by = 1000000, max_temporary_data_on_disk_size_for_query = 1000000'
  await expect(clickhouse.command(`${grouped} SETTINGS ${settings}`)).rejects.toMatchObject({
    code: 'query_too_large',
    message: expect.stringContaining('QUERY_MEMORY_MAX'),
  })
})
