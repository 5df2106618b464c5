import { AttributeList } from '../records/attribute-list.ts'
import { Fixed64List, Optional64 } from '../wire/fixed64.ts'
import { RangeList } from '../wire/range-list.ts'

/** One side of an exponential histogram. */
export class ExponentialBuckets {
  offset = 0
  readonly counts = new Fixed64List()

  clear(): void {
    this.offset = 0
    this.counts.clear()
  }
}

/**
 * One data point of any kind as it came, unchecked. One is filled again and again, so that reading makes no objects; a field
 * that the body leaves out, or that points of this kind do not have, is zero, absent or empty.
 */
export class MetricPoint {
  readonly attributes = new AttributeList()
  readonly exemplars = new RangeList()
  /** Nanoseconds since the epoch. */
  readonly time = new Optional64()
  readonly startTime = new Optional64()
  flags = 0
  readonly valueInt = new Optional64()
  readonly valueDouble = new Optional64()
  readonly count = new Optional64()
  readonly sum = new Optional64()
  readonly min = new Optional64()
  readonly max = new Optional64()
  readonly bounds = new Fixed64List()
  readonly bucketCounts = new Fixed64List()
  scale = 0
  readonly zeroCount = new Optional64()
  readonly zeroThreshold = new Optional64()
  readonly positive = new ExponentialBuckets()
  readonly negative = new ExponentialBuckets()
  readonly quantiles = new Fixed64List()
  readonly quantileValues = new Fixed64List()

  clear(): void {
    this.flags = this.scale = 0
    this.attributes.clear()
    this.exemplars.clear()
    this.time.clear()
    this.startTime.clear()
    this.valueInt.clear()
    this.valueDouble.clear()
    this.count.clear()
    this.sum.clear()
    this.min.clear()
    this.max.clear()
    this.bounds.clear()
    this.bucketCounts.clear()
    this.zeroCount.clear()
    this.zeroThreshold.clear()
    this.positive.clear()
    this.negative.clear()
    this.quantiles.clear()
    this.quantileValues.clear()
  }
}
