import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { repairDeduplicationLogs } from '../../server/clickhouse/engine/deduplication-log.ts'
import { temporaryFolder } from './own-engine.ts'

/** A table's folder with these parts and logs, repaired; answers the logs. */
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
  ['a part that is there stays', ['7_1_1_0'], added('7_1_1_0'), added('7_1_1_0')],
  ['a part merged into another stays', ['7_1_9_2'], added('7_3_3_0'), added('7_3_3_0')],
  ['a part merged and mutated stays', ['7_1_9_2_11'], added('7_3_3_0'), added('7_3_3_0')],
  [
    'a part that never got its name goes',
    ['7_1_1_0', 'tmp_insert_7_2_2_0'],
    added('7_1_1_0') + added('7_2_2_0'),
    added('7_1_1_0'),
  ],
  ['a part of another partition does not count', ['8_2_2_0'], added('7_2_2_0'), ''],
  [
    'older records stay, whatever became of their parts',
    ['7_2_2_0'],
    added('7_1_1_0') + added('7_2_2_0'),
    added('7_1_1_0') + added('7_2_2_0'),
  ],
  ['a dropped part stays', [], dropped('7_1_1_0'), dropped('7_1_1_0')],
  ['a record cut short goes', ['7_1_1_0'], `${added('7_1_1_0')}1\t7_2`, added('7_1_1_0')],
  ['a line of another kind stays', [], 'something else\n', 'something else\n'],
])('%s', (_, parts, before, after) => {
  expect(repair(parts, before)).toEqual({ removed: before.length - after.length, logs: [after] })
})

it('the newest record may stand in the log before an empty one', () => {
  expect(repair(['7_1_1_0'], added('7_1_1_0') + added('7_2_2_0'), '').logs).toEqual([added('7_1_1_0'), ''])
})

it('a folder without tables is left alone', () => {
  expect(repairDeduplicationLogs(temporaryFolder())).toBe(0)
})
