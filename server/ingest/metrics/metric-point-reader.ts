/** Reads the four messages that OTLP has for data points into a MetricPoint. */
import type { MetricKind } from '#sql'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import type { ExponentialBuckets, MetricPoint } from './point-message.ts'

/** Reads the field with this tag; false when the message has no such field, and nothing is read. */
type FieldReader = (point: MetricPoint, reader: ProtobufReader, tag: number, end: number) => boolean

const fieldReaders: Readonly<Record<MetricKind, FieldReader>> = {
  gauge: readNumberField,
  sum: readNumberField,
  histogram: readHistogramField,
  exponential_histogram: readExponentialField,
  summary: readSummaryField,
}

/** Fills `point` from the message that ends at `end`. */
export function readPoint(point: MetricPoint, kind: MetricKind, reader: ProtobufReader, end: number): void {
  const readField = fieldReaders[kind]
  point.clear()
  while (reader.position < end) {
    const tag = reader.tag(end)
    if (!readTime(point, reader, tag, end) && !readField(point, reader, tag, end)) reader.skip(tag, end)
  }
}

/** All four have these two fields, with the same numbers. */
function readTime(point: MetricPoint, reader: ProtobufReader, tag: number, end: number): boolean {
  if (tag === 17) point.startTime.readFixed(reader, end)
  else if (tag === 25) point.time.readFixed(reader, end)
  else return false
  return true
}

const number = { double: 33, exemplars: 42, int: 49, attributes: 58, flags: 64 } as const

function readNumberField(point: MetricPoint, reader: ProtobufReader, tag: number, end: number): boolean {
  if (tag === number.attributes) point.attributes.read(reader, end)
  else if (tag === number.flags) point.flags = reader.varint(end)
  else if (tag === number.exemplars) readExemplar(point, reader, end)
  else if (tag === number.double || tag === number.int) {
    // As in every oneof, the last one holds.
    point.valueInt.clear()
    point.valueDouble.clear()
    const value = tag === number.int ? point.valueInt : point.valueDouble
    value.readFixed(reader, end)
  } else return false
  return true
}

const histogram = {
  count: 33,
  sum: 41,
  bucketCounts: 49,
  bucketCountsPacked: 50,
  bounds: 57,
  boundsPacked: 58,
  exemplars: 66,
  attributes: 74,
  flags: 80,
  min: 89,
  max: 97,
} as const

function readHistogramField(point: MetricPoint, reader: ProtobufReader, tag: number, end: number): boolean {
  switch (tag) {
    case histogram.count:
      point.count.readFixed(reader, end)
      return true
    case histogram.sum:
      point.sum.readFixed(reader, end)
      return true
    case histogram.min:
      point.min.readFixed(reader, end)
      return true
    case histogram.max:
      point.max.readFixed(reader, end)
      return true
    case histogram.bucketCounts:
    case histogram.bucketCountsPacked:
      point.bucketCounts.readFixed(reader, tag, end)
      return true
    case histogram.bounds:
    case histogram.boundsPacked:
      point.bounds.readFixed(reader, tag, end)
      return true
    case histogram.attributes:
      point.attributes.read(reader, end)
      return true
    case histogram.exemplars:
      readExemplar(point, reader, end)
      return true
    case histogram.flags:
      point.flags = reader.varint(end)
      return true
    default:
      return false
  }
}

const exponential = {
  attributes: 10,
  count: 33,
  sum: 41,
  scale: 48,
  zeroCount: 57,
  positive: 66,
  negative: 74,
  flags: 80,
  exemplars: 90,
  min: 97,
  max: 105,
  zeroThreshold: 113,
} as const

function readExponentialField(point: MetricPoint, reader: ProtobufReader, tag: number, end: number): boolean {
  switch (tag) {
    case exponential.count:
      point.count.readFixed(reader, end)
      return true
    case exponential.sum:
      point.sum.readFixed(reader, end)
      return true
    case exponential.min:
      point.min.readFixed(reader, end)
      return true
    case exponential.max:
      point.max.readFixed(reader, end)
      return true
    case exponential.scale:
      point.scale = signed(reader.varint(end))
      return true
    case exponential.zeroCount:
      point.zeroCount.readFixed(reader, end)
      return true
    case exponential.zeroThreshold:
      point.zeroThreshold.readFixed(reader, end)
      return true
    case exponential.positive:
      readBuckets(point.positive, reader, reader.endOfBytes(end))
      return true
    case exponential.negative:
      readBuckets(point.negative, reader, reader.endOfBytes(end))
      return true
    case exponential.attributes:
      point.attributes.read(reader, end)
      return true
    case exponential.exemplars:
      readExemplar(point, reader, end)
      return true
    case exponential.flags:
      point.flags = reader.varint(end)
      return true
    default:
      return false
  }
}

const buckets = { offset: 8, counts: 16, countsPacked: 18 } as const

function readBuckets(side: ExponentialBuckets, reader: ProtobufReader, end: number): void {
  while (reader.position < end) {
    const tag = reader.tag(end)
    if (tag === buckets.offset) side.offset = signed(reader.varint(end))
    else if (tag === buckets.counts || tag === buckets.countsPacked) side.counts.readVarints(reader, tag, end)
    else reader.skip(tag, end)
  }
}

const summary = { count: 33, sum: 41, quantiles: 50, attributes: 58, flags: 64 } as const
const quantile = { quantile: 9, value: 17 } as const

function readSummaryField(point: MetricPoint, reader: ProtobufReader, tag: number, end: number): boolean {
  if (tag === summary.count) point.count.readFixed(reader, end)
  else if (tag === summary.sum) point.sum.readFixed(reader, end)
  else if (tag === summary.quantiles) readQuantile(point, reader, reader.endOfBytes(end))
  else if (tag === summary.attributes) point.attributes.read(reader, end)
  else if (tag === summary.flags) point.flags = reader.varint(end)
  else return false
  return true
}

function readQuantile(point: MetricPoint, reader: ProtobufReader, end: number): void {
  let [quantileLow, quantileHigh, valueLow, valueHigh] = [0, 0, 0, 0]
  while (reader.position < end) {
    const tag = reader.tag(end)
    if (tag === quantile.quantile) {
      reader.fixed64(end)
      quantileLow = reader.low
      quantileHigh = reader.high
    } else if (tag === quantile.value) {
      reader.fixed64(end)
      valueLow = reader.low
      valueHigh = reader.high
    } else reader.skip(tag, end)
  }
  point.quantiles.add(quantileLow, quantileHigh)
  point.quantileValues.add(valueLow, valueHigh)
}

function readExemplar(point: MetricPoint, reader: ProtobufReader, end: number): void {
  const fieldEnd = reader.endOfBytes(end)
  point.exemplars.add(reader.position, fieldEnd)
  reader.position = fieldEnd
}

/** How protobuf writes a `sint32`: the sign is the lowest bit. */
function signed(zigzag: number): number {
  return (zigzag >>> 1) ^ -(zigzag & 1)
}
