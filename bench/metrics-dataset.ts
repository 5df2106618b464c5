import type { ClickHouse } from '../server/clickhouse/client.ts'
import { type MetricKind, numberOfKind } from '../sql/index.ts'
import { windowFromNs } from './dataset.ts'
import type { Bench } from './section.ts'

export interface BenchMetric {
  readonly name: string
  readonly kind: MetricKind
  readonly temporality: 0 | 1 | 2
  readonly series: number
  /** The number of points of each series, evenly over the hour. */
  readonly points: number
}

const hourS = 3_600
const everyTenS = hourS / 10

export const benchMetrics = {
  counter: { name: 'http.requests', kind: 'sum', temporality: 2, series: 10_000, points: 36 },
  delta: { name: 'jobs.done', kind: 'sum', temporality: 1, series: 500, points: everyTenS },
  gauge: { name: 'memory.usage', kind: 'gauge', temporality: 0, series: 500, points: everyTenS },
  histogram: { name: 'http.duration', kind: 'histogram', temporality: 2, series: 500, points: everyTenS },
  exponential: { name: 'rpc.duration', kind: 'exponential_histogram', temporality: 2, series: 280, points: everyTenS },
} as const satisfies Readonly<Record<string, BenchMetric>>

export const benchPoints = Object.values(benchMetrics).reduce((total, { series, points }) => total + series * points, 0)

/** Loads rows as ingest writes them. Counters and histograms are reset once in the hour. */
export async function loadMetrics(clickhouse: ClickHouse, org: string, { progress }: Pick<Bench, 'progress'>) {
  const bar = progress('points', benchPoints)
  let done = 0
  for (const metric of Object.values(benchMetrics)) {
    const { name, kind, temporality, series, points } = metric
    const params = { org, metric: name, kind: numberOfKind(kind), temporality, series, points }
    await clickhouse.command(seriesInsert, params)
    await clickhouse.command(pointsInsert, params)
    done += series * points
    bar.update(done)
  }
  bar.stop()
  for (const table of ['metric_series', 'metric_points']) await clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`)
}

const seriesId = 'bitShiftLeft(toUInt128(cityHash64({metric:String}, s)), 64) + s'

const seriesInsert = `
INSERT INTO metric_series (org, metric, series, first_seen, last_seen, kind, temporality, monotonic, unit, service,
    scope_name, resource_attributes, attributes)
WITH number AS s, fromUnixTimestamp64Nano(toInt64(${windowFromNs}), 'UTC') AS begin
SELECT {org:String}, {metric:String}, ${seriesId}, begin, begin + toIntervalHour(1), {kind:UInt8}, {temporality:UInt8},
    {kind:UInt8} = 2, 'ms',
    concat('service-', toString(s % 25)), 'meter', concat('\\x01host.name\\x02shost-', toString(s % 100), '\\x03'),
    toJSONString(map('http%2Eroute', concat('s/api/', toString(s % 50)), 'instance', concat('s', toString(s))))
FROM numbers({series:UInt64})
SETTINGS input_format_try_infer_dates = 0`

const pointsInsert = `
INSERT INTO metric_points (org, metric, series, time, start_time, value_type, value_int, value_double, count, sum, min,
    max, bounds, bucket_counts, scale, positive_offset, positive_counts)
WITH intDiv(number, {points:UInt64}) AS s, number % {points:UInt64} AS p, intDiv(${hourS}, {points:UInt64}) AS step_s,
    cityHash64(s, {metric:String}) AS h, h % {points:UInt64} AS reset_at, p >= reset_at AS is_reset,
    {kind:UInt8} AS kind, {temporality:UInt8} AS temporality,
    toInt64(${windowFromNs}) AS begin, begin + toInt64(p * step_s * 1000000000 + h % 1000000000) AS happened,
    if(temporality = 2, p - if(is_reset, reset_at, 0) + 1, 1) AS grown,
    arrayMap(bucket -> grown * ((h + bucket) % 7), range(15)) AS buckets
SELECT {org:String}, {metric:String}, ${seriesId}, fromUnixTimestamp64Nano(happened, 'UTC'),
    fromUnixTimestamp64Nano(multiIf(temporality = 1, happened - toInt64(step_s * 1000000000), is_reset,
      begin + toInt64(reset_at * step_s * 1000000000), begin - 1000000000), 'UTC'),
    if(kind <= 2, 1 + (kind = 1), 0), if(kind = 2, grown * (1 + h % 100), 0), if(kind = 1, sin(p + h) * 1000, 0),
    if(kind > 2, arraySum(buckets), 0), if(kind > 2, grown * 17.25, NULL), if(kind > 2, 0.5, NULL),
    if(kind > 2, 900, NULL),
    if(kind = 3, arrayMap(bound -> exp2(bound - 2), range(14)), []), if(kind = 3, buckets, []), if(kind = 4, 3, 0),
    if(kind = 4, toInt32(h % 20), 0), if(kind = 4, buckets, [])
FROM numbers({series:UInt64} * {points:UInt64})`
