import { textOfDouble, valueTags } from '#sql'
import { writeAttributesMember } from '../records/attribute-columns.ts'
import { AttributeList } from '../records/attribute-list.ts'
import { recordBytesMax } from '../records/record-origin.ts'
import type { Losses } from '../records/repairs.ts'
import type { ValueWriter } from '../records/value-writer.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import { doubleOfBits } from '../wire/double-bits.ts'
import { Optional64 } from '../wire/fixed64.ts'
import { textOfInt64, textOfUint64 } from '../wire/int64-text.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'
import type { RangeList } from '../wire/range-list.ts'
import { spanIdBytes, traceIdBytes } from '../wire/widths.ts'

const tags = { time: 17, double: 25, spanId: 34, traceId: 42, int: 49, attributes: 58 } as const

/**
 * Writes the exemplars of a point as one JSON array in a RowBinary `String` (sql/schema/tables.ts). It stops when the array is
 * larger than a whole row may be; the row is then not stored.
 */
export class ExemplarWriter {
  private readonly bytes: Buffer
  private readonly reader: ProtobufReader
  private readonly values: ValueWriter
  private readonly losses: Losses
  private readonly attributes = new AttributeList()
  private readonly json = new ByteWriter(1024)
  private readonly time = new Optional64()
  private readonly int = new Optional64()
  private readonly double = new Optional64()
  private traceId = ''
  private spanId = ''

  constructor(bytes: Buffer, values: ValueWriter, losses: Losses) {
    this.bytes = bytes
    this.reader = new ProtobufReader(bytes)
    this.values = values
    this.losses = losses
  }

  get repaired(): number {
    return this.json.repaired
  }

  write(row: ByteWriter, exemplars: RangeList): void {
    const { json } = this
    json.position = 0
    for (let i = 0; i < exemplars.count && json.position <= recordBytesMax; i++) {
      json.ascii(i === 0 ? '[' : ',')
      this.read(exemplars.start[i] as number, exemplars.end[i] as number)
      this.writeExemplar()
    }
    if (json.position > 0) json.ascii(']')
    row.sized(json.bytes, 0, json.position)
  }

  private read(start: number, end: number): void {
    const { reader, time, int, double, attributes } = this
    for (const field of [time, int, double, attributes]) field.clear()
    this.traceId = this.spanId = ''
    reader.position = start
    while (reader.position < end) {
      const tag = reader.tag(end)
      if (tag === tags.time) time.readFixed(reader, end)
      else if (tag === tags.attributes) attributes.read(reader, end)
      else if (tag === tags.traceId) this.traceId = this.readId(end, traceIdBytes)
      else if (tag === tags.spanId) this.spanId = this.readId(end, spanIdBytes)
      else if (tag === tags.double || tag === tags.int) {
        int.clear()
        double.clear()
        const value = tag === tags.int ? int : double
        value.readFixed(reader, end)
      } else reader.skip(tag, end)
    }
  }

  /** Empty for an id of another length: it names no span, and the exemplar is worth keeping without it. */
  private readId(end: number, bytes: number): string {
    const fieldEnd = this.reader.endOfBytes(end)
    const start = this.reader.position
    this.reader.position = fieldEnd
    if (fieldEnd - start === bytes) return this.bytes.toString('hex', start, fieldEnd)
    if (fieldEnd > start) this.losses.badExemplarIds++
    return ''
  }

  private writeExemplar(): void {
    const { json, attributes, bytes, time, int, double } = this
    json.ascii(`{"t":"${textOfUint64(time.low, time.high)}"`)
    if (int.isSet) json.ascii(`,"v":"${valueTags.int}${textOfInt64(int.low, int.high)}"`)
    if (double.isSet) json.ascii(`,"v":"${valueTags.double}${textOfDouble(doubleOfBits(double.low, double.high))}"`)
    if (this.traceId !== '') json.ascii(`,"x":"${this.traceId}"`)
    if (this.spanId !== '') json.ascii(`,"s":"${this.spanId}"`)
    attributes.mergeEqualKeys(bytes)
    writeAttributesMember(json, attributes, bytes, this.values, this.losses)
    json.ascii('}')
  }
}
