/**
 * Compiles the spans of an integration (docs/semantics.md, section 5) to a condition on spans, or to traces as arrays.
 */
import { allOf, type Bounds, fromScoped, list, onSameShard, type Sql, sql } from '../fragment.ts'
import type { Slice } from '../ir/slice.ts'
import { compileAnyRule, everyRuleSatisfied, includingRules, mergedRules, ruleColumns } from './slice-rules.ts'
import {
  candidateArrays,
  flaggedSpans,
  inSlice,
  type SliceColumn,
  sliceArrays,
  spanArrays,
  traceArrays,
  traceMayMatch,
} from './trace-arrays.ts'

/** Reports whether a span's own columns decide if it is in the slice, without any other span of its trace. */
export function isRowWise(slice: Slice): boolean {
  return slice.mode === 'any' && includingRules(slice).length === 0
}

/** Returns the number of tests that decide whether a span is in one of the slices. */
export function sliceTestCount(slices: readonly Slice[]): number {
  return slices.reduce((sum, slice) => sum + (isRowWise(slice) ? mergedRules(slice.rules) : slice.rules).length, 0)
}

/** Tests whether a span is in the slice, which is computed within the scope of the query. */
export function compileInSlice(slice: Slice, bounds: Bounds = {}): Sql {
  if (isRowWise(slice)) return compileAnyRule(slice.rules)
  return sql`(trace_id, span_id) IN ${onSameShard(sliceSpans(slice, bounds))}`
}

/** Selects `trace_id, span_id` of the spans of a slice that is not row-wise. */
function sliceSpans(slice: Slice, bounds: Bounds): Sql {
  return includingRules(slice).length === 0 ? spansOfRules(slice, bounds) : spansOfWalk(slice, bounds)
}

/**
 * Selects the spans of a slice without descendants under `all`: the spans of the rules, in traces that satisfy every
 * rule.
 */
function spansOfRules(slice: Slice, bounds: Bounds): Sql {
  const columns = list([sql`trace_id, span_id`, ...ruleColumns(slice)])
  const spans = sql`SELECT ${columns} FROM ${fromScoped('spans', compileAnyRule(slice.rules), bounds)}`
  return sql`
    SELECT trace_id, arrayJoin(groupArray(span_id)) AS span_id
    FROM (${spans})
    GROUP BY trace_id
    HAVING ${allOf(everyRuleSatisfied(slice))}
  `
}

function spansOfWalk(slice: Slice, bounds: Bounds): Sql {
  return sql`
    SELECT trace_id, span_id
    FROM (${sliceTraces(slice, [], bounds)})
    ARRAY JOIN ids AS span_id, in_slice AS is_in_slice
    WHERE is_in_slice
  `
}

/**
 * Selects the traces that may contain spans of the slice, as arrays: `trace_id`, `ids`, `parents`, `flags`, `in_slice`,
 * which is 1 for the spans of the slice, and for these spans alone `slice_flags` and the arrays of `columns`.
 */
export function sliceTraces(slice: Slice, columns: readonly SliceColumn[], bounds: Bounds = {}): Sql {
  const tests = { slice }
  const traces = sql`
    SELECT ${list([sql`trace_id`, traceArrays([]), ...candidateArrays(columns)])}
    FROM (${flaggedSpans(tests, bounds)})
    GROUP BY trace_id
    HAVING ${traceMayMatch(tests)}
  `
  const ofSlice = columns.length === 0 ? [] : sliceArrays(slice, columns)
  return sql`
    SELECT ${list([sql`trace_id`, spanArrays([]), sql`${inSlice(slice)} AS in_slice`, ...ofSlice])}
    FROM (${traces})
  `
}
