import { RowBatches, type RowSpace } from '../inserts/row-batches.ts'
import { AttributeWriter } from '../records/attribute-writer.ts'
import { OutcomeBuilder } from '../records/outcome.ts'
import { recordBytesMax } from '../records/record-limits.ts'
import { RecordOrigin } from '../records/record-origin.ts'
import { RecordWalk } from '../records/record-walk.ts'
import type { DecodedBody, Signal } from '../records/signal.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'
import { CurrentMetric } from './current-metric.ts'
import { DataPointReader } from './data-point.ts'
import { MetricSeriesWriter, metricSeriesTable } from './metric-series.ts'
import { faultOfMetric, faultOfPoint, type PointFault, pointFaults } from './point-faults.ts'
import { MetricPointRowWriter, metricPointsTable } from './point-rows.ts'

export const metrics: Signal = {
  path: '/v1/metrics',
  name: 'metrics',
  request: 'collector.metrics.v1.ExportMetricsServiceRequest',
  response: 'collector.metrics.v1.ExportMetricsServiceResponse',
  rejectedField: 'rejectedDataPoints',
  tables: [metricSeriesTable, metricPointsTable],
  decode: (body, org, space) => new MetricsDecoder(body, org, space).decode(),
}

/** Reads one export request. Every point is checked independently: a fault in one does not affect the others. */
class MetricsDecoder {
  private readonly bytes: Buffer
  private readonly org: string
  private readonly reader: ProtobufReader
  private readonly attributes: AttributeWriter
  private readonly origin: RecordOrigin
  private readonly walk: RecordWalk
  private readonly metric = new CurrentMetric()
  private readonly dataPoints = new DataPointReader()
  private readonly seriesRows: RowBatches
  private readonly pointRows: RowBatches
  private readonly series: MetricSeriesWriter
  private readonly points: MetricPointRowWriter
  /** The encoded columns `org` and `metric` of the current metric. */
  private readonly owner = new ByteWriter(256)
  private readonly outcome = new OutcomeBuilder<PointFault>('data point', pointFaults)
  private pointIndex = -1

  constructor(bytes: Buffer, org: string, space: RowSpace) {
    // The limit applies to all rows of the request. Each table may use half of it.
    const { limits } = space
    const half = { ...space, limits: { ...limits, rowBytesMax: limits.rowBytesMax / 2 } }
    this.bytes = bytes
    this.org = org
    this.reader = new ProtobufReader(bytes)
    this.attributes = new AttributeWriter(bytes, this.outcome.repairs)
    this.origin = new RecordOrigin(org, this.attributes)
    this.walk = new RecordWalk(this.reader, this.origin, metrics.request)
    this.seriesRows = new RowBatches(metricSeriesTable, half, bytes.length)
    this.pointRows = new RowBatches(metricPointsTable, half, bytes.length)
    this.series = new MetricSeriesWriter(this.attributes, this.seriesRows)
    this.points = new MetricPointRowWriter(this.attributes)
  }

  /** Decodes the request. Series are stored before points, so that every stored point has its series. */
  decode(): DecodedBody {
    this.walk.run((end) => this.readMetric(end))
    const batches = [...this.seriesRows.finish(), ...this.pointRows.finish()]
    const { outcome, origin, attributes, series, points } = this
    outcome.repairs.repairedTexts = origin.repaired + attributes.values.repaired + series.repaired + points.repaired
    return { batches, outcome: outcome.build() }
  }

  private readMetric(end: number): void {
    const { reader, metric, outcome } = this
    metric.fill(reader, end)
    if (metric.kind === undefined) {
      outcome.repairs.emptyMetrics++
      return
    }
    if (metric.points.count === 0) return
    const fault = faultOfMetric(metric) ?? this.beginMetric()
    for (this.pointIndex = 0; this.pointIndex < metric.points.count; this.pointIndex++) {
      const pointFault = fault ?? this.readPoint(this.pointIndex)
      if (pointFault === undefined) outcome.accepted++
      else outcome.reject(pointFault, this.position)
    }
    reader.position = end
  }

  private beginMetric(): PointFault | undefined {
    const { metric, owner, bytes } = this
    const origin = this.origin.columns()
    if (origin === undefined || metric.kind === undefined) return 'size'
    this.series.beginMetric(origin, metric, metric.kind)
    owner.position = 0
    owner.string(this.org)
    owner.text(bytes, metric.message.name.start, metric.message.name.end)
    return undefined
  }

  private readPoint(index: number): PointFault | undefined {
    const { reader, metric, pointRows } = this
    const start = metric.points.start[index] as number
    const end = metric.points.end[index] as number
    if (end - start > recordBytesMax || metric.kind === undefined) return 'size'
    reader.position = start
    const point = this.dataPoints.read(metric.kind, reader, end)
    const fault = faultOfPoint(point, metric.kind)
    if (fault !== undefined) return fault
    if (!this.series.write(point.attributes, point.timeUnixNano)) return 'size'
    const row = pointRows.beginRow(point.timeUnixNano.low, point.timeUnixNano.high)
    this.points.write(row, this.owner.since(0), this.series.id, point)
    if (pointRows.rowBytes > recordBytesMax) {
      pointRows.dropRow()
      return 'size'
    }
    pointRows.endRow()
    return undefined
  }

  private readonly position = (): string => `${this.walk.position()}.data_points[${this.pointIndex}]`
}
