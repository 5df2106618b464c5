import { textOfDouble, valueTags } from '#sql'
import { ByteWriter } from '../wire/byte-writer.ts'
import { doubleOfBits } from '../wire/double-bits.ts'
import { textOfInt64 } from '../wire/int64-text.ts'
import { writeJsonString } from '../wire/json-text.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'
import { AttributeList } from './attribute-list.ts'

/** Arrays and kvlists inside one another; an attribute that is nested deeper is not stored. */
export const valueDepthMax = 64

const fields = { string: 10, bool: 16, int: 24, double: 33, array: 42, kvlist: 50, bytes: 58 } as const
type ValueField = 0 | (typeof fields)[keyof typeof fields]
const arrayElement = (1 << 3) | 2
const kvlistEntry = (1 << 3) | 2

const tagCodes = Object.fromEntries(
  Object.entries(valueTags).map(([type, tag]) => [type, tag.charCodeAt(0)]),
) as Readonly<Record<keyof typeof valueTags, number>>

/** Where the text of a value goes: into a RowBinary `String`, or into a JSON document as one string. */
type Form = 'row' | 'json'

/** Turns OTLP `AnyValue` messages of one body into tagged texts. */
export class ValueWriter {
  private readonly reader: ProtobufReader
  private readonly bytes: Buffer
  private readonly json = new ByteWriter(1024)
  private readonly row = new ByteWriter(256)
  private readonly entriesOfDepth: AttributeList[] = []
  /** Of the value read last: where its string, bytes or message lies. */
  private start = 0
  private end = 0
  /** Of the value read last: its 64 bits, when it is no string, bytes or message. */
  private low = 0
  private high = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.reader = new ProtobufReader(bytes)
  }

  /** Strings that were not valid UTF-8, other than those written straight into a row. */
  get repaired(): number {
    return this.json.repaired + this.row.repaired
  }

  /** Writes type tag and text of the value at [start, end). False, and nothing written, when it is nested too deep. */
  write(writer: ByteWriter, start: number, end: number, form: Form): boolean {
    if (this.isShortString(start, end)) {
      writeText(writer, this.bytes, start + 2, end, tagCodes.string, form)
      return true
    }
    const field = this.read(start, end)
    switch (field) {
      case fields.string:
        writeText(writer, this.bytes, this.start, this.end, tagCodes.string, form)
        return true
      case fields.bool:
        writeAscii(writer, this.low === 0 && this.high === 0 ? 'false' : 'true', tagCodes.bool, form)
        return true
      case fields.int:
        writeAscii(writer, textOfInt64(this.low, this.high), tagCodes.int, form)
        return true
      case fields.double:
        writeAscii(writer, textOfDouble(doubleOfBits(this.low, this.high)), tagCodes.double, form)
        return true
      case fields.bytes:
        writeAscii(writer, this.bytes.toString('base64', this.start, this.end), tagCodes.bytes, form)
        return true
      case fields.array:
      case fields.kvlist:
        this.json.position = 0
        if (!this.writeJson(start, end, 0)) return false
        writeText(writer, this.json.bytes, 0, this.json.position, compositeTag(field), form)
        return true
      default:
        writeAscii(writer, '', tagCodes.unset, form)
        return true
    }
  }

  /** What most values are: one field, a string of less than 128 bytes, whose length is one byte. */
  private isShortString(start: number, end: number): boolean {
    const length = end - start - 2
    return length < 0x80 && this.bytes[start] === fields.string && this.bytes[start + 1] === length
  }

  /** Type tag and text of the value at [start, end) as a string; undefined when it is nested too deep. */
  tagged(start: number, end: number): string | undefined {
    const { row } = this
    row.position = 0
    if (!this.write(row, start, end, 'row')) return undefined
    let at = 0
    while ((row.bytes[at] as number) >= 0x80) at++
    return row.bytes.toString('utf8', at + 1, row.position)
  }

  /** Which field of the `AnyValue` at [start, end) is set, zero for none. As in every oneof, the last one holds. */
  private read(start: number, end: number): ValueField {
    const { reader } = this
    reader.position = start
    let field: ValueField = 0
    while (reader.position < end) {
      const tag = reader.tag(end)
      switch (tag) {
        case fields.string:
        case fields.array:
        case fields.kvlist:
        case fields.bytes:
          this.end = reader.endOfBytes(end)
          this.start = reader.position
          reader.position = this.end
          field = tag
          break
        case fields.bool:
        case fields.int:
          reader.varint(end)
          this.low = reader.low
          this.high = reader.high
          field = tag
          break
        case fields.double:
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
    switch (this.read(start, end)) {
      case fields.string:
        writeJsonString(json, this.bytes, this.start, this.end)
        return true
      case fields.bool:
        json.ascii(this.low === 0 && this.high === 0 ? 'false' : 'true')
        return true
      case fields.int:
        json.ascii(textOfInt64(this.low, this.high))
        return true
      case fields.double:
        json.ascii(jsonOfDouble(doubleOfBits(this.low, this.high)))
        return true
      case fields.bytes:
        json.ascii(`"${this.bytes.toString('base64', this.start, this.end)}"`)
        return true
      case fields.array:
        return depth < valueDepthMax && this.writeJsonArray(this.start, this.end, depth + 1)
      case fields.kvlist:
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
    while (next < end) {
      reader.position = next
      const tag = reader.tag(end)
      if (tag === arrayElement) {
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
    for (let i = 0; i < entries.count; i++) {
      if (entries.dropped[i] === 1) continue
      json.ascii(separator)
      separator = ','
      writeJsonString(json, this.bytes, entries.keyStart[i] as number, entries.keyEnd[i] as number)
      json.ascii(':')
      if (!this.writeJson(entries.valueStart[i] as number, entries.valueEnd[i] as number, depth)) return false
    }
    json.ascii('}')
    return true
  }

  /** One list per depth is filled again and again: making them would be most of the cost of small kvlists. */
  private readEntries(start: number, end: number, depth: number): AttributeList {
    const { reader } = this
    this.entriesOfDepth[depth] ??= new AttributeList(Number.POSITIVE_INFINITY)
    const entries = this.entriesOfDepth[depth]
    entries.clear()
    reader.position = start
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === kvlistEntry) entries.read(reader, end)
      else reader.skip(tag, end)
    }
    entries.mergeEqualKeys(this.bytes)
    return entries
  }
}

function compositeTag(field: ValueField): number {
  return field === fields.array ? tagCodes.array : tagCodes.kvlist
}

/** JSON has no NaN and no infinities; they go as strings. */
function jsonOfDouble(value: number): string {
  return Number.isFinite(value) ? textOfDouble(value) : `"${textOfDouble(value)}"`
}

function writeText(writer: ByteWriter, source: Uint8Array, start: number, end: number, tag: number, form: Form): void {
  if (form === 'row') writer.text(source, start, end, tag)
  else writeJsonString(writer, source, start, end, tag)
}

/** `text` has nothing in it that JSON would escape. */
function writeAscii(writer: ByteWriter, text: string, tag: number, form: Form): void {
  if (form === 'row') {
    writer.varint(text.length + 1)
    writer.uint8(tag)
    writer.ascii(text)
  } else writer.ascii(`"${String.fromCharCode(tag)}${text}"`)
}
