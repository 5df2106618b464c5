import type { MetricKind } from '#sql'
import { MetricMessage } from '../records/message-readers-generated.ts'
import { RangeList } from '../wire/fields.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'

/** The members of the oneof `data` with their metric kinds. */
const kinds = {
  gauge: 'gauge',
  sum: 'sum',
  histogram: 'histogram',
  exponentialHistogram: 'exponential_histogram',
  summary: 'summary',
} as const satisfies Readonly<Record<string, MetricKind>>

const members = Object.keys(kinds) as (keyof typeof kinds)[]
const temporalityMax = 2

/** The fields that the messages of all kinds share. */
interface MetricData {
  readonly dataPoints: RangeList
  readonly aggregationTemporality?: number
  readonly isMonotonic?: number
}

const noData: MetricData = { dataPoints: new RangeList() }

/** One `Metric` with its points as ranges. The object is reused for all metrics of a body. */
export class CurrentMetric {
  readonly message = new MetricMessage()
  /** Undefined for a metric without data, or with data of a kind that OTLP does not define. */
  kind: MetricKind | undefined
  points = noData.dataPoints
  /** True for kinds with a temporality. Gauges and summaries have no temporality. */
  hasTemporality = false
  /** A value of `AggregationTemporality`; 0 if it is unspecified or unknown. */
  temporality = 0
  isMonotonic = false

  /** Reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.message.fill(reader, end)
    const member = members.find((name) => this.message[name].isSet)
    const data: MetricData = member === undefined ? noData : this.message[member]
    this.kind = member === undefined ? undefined : kinds[member]
    this.points = data.dataPoints
    this.hasTemporality = data.aggregationTemporality !== undefined
    const temporality = data.aggregationTemporality ?? 0
    this.temporality = temporality <= temporalityMax ? temporality : 0
    this.isMonotonic = (data.isMonotonic ?? 0) !== 0
  }
}
