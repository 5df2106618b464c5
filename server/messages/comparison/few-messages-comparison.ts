/** Compares few messages with one query, which takes less time than first finding the keys to read. */
import {
  type ComparedAttributeRow,
  type ComparedSide,
  comparedAttributes,
  type RecordCountRow,
  recordsWithin,
} from '#sql'
import { resultWithin } from '../../telemetry/scope.ts'
import type { ComparedAttributes } from './compared-attributes.ts'
import { type ComparisonRun, comparisonLabel, comparisonSettings, readCompared } from './comparison-run.ts'

/** Counts all attributes of all steps. Returns undefined if the messages are unknown, or too large for one query. */
export async function compareAtOnce(run: ComparisonRun): Promise<ComparedAttributes | undefined> {
  const { telemetry, comparison, totals, limits } = run
  if (comparison.a.traceIds === undefined || comparison.b.traceIds === undefined) return undefined
  const steps = await Promise.all([stepCountOf(run, comparison.a), stepCountOf(run, comparison.b)])
  if (steps[0] + steps[1] > limits.fewStepsMax) return undefined
  const settings = {
    ...comparisonSettings,
    max_rows_to_group_by: limits.groupsMax,
    group_by_overflow_mode: 'throw',
  } as const
  const query = comparedAttributes(comparison, totals)
  const result = await resultWithin<ComparedAttributeRow>(telemetry, query, comparisonLabel, { settings })
  if (result === 'too large') return undefined
  const rows = result.rows.map(({ is_key, key, value, a, b }) => {
    return { isKey: is_key === 1, key, value, counts: { a: Number(a), b: Number(b) } }
  })
  return { pairs: rows.filter(({ isKey }) => !isKey), manyValued: rows.filter(({ isKey }) => isKey) }
}

/** Returns no fewer than the steps of a side that the caller may see. */
async function stepCountOf(run: ComparisonRun, { window, traceIds = [] }: ComparedSide): Promise<number> {
  const [row] = await readCompared<RecordCountRow>(run, recordsWithin('spans', { window, traceIds }))
  return Number(row?.record_count)
}
