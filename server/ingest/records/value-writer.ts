import { textOfDouble, valueTags } from '#sql'
import { tagOf } from '../proto/message-table.ts'
import { otlpMessages } from '../proto/messages-generated.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import { doubleOfBits, textOfInt64 } from '../wire/fixed64.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'
import { AttributeList } from './attribute-list.ts'
import { recordPartsMax, valueDepthMax } from './record-limits.ts'

const anyValue = otlpMessages['common.v1.AnyValue']
const tags = {
  string: tagOf(anyValue.stringValue),
  bool: tagOf(anyValue.boolValue),
  int: tagOf(anyValue.intValue),
  double: tagOf(anyValue.doubleValue),
  array: tagOf(anyValue.arrayValue),
  kvlist: tagOf(anyValue.kvlistValue),
  bytes: tagOf(anyValue.bytesValue),
}
const arrayElementTag = tagOf(otlpMessages['common.v1.ArrayValue'].values)
const kvlistEntryTag = tagOf(otlpMessages['common.v1.KeyValueList'].values)
/** Represents a value without any field set. It takes the place of the field's tag. */
const unset = 0

const typeCodes = Object.fromEntries(
  Object.entries(valueTags).map(([type, tag]) => [type, tag.charCodeAt(0)]),
) as Readonly<Record<keyof typeof valueTags, number>>

/** The destination of a tagged text: a RowBinary `String`, or a string in a JSON document. */
type Form = 'row' | 'json'

/**
 * Writes the `AnyValue` messages of one body as tagged texts: one character for the type of the value, followed by its
 * text.
 */
