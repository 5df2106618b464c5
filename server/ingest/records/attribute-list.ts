import { isUtf8 } from 'node:buffer'
import { keyCharactersMax } from '#sql'
import { tagOf } from '../proto/message-table.ts'
import { otlpMessages } from '../proto/messages-generated.ts'
import { OversizedBody } from '../wire/body-errors.ts'
import { doubled } from '../wire/fields.ts'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import { attributesMax } from './record-limits.ts'

const { key, value } = otlpMessages['common.v1.KeyValue']
const tags = { key: tagOf(key), value: tagOf(value) }

/** Maximum number of attributes beyond the limit of a list. Reading them is not interrupted. */
const excessMax = 1_000_000
/** Up to this number of keys, comparing every pair is faster than a map. Beyond it, the quadratic cost dominates. */
const pairwiseKeysMax = 48
const hashFactor = 0x85eb_ca6b

/**
 * A repeated `KeyValue` field, as the offsets of its keys and values in the body. The object is reused for many fields.
 * For an entry without a value, `valueStart` equals `valueEnd`.
 */
export class AttributeList {
  private readonly countMax: number
  count = 0
  /** The number of attributes beyond the limit, which are not in the list. */
  excess = 0
  keyStart = new Int32Array(64)
  keyEnd = new Int32Array(64)
  valueStart = new Int32Array(64)
  valueEnd = new Int32Array(64)
  /**
   * Holds 1 for an entry that is not stored: its value was moved to an earlier entry with the same key, or its key is
   * invalid.
   */
  dropped = new Uint8Array(64)
  /** The hashes of the keys. */
  hashes = new Int32Array(64)

  constructor(countMax = attributesMax) {
    this.countMax = countMax
  }

  clear(): void {
    this.count = this.excess = 0
  }

  /** Reads one `KeyValue`, which begins with its length. */
  read(reader: ProtobufReader, end: number): void {
    const valueEnd = reader.endOfBytes(end)
    if (this.count === this.countMax) {
      if (++this.excess > excessMax) throw new OversizedBody(`A record has more than ${excessMax} attributes.`)
      reader.position = valueEnd
      return
    }
    if (this.count === this.keyStart.length) this.grow()
    const at = this.count++
    this.keyStart[at] = this.keyEnd[at] = this.valueStart[at] = this.valueEnd[at] = this.dropped[at] = 0
    while (reader.position < valueEnd) {
      const tag = reader.tag(valueEnd)
      if (tag === tags.key) {
        const keyEnd = reader.endOfBytes(valueEnd)
        this.keyStart[at] = reader.position
        this.keyEnd[at] = reader.position = keyEnd
      } else if (tag === tags.value) {
        const fieldEnd = reader.endOfBytes(valueEnd)
        this.valueStart[at] = reader.position
        this.valueEnd[at] = reader.position = fieldEnd
      } else reader.skip(tag, valueEnd)
    }
    this.hashes[at] = hashOfKey(reader.view, this.keyStart[at] as number, this.keyEnd[at] as number)
  }

  private grow(): void {
    this.keyStart = doubled(this.keyStart)
    this.keyEnd = doubled(this.keyEnd)
    this.valueStart = doubled(this.valueStart)
    this.valueEnd = doubled(this.valueEnd)
    this.hashes = doubled(this.hashes)
    const dropped = new Uint8Array(this.dropped.length * 2)
    dropped.set(this.dropped)
    this.dropped = dropped
  }

  /** Merges entries with equal keys. As in a JavaScript object, a key keeps its first position and its last value. */
  mergeEqualKeys(bytes: Buffer): void {
    if (this.count <= pairwiseKeysMax) this.mergeByPairs(bytes)
    else this.mergeByMap(bytes)
  }

  /**
   * Drops every entry with an invalid key, and counts these and the excess in `repairs`. Returns the number of dropped
   * attributes.
   */
  dropFaultyKeys(bytes: Buffer, repairs: Record<KeyFault | 'excess', number>): number {
    repairs.excess += this.excess
    let dropped = this.excess
    for (let i = 0; i < this.count; i++) {
      const fault =
        this.dropped[i] === 1 ? undefined : keyFault(bytes, this.keyStart[i] as number, this.keyEnd[i] as number)
      if (fault === undefined) continue
      this.dropped[i] = 1
      repairs[fault]++
      dropped++
    }
    return dropped
  }

  private mergeByPairs(bytes: Buffer): void {
    const { hashes, count } = this
    let seen = 0
    for (let i = 0; i < count; i++) {
      const hash = hashes[i] as number
      // `hash & 31` selects one of 32 bits for each key seen. If the bit is not set, no earlier key can be equal.
      const bit = 1 << (hash & 31)
      if ((seen & bit) !== 0) {
        for (let j = 0; j < i; j++) if (hashes[j] === hash && this.sameKey(bytes, i, j)) this.moveValue(i, j)
      }
      seen |= bit
    }
  }

  private mergeByMap(bytes: Buffer): void {
    const positions = new Map<string, number>()
    for (let i = 0; i < this.count; i++) {
      const key = bytes.toString('latin1', this.keyStart[i], this.keyEnd[i])
      const position = positions.get(key)
      if (position === undefined) positions.set(key, i)
      else this.moveValue(i, position)
    }
  }

  private moveValue(from: number, to: number): void {
    this.valueStart[to] = this.valueStart[from] as number
    this.valueEnd[to] = this.valueEnd[from] as number
    this.dropped[from] = 1
  }

  private sameKey(bytes: Buffer, left: number, right: number): boolean {
    const start = this.keyStart[left] as number
    const end = this.keyEnd[left] as number
    const other = this.keyStart[right] as number
    if (end - start !== (this.keyEnd[right] as number) - other) return false
    for (let i = start; i < end; i++) if (bytes[i] !== bytes[other + i - start]) return false
    return true
  }
}

/**
 * The fault of an attribute key. An attribute with such a key is not stored, because no condition could name the key.
 */
export type KeyFault = 'longKeys' | 'brokenKeys'

/** Returns the fault of the key at [start, end), or undefined for a valid key. */
export function keyFault(bytes: Buffer, start: number, end: number): KeyFault | undefined {
  if (isLonger(bytes, start, end, keyCharactersMax)) return 'longKeys'
  return isText(bytes, start, end) ? undefined : 'brokenKeys'
}

/** Reports whether the text at [start, end) has more code points than a limit. */
export function isLonger(bytes: Buffer, start: number, end: number, charactersMax: number): boolean {
  if (end - start <= charactersMax) return false
  let characters = 0
  // Every byte that is not a continuation byte begins a code point.
  for (let i = start; i < end; i++) if (((bytes[i] as number) & 0xc0) !== 0x80) characters++
  return characters > charactersMax
}

function isText(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] as number) >= 0x80) return isUtf8(bytes.subarray(start, end))
  return true
}

/** Hashes a key four bytes at a time. If it has more than four, the last four bytes may overlap those before them. */
function hashOfKey(view: DataView, start: number, end: number): number {
  let hash = end - start
  if (hash < 4) for (let i = start; i < end; i++) hash = Math.imul(hash ^ view.getUint8(i), hashFactor)
  else {
    for (let i = start; i < end - 4; i += 4) hash = Math.imul(hash ^ view.getInt32(i), hashFactor)
    hash = Math.imul(hash ^ view.getInt32(end - 4), hashFactor)
  }
  return hash ^ (hash >>> 15)
}
