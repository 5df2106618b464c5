import type { RowTable } from '../inserts/row-batches.ts'
import type { AttributeWriter } from '../records/attribute-writer.ts'
import type { ByteWriter } from '../wire/byte-writer.ts'
import type { DataPoint } from './data-point.ts'
import { ExemplarWriter } from './exemplars.ts'

export const metricPointsTable: RowTable = { name: 'metric_points', mergesEqualRows: true }

const valueTypes = { none: 0, int: 1, double: 2 } as const

/** Writes data points as RowBinary rows of the table `metric_points`, in the order of its columns. */
export class MetricPointRowWriter {
  private readonly exemplars: ExemplarWriter

  constructor(attributes: AttributeWriter) {
    this.exemplars = new ExemplarWriter(attributes)
  }

  /** The number of strings that were not valid UTF-8. */
  get repaired(): number {
    return this.exemplars.repaired
  }

  /** Writes the row of a point. `owner` contains the encoded columns `org` and `metric`. */
  write(row: ByteWriter, owner: Uint8Array, series: Uint8Array, point: DataPoint): void {
    row.raw(owner)
    row.raw(series)
    point.timeUnixNano.write(row)
    point.startTimeUnixNano.write(row)
    row.uint32(point.flags)
    writeValue(row, point)
    point.count.write(row)
    point.sum.writeNullable(row)
    point.min.writeNullable(row)
    point.max.writeNullable(row)
    point.explicitBounds.write(row)
    point.bucketCounts.write(row)
    row.uint32(point.scale)
    point.zeroCount.write(row)
    point.zeroThreshold.write(row)
    writeBuckets(row, point.positive)
    writeBuckets(row, point.negative)
    point.quantiles.write(row)
    point.valuesAtQuantiles.write(row)
    this.exemplars.write(row, point.exemplars)
  }
}

function writeValue(row: ByteWriter, { asInt, asDouble }: DataPoint): void {
  row.uint8(asInt.isSet ? valueTypes.int : asDouble.isSet ? valueTypes.double : valueTypes.none)
  asInt.write(row)
  asDouble.write(row)
}

function writeBuckets(row: ByteWriter, { offset, bucketCounts }: DataPoint['positive']): void {
  row.uint32(offset)
  bucketCounts.write(row)
}
