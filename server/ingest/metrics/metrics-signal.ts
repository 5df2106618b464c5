import { RowBatches, type RowSpace } from '../inserts/row-batches.ts'
import { OutcomeBuilder } from '../records/outcome.ts'
import { RecordOrigin, recordBytesMax } from '../records/record-origin.ts'
import { type LevelNames, RecordWalk } from '../records/record-walk.ts'
import { noLosses, noteLosses } from '../records/repairs.ts'
import type { DecodedBody, Signal } from '../records/signal.ts'
import { ValueWriter } from '../records/value-writer.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'
import { faultOfMetric, faultOfPoint, type PointFault, pointFaults } from './metric-faults.ts'
import { MetricReader } from './metric-message.ts'
import { readPoint } from './metric-point-reader.ts'
import { MetricPointRowWriter, metricPointsTable } from './metric-rows.ts'
import { MetricSeriesWriter, metricSeriesTable } from './metric-series.ts'
import { MetricPoint } from './point-message.ts'

export const metrics: Signal = {
  path: '/v1/metrics',
  name: 'metrics',
  requestMessage: 'collector.metrics.v1.ExportMetricsServiceRequest',
  responseMessage: 'collector.metrics.v1.ExportMetricsServiceResponse',
  rejectedField: 'rejectedDataPoints',
  decode: (body, org, space) => new MetricsDecoder(body, org, space).decode(),
}

const names: LevelNames = { resource: 'resource_metrics', scope: 'scope_metrics', record: 'metrics' }

/** Reads one `ExportMetricsServiceRequest`. Every point in it is checked by itself: one that has a fault costs no other. */
class MetricsDecoder {
  private readonly bytes: Buffer
  private readonly org: string
  private readonly reader: ProtobufReader
  private readonly values: ValueWriter
  private readonly origin: RecordOrigin
  private readonly walk: RecordWalk
  private readonly metric = new MetricReader()
  private readonly point = new MetricPoint()
  private readonly seriesRows: RowBatches
  private readonly pointRows: RowBatches
  private readonly series: MetricSeriesWriter
  private readonly points: MetricPointRowWriter
  /** The columns `org` and `metric` of the metric that is being read. */
  private readonly owner = new ByteWriter(256)
  private readonly outcome = new OutcomeBuilder<PointFault>('data point', pointFaults)
  private readonly losses = noLosses()
  private pointIndex = -1

  constructor(bytes: Buffer, org: string, space: RowSpace) {
    // The limit is one of all rows; either table may take its half.
    const { limits } = space
    const half = { ...space, limits: { ...limits, rowBytesMax: limits.rowBytesMax / 2 } }
    this.bytes = bytes
    this.org = org
    this.reader = new ProtobufReader(bytes)
    this.values = new ValueWriter(bytes)
    this.origin = new RecordOrigin(bytes, org, this.values, this.losses)
    this.walk = new RecordWalk(this.reader, this.origin, names)
    this.seriesRows = new RowBatches(metricSeriesTable, half, bytes.length)
    this.pointRows = new RowBatches(metricPointsTable, half, bytes.length)
    this.series = new MetricSeriesWriter(bytes, this.values, this.losses, this.seriesRows)
    this.points = new MetricPointRowWriter(bytes, this.values, this.losses)
  }

  /** Series come first, so that no point is stored whose series is not. */
  decode(): DecodedBody {
    this.walk.run((end) => this.readMetric(end))
    const batches = [...this.seriesRows.finish(), ...this.pointRows.finish()]
    const { losses, outcome, origin, values, series, points } = this
    losses.repairedTexts = origin.repaired + values.repaired + series.repaired + points.repaired
    noteLosses(losses, outcome)
    return { batches, outcome: outcome.build() }
  }

  private readMetric(end: number): void {
    const { reader, metric } = this
    metric.read(reader, end)
    const { kind, points } = metric
    if (kind === undefined) {
      this.losses.emptyMetrics++
      return
    }
    if (points.count === 0) return
    const fault = faultOfMetric(metric) ?? this.beginMetric()
    for (this.pointIndex = 0; this.pointIndex < points.count; this.pointIndex++) {
      const pointFault = fault ?? this.readPoint(this.pointIndex)
      if (pointFault === undefined) this.outcome.accepted++
      else this.outcome.reject(pointFault, this.place)
    }
    reader.position = end
  }

  private beginMetric(): PointFault | undefined {
    const { metric, owner, bytes } = this
    const origin = this.origin.columns()
    if (origin === undefined || origin.length > recordBytesMax || metric.kind === undefined) return 'size'
    this.series.beginMetric(origin, metric, metric.kind)
    owner.position = 0
    owner.string(this.org)
    owner.text(bytes, metric.nameStart, metric.nameEnd)
    return undefined
  }

  private readPoint(index: number): PointFault | undefined {
    const { reader, metric, point, pointRows } = this
    const start = metric.points.start[index] as number
    const end = metric.points.end[index] as number
    if (end - start > recordBytesMax || metric.kind === undefined) return 'size'
    reader.position = start
    readPoint(point, metric.kind, reader, end)
    const fault = faultOfPoint(point, metric.kind)
    if (fault !== undefined) return fault
    if (!this.series.write(point.attributes, point.time)) return 'size'
    const row = pointRows.beginRow(point.time.low, point.time.high)
    this.points.write(row, this.owner.since(0), this.series.id, point)
    if (pointRows.rowBytes > recordBytesMax) {
      pointRows.dropRow()
      return 'size'
    }
    pointRows.endRow()
    return undefined
  }

  private readonly place = () => `${this.walk.place()}.data_points[${this.pointIndex}]`
}
