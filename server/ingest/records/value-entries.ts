import {
  bucketSeconds,
  hashOfText,
  type IndexedTable,
  indexedIntrinsics,
  isIndexedDouble,
  presenceHash,
  readAttributeList,
  saltOf,
  slotBits,
  valueHash,
  valueTags,
  xxHash32,
} from '#sql'
import { type RowBatch, RowBatches, type RowSpace, type RowTable } from '../inserts/row-batches.ts'
import { ByteWriter } from '../wire/byte-writer.ts'
import { RowReader } from '../wire/row-reader.ts'

export const valueIndexTable: RowTable = { name: 'value_index', mergesEqualRows: true }

/** Entries are written as rows when there are this many, which limits the memory of the table. */
const entriesMax = 65_536
const initialLength = 4_096
/** The table grows when more than this part of it is used. */
const usedMax = 0.6
const doubleTag = valueTags.double.charCodeAt(0)
const nsPerBucket = bucketSeconds * 1e9
/** A bucket has 2^10 times this many nanoseconds. Times divided by 2^10 are exact as numbers. */
const bucketUnits = nsPerBucket / 1_024
const rowBytes = 18
/** The maximum length of all origins that are remembered. */
const originBytesMax = 2 ** 20

const keyHashes = {
  name: hashOfText(indexedIntrinsics.name),
  status_message: hashOfText(indexedIntrinsics.status_message),
  severity: hashOfText(indexedIntrinsics.severity),
  trace_id: hashOfText(indexedIntrinsics.trace_id),
}

/**
 * Collects the entries of the value index for the records of one body: which values occur in which bucket of time and
 * in which slots of trace ids. Equal entries of a body are one row.
 */
export class ValueEntries {
  private readonly rows: RowBatches
  private readonly org: Uint8Array
  private readonly table: IndexedTable
  private readonly salt: number
  private hashes = new Int32Array(initialLength)
  private buckets = new Int32Array(initialLength)
  /** The bit masks of slots; a position without any bit is free. */
  private masks = new Uint16Array(initialLength)
  /** See `key_hash` in sql/schema/tables.ts. */
  private keys = new Uint32Array(initialLength)
  private used = 0
  /** The place of the current record. */
  private bucket = 0
  private slot = 0
  /** The origin of the last record, and those before it by their bytes. */
  private origin: OriginValues
  private readonly origins = new Map<string, OriginValues>()
  private originBytes = 0

  constructor(table: IndexedTable, org: string, { limits, buffers }: RowSpace) {
    this.table = table
    this.origin = new OriginValues(table, new Uint8Array())
    this.salt = saltOf(table)
    const writer = new ByteWriter(64)
    writer.string(org)
    this.org = new Uint8Array(writer.written())
    // The memory of the rows is reserved like that of all rows, but does not count towards the size of the request.
    this.rows = new RowBatches(
      valueIndexTable,
      { limits: { ...limits, rowBytesMax: Number.POSITIVE_INFINITY }, buffers },
      0,
    )
  }

  get heldBytes(): number {
    const { rows, hashes, buckets, masks, keys } = this
    return rows.heldBytes + hashes.byteLength + buckets.byteLength + masks.byteLength + keys.byteLength
  }

  /** Begins a record. `timeLow` and `timeHigh` are its time, `idStart` is the first byte of its trace id. */
  beginRecord(timeLow: number, timeHigh: number, idStart: number): void {
    this.bucket = Math.floor((timeHigh * 4_194_304 + (timeLow >>> 10)) / bucketUnits)
    this.slot = 1 << (idStart >>> (8 - slotBits))
  }

  /** Adds the trace id of the current record: 16 bytes, little-endian as in a row. */
  addTraceId(bytes: Uint8Array, start: number): void {
    this.add(valueHash(keyHashes.trace_id, xxHash32(bytes, start, start + 16)))
  }

  /** Adds an intrinsic of the current record unless it is empty. `start` and `end` delimit it as a RowBinary string. */
  addIntrinsic(key: 'name' | 'status_message' | 'severity', bytes: Uint8Array, start: number, end: number): void {
    const at = contentOf(bytes, start)
    if (end > at) this.add(valueHash(keyHashes[key], xxHash32(bytes, at, end)))
  }

  /** Adds an attribute of the current record. `start` and `end` delimit its tagged text as a RowBinary string. */
  addAttribute(keyHash: number, bytes: Uint8Array, start: number, end: number): void {
    const at = contentOf(bytes, start)
    const isIndexed = bytes[at] !== doubleTag || isIndexedDouble(latin1(bytes, at + 1, end))
    this.add(presenceHash(keyHash), isIndexed ? 0 : keyHash)
    if (isIndexed) this.add(valueHash(keyHash, xxHash32(bytes, at + 1, end)), keyHash)
  }

  /** Adds the values that the current record shares with all records of its resource and scope. */
  addOrigin(origin: Uint8Array): void {
    if (!this.origin.isOf(origin)) this.origin = this.originOf(origin)
    if (this.origin.covers(this.bucket, this.slot)) return
    this.origin.cover(this.bucket, this.slot)
    for (const [hash, keyHash] of this.origin.entries) this.add(hash, keyHash)
  }

  private originOf(bytes: Uint8Array): OriginValues {
    const key = latin1(bytes, 0, bytes.length)
    const known = this.origins.get(key)
    if (known !== undefined) return known
    if (this.originBytes + bytes.length > originBytesMax) {
      this.origins.clear()
      this.originBytes = 0
    }
    this.originBytes += bytes.length
    const origin = new OriginValues(this.table, bytes)
    this.origins.set(key, origin)
    return origin
  }

