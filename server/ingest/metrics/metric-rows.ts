import { telemetryTables } from '#sql'
import type { RowTable } from '../inserts/row-batches.ts'
import type { Losses } from '../records/repairs.ts'
import type { ValueWriter } from '../records/value-writer.ts'
import type { ByteWriter } from '../wire/byte-writer.ts'
import { ExemplarWriter } from './exemplars.ts'
import type { ExponentialBuckets, MetricPoint } from './point-message.ts'

/** The columns of a row stand in the order in which they are written. */
export const metricPointsTable: RowTable = {
  name: 'metric_points',
  columns: Object.keys(telemetryTables.metric_points.columns),
  mergesEqualRows: true,
}

const valueTypes = { none: 0, int: 1, double: 2 } as const

/** Writes data points that have no fault as RowBinary rows of the table `metric_points`. */
export class MetricPointRowWriter {
  private readonly exemplars: ExemplarWriter

  constructor(bytes: Buffer, values: ValueWriter, losses: Losses) {
    this.exemplars = new ExemplarWriter(bytes, values, losses)
  }

  /** Strings that were not valid UTF-8. */
  get repaired(): number {
    return this.exemplars.repaired
  }

  /** `owner`: the columns `org` and `metric`. */
  write(row: ByteWriter, owner: Uint8Array, series: Uint8Array, point: MetricPoint): void {
    row.raw(owner)
    row.raw(series)
    point.time.write(row)
    point.startTime.write(row)
    row.uint32(point.flags)
    writeValue(row, point)
    point.count.write(row)
    point.sum.writeNullable(row)
    point.min.writeNullable(row)
    point.max.writeNullable(row)
    point.bounds.write(row)
    point.bucketCounts.write(row)
    row.uint32(point.scale)
    point.zeroCount.write(row)
    point.zeroThreshold.write(row)
    writeBuckets(row, point.positive)
    writeBuckets(row, point.negative)
    point.quantiles.write(row)
    point.quantileValues.write(row)
    this.exemplars.write(row, point.exemplars)
  }
}

function writeValue(row: ByteWriter, { valueInt, valueDouble }: MetricPoint): void {
  row.uint8(valueInt.isSet ? valueTypes.int : valueDouble.isSet ? valueTypes.double : valueTypes.none)
  valueInt.write(row)
  valueDouble.write(row)
}

function writeBuckets(row: ByteWriter, { offset, counts }: ExponentialBuckets): void {
  row.uint32(offset)
  counts.write(row)
}
