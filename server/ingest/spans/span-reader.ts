import { AttributeList } from '../records/attribute-list.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import { RangeList } from '../wire/range-list.ts'

const tags = {
  traceId: 10,
  spanId: 18,
  traceState: 26,
  parentSpanId: 34,
  name: 42,
  kind: 48,
  start: 57,
  end: 65,
  attributes: 74,
  droppedAttributes: 80,
  events: 90,
  droppedEvents: 96,
  links: 106,
  droppedLinks: 112,
  status: 122,
  flags: 133,
} as const
const statusTags = { message: 18, code: 24 } as const

/**
 * One span of a body as it came, unchecked: numbers, and the offsets of everything else. One reader is filled again and
 * again, so that reading a span makes no objects. A field that the body leaves out is zero or of no length.
 */
export class SpanReader {
  traceIdStart = 0
  traceIdEnd = 0
  spanIdStart = 0
  spanIdEnd = 0
  parentIdStart = 0
  parentIdEnd = 0
  traceStateStart = 0
  traceStateEnd = 0
  nameStart = 0
  nameEnd = 0
  kind = 0
  statusCode = 0
  statusMessageStart = 0
  statusMessageEnd = 0
  flags = 0
  /** Nanoseconds since the epoch, as two unsigned halves. */
  startLow = 0
  startHigh = 0
  endLow = 0
  endHigh = 0
  droppedAttributes = 0
  droppedEvents = 0
  droppedLinks = 0
  readonly attributes = new AttributeList()
  readonly events = new RangeList()
  readonly links = new RangeList()

  /** Reads the `Span` message that ends at `end`. */
  read(reader: ProtobufReader, end: number): void {
    this.clear()
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === tags.attributes) this.attributes.read(reader, end)
      else if ((tag & 7) === 2) this.readBytes(reader, tag, end)
      else this.readNumber(reader, tag, end)
    }
  }

  private clear(): void {
    this.traceIdStart = this.traceIdEnd = this.spanIdStart = this.spanIdEnd = this.parentIdStart = this.parentIdEnd = 0
    this.traceStateStart = this.traceStateEnd = this.nameStart = this.nameEnd = 0
    this.kind = this.statusCode = this.statusMessageStart = this.statusMessageEnd = this.flags = 0
    this.startLow = this.startHigh = this.endLow = this.endHigh = 0
    this.droppedAttributes = this.droppedEvents = this.droppedLinks = 0
    this.attributes.clear()
    this.events.clear()
    this.links.clear()
  }

  private readBytes(reader: ProtobufReader, tag: number, end: number): void {
    const fieldEnd = reader.endOfBytes(end)
    const fieldStart = reader.position
    switch (tag) {
      case tags.traceId:
        this.traceIdStart = fieldStart
        this.traceIdEnd = fieldEnd
        break
      case tags.spanId:
        this.spanIdStart = fieldStart
        this.spanIdEnd = fieldEnd
        break
      case tags.parentSpanId:
        this.parentIdStart = fieldStart
        this.parentIdEnd = fieldEnd
        break
      case tags.traceState:
        this.traceStateStart = fieldStart
        this.traceStateEnd = fieldEnd
        break
      case tags.name:
        this.nameStart = fieldStart
        this.nameEnd = fieldEnd
        break
      case tags.events:
        this.events.add(fieldStart, fieldEnd)
        break
      case tags.links:
        this.links.add(fieldStart, fieldEnd)
        break
      case tags.status:
        this.readStatus(reader, fieldEnd)
    }
    reader.position = fieldEnd
  }

  private readNumber(reader: ProtobufReader, tag: number, end: number): void {
    switch (tag) {
      case tags.start:
        reader.fixed64(end)
        this.startLow = reader.low
        this.startHigh = reader.high
        break
      case tags.end:
        reader.fixed64(end)
        this.endLow = reader.low
        this.endHigh = reader.high
        break
      case tags.kind:
        this.kind = reader.varint(end)
        break
      case tags.flags:
        this.flags = reader.fixed32(end)
        break
      case tags.droppedAttributes:
        this.droppedAttributes = reader.varint(end)
        break
      case tags.droppedEvents:
        this.droppedEvents = reader.varint(end)
        break
      case tags.droppedLinks:
        this.droppedLinks = reader.varint(end)
        break
      default:
        reader.skip(tag, end)
    }
  }

  private readStatus(reader: ProtobufReader, end: number): void {
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === statusTags.message) {
        this.statusMessageEnd = reader.endOfBytes(end)
        this.statusMessageStart = reader.position
        reader.position = this.statusMessageEnd
      } else if (tag === statusTags.code) this.statusCode = reader.varint(end)
      else reader.skip(tag, end)
    }
  }
}