  /** Writes the remaining entries and returns the rows. */
  finish(): readonly RowBatch[] {
    this.flush()
    return this.rows.finish()
  }

  /** Adds an entry of the current record. `keyHash` is its `key_hash`. */
  private add(hash: number, keyHash = 0): void {
    this.addSalted(hash ^ this.salt, this.table === 'spans' ? keyHash : 0)
  }

  private addSalted(hash: number, keyHash: number): void {
    const { hashes, buckets, masks, keys, bucket, slot } = this
    const mask = hashes.length - 1
    let at = Math.imul(hash ^ Math.imul(bucket, 0x9e3779b1), 0x85ebca77) >>> 7
    for (at &= mask; masks[at] !== 0; at = (at + 1) & mask) {
      if (hashes[at] !== hash || buckets[at] !== bucket) continue
      masks[at] = (masks[at] as number) | slot
      keys[at] = Math.max(keys[at] as number, keyHash >>> 0)
      return
    }
    hashes[at] = hash
    buckets[at] = bucket
    masks[at] = slot
    keys[at] = keyHash
    if (++this.used > hashes.length * usedMax) this.grow()
  }

  private grow(): void {
    if (this.used >= entriesMax) {
      this.flush()
      return
    }
    const { hashes, buckets, masks, keys } = this
    const { bucket, slot } = this
    const length = hashes.length * 2
    this.hashes = new Int32Array(length)
    this.buckets = new Int32Array(length)
    this.masks = new Uint16Array(length)
    this.keys = new Uint32Array(length)
    this.used = 0
    for (let at = 0; at < hashes.length; at++) {
      if (masks[at] === 0) continue
      this.bucket = buckets[at] as number
      this.slot = masks[at] as number
      this.addSalted(hashes[at] as number, keys[at] as number)
    }
    this.bucket = bucket
    this.slot = slot
  }

  private flush(): void {
    const { hashes, buckets, masks, keys, rows, org } = this
    for (let at = 0; at < hashes.length; at++) {
      if (masks[at] === 0) continue
      const seconds = (buckets[at] as number) * bucketSeconds
      const row = rows.beginRowOnDay(Math.floor(seconds / 86_400))
      row.view(org)
      row.reserve(rowBytes)
      row.putUint32(hashes[at] as number)
      row.putUint32(seconds)
      row.putUint32(0)
      row.bytes[row.position++] = (masks[at] as number) & 0xff
      row.bytes[row.position++] = (masks[at] as number) >>> 8
      row.putUint32(keys[at] as number)
      rows.endRow()
    }
    masks.fill(0)
    this.used = 0
    this.origin.uncover()
    for (const origin of this.origins.values()) origin.uncover()
  }
}

/** The entries of one resource and scope, and the places to which they have been added. */
class OriginValues {
  readonly entries: readonly OriginEntry[]
  private readonly bytes: Uint8Array
  private bucket = -1
  private slots = 0

  /** Reads the columns of an origin (`originColumns` in sql/schema/tables.ts), if it is not empty. */
  constructor(table: IndexedTable, origin: Uint8Array) {
    // A copy: the buffer of the origin is reused for the next one, and `slice` of a Buffer is a view.
    this.bytes = new Uint8Array(origin)
    this.entries = origin.length === 0 ? [] : entriesOfOrigin(table, this.bytes)
  }

  isOf(origin: Uint8Array): boolean {
    const { bytes } = this
    return bytes.length === origin.length && Buffer.compare(bytes, origin) === 0
  }

  covers(bucket: number, slot: number): boolean {
    return this.bucket === bucket && (slot & ~this.slots) === 0
  }

  cover(bucket: number, slot: number): void {
    this.slots = this.bucket === bucket ? this.slots | slot : slot
    this.bucket = bucket
  }

  uncover(): void {
    this.bucket = -1
  }
}

type OriginEntry = readonly [hash: number, keyHash: number]

function entriesOfOrigin(table: IndexedTable, origin: Uint8Array): OriginEntry[] {
  const reader = new RowReader(Buffer.from(origin.buffer, origin.byteOffset, origin.length))
  reader.skipString()
  const [service, resource, scopeName] = [reader.string(), reader.string(), reader.string()]
  const entries = readAttributeList(resource).flatMap(([key, tagged]): OriginEntry[] => {
    const keyHash = hashOfText(key)
    const present = presenceHash(keyHash)
    const content = tagged.slice(1)
    if (tagged.startsWith(valueTags.double) && !isIndexedDouble(content)) return [[present, keyHash]]
    return [
      [present, 0],
      [valueHash(keyHash, hashOfText(content)), keyHash],
    ]
  })
  if (service !== '') entries.push([valueHash(hashOfText(indexedIntrinsics.service), hashOfText(service)), 0])
  // No condition about log records is about their scope.
  if (table === 'spans' && scopeName !== '')
    entries.push([valueHash(hashOfText(indexedIntrinsics.scope_name), hashOfText(scopeName)), 0])
  return entries
}

/** Returns where the content of a RowBinary string begins. */
function contentOf(bytes: Uint8Array, start: number): number {
  let at = start
  while ((bytes[at] as number) >= 0x80) at++
  return at + 1
}

function latin1(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
}
