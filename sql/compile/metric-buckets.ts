/**
 * Percentiles of what the buckets of histograms grew by. Every bucket is (above `low`, up to `high`, how many), so that histograms
 * with different bounds or scales are put together without making any of them coarser.
 */
import { joinSql, perShard, type Sql, sql } from '../fragment.ts'
import type { MetricQuery } from '../ir/metric-query.ts'
import { increases, type Reading } from './metric-increase.ts'
import { andGroups } from './metric-streams.ts'

/** Rows of `step_ns`, the groups and `value`: within the bucket in which so large a share is reached, as if it were evenly filled. */
export function bucketPercentiles(query: MetricQuery): Sql {
  const { groupBy, stream, aggregation } = query
  const reading = stream.kind === 'histogram' ? explicitReading : exponentialReading
  const buckets = sql`SELECT step_ns, bucket.1 AS low, bucket.2 AS high, sum(bucket.3) AS observations ${andGroups(groupBy)} FROM ${perShard(increases(query, reading))} ARRAY JOIN buckets AS bucket WHERE bucket.3 > 0 GROUP BY step_ns, low, high ${andGroups(groupBy)}`
  const share = shares[aggregation as keyof typeof shares]
  const sorted = sql`SELECT step_ns, arraySort(bucket -> (bucket.2, bucket.1), groupArray((low, high, observations))) AS sorted, arrayCumSum(bucket -> bucket.3, sorted) AS reached, ${share} * reached[-1] AS rank, arrayFirstIndex(total -> total >= rank, reached) AS place, sorted[place] AS found ${andGroups(groupBy)} FROM (${buckets}) GROUP BY step_ns ${andGroups(groupBy)}`
  return sql`SELECT step_ns, ${estimate} AS value ${andGroups(groupBy)} FROM (${sorted})`
}

const shares = { p50: sql`0.5`, p95: sql`0.95`, p99: sql`0.99` } as const

/** A bucket without an end is known by its other end; below the first bound nothing is taken for negative but what must be. */
const estimate: Sql = sql`if(found.2 = inf, found.1, if(found.1 = -inf, least(found.2, 0), found.1) + (found.2 - if(found.1 = -inf, least(found.2, 0), found.1)) * (rank - (reached[place] - found.3)) / found.3)`

/** With other bounds than before nobody can tell what is new in which bucket. */
const explicitReading: Reading = {
  current: sql`(count, bounds, bucket_counts)`,
  wentDown: sql`current.1 < before.1`,
  grown: sql`arrayMap((now, then) -> toInt64(now) - toInt64(then) * is_difference, current.3, arrayResize(before.3, length(current.3))) AS counts, if(is_difference AND current.2 != before.2, [], arrayZip(arrayPushFront(current.2, -inf), arrayPushBack(current.2, inf), arrayResize(counts, length(current.2) + 1))) AS buckets`,
}

/** The finer of two points is read as if it were as coarse as the other. The bucket of zeros is as wide as it is now. */
const exponentialReading: Reading = {
  current: sql`(count, scale, zero_count, zero_threshold, positive_offset, positive_counts, negative_offset, negative_counts)`,
  wentDown: sql`current.1 < before.1`,
  grown: sql`if(is_difference, least(current.2, before.2), current.2) AS coarse, ${sideDifference({ offset: sql`5`, counts: sql`6` })} AS above, ${sideDifference({ offset: sql`7`, counts: sql`8` })} AS below, arrayConcat(arrayMap((place, more) -> (${bound(sql`place`)}, ${bound(sql`place + 1`)}, more), above.1, above.2), arrayMap((place, more) -> (-${bound(sql`place + 1`)}, -${bound(sql`place`)}, more), below.1, below.2), [(-current.4, current.4, toInt64(current.3) - toInt64(before.3) * is_difference)]) AS buckets`,
}

/** `(places, counts)` of one side, which stands at these places of `current`. */
function sideDifference({ offset, counts }: { readonly offset: Sql; readonly counts: Sql }): Sql {
  const before = sql`if(is_difference, before.${counts}, [])`
  const places = [coarsePlaces(sql`current`, offset, sql`current.${counts}`), coarsePlaces(sql`before`, offset, before)]
  return sql`arrayReduce('sumMap', [${joinSql(places, sql`, `)}], [arrayMap(more -> toInt64(more), current.${counts}), arrayMap(less -> -toInt64(less), ${before})])`
}

/** Where the buckets of a side are at the scale `coarse`. */
function coarsePlaces(point: Sql, offset: Sql, counts: Sql): Sql {
  return sql`arrayMap(at -> toInt64(floor((${point}.${offset} + at - 1) / exp2(${point}.2 - coarse))), arrayEnumerate(${counts}))`
}

function bound(place: Sql): Sql {
  return sql`exp2((${place}) * exp2(-coarse))`
}
