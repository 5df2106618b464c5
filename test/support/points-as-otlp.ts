import type { components } from '../../openapi/types.ts'
import { fromRfc3339 } from './reference-time.ts'

type Point = components['schemas']['MetricPoint']
type Attribute = components['schemas']['Attribute']
type Observed = NonNullable<Point['histogram'] | Point['exponential_histogram']>

/** Converts a point of the API back to a data point in OTLP/JSON. */
export function toOtlpPoint(point: Point): object {
  const { exemplars, flags, start_time } = point
  return {
    timeUnixNano: nsOf(point.time),
    ...(start_time === null ? {} : { startTimeUnixNano: nsOf(start_time) }),
    ...(flags === 0 ? {} : { flags }),
    attributes: point.series.attributes.map(toOtlpAttribute),
    ...otlpValue(point),
    ...(exemplars.length === 0 ? {} : { exemplars: exemplars.map(toOtlpExemplar) }),
  }
}

export function toOtlpAttribute({ key, type, value }: Attribute): object {
  const field = `${type}Value`
  return { key, value: type === 'int' ? { [field]: String(value) } : { [field]: value } }
}

function nsOf(time: string): string {
  return String(fromRfc3339(time))
}

function otlpValue({ number, histogram, exponential_histogram: exponential, summary }: Point): object {
  if (number !== undefined) return toOtlpNumber(number)
  if (histogram !== undefined)
    return { ...observed(histogram), explicitBounds: histogram.bounds, bucketCounts: histogram.bucket_counts }
  if (exponential !== undefined) {
    const { scale, zero_count: zeroCount, zero_threshold: zeroThreshold, positive, negative } = exponential
    const sides = { ...sideOf('positive', positive), ...sideOf('negative', negative) }
    return { ...observed(exponential), scale, zeroCount, zeroThreshold, ...sides }
  }
  if (summary === undefined) return {}
  return { count: summary.count, sum: summary.sum, quantileValues: summary.quantiles }
}

function toOtlpNumber({ type, value }: NonNullable<Point['number']>): object {
  return type === 'int' ? { asInt: String(value) } : { asDouble: value }
}

function observed({ count, sum, min, max }: Observed): object {
  const optional = Object.entries({ sum, min, max }).filter(([, value]) => value !== undefined)
  return { count, ...Object.fromEntries(optional) }
}

function sideOf(name: string, { offset, bucket_counts }: components['schemas']['ExponentialBuckets']): object {
  return bucket_counts.length === 0 && offset === 0 ? {} : { [name]: { offset, bucketCounts: bucket_counts } }
}

function toOtlpExemplar({ time, number, trace_id, span_id, attributes }: Point['exemplars'][number]): object {
  return {
    timeUnixNano: nsOf(time),
    ...(number === undefined ? {} : toOtlpNumber(number)),
    ...(trace_id === null ? {} : { traceId: trace_id }),
    ...(span_id === null ? {} : { spanId: span_id }),
    ...(attributes.length === 0 ? {} : { filteredAttributes: attributes.map(toOtlpAttribute) }),
  }
}
