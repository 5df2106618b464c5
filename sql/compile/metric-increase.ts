/**
 * How much series grew from point to point, whatever their temporality (OpenTelemetry, data model of metrics):
 *
 * - A point of delta temporality is what it grew by. Of a cumulative one the point before with the same start is subtracted.
 * - Another start is another count from zero; with the same start, a count that went down began again. Either is all new.
 * - Of a first point with a start that is not known, or before all that is read, it is not known what is new.
 * - An increase takes the time since the point before or since its start, whichever is later, so that two senders of one series
 *   tell of no time twice; an unset start is not known.
 */
import { fromScoped, int64, perShard, type Sql, sql } from '../fragment.ts'
import type { MetricQuery } from '../ir/metric-query.ts'
import { metricLookbackNs } from '../limits.ts'
import type { MetricKind } from '../schema/metric-numbers.ts'
import { stepOf } from './metric-steps.ts'
import { andGroups, groupedSeries } from './metric-streams.ts'
import { pointsFit } from './metric-values.ts'

/** How the column `current` of a point is read, and how it is told from `before`, the same of the point before. */
export interface Reading {
  readonly current: Sql
  readonly wentDown: Sql
  /** Columns of what grew. `is_difference`: `before` is to be subtracted. */
  readonly grown: Sql
}

/** Rows of `series`, `step_ns`, the groups, `took_ns` (0: it is not known), and what grew. */
export function increases(query: MetricQuery, { current, wentDown, grown }: Reading): Sql {
  const { groupBy, stream, window } = query
  const read = sql`SELECT series, toUnixTimestamp64Nano(time) AS ns, toUnixTimestamp64Nano(start_time) AS start_ns, ${current} AS current FROM ${fromScoped('metric_points', pointsFit(query))}`
  const usable = stream.kind === 'sum' ? sql`SELECT * FROM (${read}) WHERE isFinite(current.3)` : read
  const placed = sql`SELECT series, ns, start_ns, current, lagInFrame(ns) OVER of_series AS last_ns, lagInFrame(ns) OVER of_start AS before_ns, lagInFrame(current) OVER of_start AS before FROM (${usable}) WINDOW of_series AS (PARTITION BY series ORDER BY ns ROWS BETWEEN 1 PRECEDING AND CURRENT ROW), of_start AS (PARTITION BY series, start_ns ORDER BY ns ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)`
  const firstStartNs = int64(window.fromNs - metricLookbackNs)
  const facts = sql`before_ns > 0 AND NOT is_delta AND NOT (${wentDown}) AS is_difference, start_ns > 0 AND start_ns < ns AS has_start, multiIf(is_delta, if(has_start, start_ns, last_ns), before_ns > 0, before_ns, has_start AND start_ns >= ${firstStartNs}, start_ns, 0) AS since_ns`
  const columns = sql`series, ${stepOf(query)} AS step_ns, if(since_ns > 0, ns - greatest(since_ns, last_ns), 0) AS took_ns, ${facts}, is_delta, ${grown} ${andGroups(groupBy)}`
  return sql`SELECT ${columns} FROM (${placed}) AS points INNER JOIN (${groupedSeries(query, stream, groupBy)}) AS chosen USING (series) WHERE ns >= ${int64(window.fromNs)} AND (is_delta OR since_ns > 0)`
}

/** Rows of `step_ns`, the groups and `value`: what the series of a group grew by per second of known time, added up. */
export function rates(query: MetricQuery): Sql {
  const { groupBy, stream } = query
  const ofSeries = sql`SELECT step_ns, sum(amount) / sum(took_ns) * 1e9 AS rate ${andGroups(groupBy)} FROM (${increases(query, readingOf(stream.kind))}) WHERE took_ns > 0 GROUP BY series, step_ns ${andGroups(groupBy)}`
  return sql`SELECT step_ns, sum(rate) AS value ${andGroups(groupBy)} FROM ${perShard(ofSeries)} GROUP BY step_ns ${andGroups(groupBy)}`
}

/** The same of `sum`, and of `count` and `avg` of observations. */
export function increaseSums(query: MetricQuery): Sql {
  const { aggregation, groupBy, stream } = query
  const value =
    stream.kind === 'sum' || aggregation === 'count'
      ? sql`sum(amount)`
      : ofObserved[aggregation === 'avg' ? 'avg' : 'sum']
  return sql`SELECT step_ns, ${value} AS value ${andGroups(groupBy)} FROM ${perShard(increases(query, readingOf(stream.kind)))} GROUP BY step_ns ${andGroups(groupBy)}`
}

const ofObserved = {
  sum: sql`sum(observed)`,
  avg: sql`sum(observed) / sumIf(amount, isNotNull(observed))`,
} as const

function readingOf(kind: MetricKind): Reading {
  return kind === 'sum' ? numberReading : observedReading
}

/** Integers are compared and subtracted before they are rounded. */
const numberReading: Reading = {
  current: sql`(value_type = 1, value_int, if(value_type = 1, toFloat64(value_int), value_double))`,
  wentDown: sql`is_monotonic AND if(current.1 AND before.1, current.2 < before.2, current.3 < before.3)`,
  grown: sql`multiIf(NOT is_difference, current.3, current.1 AND before.1, toFloat64(toInt128(current.2) - toInt128(before.2)), current.3 - before.3) AS amount`,
}

/** A sum of observations may be missing; then only what it would be part of is not known. */
const observedReading: Reading = {
  current: sql`(count, if(isFinite(sum), sum, NULL))`,
  wentDown: sql`current.1 < before.1`,
  grown: sql`toFloat64(current.1 - if(is_difference, before.1, 0)) AS amount, current.2 - if(is_difference, before.2, 0) AS observed`,
}
