import { ByteWriter } from './byte-writer.ts'
import { type ProtobufReader, wireTypes } from './protobuf-reader.ts'

/**
 * A repeated field of doubles or of 64-bit integers, as the bytes that a RowBinary array has of them: they stand little-endian
 * in both formats. One list is filled again and again.
 */
export class Fixed64List {
  private readonly writer = new ByteWriter(256)

  get count(): number {
    return this.writer.position / 8
  }

  clear(): void {
    this.writer.position = 0
  }

  add(low: number, high: number): void {
    this.writer.uint64(low, high)
  }

  /** Reads one element, or as many as there are when the field is packed. */
  readFixed(reader: ProtobufReader, tag: number, end: number): void {
    const fieldEnd = (tag & 7) === wireTypes.bytes ? reader.endOfBytes(end) : reader.position + 8
    while (reader.position < fieldEnd) {
      reader.fixed64(Math.min(fieldEnd, end))
      this.add(reader.low, reader.high)
    }
  }

  /** The same for varints. */
  readVarints(reader: ProtobufReader, tag: number, end: number): void {
    const isPacked = (tag & 7) === wireTypes.bytes
    const fieldEnd = isPacked ? reader.endOfBytes(end) : end
    while (reader.position < fieldEnd) {
      reader.varint(fieldEnd)
      this.add(reader.low, reader.high)
      if (!isPacked) return
    }
  }

  double(index: number): number {
    return this.writer.bytes.readDoubleLE(index * 8)
  }

  uint64(index: number): bigint {
    return this.writer.bytes.readBigUInt64LE(index * 8)
  }

  /** The sum of unsigned integers. */
  total(): bigint {
    let total = 0n
    for (let i = 0; i < this.count; i++) total += this.uint64(i)
    return total
  }

  /** As a RowBinary array. */
  write(row: ByteWriter): void {
    row.varint(this.count)
    row.raw(this.writer.bytes, 0, this.writer.position)
  }
}

/** A field of 64 bits that may be absent. */
export class Optional64 {
  isSet = false
  low = 0
  high = 0

  clear(): void {
    this.isSet = false
    this.low = this.high = 0
  }

  readFixed(reader: ProtobufReader, end: number): void {
    reader.fixed64(end)
    this.isSet = true
    this.low = reader.low
    this.high = reader.high
  }

  get bits(): bigint {
    return (BigInt(this.high) << 32n) | BigInt(this.low)
  }

  /** Zero when it is absent. */
  write(row: ByteWriter): void {
    row.uint64(this.low, this.high)
  }

  /** As a RowBinary Nullable. */
  writeNullable(row: ByteWriter): void {
    row.uint8(this.isSet ? 0 : 1)
    if (this.isSet) this.write(row)
  }
}
