/**
 * Percentiles of the increases of histogram buckets. A bucket is a triple (above `low`, up to `high`, count), so that
 * histograms with different bounds or scales are combined without loss of precision.
 */
import { joinSql, perShard, type Sql, sql } from '../../fragment.ts'
import type { MetricQuery } from '../../ir/metric-query.ts'
import { increases, type Reading } from './metric-increase.ts'
import { andGroups } from './metric-series.ts'

/**
 * Selects `step_ns`, the groups and `value`: a percentile, interpolated within the bucket that contains it, assuming
 * that observations are evenly distributed in the bucket. The observations of a bucket without an upper bound are
 * assumed to equal its lower bound, and one without a lower bound to begin at 0, or to equal its upper bound if that is
 * negative. Both are so before buckets are sorted: otherwise, where histograms have different bounds, the bucket above
 * the highest bound of one would follow the larger values of another. A histogram without bounds says nothing about its
 * values.
 */
export function histogramPercentiles(query: MetricQuery): Sql {
  const { groupBy, stream, aggregation } = query
  const reading = stream.kind === 'histogram' ? explicitReading : exponentialReading
  const buckets = sql`
    SELECT
      step_ns,
      if(bucket.2 = inf, bucket.1, bucket.2) AS high,
      if(bucket.1 = -inf, least(high, 0), bucket.1) AS low,
      toFloat64(sum(bucket.3)) AS observations ${andGroups(groupBy)}
    FROM ${perShard(increases(query, reading))}
    ARRAY JOIN buckets AS bucket
    WHERE bucket.3 > 0 AND (isFinite(bucket.1) OR isFinite(bucket.2))
    GROUP BY step_ns, low, high ${andGroups(groupBy)}
  `
  const sorted = sql`
    SELECT
      step_ns,
      arraySort(bucket -> (bucket.2, bucket.1), groupArray((low, high, observations))) AS sorted,
      arrayCumSum(bucket -> bucket.3, sorted) AS reached,
      ${shares[aggregation as keyof typeof shares]} * reached[-1] AS rank,
      arrayFirstIndex(total -> total >= rank, reached) AS position,
      sorted[position] AS found ${andGroups(groupBy)}
    FROM (${buckets})
    GROUP BY step_ns ${andGroups(groupBy)}
  `
  return sql`
    SELECT
      step_ns,
      found.1 + (found.2 - found.1) * (rank - (reached[position] - found.3)) / found.3 AS value ${andGroups(groupBy)}
    FROM (${sorted})
  `
}

const shares = { p50: sql`0.5`, p95: sql`0.95`, p99: sql`0.99` } as const

/**
 * Reads explicit-bucket histograms. If the bounds have changed, the increase of each bucket is unknown, so the point
 * has no buckets.
 */
const explicitReading: Reading = {
  current: sql`(count, bounds, bucket_counts)`,
  wentDown: sql`current.1 < before.1`,
  grown: sql`
    arrayMap(
      (now, then) -> toInt128(now) - toInt128(then) * is_difference,
      current.3,
      arrayResize(before.3, length(current.3))
    ) AS counts,
    if(
      is_difference AND current.2 != before.2,
      [],
      arrayZip(
        arrayPushFront(current.2, -inf),
        arrayPushBack(current.2, inf),
        arrayResize(counts, length(current.2) + 1)
      )
    ) AS buckets
  `,
}

/**
 * Reads exponential histograms. Two points are compared at the scale of the coarser one. The zero bucket has its
 * current width.
 */
const exponentialReading: Reading = {
  current: sql`
    (
      count,
      scale,
      zero_count,
      zero_threshold,
      positive_offset,
      positive_counts,
      negative_offset,
      negative_counts
    )
  `,
  wentDown: sql`current.1 < before.1`,
  grown: sql`
    if(is_difference, least(current.2, before.2), current.2) AS coarse,
    ${sideDifference({ offset: sql`5`, counts: sql`6` })} AS above,
    ${sideDifference({ offset: sql`7`, counts: sql`8` })} AS below,
    arrayConcat(
      arrayMap(
        (position, more) -> (${bound(sql`position`)}, ${bound(sql`position + 1`)}, more),
        above.1,
        above.2
      ),
      arrayMap(
        (position, more) -> (-${bound(sql`position + 1`)}, -${bound(sql`position`)}, more),
        below.1,
        below.2
      ),
      [(-current.4, current.4, toInt128(current.3) - toInt128(before.3) * is_difference)]
    ) AS buckets
  `,
}

/**
 * Returns the increases of one side of the histogram as a pair of arrays: positions and counts. `offset` and `counts`
 * are the positions of the side's fields in `current`.
 */
function sideDifference({ offset, counts }: { readonly offset: Sql; readonly counts: Sql }): Sql {
  const before = sql`if(is_difference, before.${counts}, [])`
  const positions = [
    coarsePositions(sql`current`, offset, sql`current.${counts}`),
    coarsePositions(sql`before`, offset, before),
  ]
  return sql`
    arrayReduce(
      'sumMap',
      [${joinSql(positions, sql`, `)}],
      [
        arrayMap(more -> toInt128(more), current.${counts}),
        arrayMap(less -> -toInt128(less), ${before})
      ]
    )
  `
}

/** Returns the positions of a side's buckets at the scale `coarse`. */
function coarsePositions(point: Sql, offset: Sql, counts: Sql): Sql {
  return sql`
    arrayMap(
      at -> toInt64(floor((${point}.${offset} + at - 1) / exp2(${point}.2 - coarse))),
      arrayEnumerate(${counts})
    )
  `
}

function bound(position: Sql): Sql {
  return sql`exp2((${position}) * exp2(-coarse))`
}
