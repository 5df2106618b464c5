import { AttributeList } from '../records/attribute-list.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import { highOfTimesEnd } from '../wire/widths.ts'

const tags = {
  time: 9,
  severityNumber: 16,
  severityText: 26,
  body: 42,
  attributes: 50,
  droppedAttributes: 56,
  flags: 69,
  traceId: 74,
  spanId: 82,
  observedTime: 89,
  eventName: 98,
} as const

/** Why a log record is rejected, in the words that its sender reads after "3 log records: ". */
export const logFaults = {
  time: 'the time or the observed time is after the year 2262',
  size: 'the log record with its resource is larger than 8 MiB',
} as const

export type LogFault = keyof typeof logFaults

/**
 * One log record of a body as it came: numbers, and the offsets of everything else. One reader is filled again and again, so
 * that reading a record makes no objects. A field that the body leaves out is zero or of no length.
 */
export class LogReader {
  /** Nanoseconds since the epoch, as two unsigned halves. */
  timeLow = 0
  timeHigh = 0
  observedLow = 0
  observedHigh = 0
  /** Signed, as it came. */
  severityNumber = 0
  severityTextStart = 0
  severityTextEnd = 0
  bodyStart = 0
  bodyEnd = 0
  droppedAttributes = 0
  flags = 0
  traceIdStart = 0
  traceIdEnd = 0
  spanIdStart = 0
  spanIdEnd = 0
  eventNameStart = 0
  eventNameEnd = 0
  readonly attributes = new AttributeList()

  /** Whether it says when it happened. */
  get isTimed(): boolean {
    return this.timeLow !== 0 || this.timeHigh !== 0
  }

  /** Nothing but its times can keep a log record from being stored. Its size is for the caller to check. */
  get fault(): LogFault | undefined {
    return this.timeHigh >= highOfTimesEnd || this.observedHigh >= highOfTimesEnd ? 'time' : undefined
  }

  /** Reads the `LogRecord` message that ends at `end`. */
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
    this.timeLow = this.timeHigh = this.observedLow = this.observedHigh = 0
    this.severityNumber = this.severityTextStart = this.severityTextEnd = this.bodyStart = this.bodyEnd = 0
    this.droppedAttributes = this.flags = this.traceIdStart = this.traceIdEnd = this.spanIdStart = this.spanIdEnd = 0
    this.eventNameStart = this.eventNameEnd = 0
    this.attributes.clear()
  }

  private readBytes(reader: ProtobufReader, tag: number, end: number): void {
    const fieldEnd = reader.endOfBytes(end)
    const fieldStart = reader.position
    switch (tag) {
      case tags.severityText:
        this.severityTextStart = fieldStart
        this.severityTextEnd = fieldEnd
        break
      case tags.body:
        this.bodyStart = fieldStart
        this.bodyEnd = fieldEnd
        break
      case tags.traceId:
        this.traceIdStart = fieldStart
        this.traceIdEnd = fieldEnd
        break
      case tags.spanId:
        this.spanIdStart = fieldStart
        this.spanIdEnd = fieldEnd
        break
      case tags.eventName:
        this.eventNameStart = fieldStart
        this.eventNameEnd = fieldEnd
    }
    reader.position = fieldEnd
  }

  private readNumber(reader: ProtobufReader, tag: number, end: number): void {
    switch (tag) {
      case tags.time:
        reader.fixed64(end)
        this.timeLow = reader.low
        this.timeHigh = reader.high
        break
      case tags.observedTime:
        reader.fixed64(end)
        this.observedLow = reader.low
        this.observedHigh = reader.high
        break
      case tags.severityNumber:
        this.severityNumber = reader.varint(end) | 0
        break
      case tags.droppedAttributes:
        this.droppedAttributes = reader.varint(end)
        break
      case tags.flags:
        this.flags = reader.fixed32(end)
        break
      default:
        reader.skip(tag, end)
    }
  }
}
