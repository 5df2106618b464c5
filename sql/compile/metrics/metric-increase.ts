/**
 * Increases of series from point to point, for any temporality (OpenTelemetry, data model of metrics):
 *
 * - A point of delta temporality is itself an increase. From a cumulative point, the previous point with the same start
 *   time is subtracted.
 * - A different start time means that counting restarted from zero, and so does a count that decreased with the same
 *   start time. The whole value of such a point is an increase.
 * - The increase of the first point of a count is unknown if its start time is unset, or earlier than all points that
 *   are read.
 * - An increase lasts from the previous point or from its own start time, whichever is later, so that two senders of
 *   one series never count the same time twice. If the start time is unset, the duration is unknown.
 */
import { fromScoped, int64, perShard, type Sql, sql } from '../../fragment.ts'
import type { MetricQuery } from '../../ir/metric-query.ts'
import { metricLookbackNs } from '../../limits.ts'
import type { MetricKind } from '../../schema/metric-numbers.ts'
import { andGroups, bucketStart, groupedSeries, pointsFit } from './metric-series.ts'

/** Defines how points of one kind are read and compared with the previous point. */
export interface Reading {
  /** The column `current` of a point. `before` is the same column of the previous point. */
  readonly current: Sql
  readonly wentDown: Sql
  /** Columns with the increase. If `is_difference` is true, `before` must be subtracted. */
  readonly grown: Sql
}

/** Selects `series`, `step_ns`, the groups, `took_ns` (0 if the duration is unknown), and the columns of `grown`. */
export function increases(query: MetricQuery, { current, wentDown, grown }: Reading): Sql {
  const { groupBy, stream, window } = query
  const read = sql`
    SELECT
      series,
      toUnixTimestamp64Nano(time) AS ns,
      toUnixTimestamp64Nano(start_time) AS start_ns,
      ${current} AS current
    FROM ${fromScoped('metric_points', pointsFit(query))}
  `
  const usable = stream.kind === 'sum' ? sql`SELECT * FROM (${read}) WHERE isFinite(current.3)` : read
  const compared = sql`
    SELECT
      series,
      ns,
      start_ns,
      current,
      lagInFrame(ns) OVER of_series AS last_ns,
      lagInFrame(ns) OVER of_start AS before_ns,
      lagInFrame(current) OVER of_start AS before
    FROM (${usable})
    WINDOW
      of_series AS (PARTITION BY series ORDER BY ns ROWS BETWEEN 1 PRECEDING AND CURRENT ROW),
      of_start AS (PARTITION BY series, start_ns ORDER BY ns ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
  `
  const firstStartNs = int64(window.fromNs - metricLookbackNs)
  return sql`
    SELECT
      series,
      ${bucketStart(query)} AS step_ns,
      if(since_ns > 0, ns - greatest(since_ns, last_ns), 0) AS took_ns,
      before_ns > 0 AND NOT is_delta AND NOT (${wentDown}) AS is_difference,
      start_ns > 0 AND start_ns < ns AS has_start,
      multiIf(
        is_delta, if(has_start, start_ns, last_ns),
        before_ns > 0, before_ns,
        has_start AND start_ns >= ${firstStartNs}, start_ns,
        0
      ) AS since_ns,
      is_delta,
      ${grown} ${andGroups(groupBy)}
    FROM (${compared}) AS points
    INNER JOIN (${groupedSeries(query)}) AS chosen USING (series)
    WHERE ns >= ${int64(window.fromNs)} AND (is_delta OR since_ns > 0)
  `
}

/**
 * Selects `step_ns`, the groups and `value`: the increase per second of known duration, summed over the series of a
 * group.
 */
export function rates(query: MetricQuery): Sql {
  const { groupBy, stream } = query
  const seriesRates = sql`
    SELECT step_ns, sum(amount) / (sum(took_ns) / 1e9) AS rate ${andGroups(groupBy)}
    FROM (${increases(query, readingOf(stream.kind))})
    WHERE took_ns > 0
    GROUP BY series, step_ns ${andGroups(groupBy)}
  `
  return sql`
    SELECT step_ns, sum(rate) AS value ${andGroups(groupBy)}
    FROM ${perShard(seriesRates)}
    GROUP BY step_ns ${andGroups(groupBy)}
  `
}

/** Selects `step_ns`, the groups and `value`: the sum of increases, or the `count` or `avg` of observations. */
export function increaseSums(query: MetricQuery): Sql {
  const { groupBy, stream } = query
  return sql`
    SELECT step_ns, ${increaseSum(query)} AS value ${andGroups(groupBy)}
    FROM ${perShard(increases(query, readingOf(stream.kind)))}
    GROUP BY step_ns ${andGroups(groupBy)}
  `
}

function increaseSum({ aggregation, stream }: MetricQuery): Sql {
  if (stream.kind === 'sum' || aggregation === 'count') return sql`sum(amount)`
  return aggregation === 'avg' ? sql`sum(observed) / sumIf(amount, isNotNull(observed))` : sql`sum(observed)`
}

function readingOf(kind: MetricKind): Reading {
  return kind === 'sum' ? numberReading : observedReading
}

/** Integers are compared and subtracted before they are converted to doubles. */
const numberReading: Reading = {
  current: sql`(value_type = 1, value_int, if(value_type = 1, toFloat64(value_int), value_double))`,
  wentDown: sql`is_monotonic AND if(current.1 AND before.1, current.2 < before.2, current.3 < before.3)`,
  grown: sql`
    multiIf(
      NOT is_difference, current.3,
      current.1 AND before.1, toFloat64(toInt128(current.2) - toInt128(before.2)),
      current.3 - before.3
    ) AS amount
  `,
}

/** The sum of observations may be missing. Only values that depend on it are then unknown. */
const observedReading: Reading = {
  current: sql`(count, if(isFinite(sum), sum, NULL))`,
  wentDown: sql`current.1 < before.1`,
  grown: sql`
    toFloat64(toInt128(current.1) - if(is_difference, before.1, 0)) AS amount,
    current.2 - if(is_difference, before.2, 0) AS observed
  `,
}
