/**
 * Generated from the .proto files in server/ingest/proto by `npm run generate`; do not edit.
 *
 * Each class reads messages of one type. It is created once and filled for every message, so that reading makes no
 * objects. A field that the message leaves out is zero or empty. As in every protobuf decoder, a field that occurs
 * twice holds its last value, a message that occurs twice is merged, and a member of a oneof clears the other members.
 */
import { ByteRange, RangeList } from '../wire/fields.ts'
import { Fixed64, Fixed64List, Varint64List } from '../wire/fixed64.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import { AttributeList } from './attribute-list.ts'

/** Reads `resource.v1.Resource`. */
export class ResourceMessage {
  readonly attributes = new AttributeList()

  clear(): void {
    this.attributes.clear()
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 10:
          this.attributes.read(reader, end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `common.v1.InstrumentationScope`. */
export class InstrumentationScopeMessage {
  readonly name = new ByteRange()
  readonly version = new ByteRange()
  readonly attributes = new AttributeList()

  clear(): void {
    this.name.clear()
    this.version.clear()
    this.attributes.clear()
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 10:
          this.name.read(reader, end)
          break
        case 18:
          this.version.read(reader, end)
          break
        case 26:
          this.attributes.read(reader, end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `trace.v1.Span`. */
export class SpanMessage {
  readonly traceId = new ByteRange()
  readonly spanId = new ByteRange()
  readonly traceState = new ByteRange()
  readonly parentSpanId = new ByteRange()
  flags = 0
  readonly name = new ByteRange()
  kind = 0
  readonly startTimeUnixNano = new Fixed64()
  readonly endTimeUnixNano = new Fixed64()
  readonly attributes = new AttributeList()
  droppedAttributesCount = 0
  readonly events = new RangeList()
  droppedEventsCount = 0
  readonly links = new RangeList()
  droppedLinksCount = 0
  readonly status = new StatusMessage()

  clear(): void {
    this.traceId.clear()
    this.spanId.clear()
    this.traceState.clear()
    this.parentSpanId.clear()
    this.flags = 0
    this.name.clear()
    this.kind = 0
    this.startTimeUnixNano.clear()
    this.endTimeUnixNano.clear()
    this.attributes.clear()
    this.droppedAttributesCount = 0
    this.events.clear()
    this.droppedEventsCount = 0
    this.links.clear()
    this.droppedLinksCount = 0
    this.status.clear()
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 10:
          this.traceId.read(reader, end)
          break
        case 18:
          this.spanId.read(reader, end)
          break
        case 26:
          this.traceState.read(reader, end)
          break
        case 34:
          this.parentSpanId.read(reader, end)
          break
        case 133:
          this.flags = reader.fixed32(end)
          break
        case 42:
          this.name.read(reader, end)
          break
        case 48:
          this.kind = reader.varint(end)
          break
        case 57:
          this.startTimeUnixNano.read(reader, end)
          break
        case 65:
          this.endTimeUnixNano.read(reader, end)
          break
        case 74:
          this.attributes.read(reader, end)
          break
        case 80:
          this.droppedAttributesCount = reader.varint(end)
          break
        case 90:
          this.events.read(reader, end)
          break
        case 96:
          this.droppedEventsCount = reader.varint(end)
          break
        case 106:
          this.links.read(reader, end)
          break
        case 112:
          this.droppedLinksCount = reader.varint(end)
          break
        case 122:
          this.status.read(reader, end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `trace.v1.Span.Event`. */
export class SpanEventMessage {
  readonly timeUnixNano = new Fixed64()
  readonly name = new ByteRange()
  readonly attributes = new AttributeList()
  droppedAttributesCount = 0

  clear(): void {
    this.timeUnixNano.clear()
    this.name.clear()
    this.attributes.clear()
    this.droppedAttributesCount = 0
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 9:
          this.timeUnixNano.read(reader, end)
          break
        case 18:
          this.name.read(reader, end)
          break
        case 26:
          this.attributes.read(reader, end)
          break
        case 32:
          this.droppedAttributesCount = reader.varint(end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `trace.v1.Span.Link`. */
export class SpanLinkMessage {
  readonly traceId = new ByteRange()
  readonly spanId = new ByteRange()
  readonly traceState = new ByteRange()
  readonly attributes = new AttributeList()
  droppedAttributesCount = 0
  flags = 0

  clear(): void {
    this.traceId.clear()
    this.spanId.clear()
    this.traceState.clear()
    this.attributes.clear()
    this.droppedAttributesCount = 0
    this.flags = 0
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 10:
          this.traceId.read(reader, end)
          break
        case 18:
          this.spanId.read(reader, end)
          break
        case 26:
          this.traceState.read(reader, end)
          break
        case 34:
          this.attributes.read(reader, end)
          break
        case 40:
          this.droppedAttributesCount = reader.varint(end)
          break
        case 53:
          this.flags = reader.fixed32(end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `trace.v1.Status`. */
class StatusMessage {
  readonly message = new ByteRange()
  code = 0
  isSet = false

  clear(): void {
    this.isSet = false
    this.message.clear()
    this.code = 0
  }

  /** Reads the message as a field of another message. */
  read(reader: ProtobufReader, end: number): void {
    this.isSet = true
    this.merge(reader, reader.endOfBytes(end))
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 18:
          this.message.read(reader, end)
          break
        case 24:
          this.code = reader.varint(end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `logs.v1.LogRecord`. */
export class LogRecordMessage {
  readonly timeUnixNano = new Fixed64()
  readonly observedTimeUnixNano = new Fixed64()
  severityNumber = 0
  readonly severityText = new ByteRange()
  readonly body = new ByteRange()
  readonly attributes = new AttributeList()
  droppedAttributesCount = 0
  flags = 0
  readonly traceId = new ByteRange()
  readonly spanId = new ByteRange()
  readonly eventName = new ByteRange()

  clear(): void {
    this.timeUnixNano.clear()
    this.observedTimeUnixNano.clear()
    this.severityNumber = 0
    this.severityText.clear()
    this.body.clear()
    this.attributes.clear()
    this.droppedAttributesCount = 0
    this.flags = 0
    this.traceId.clear()
    this.spanId.clear()
    this.eventName.clear()
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 9:
          this.timeUnixNano.read(reader, end)
          break
        case 89:
          this.observedTimeUnixNano.read(reader, end)
          break
        case 16:
          this.severityNumber = reader.varint(end)
          break
        case 26:
          this.severityText.read(reader, end)
          break
        case 42:
          this.body.read(reader, end)
          break
        case 50:
          this.attributes.read(reader, end)
          break
        case 56:
          this.droppedAttributesCount = reader.varint(end)
          break
        case 69:
          this.flags = reader.fixed32(end)
          break
        case 74:
          this.traceId.read(reader, end)
          break
        case 82:
          this.spanId.read(reader, end)
          break
        case 98:
          this.eventName.read(reader, end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.Metric`. */
export class MetricMessage {
  readonly name = new ByteRange()
  readonly description = new ByteRange()
  readonly unit = new ByteRange()
  readonly gauge = new GaugeMessage()
  readonly sum = new SumMessage()
  readonly histogram = new HistogramMessage()
  readonly exponentialHistogram = new ExponentialHistogramMessage()
  readonly summary = new SummaryMessage()
  readonly metadata = new AttributeList()

  clear(): void {
    this.name.clear()
    this.description.clear()
    this.unit.clear()
    this.gauge.clear()
    this.sum.clear()
    this.histogram.clear()
    this.exponentialHistogram.clear()
    this.summary.clear()
    this.metadata.clear()
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 10:
          this.name.read(reader, end)
          break
        case 18:
          this.description.read(reader, end)
          break
        case 26:
          this.unit.read(reader, end)
          break
        case 42:
          this.sum.clear()
          this.histogram.clear()
          this.exponentialHistogram.clear()
          this.summary.clear()
          this.gauge.read(reader, end)
          break
        case 58:
          this.gauge.clear()
          this.histogram.clear()
          this.exponentialHistogram.clear()
          this.summary.clear()
          this.sum.read(reader, end)
          break
        case 74:
          this.gauge.clear()
          this.sum.clear()
          this.exponentialHistogram.clear()
          this.summary.clear()
          this.histogram.read(reader, end)
          break
        case 82:
          this.gauge.clear()
          this.sum.clear()
          this.histogram.clear()
          this.summary.clear()
          this.exponentialHistogram.read(reader, end)
          break
        case 90:
          this.gauge.clear()
          this.sum.clear()
          this.histogram.clear()
          this.exponentialHistogram.clear()
          this.summary.read(reader, end)
          break
        case 98:
          this.metadata.read(reader, end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.Gauge`. */
class GaugeMessage {
  readonly dataPoints = new RangeList()
  isSet = false

  clear(): void {
    this.isSet = false
    this.dataPoints.clear()
  }

  /** Reads the message as a field of another message. */
  read(reader: ProtobufReader, end: number): void {
    this.isSet = true
    this.merge(reader, reader.endOfBytes(end))
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 10:
          this.dataPoints.read(reader, end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.Sum`. */
class SumMessage {
  readonly dataPoints = new RangeList()
  aggregationTemporality = 0
  isMonotonic = 0
  isSet = false

  clear(): void {
    this.isSet = false
    this.dataPoints.clear()
    this.aggregationTemporality = 0
    this.isMonotonic = 0
  }

  /** Reads the message as a field of another message. */
  read(reader: ProtobufReader, end: number): void {
    this.isSet = true
    this.merge(reader, reader.endOfBytes(end))
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 10:
          this.dataPoints.read(reader, end)
          break
        case 16:
          this.aggregationTemporality = reader.varint(end)
          break
        case 24:
          this.isMonotonic = reader.varint(end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.Histogram`. */
class HistogramMessage {
  readonly dataPoints = new RangeList()
  aggregationTemporality = 0
  isSet = false

  clear(): void {
    this.isSet = false
    this.dataPoints.clear()
    this.aggregationTemporality = 0
  }

  /** Reads the message as a field of another message. */
  read(reader: ProtobufReader, end: number): void {
    this.isSet = true
    this.merge(reader, reader.endOfBytes(end))
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 10:
          this.dataPoints.read(reader, end)
          break
        case 16:
          this.aggregationTemporality = reader.varint(end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.ExponentialHistogram`. */
class ExponentialHistogramMessage {
  readonly dataPoints = new RangeList()
  aggregationTemporality = 0
  isSet = false

  clear(): void {
    this.isSet = false
    this.dataPoints.clear()
    this.aggregationTemporality = 0
  }

  /** Reads the message as a field of another message. */
  read(reader: ProtobufReader, end: number): void {
    this.isSet = true
    this.merge(reader, reader.endOfBytes(end))
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 10:
          this.dataPoints.read(reader, end)
          break
        case 16:
          this.aggregationTemporality = reader.varint(end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.Summary`. */
class SummaryMessage {
  readonly dataPoints = new RangeList()
  isSet = false

  clear(): void {
    this.isSet = false
    this.dataPoints.clear()
  }

  /** Reads the message as a field of another message. */
  read(reader: ProtobufReader, end: number): void {
    this.isSet = true
    this.merge(reader, reader.endOfBytes(end))
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 10:
          this.dataPoints.read(reader, end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.NumberDataPoint`. */
export class NumberDataPointMessage {
  readonly attributes = new AttributeList()
  readonly startTimeUnixNano = new Fixed64()
  readonly timeUnixNano = new Fixed64()
  readonly asDouble = new Fixed64()
  readonly asInt = new Fixed64()
  readonly exemplars = new RangeList()
  flags = 0

  clear(): void {
    this.attributes.clear()
    this.startTimeUnixNano.clear()
    this.timeUnixNano.clear()
    this.asDouble.clear()
    this.asInt.clear()
    this.exemplars.clear()
    this.flags = 0
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 58:
          this.attributes.read(reader, end)
          break
        case 17:
          this.startTimeUnixNano.read(reader, end)
          break
        case 25:
          this.timeUnixNano.read(reader, end)
          break
        case 33:
          this.asInt.clear()
          this.asDouble.read(reader, end)
          break
        case 49:
          this.asDouble.clear()
          this.asInt.read(reader, end)
          break
        case 42:
          this.exemplars.read(reader, end)
          break
        case 64:
          this.flags = reader.varint(end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.HistogramDataPoint`. */
export class HistogramDataPointMessage {
  readonly attributes = new AttributeList()
  readonly startTimeUnixNano = new Fixed64()
  readonly timeUnixNano = new Fixed64()
  readonly count = new Fixed64()
  readonly sum = new Fixed64()
  readonly bucketCounts = new Fixed64List()
  readonly explicitBounds = new Fixed64List()
  readonly exemplars = new RangeList()
  flags = 0
  readonly min = new Fixed64()
  readonly max = new Fixed64()

  clear(): void {
    this.attributes.clear()
    this.startTimeUnixNano.clear()
    this.timeUnixNano.clear()
    this.count.clear()
    this.sum.clear()
    this.bucketCounts.clear()
    this.explicitBounds.clear()
    this.exemplars.clear()
    this.flags = 0
    this.min.clear()
    this.max.clear()
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 74:
          this.attributes.read(reader, end)
          break
        case 17:
          this.startTimeUnixNano.read(reader, end)
          break
        case 25:
          this.timeUnixNano.read(reader, end)
          break
        case 33:
          this.count.read(reader, end)
          break
        case 41:
          this.sum.read(reader, end)
          break
        case 49:
        case 50:
          this.bucketCounts.read(reader, end, tag)
          break
        case 57:
        case 58:
          this.explicitBounds.read(reader, end, tag)
          break
        case 66:
          this.exemplars.read(reader, end)
          break
        case 80:
          this.flags = reader.varint(end)
          break
        case 89:
          this.min.read(reader, end)
          break
        case 97:
          this.max.read(reader, end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.ExponentialHistogramDataPoint`. */
export class ExponentialHistogramDataPointMessage {
  readonly attributes = new AttributeList()
  readonly startTimeUnixNano = new Fixed64()
  readonly timeUnixNano = new Fixed64()
  readonly count = new Fixed64()
  readonly sum = new Fixed64()
  scale = 0
  readonly zeroCount = new Fixed64()
  readonly positive = new ExponentialHistogramDataPointBucketsMessage()
  readonly negative = new ExponentialHistogramDataPointBucketsMessage()
  flags = 0
  readonly exemplars = new RangeList()
  readonly min = new Fixed64()
  readonly max = new Fixed64()
  readonly zeroThreshold = new Fixed64()

  clear(): void {
    this.attributes.clear()
    this.startTimeUnixNano.clear()
    this.timeUnixNano.clear()
    this.count.clear()
    this.sum.clear()
    this.scale = 0
    this.zeroCount.clear()
    this.positive.clear()
    this.negative.clear()
    this.flags = 0
    this.exemplars.clear()
    this.min.clear()
    this.max.clear()
    this.zeroThreshold.clear()
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 10:
          this.attributes.read(reader, end)
          break
        case 17:
          this.startTimeUnixNano.read(reader, end)
          break
        case 25:
          this.timeUnixNano.read(reader, end)
          break
        case 33:
          this.count.read(reader, end)
          break
        case 41:
          this.sum.read(reader, end)
          break
        case 48:
          this.scale = reader.zigzag(end)
          break
        case 57:
          this.zeroCount.read(reader, end)
          break
        case 66:
          this.positive.read(reader, end)
          break
        case 74:
          this.negative.read(reader, end)
          break
        case 80:
          this.flags = reader.varint(end)
          break
        case 90:
          this.exemplars.read(reader, end)
          break
        case 97:
          this.min.read(reader, end)
          break
        case 105:
          this.max.read(reader, end)
          break
        case 113:
          this.zeroThreshold.read(reader, end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.ExponentialHistogramDataPoint.Buckets`. */
class ExponentialHistogramDataPointBucketsMessage {
  offset = 0
  readonly bucketCounts = new Varint64List()
  isSet = false

  clear(): void {
    this.isSet = false
    this.offset = 0
    this.bucketCounts.clear()
  }

  /** Reads the message as a field of another message. */
  read(reader: ProtobufReader, end: number): void {
    this.isSet = true
    this.merge(reader, reader.endOfBytes(end))
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 8:
          this.offset = reader.zigzag(end)
          break
        case 16:
        case 18:
          this.bucketCounts.read(reader, end, tag)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.SummaryDataPoint`. */
export class SummaryDataPointMessage {
  readonly attributes = new AttributeList()
  readonly startTimeUnixNano = new Fixed64()
  readonly timeUnixNano = new Fixed64()
  readonly count = new Fixed64()
  readonly sum = new Fixed64()
  readonly quantileValues = new RangeList()
  flags = 0

  clear(): void {
    this.attributes.clear()
    this.startTimeUnixNano.clear()
    this.timeUnixNano.clear()
    this.count.clear()
    this.sum.clear()
    this.quantileValues.clear()
    this.flags = 0
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 58:
          this.attributes.read(reader, end)
          break
        case 17:
          this.startTimeUnixNano.read(reader, end)
          break
        case 25:
          this.timeUnixNano.read(reader, end)
          break
        case 33:
          this.count.read(reader, end)
          break
        case 41:
          this.sum.read(reader, end)
          break
        case 50:
          this.quantileValues.read(reader, end)
          break
        case 64:
          this.flags = reader.varint(end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.SummaryDataPoint.ValueAtQuantile`. */
export class SummaryDataPointValueAtQuantileMessage {
  readonly quantile = new Fixed64()
  readonly value = new Fixed64()

  clear(): void {
    this.quantile.clear()
    this.value.clear()
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 9:
          this.quantile.read(reader, end)
          break
        case 17:
          this.value.read(reader, end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}

/** Reads `metrics.v1.Exemplar`. */
export class ExemplarMessage {
  readonly filteredAttributes = new AttributeList()
  readonly timeUnixNano = new Fixed64()
  readonly asDouble = new Fixed64()
  readonly asInt = new Fixed64()
  readonly spanId = new ByteRange()
  readonly traceId = new ByteRange()

  clear(): void {
    this.filteredAttributes.clear()
    this.timeUnixNano.clear()
    this.asDouble.clear()
    this.asInt.clear()
    this.spanId.clear()
    this.traceId.clear()
  }

  /** Clears all fields, then reads the message that ends at `end`. */
  fill(reader: ProtobufReader, end: number): void {
    this.clear()
    this.merge(reader, end)
  }

  /** Reads the message that ends at `end` into the fields as they are. */
  merge(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case 58:
          this.filteredAttributes.read(reader, end)
          break
        case 17:
          this.timeUnixNano.read(reader, end)
          break
        case 25:
          this.asInt.clear()
          this.asDouble.read(reader, end)
          break
        case 49:
          this.asDouble.clear()
          this.asInt.read(reader, end)
          break
        case 34:
          this.spanId.read(reader, end)
          break
        case 42:
          this.traceId.read(reader, end)
          break
        default:
          reader.skip(tag, end)
      }
    }
  }
}
