import { hotAttributeKeys, pathOfKey, writeAttributeList, xxHash32 } from '#sql'
import { ByteWriter } from '../wire/byte-writer.ts'
import { isAt } from '../wire/fields.ts'
import { type AttributeList, type KeyFault, keyFault } from './attribute-list.ts'
import type { Repairs } from './outcome.ts'
import { ValueWriter } from './value-writer.ts'

/**
 * The type byte of `String` in ClickHouse's binary encoding of types. It precedes a value whose path has no declared
 * type.
 */
const stringType = 0x15

/**
 * Holds 1 for each byte that a path contains unescaped. Every other byte is written as a percent sign and two digits.
 */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w-]/.test(String.fromCharCode(byte)) ? 1 : 0))
const escapes = Array.from(isPlain, (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
const escapedBytes = 3

/** Holds the path that is being encoded. */
const pathWriter = new ByteWriter(1024)

/** Maximum length of a cached key in bytes, which limits the cache to a few megabytes. */
const cachedKeyBytesMax = 96
const cacheSlots = 16_384

interface CachedPath {
  readonly key: Uint8Array
  readonly path: Uint8Array
  /** The hash of the key in the value index. */
  readonly keyHash: number
}

/** Takes the attributes of a record as they are written: the hash of a key, and its tagged text in RowBinary. */
interface AttributeSink {
  addAttribute(keyHash: number, bytes: Uint8Array, start: number, end: number): void
}

/**
 * Paths by the hash of their key, shared by all requests because most spans carry the same keys. A new key replaces the
 * key in its slot.
 */
const pathCache: (CachedPath | undefined)[] = new Array(cacheSlots).fill(undefined)

/** Writes the attributes of one body in the three forms that tables store. */
export class AttributeWriter {
  readonly bytes: Buffer
  readonly repairs: Repairs
  readonly values: ValueWriter

  constructor(bytes: Buffer, repairs: Repairs, values = new ValueWriter(bytes)) {
    this.bytes = bytes
    this.repairs = repairs
    this.values = values
  }

  /**
   * Writes a value of a `JSON` column, and passes what is written to `sink`. Returns the number of attributes that were
   * left out.
   */
  writeColumn(row: ByteWriter, attributes: AttributeList, sink?: AttributeSink): number {
    const { bytes, repairs, values } = this
    const { count, dropped, valueStart, valueEnd } = attributes
    const countAt = row.position
    row.varint(count)
    const countEnd = row.position
    let written = 0
    let left = attributes.excess
    repairs.excess += left
    for (let i = 0; i < count; i++) {
      if (dropped[i] === 1) continue
      const begin = row.position
      const fault = writePath(row, attributes, i, bytes)
      const valueAt = row.position
      if (fault === undefined && values.write(row, valueStart[i] as number, valueEnd[i] as number, 'row')) {
        written++
        sink?.addAttribute(writtenKeyHash, row.bytes, valueAt, row.position)
      } else {
        repairs[fault ?? 'deepValues']++
        left++
        row.position = begin
      }
    }
    if (written !== count) rewriteCount(row, countAt, countEnd, written)
    return left
  }

  /**
   * Returns the text of a `String` column that stores a list of attributes: those of a resource, a scope or a series.
   */
  listText(attributes: AttributeList): string {
    const { bytes, repairs, values } = this
    attributes.dropFaultyKeys(bytes, repairs)
    const entries: [key: string, value: string][] = []
    for (let i = 0; i < attributes.count; i++) {
      if (attributes.dropped[i] === 1) continue
      const value = values.tagged(attributes.valueStart[i] as number, attributes.valueEnd[i] as number)
      if (value === undefined) repairs.deepValues++
      else entries.push([bytes.toString('utf8', attributes.keyStart[i], attributes.keyEnd[i]), value])
    }
    return writeAttributeList(entries)
  }

  /**
   * Writes the member `,"a":[[key, tagged text]…]` of a JSON object, or nothing if there are no attributes. Returns
   * the number of attributes that were left out.
   */
  writeMember(json: ByteWriter, attributes: AttributeList): number {
    const { bytes, repairs, values } = this
    let left = attributes.dropFaultyKeys(bytes, repairs)
    const { count, dropped, keyStart, keyEnd, valueStart, valueEnd } = attributes
    let opening = ',"a":[['
    for (let i = 0; i < count; i++) {
      if (dropped[i] === 1) continue
      const begin = json.position
      json.ascii(opening)
      json.jsonString(bytes, keyStart[i] as number, keyEnd[i] as number)
      json.ascii(',')
      if (values.write(json, valueStart[i] as number, valueEnd[i] as number, 'json')) {
        json.ascii(']')
        opening = ',['
      } else {
        repairs.deepValues++
        left++
        json.position = begin
      }
    }
    if (opening === ',[') json.ascii(']')
    return left
  }
}

/**
 * Overwrites a varint with a smaller number without changing its length, because a varint may be longer than necessary.
 */
function rewriteCount(writer: ByteWriter, start: number, end: number, count: number): void {
  let rest = count
  for (let i = start; i < end; i++) {
    writer.bytes[i] = (rest & 0x7f) | (i < end - 1 ? 0x80 : 0)
    rest >>>= 7
  }
}

/** The hash of the key whose path was written last. */
let writtenKeyHash = 0

/**
 * Writes the path of entry `at` in a `JSON` column, and the type of its value. If the key is invalid, writes nothing
 * and returns its fault.
 */
function writePath(row: ByteWriter, attributes: AttributeList, at: number, bytes: Buffer): KeyFault | undefined {
  const start = attributes.keyStart[at] as number
  const end = attributes.keyEnd[at] as number
  const slot = (attributes.hashes[at] as number) & (cacheSlots - 1)
  const cached = pathCache[slot]
  if (cached !== undefined && cached.key.length === end - start && isAt(cached.key, bytes, start)) {
    row.view(cached.path)
    writtenKeyHash = cached.keyHash
    return undefined
  }
  const fault = keyFault(bytes, start, end)
  if (fault !== undefined) return fault
  const path = encodedPath(bytes, start, end)
  writtenKeyHash = xxHash32(bytes, start, end)
  if (end - start <= cachedKeyBytesMax)
    pathCache[slot] = { key: new Uint8Array(bytes.subarray(start, end)), path, keyHash: writtenKeyHash }
  row.view(path)
  return undefined
}

/**
 * Returns the path of a key (`pathOfKey`) as a RowBinary string, followed by the type of the value unless the path has
 * a declared type.
 */
function encodedPath(bytes: Buffer, start: number, end: number): Uint8Array {
  const writer = pathWriter
  writer.position = 0
  let length = end - start
  for (let i = start; i < end; i++) if (isPlain[bytes[i] as number] === 0) length += escapedBytes - 1
  if (length === 0) writer.string(pathOfKey(''))
  else writer.varint(length)
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number
    if (isPlain[byte] === 1) writer.uint8(byte)
    else writer.ascii(escapes[byte] as string)
  }
  if (!hotAttributeKeys.has(bytes.toString('utf8', start, end))) writer.uint8(stringType)
  return new Uint8Array(writer.written())
}
