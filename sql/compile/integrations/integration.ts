/** Computes the counts, services and calls of an integration from its slice. */
import { list, perShard, type Sql, sql } from '../../fragment.ts'
import type { Slice } from '../../ir/slice.ts'
import { p50Level, p95Level } from '../../percentile.ts'
import { matchingTraces } from '../messages/matching-traces.ts'
import { countsOfMessages } from '../messages/messages.ts'
import { sliceTraces } from '../slice.ts'
import { callerColumns } from '../walk.ts'

/** A row of `messageCounts` and `ruleCounts`. Integers of 64 bits are texts. */
export interface MessageCountsRow {
  readonly message_count: string
  readonly error_message_count: string
  readonly matched_step_count: string
  readonly error_step_count: string
}

/** A row of `sliceStats`. */
export interface SliceStatsRow extends MessageCountsRow {
  /** The distinct services of the spans, sorted. */
  readonly services: readonly string[]
}

/**
 * Selects the `SliceStatsRow` of the slice, in one pass. The traces of the slice are the messages, and its spans the
 * matched steps.
 */
export function sliceStats(slice: Slice): Sql {
  const traces = matchingTraces({ rows: [], slice }, {}, { steps: 'counts', stepServices: true })
  return sql`
    SELECT ${countsOfMessages}, arraySort(groupUniqArrayArray(step_services)) AS services
    FROM ${perShard(traces)}
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
