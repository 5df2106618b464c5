/** Computes the counts, services and calls of an integration from its slice. */
import { fromScoped, joinSql, list, perShard, type Sql, sql, uint64 } from '../fragment.ts'
import type { Rule, Slice } from '../ir/slice.ts'
import { p50Level, p95Level } from '../percentile.ts'
import { messageCounts } from './messages.ts'
import { isRowWise, sliceTraces } from './slice.ts'
import { compileAnyRule, compileRule } from './slice-rules.ts'
import { callerColumns } from './walk.ts'

/** A row of `messageCounts` and `sliceCounts`. Integers of 64 bits are texts. */
export interface MessageCountsRow {
  readonly message_count: string
  readonly error_message_count: string
  readonly matched_step_count: string
  readonly error_step_count: string
}

/**
 * Selects a `MessageCountsRow` of the slice. The traces of the slice are the messages, and its spans the matched steps.
 */
export function sliceCounts(slice: Slice): Sql {
  return messageCounts({ rows: [], slice })
}

/** A row of `ruleCounts`: the counts of the rule with this number. Rules are numbered from 1. */
export interface RuleCountsRow extends MessageCountsRow {
  readonly rule: string
}

/**
 * Selects a `RuleCountsRow` for each rule that some span satisfies, all in one pass. The rules must not include
 * descendants.
 */
export function ruleCounts(rules: readonly Rule[]): Sql {
  const numbers = rules.map((rule, index) => sql`if(${compileRule(rule)}, ${uint64(index + 1)}, 0)`)
  const spans = sql`
    SELECT
      trace_id,
      span_id,
      status = 2 AS is_error,
      arrayJoin(arrayFilter(number -> number != 0, [${joinSql(numbers, sql`, `)}])) AS rule
    FROM ${fromScoped('spans', compileAnyRule(rules))}
  `
  const traces = sql`
    SELECT trace_id, rule, uniqExact(span_id) AS step_count, uniqExactIf(span_id, is_error) AS failed_step_count
    FROM (${spans})
    GROUP BY trace_id, rule
  `
  return sql`
    SELECT
      rule,
      count() AS message_count,
      countIf(failed_step_count > 0) AS error_message_count,
      sum(step_count) AS matched_step_count,
      sum(failed_step_count) AS error_step_count
    FROM ${perShard(traces)}
    GROUP BY rule
  `
}

/** Selects the `service` of each service with spans in the slice, sorted. */
export function sliceServices(slice: Slice): Sql {
  const spans = isRowWise(slice)
    ? sql`SELECT service FROM ${fromScoped('spans', compileAnyRule(slice.rules))}`
    : sql`SELECT arrayJoin(slice_services) AS service FROM (${sliceTraces(slice, ['service'])})`
  return sql`
    SELECT service
    FROM ${perShard(spans)}
    GROUP BY service
    ORDER BY service
  `
}

/**
 * Selects `from_service, to_service, span_count, error_count, p50_ns, p95_ns`: the spans of the slice by their service
 * and the service that calls it, that of their nearest ancestor in the slice. It is the empty text for spans without
 * such an ancestor or with one of the same service. Percentiles of their durations are exact, by nearest rank.
 */
export function sliceCalls(slice: Slice): Sql {
  const traces = sliceTraces(slice, ['service', 'duration'])
  const calls = sql`
    SELECT if(caller = to_service, '', caller) AS from_service, to_service, flag, duration
    FROM (SELECT *, ${list(callerColumns)} FROM (${traces}))
    ARRAY JOIN
      callers AS caller,
      slice_services AS to_service,
      slice_flags AS flag,
      slice_durations AS duration
  `
  return sql`
    SELECT
      from_service,
      to_service,
      count() AS span_count,
      countIf(bitTest(flag, 1)) AS error_count,
      quantileExact(${p50Level})(duration) AS p50_ns,
      quantileExact(${p95Level})(duration) AS p95_ns
    FROM ${perShard(calls)}
    GROUP BY from_service, to_service
    ORDER BY from_service, to_service
  `
}
