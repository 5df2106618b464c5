import { writeAttributesMember } from '../records/attribute-columns.ts'
import { AttributeList } from '../records/attribute-list.ts'
import { recordBytesMax } from '../records/record-origin.ts'
import type { Losses } from '../records/repairs.ts'
import type { ValueWriter } from '../records/value-writer.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import { textOfUint64 } from '../wire/int64-text.ts'
import { writeJsonString } from '../wire/json-text.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'
import type { RangeList } from '../wire/range-list.ts'
import { spanIdBytes, traceIdBytes } from '../wire/widths.ts'

const eventTags = { time: 9, name: 18, attributes: 26, droppedAttributes: 32 } as const
const linkTags = { traceId: 10, spanId: 18, traceState: 26, attributes: 34, droppedAttributes: 40, flags: 53 } as const

/**
 * Writes the events and the links of a span, each as one JSON array in a RowBinary `String` (sql/schema/tables.ts). It stops
 * when the array is larger than a whole span may be; the row is then not stored.
 */
export class SpanChildrenWriter {
  private readonly bytes: Buffer
  private readonly reader: ProtobufReader
  private readonly values: ValueWriter
  private readonly losses: Losses
  private readonly attributes = new AttributeList()
  private readonly json = new ByteWriter(4096)

  constructor(bytes: Buffer, values: ValueWriter, losses: Losses) {
    this.bytes = bytes
    this.reader = new ProtobufReader(bytes)
    this.values = values
    this.losses = losses
  }

  /** Strings that were not valid UTF-8. */
  get repaired(): number {
    return this.json.repaired
  }

  writeEvents(row: ByteWriter, events: RangeList): void {
    this.json.position = 0
    for (let i = 0; i < events.count && this.json.position <= recordBytesMax; i++) {
      this.json.ascii(i === 0 ? '[' : ',')
      this.writeEvent(events.start[i] as number, events.end[i] as number)
    }
    this.finish(row)
  }

  /** Answers how many links it left out, because an id of theirs has a length that no id has. */
  writeLinks(row: ByteWriter, links: RangeList): number {
    this.json.position = 0
    let written = 0
    for (let i = 0; i < links.count && this.json.position <= recordBytesMax; i++) {
      const begin = this.json.position
      this.json.ascii(written === 0 ? '[' : ',')
      if (this.writeLink(links.start[i] as number, links.end[i] as number)) written++
      else this.json.position = begin
    }
    this.finish(row)
    this.losses.badLinks += links.count - written
    return links.count - written
  }

  private finish(row: ByteWriter): void {
    if (this.json.position > 0) this.json.ascii(']')
    row.sized(this.json.bytes, 0, this.json.position)
  }

  private writeEvent(start: number, end: number): void {
    const { reader, json, attributes, bytes } = this
    let timeLow = 0
    let timeHigh = 0
    let nameStart = 0
    let nameEnd = 0
    let dropped = 0
    attributes.clear()
    reader.position = start
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === eventTags.time) {
        reader.fixed64(end)
        timeLow = reader.low
        timeHigh = reader.high
      } else if (tag === eventTags.name) {
        nameEnd = reader.endOfBytes(end)
        nameStart = reader.position
        reader.position = nameEnd
      } else if (tag === eventTags.attributes) attributes.read(reader, end)
      else if (tag === eventTags.droppedAttributes) dropped = reader.varint(end)
      else reader.skip(tag, end)
    }
    json.ascii(`{"t":"${textOfUint64(timeLow, timeHigh)}","n":`)
    writeJsonString(json, bytes, nameStart, nameEnd)
    this.writeAttributes(dropped)
    json.ascii('}')
  }

  private writeLink(start: number, end: number): boolean {
    const { reader, json, bytes } = this
    let traceStateStart = 0
    let traceStateEnd = 0
    let traceId = ''
    let spanId = ''
    let flags = 0
    let dropped = 0
    this.attributes.clear()
    reader.position = start
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === linkTags.traceId) traceId = this.readHex(end)
      else if (tag === linkTags.spanId) spanId = this.readHex(end)
      else if (tag === linkTags.traceState) {
        traceStateEnd = reader.endOfBytes(end)
        traceStateStart = reader.position
        reader.position = traceStateEnd
      } else if (tag === linkTags.attributes) this.attributes.read(reader, end)
      else if (tag === linkTags.droppedAttributes) dropped = reader.varint(end)
      else if (tag === linkTags.flags) flags = reader.fixed32(end)
      else reader.skip(tag, end)
    }
    if (!isIdOf(traceId, traceIdBytes) || !isIdOf(spanId, spanIdBytes)) return false
    json.ascii(`{"t":"${traceId}","s":"${spanId}"`)
    if (traceStateEnd > traceStateStart) {
      json.ascii(',"w":')
      writeJsonString(json, bytes, traceStateStart, traceStateEnd)
    }
    if (flags !== 0) json.ascii(`,"f":${flags}`)
    this.writeAttributes(dropped)
    json.ascii('}')
    return true
  }

  private readHex(end: number): string {
    const fieldEnd = this.reader.endOfBytes(end)
    const start = this.reader.position
    this.reader.position = fieldEnd
    // One byte more than an id has is enough to see that it is none.
    return this.bytes.toString('hex', start, Math.min(fieldEnd, start + traceIdBytes + 1))
  }

  private writeAttributes(dropped: number): void {
    const { json, attributes, bytes, losses } = this
    attributes.mergeEqualKeys(bytes)
    const left = writeAttributesMember(json, attributes, bytes, this.values, losses)
    if (dropped + left > 0) json.ascii(`,"d":${dropped + left}`)
  }
}

/** A link may come without ids, when its attributes say what it links to. */
function isIdOf(hex: string, bytes: number): boolean {
  return hex === '' || hex.length === bytes * 2
}
