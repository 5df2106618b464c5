/** Compares few messages with one query, which takes less time than first finding the keys to read. */
import { type ComparedAttributeRow, comparedAttributes, type FoundSide, type RecordCountRow, recordsWithin } from '#sql'
import { largeBlocks } from '../../clickhouse/query-limits.ts'
import { readInScope, resultWithin } from '../../telemetry/scope.ts'
import type { ComparedAttributes } from './compared-attributes.ts'
import { type ComparisonRun, comparisonLabel, tablesOf } from './comparison-run.ts'

/** Counts all attributes of all steps. Returns undefined if the messages are unknown, or too large for one query. */
export async function compareAtOnce(run: ComparisonRun): Promise<ComparedAttributes | undefined> {
  const { telemetry, found, totals, limits } = run
  if (found.a.traceIds === undefined || found.b.traceIds === undefined) return undefined
  const steps = await Promise.all([stepCountOf(run, found.a), stepCountOf(run, found.b)])
  if (steps[0] + steps[1] > limits.fewStepsMax) return undefined
  const settings = {
    ...largeBlocks,
    max_rows_to_group_by: limits.groupsMax,
    group_by_overflow_mode: 'throw',
  } as const
  const query = comparedAttributes(found, totals)
  const options = { settings, tables: tablesOf(run) }
  const result = await resultWithin<ComparedAttributeRow>(telemetry, query, comparisonLabel, options)
  if (result === 'too large') return undefined
  const rows = result.rows.map(({ is_key, key, value, a, b }) => {
    return { isKey: is_key === 1, key, value, counts: { a: Number(a), b: Number(b) } }
  })
  return { pairs: rows.filter(({ isKey }) => !isKey), manyValued: rows.filter(({ isKey }) => isKey) }
}

/** Returns no fewer than the steps of a side that the caller may see. */
async function stepCountOf(run: ComparisonRun, { window, fromNs, traceIds = [] }: FoundSide): Promise<number> {
  const query = recordsWithin('spans', { window, fromNs, traceIds })
  const [row] = await readInScope<RecordCountRow>(run.telemetry, query, comparisonLabel)
  return Number(row?.record_count)
}
