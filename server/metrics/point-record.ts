import {
  kindOfNumber,
  type MetricKind,
  type MetricPointRow,
  rfc3339OfNs,
  type SeriesRow,
  temporalityOfNumber,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import { attributesOfList, attributesOfPairs, attributesOfPaths, toAttribute } from '../telemetry/attribute-record.ts'
import { sentId } from '../telemetry/sent-id.ts'

type MetricPoint = components['schemas']['MetricPoint']
type Series = components['schemas']['MetricPointSeries']
type MetricNumber = components['schemas']['MetricNumber']

/** Converts a stored data point to a data point of the API. */
export function toMetricPoint(row: MetricPointRow, series: Series): MetricPoint {
  return {
    time: rfc3339OfNs(BigInt(row.ns)),
    start_time: row.start_ns === '0' ? null : rfc3339OfNs(BigInt(row.start_ns)),
    flags: row.flags,
    series,
    ...valueOfKind[series.kind](row),
    exemplars: exemplarsOf(row.exemplars),
  }
}

/** Converts a row to the series of a point as the API returns it. */
export function toSeries(metric: string, row: SeriesRow): Series {
  return {
    metric,
    kind: kindOfNumber(row.kind),
    unit: row.unit,
    description: row.description,
    temporality: temporalityOfNumber(row.temporality),
    monotonic: row.monotonic === 1,
    service: row.service,
    scope: { name: row.scope_name, version: row.scope_version, attributes: attributesOfList(row.scope_attributes) },
    attributes: attributesOfPaths(row.attributes),
    resource_attributes: attributesOfList(row.resource_attributes),
    metadata: attributesOfList(row.metadata),
  }
}

/** The value of a point, in the property for its kind. */
type Valued = Pick<MetricPoint, 'number' | 'histogram' | 'exponential_histogram' | 'summary'>

const valueOfKind: Readonly<Record<MetricKind, (row: MetricPointRow) => Valued>> = {
  gauge: numberOf,
  sum: numberOf,
  histogram: (row) => ({
    histogram: { ...observedOf(row), bounds: row.bounds.map(toDouble), bucket_counts: [...row.bucket_counts] },
  }),
  exponential_histogram: (row) => ({
    exponential_histogram: {
      ...observedOf(row),
      scale: row.scale,
      zero_count: row.zero_count,
      zero_threshold: toDouble(row.zero_threshold),
      positive: { offset: row.positive_offset, bucket_counts: [...row.positive_counts] },
      negative: { offset: row.negative_offset, bucket_counts: [...row.negative_counts] },
    },
  }),
  summary: (row) => ({
    summary: {
      count: row.count,
      sum: toDouble(row.sum ?? 0),
      quantiles: row.quantiles.map((quantile, index) => ({
        quantile,
        value: toDouble(row.quantile_values[index] ?? 0),
      })),
    },
  }),
}

function numberOf({ value_type, value_int, value_double }: MetricPointRow): Valued {
  if (value_type === 0) return {}
  return value_type === 1
    ? { number: toNumber(`i${value_int}`) }
    : { number: { type: 'double', value: toDouble(value_double) } }
}

function observedOf({ count, sum, min, max }: MetricPointRow) {
  return {
    count,
    ...(sum === null ? {} : { sum: toDouble(sum) }),
    ...(min === null ? {} : { min: toDouble(min) }),
    ...(max === null ? {} : { max: toDouble(max) }),
  }
}

/** Converts ClickHouse's names of doubles that JSON cannot represent to the names in the API. */
function toDouble(value: number | string): number | string {
  if (typeof value === 'number') return value
  return value === 'nan' || value === '-nan' ? 'NaN' : value.replace('inf', 'Infinity')
}

/** The stored form of an exemplar (sql/schema/tables.ts). */
interface StoredExemplar {
  readonly t: string
  readonly v?: string
  readonly x?: string
  readonly s?: string
  readonly a?: readonly (readonly [string, string])[]
}

function exemplarsOf(text: string): MetricPoint['exemplars'] {
  if (text === '') return []
  return (JSON.parse(text) as StoredExemplar[]).map(({ t, v, x, s, a }) => ({
    time: rfc3339OfNs(BigInt(t)),
    ...(v === undefined ? {} : { number: toNumber(v) }),
    trace_id: sentId(x),
    span_id: sentId(s),
    attributes: attributesOfPairs(a),
  }))
}

/** Converts the tagged text of an int or a double. */
function toNumber(tagged: string): MetricNumber {
  const { type, value } = toAttribute('', tagged)
  return { type: type as MetricNumber['type'], value: value as MetricNumber['value'] }
}
