import { RowBatches, type RowSpace } from '../inserts/row-batches.ts'
import type { AcceptedTimes, TimeFault } from '../records/accepted-times.ts'
import { AttributeWriter } from '../records/attribute-writer.ts'
import { OutcomeBuilder } from '../records/outcome.ts'
import { recordBytesMax, recordPartsMax } from '../records/record-limits.ts'
import { RecordOrigin } from '../records/record-origin.ts'
import { RecordWalk, walkStops } from '../records/record-walk.ts'
import { type BodyDecoder, type DecodedBody, recordWork, type Signal, stepWork } from '../records/signal.ts'
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
  open: (...args) => new MetricsDecoder(...args),
}

/** Reads one export request. Every point is checked independently: a fault in one does not affect the others. */
class MetricsDecoder implements BodyDecoder {
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
  private readonly times: AcceptedTimes
  private readonly outcome: OutcomeBuilder<PointFault | TimeFault>
  /** The index of the next point of the current metric. */
  private pointIndex = 0
  private metricEnd = 0
  /** The fault that all points of the current metric share. */
  private metricFault: PointFault | undefined

  constructor(bytes: Buffer, org: string, space: RowSpace, times: AcceptedTimes) {
    // The limit applies to all rows of the request. Each table may use half of it.
    const { limits } = space
    const half = { ...space, limits: { ...limits, rowBytesMax: limits.rowBytesMax / 2 } }
    this.times = times
    this.outcome = new OutcomeBuilder('data point', { ...pointFaults, ...times.faults })
    this.bytes = bytes
    this.org = org
    this.reader = new ProtobufReader(bytes)
    this.attributes = new AttributeWriter(bytes, this.outcome.repairs)
    this.origin = new RecordOrigin(org, this.attributes)
    this.walk = new RecordWalk(this.reader, this.origin, metrics.request)
    this.seriesRows = new RowBatches(metricSeriesTable, half, bytes.length)
    this.pointRows = new RowBatches(metricPointsTable, half, bytes.length)
    this.series = new MetricSeriesWriter(this.attributes, this.seriesRows, space.acceptsSeries)
    this.points = new MetricPointRowWriter(this.attributes)
  }

  step(): DecodedBody | undefined {
    for (let work = 0; work < stepWork; ) {
      if (this.pointIndex < this.metric.points.count) work += this.readNextPoint()
      else {
        const end = this.walk.next()
        if (end === walkStops.finished) return this.finish()
        if (end === walkStops.paused) return undefined
        work += this.readMetric(end)
      }
    }
    return undefined
  }

  get heldBytes(): number {
    return this.seriesRows.heldBytes + this.pointRows.heldBytes
  }

  /** Returns the rows. Series are stored before points, so that every stored point has its series. */
  private finish(): DecodedBody {
    const batches = [...this.seriesRows.finish(), ...this.pointRows.finish()]
    const { outcome, origin, attributes, series, points } = this
    outcome.repairs.repairedTexts = origin.repaired + attributes.values.repaired + series.repaired + points.repaired
    return { batches, outcome: outcome.build() }
  }

  /** Reads a metric, whose points follow. Returns the work, which grows with the number of points. */
  private readMetric(end: number): number {
    const { reader, metric, outcome } = this
    metric.fill(reader, end)
    this.metricEnd = end
    this.pointIndex = 0
    if (metric.kind === undefined) {
      outcome.repairs.emptyMetrics++
      metric.points.clear()
    }
    this.metricFault = metric.points.count === 0 ? undefined : (faultOfMetric(metric, this.bytes) ?? this.beginMetric())
    return (1 + metric.points.count) * recordWork
  }

  /** Reads the next point of the current metric. Returns the work. */
  private readNextPoint(): number {
    const { metric, outcome, reader, pointRows, pointIndex: index } = this
    const fault = this.metricFault ?? this.readPoint(index)
    if (fault === undefined) outcome.accepted++
    else outcome.reject(fault, this.position)
    const pointBytes = (metric.points.end[index] as number) - (metric.points.start[index] as number)
    this.pointIndex++
    reader.position = this.metricEnd
    return recordWork + pointBytes + pointRows.rowBytes
  }

  private beginMetric(): PointFault | undefined {
    const { metric, owner, bytes } = this
    const origin = this.origin.columns()
    if (origin === undefined || metric.kind === undefined) return 'size'
    if (!this.series.beginMetric(origin, metric, metric.kind)) return 'size'
    owner.position = 0
    owner.string(this.org)
    owner.text(bytes, metric.message.name.start, metric.message.name.end)
    return undefined
  }

  private readPoint(index: number): PointFault | TimeFault | undefined {
    const { reader, metric, series, pointRows } = this
    const start = metric.points.start[index] as number
    const end = metric.points.end[index] as number
    if (end - start > recordBytesMax || metric.kind === undefined) return 'size'
    const { values } = this.attributes
    values.partsLeft = recordPartsMax
    reader.position = start
    const point = this.dataPoints.read(metric.kind, reader, end)
    const { low, high } = point.timeUnixNano
    const fault = faultOfPoint(point, metric.kind) ?? this.times.faultOf(low, high) ?? series.identify(point.attributes)
    if (fault !== undefined) return fault
    this.points.write(pointRows.beginRow(low, high), this.owner.written(), series.id, point)
    const isTooLarge = pointRows.rowBytes > recordBytesMax || values.partsLeft < 0
    // The series is written last, so that a point that is rejected leaves neither a series nor its time behind.
    const sizeFault = isTooLarge ? 'size' : series.write(point.attributes, point.timeUnixNano)
    if (sizeFault === undefined) pointRows.endRow()
    else pointRows.dropRow()
    return sizeFault
  }

  private readonly position = (): string => `${this.walk.position()}.data_points[${this.pointIndex}]`
}
