import type { MetricKind } from '#sql'
import {
  ExponentialHistogramDataPointMessage,
  HistogramDataPointMessage,
  NumberDataPointMessage,
  SummaryDataPointMessage,
  SummaryDataPointValueAtQuantileMessage,
} from '../records/message-readers-generated.ts'
import { Fixed64List } from '../wire/fixed64.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'

type PointMessage =
  | NumberDataPointMessage
  | HistogramDataPointMessage
  | ExponentialHistogramDataPointMessage
  | SummaryDataPointMessage

/** A data point of any kind. Fields that its kind does not have are empty. */
export type DataPoint = Omit<NumberDataPointMessage, Methods> &
  Omit<HistogramDataPointMessage, Methods> &
  Omit<ExponentialHistogramDataPointMessage, Methods> &
  Omit<SummaryDataPointMessage, Methods> & {
    /** The members of `quantileValues`, as two lists of doubles. */
    readonly quantiles: Fixed64List
    readonly valuesAtQuantiles: Fixed64List
  }

type Methods = 'clear' | 'fill' | 'merge'

/** The fields of all kinds, always empty. They fill in for the fields that a kind does not have. */
const emptyPoint: DataPoint = {
  ...new NumberDataPointMessage(),
  ...new HistogramDataPointMessage(),
  ...new ExponentialHistogramDataPointMessage(),
  ...new SummaryDataPointMessage(),
  quantiles: new Fixed64List(),
  valuesAtQuantiles: new Fixed64List(),
}

/** Reads data points of one kind into one object, which is reused. */
class PointReader {
  private readonly message: PointMessage
  private readonly point: DataPoint
  private readonly quantile = new SummaryDataPointValueAtQuantileMessage()

  constructor(message: PointMessage) {
    this.message = message
    // The point shares the lists and ranges of the message; numbers are copied after each read.
    const quantiles = new Fixed64List()
    const valuesAtQuantiles = new Fixed64List()
    this.point = { ...emptyPoint, ...message, quantiles, valuesAtQuantiles }
  }

  read(reader: ProtobufReader, end: number): DataPoint {
    const { message, point } = this
    message.fill(reader, end)
    point.flags = message.flags
    if ('scale' in message) point.scale = message.scale
    // In protobuf, this sum is absent exactly if it is 0. Other sums are optional, and unknown if they are absent.
    if (message instanceof SummaryDataPointMessage) message.sum.isSet = true
    this.readQuantiles(reader)
    return point
  }

  private readQuantiles(reader: ProtobufReader): void {
    const { quantileValues, quantiles, valuesAtQuantiles } = this.point
    quantiles.clear()
    valuesAtQuantiles.clear()
    for (let i = 0; i < quantileValues.count; i++) {
      reader.position = quantileValues.start[i] as number
      this.quantile.fill(reader, quantileValues.end[i] as number)
      quantiles.add(this.quantile.quantile)
      valuesAtQuantiles.add(this.quantile.value)
    }
  }
}

const messagesOfKinds: Readonly<Record<MetricKind, () => PointMessage>> = {
  gauge: () => new NumberDataPointMessage(),
  sum: () => new NumberDataPointMessage(),
  histogram: () => new HistogramDataPointMessage(),
  exponential_histogram: () => new ExponentialHistogramDataPointMessage(),
  summary: () => new SummaryDataPointMessage(),
}

/** Reads the data points of one body. */
export class DataPointReader {
  private readonly readers = new Map<MetricKind, PointReader>()

  /** Reads the point that ends at `end`. It is valid until the next point of its kind is read. */
  read(kind: MetricKind, reader: ProtobufReader, end: number): DataPoint {
    let points = this.readers.get(kind)
    if (points === undefined) {
      points = new PointReader(messagesOfKinds[kind]())
      this.readers.set(kind, points)
    }
    return points.read(reader, end)
  }
}
