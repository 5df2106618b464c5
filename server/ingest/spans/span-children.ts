import type { AttributeList } from '../records/attribute-list.ts'
import type { AttributeWriter } from '../records/attribute-writer.ts'
import { SpanEventMessage, SpanLinkMessage } from '../records/message-readers-generated.ts'
import { recordBytesMax, spanIdBytes, traceIdBytes } from '../records/record-limits.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import type { ByteRange, RangeList } from '../wire/fields.ts'
import { textOfUint64 } from '../wire/fixed64.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'

/**
 * Writes the events and the links of a span, each as one JSON array in a RowBinary `String` (sql/schema/tables.ts).
 * Stops when the array exceeds the size limit of a record; the span is then rejected.
 */
export class SpanChildrenWriter {
  private readonly attributes: AttributeWriter
  private readonly reader: ProtobufReader
  private readonly event = new SpanEventMessage()
  private readonly link = new SpanLinkMessage()
  private readonly json = new ByteWriter(4096)

  constructor(attributes: AttributeWriter) {
    this.attributes = attributes
    this.reader = new ProtobufReader(attributes.bytes)
  }

  /** The number of strings that were not valid UTF-8. */
  get repaired(): number {
    return this.json.repaired
  }

  writeEvents(row: ByteWriter, events: RangeList): void {
    const { json, reader } = this
    json.position = 0
    for (let i = 0; i < events.count && this.continues(); i++) {
      json.ascii(i === 0 ? '[' : ',')
      reader.position = events.start[i] as number
      this.event.fill(reader, events.end[i] as number)
      this.writeEvent()
    }
    this.finish(row)
  }

  /** Writes the links and returns how many were left out because an id has a wrong length. */
  writeLinks(row: ByteWriter, links: RangeList): number {
    const { json, reader } = this
    json.position = 0
    let bad = 0
    for (let i = 0; i < links.count && this.continues(); i++) {
      reader.position = links.start[i] as number
      this.link.fill(reader, links.end[i] as number)
      const { traceId, spanId } = this.link
      // A link may have no ids. Its attributes then identify the target.
      if (!isIdOrEmpty(traceId, traceIdBytes) || !isIdOrEmpty(spanId, spanIdBytes)) {
        bad++
        continue
      }
      json.ascii(json.position === 0 ? '[' : ',')
      this.writeLink()
    }
    this.finish(row)
    this.attributes.repairs.badLinks += bad
    return bad
  }

  /** Counts one more event or link. Returns false if the span is too large, and will be rejected. */
  private continues(): boolean {
    return this.json.position <= recordBytesMax && --this.attributes.values.partsLeft >= 0
  }

  private finish(row: ByteWriter): void {
    if (this.json.position > 0) this.json.ascii(']')
    row.sized(this.json.bytes, 0, this.json.position)
  }

  private writeEvent(): void {
    const { timeUnixNano, name, attributes, droppedAttributesCount } = this.event
    this.json.ascii(`{"t":"${textOfUint64(timeUnixNano.low, timeUnixNano.high)}","n":`)
    this.json.jsonString(this.attributes.bytes, name.start, name.end)
    this.writeAttributes(attributes, droppedAttributesCount)
    this.json.ascii('}')
  }

  private writeLink(): void {
    const { json } = this
    const { bytes } = this.attributes
    const { traceId, spanId, traceState, flags, attributes, droppedAttributesCount } = this.link
    const hexTraceId = bytes.toString('hex', traceId.start, traceId.end)
    json.ascii(`{"t":"${hexTraceId}","s":"${bytes.toString('hex', spanId.start, spanId.end)}"`)
    if (traceState.length > 0) {
      json.ascii(',"w":')
      json.jsonString(bytes, traceState.start, traceState.end)
    }
    if (flags !== 0) json.ascii(`,"f":${flags}`)
    this.writeAttributes(attributes, droppedAttributesCount)
    json.ascii('}')
  }

  private writeAttributes(list: AttributeList, dropped: number): void {
    list.mergeEqualKeys(this.attributes.bytes)
    const left = this.attributes.writeMember(this.json, list)
    if (dropped + left > 0) this.json.ascii(`,"d":${dropped + left}`)
  }
}

function isIdOrEmpty({ length }: ByteRange, idBytes: number): boolean {
  return length === 0 || length === idBytes
}
