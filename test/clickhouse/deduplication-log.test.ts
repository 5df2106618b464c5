import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { repairDeduplicationLogs } from '../../server/clickhouse/engine/deduplication-log.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Repairs the folder of a table with these parts and logs, and returns the logs. */
function repair(parts: readonly string[], ...logs: readonly string[]): { removed: number; logs: string[] } {
  const dataPath = temporaryFolder()
  const table = path.join(dataPath, 'store', 'abc', 'abcdef')
  mkdirSync(path.join(table, 'deduplication_logs'), { recursive: true })
  for (const part of parts) mkdirSync(path.join(table, part))
  const files = logs.map((_, index) => path.join(table, 'deduplication_logs', `deduplication_log_${index + 1}.txt`))
  for (const [index, file] of files.entries()) writeFileSync(file, logs[index] ?? '')
  const removed = repairDeduplicationLogs(dataPath)
  return { removed, logs: files.map((file) => readFileSync(file, 'utf8')) }
}

const added = (part: string) => `1\t${part}\t1_2_3\n`
const dropped = (part: string) => `2\t${part}\t1_2_3\n`

it.each([
  ['keeps a part that exists', ['7_1_1_0'], added('7_1_1_0'), added('7_1_1_0')],
  ['keeps a part that was merged', ['7_1_9_2'], added('7_3_3_0'), added('7_3_3_0')],
  ['keeps a part that was merged and mutated', ['7_1_9_2_11'], added('7_3_3_0'), added('7_3_3_0')],
  [
    'removes a part that never got its final name',
    ['7_1_1_0', 'tmp_insert_7_2_2_0'],
    added('7_1_1_0') + added('7_2_2_0'),
    added('7_1_1_0'),
  ],
  ['ignores parts of other partitions', ['8_2_2_0'], added('7_2_2_0'), ''],
  [
    'keeps older records, whether or not their parts exist',
    ['7_2_2_0'],
    added('7_1_1_0') + added('7_2_2_0'),
    added('7_1_1_0') + added('7_2_2_0'),
  ],
  ['keeps the record of a dropped part', [], dropped('7_1_1_0'), dropped('7_1_1_0')],
  ['removes an incomplete record', ['7_1_1_0'], `${added('7_1_1_0')}1\t7_2`, added('7_1_1_0')],
  ['keeps a line of another kind', [], 'something else\n', 'something else\n'],
])('%s', (_, parts, before, after) => {
  expect(repair(parts, before)).toEqual({ removed: before.length - after.length, logs: [after] })
})

it('finds the newest record in the log before an empty one', () => {
  expect(repair(['7_1_1_0'], added('7_1_1_0') + added('7_2_2_0'), '').logs).toEqual([added('7_1_1_0'), ''])
})

it('the tenth log is newer than the ninth', () => {
  const logs = [...Array<string>(8).fill(added('7_1_1_0')), added('7_2_2_0'), added('7_3_3_0')]
  expect(repair(['7_1_1_0', '7_2_2_0'], ...logs).logs).toEqual([...logs.slice(0, 9), ''])
})

it('leaves a folder without tables unchanged', () => {
  expect(repairDeduplicationLogs(temporaryFolder())).toBe(0)
})