export class ValueWriter {
  /**
   * The number of parts that the current record may still have. Once it is negative, nothing more is written, and the
   * record must be rejected.
   */
  partsLeft = recordPartsMax
  private readonly reader: ProtobufReader
  private readonly bytes: Buffer
  private readonly json = new ByteWriter(1024)
  private readonly row = new ByteWriter(256)
  private readonly entriesOfDepth: AttributeList[] = []
  /** The start of the string, bytes or message in the value that was read last. */
  private start = 0
  private end = 0
  /** The bits of the value that was read last if it is a scalar. */
  private low = 0
  private high = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.reader = new ProtobufReader(bytes)
  }

  /** The number of strings that were not valid UTF-8, apart from those written directly into a row. */
  get repaired(): number {
    return this.json.repaired + this.row.repaired
  }

  /**
   * Writes the tagged text of the value at [start, end). Returns false, and writes nothing, if it is nested too deeply.
   */
  write(writer: ByteWriter, start: number, end: number, form: Form): boolean {
    if (this.isShortString(start, end)) {
      writeText(writer, this.bytes, start + 2, end, typeCodes.string, form)
      return true
    }
    const tag = this.read(start, end)
    switch (tag) {
      case tags.string:
        writeText(writer, this.bytes, this.start, this.end, typeCodes.string, form)
        return true
      case tags.bool:
        writeAscii(writer, this.low === 0 && this.high === 0 ? 'false' : 'true', typeCodes.bool, form)
        return true
      case tags.int:
        writeAscii(writer, textOfInt64(this.low, this.high), typeCodes.int, form)
        return true
      case tags.double:
        writeAscii(writer, textOfDouble(doubleOfBits(this.low, this.high)), typeCodes.double, form)
        return true
      case tags.bytes:
        writeAscii(writer, this.bytes.toString('base64', this.start, this.end), typeCodes.bytes, form)
        return true
      case tags.array:
      case tags.kvlist:
        this.json.position = 0
        if (!this.writeJson(start, end, 0)) return false
        writeText(
          writer,
          this.json.bytes,
          0,
          this.json.position,
          typeCodes[tag === tags.array ? 'array' : 'kvlist'],
          form,
        )
        return true
      default:
        writeAscii(writer, '', typeCodes.unset, form)
        return true
    }
  }

  /** Reports whether the value is a string of less than 128 bytes, whose length takes one byte. Most values are. */
  private isShortString(start: number, end: number): boolean {
    const length = end - start - 2
    return length < 0x80 && this.bytes[start] === tags.string && this.bytes[start + 1] === length
  }

  /** Returns the tagged text of the value at [start, end), or undefined if it is nested too deeply. */
  tagged(start: number, end: number): string | undefined {
    const { row } = this
    row.position = 0
    if (!this.write(row, start, end, 'row')) return undefined
    let at = 0
    while ((row.bytes[at] as number) >= 0x80) at++
    return row.bytes.toString('utf8', at + 1, row.position)
  }

  /**
   * Reads the `AnyValue` at [start, end) and returns the tag of the field that is set. As in every oneof, the last
   * field in the message wins.
   */
  private read(start: number, end: number): number {
    const { reader } = this
    reader.position = start
    let field = unset
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case tags.string:
        case tags.array:
        case tags.kvlist:
        case tags.bytes:
          this.end = reader.endOfBytes(end)
          this.start = reader.position
          reader.position = this.end
          field = tag
          break
        case tags.bool:
        case tags.int:
          reader.varint(end)
          this.low = reader.low
          this.high = reader.high
          field = tag
          break
        case tags.double:
          reader.fixed64(end)
          this.low = reader.low
          this.high = reader.high
          field = tag
          break
        default:
          reader.skip(tag, end)
      }
    }
    return field
  }

  private writeJson(start: number, end: number, depth: number): boolean {
    const { json } = this
    if (--this.partsLeft < 0) return true
    switch (this.read(start, end)) {
      case tags.string:
        json.jsonString(this.bytes, this.start, this.end)
        return true
      case tags.bool:
        json.ascii(this.low === 0 && this.high === 0 ? 'false' : 'true')
        return true
      case tags.int:
        json.ascii(textOfInt64(this.low, this.high))
        return true
      case tags.double:
        json.ascii(jsonOfDouble(doubleOfBits(this.low, this.high)))
        return true
      case tags.bytes:
        json.ascii(`"${this.bytes.toString('base64', this.start, this.end)}"`)
        return true
      case tags.array:
        return depth < valueDepthMax && this.writeJsonArray(this.start, this.end, depth + 1)
      case tags.kvlist:
        return depth < valueDepthMax && this.writeJsonObject(this.start, this.end, depth + 1)
      default:
        json.ascii('null')
        return true
    }
  }

  private writeJsonArray(start: number, end: number, depth: number): boolean {
    const { json, reader } = this
    json.ascii('[')
    let separator = ''
    let next = start
    while (next < end && this.partsLeft >= 0) {
      reader.position = next
      const tag = reader.tag(end)
      if (tag === arrayElementTag) {
        next = reader.endOfBytes(end)
        json.ascii(separator)
        separator = ','
        if (!this.writeJson(reader.position, next, depth)) return false
      } else {
        reader.skip(tag, end)
        next = reader.position
      }
    }
    json.ascii(']')
    return true
  }

  private writeJsonObject(start: number, end: number, depth: number): boolean {
    const { json } = this
    const entries = this.readEntries(start, end, depth)
    json.ascii('{')
    let separator = ''
    for (let i = 0; i < entries.count && this.partsLeft >= 0; i++) {
      if (entries.dropped[i] === 1) continue
      json.ascii(separator)
      separator = ','
      json.jsonString(this.bytes, entries.keyStart[i] as number, entries.keyEnd[i] as number)
      json.ascii(':')
      if (!this.writeJson(entries.valueStart[i] as number, entries.valueEnd[i] as number, depth)) return false
    }
    json.ascii('}')
    return true
  }

  /** Reads into the list of this depth, which is reused. Creating lists would dominate the cost of small kvlists. */
  private readEntries(start: number, end: number, depth: number): AttributeList {
    const { reader } = this
    this.entriesOfDepth[depth] ??= new AttributeList(recordPartsMax)
    const entries = this.entriesOfDepth[depth]
    entries.clear()
    reader.position = start
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === kvlistEntryTag) entries.read(reader, end)
      else reader.skip(tag, end)
    }
    this.partsLeft -= entries.count + entries.excess
    entries.mergeEqualKeys(this.bytes)
    return entries
  }
}

/** Returns a number, or a string for NaN and the infinities, which JSON does not have. */
function jsonOfDouble(value: number): string {
  return Number.isFinite(value) ? textOfDouble(value) : `"${textOfDouble(value)}"`
}

function writeText(writer: ByteWriter, source: Uint8Array, start: number, end: number, tag: number, form: Form): void {
  if (form === 'row') writer.text(source, start, end, tag)
  else writer.jsonString(source, start, end, tag)
}

/** Writes text that JSON does not escape. */
function writeAscii(writer: ByteWriter, text: string, tag: number, form: Form): void {
  if (form === 'row') {
    writer.varint(text.length + 1)
    writer.uint8(tag)
    writer.ascii(text)
  } else writer.ascii(`"${String.fromCharCode(tag)}${text}"`)
}
