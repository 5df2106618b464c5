import { textOfDouble, valueTags } from '#sql'
import type { AttributeWriter } from '../records/attribute-writer.ts'
import { ExemplarMessage } from '../records/message-readers-generated.ts'
import { recordBytesMax, spanIdBytes, traceIdBytes } from '../records/record-limits.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import type { ByteRange, RangeList } from '../wire/fields.ts'
import { doubleOfBits, textOfInt64, textOfUint64 } from '../wire/fixed64.ts'
import { ProtobufReader } from '../wire/protobuf-reader.ts'

/**
 * Writes the exemplars of a point as one JSON array in a RowBinary `String` (sql/schema/tables.ts). Stops when the
 * array exceeds the size limit of a record; the point is then rejected.
 */
export class ExemplarWriter {
  private readonly attributes: AttributeWriter
  private readonly reader: ProtobufReader
  private readonly exemplar = new ExemplarMessage()
  private readonly json = new ByteWriter(1024)

  constructor(attributes: AttributeWriter) {
    this.attributes = attributes
    this.reader = new ProtobufReader(attributes.bytes)
  }

  /** The number of strings that were not valid UTF-8. */
  get repaired(): number {
    return this.json.repaired
  }

  write(row: ByteWriter, exemplars: RangeList): void {
    const { json, reader } = this
    json.position = 0
    for (let i = 0; i < exemplars.count && json.position <= recordBytesMax; i++) {
      if (--this.attributes.values.partsLeft < 0) break
      json.ascii(i === 0 ? '[' : ',')
      reader.position = exemplars.start[i] as number
      this.exemplar.fill(reader, exemplars.end[i] as number)
      this.writeExemplar()
    }
    if (json.position > 0) json.ascii(']')
    row.sized(json.bytes, 0, json.position)
  }

  private writeExemplar(): void {
    const { json, attributes } = this
    const { timeUnixNano: time, asInt, asDouble, traceId, spanId, filteredAttributes } = this.exemplar
    json.ascii(`{"t":"${textOfUint64(time.low, time.high)}"`)
    if (asInt.isSet) json.ascii(`,"v":"${valueTags.int}${textOfInt64(asInt.low, asInt.high)}"`)
    if (asDouble.isSet) {
      json.ascii(`,"v":"${valueTags.double}${textOfDouble(doubleOfBits(asDouble.low, asDouble.high))}"`)
    }
    this.writeId('x', traceId, traceIdBytes)
    this.writeId('s', spanId, spanIdBytes)
    filteredAttributes.mergeEqualKeys(attributes.bytes)
    attributes.writeMember(json, filteredAttributes)
    json.ascii('}')
  }

  /** Writes an id unless its length is wrong. An exemplar without its id is still worth keeping. */
  private writeId(member: string, { start, end, length }: ByteRange, idBytes: number): void {
    const { bytes, repairs } = this.attributes
    if (length === idBytes) this.json.ascii(`,"${member}":"${bytes.toString('hex', start, end)}"`)
    else if (length > 0) repairs.badExemplarIds++
  }
}
