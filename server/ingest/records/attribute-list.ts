import { isUtf8 } from 'node:buffer'
import { keyCharactersMax } from '#sql'
import type { ProtobufReader } from '../wire/protobuf-reader.ts'
import { doubled } from '../wire/range-list.ts'

const tags = { key: (1 << 3) | 2, value: (2 << 3) | 2 } as const
/** Up to here comparing every pair of keys is faster than a map of them; beyond, it would be quadratic. */
const comparedPairsMax = 48
/** Attributes of one span, resource, scope, event or link; a row with more takes ClickHouse seconds. */
export const attributesMax = 16_384
const hashFactor = 0x85eb_ca6b

/**
 * The attributes of one resource, scope, span, event or link, by their offsets in the body: nothing is copied.
 * One list is filled again and again. A value that is missing altogether has `valueStart` = `valueEnd`.
 */
export class AttributeList {
  private readonly countMax: number
  count = 0
  /** Attributes beyond the greatest count, which are not in the list. */
  excess = 0
  keyStart = new Int32Array(64)
  keyEnd = new Int32Array(64)
  valueStart = new Int32Array(64)
  valueEnd = new Int32Array(64)
  /** 1 for an entry whose value has moved to an earlier one with the same key, or whose key is too long. */
  dropped = new Uint8Array(64)
  /** Of the keys. */
  hashes = new Int32Array(64)

  constructor(countMax = attributesMax) {
    this.countMax = countMax
  }

  clear(): void {
    this.count = this.excess = 0
  }

  /** Reads the `KeyValue` message that `reader` stands at the length of. */
  read(reader: ProtobufReader, end: number): void {
    const valueEnd = reader.endOfBytes(end)
    if (this.count === this.countMax) {
      this.excess++
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

  /** A key that stands more than once keeps its first place and its last value, as it would in an object. */
  mergeEqualKeys(bytes: Buffer): void {
    if (this.count <= comparedPairsMax) this.mergeByPairs(bytes)
    else this.mergeByMap(bytes)
  }

  /** Drops every entry whose key has a fault and counts in `losses` what is not stored. Answers how many. */
  dropFaultyKeys(bytes: Buffer, losses: Record<KeyFault | 'excess', number>): number {
    losses.excess += this.excess
    let dropped = this.excess
    for (let i = 0; i < this.count; i++) {
      const fault =
        this.dropped[i] === 1 ? undefined : keyFault(bytes, this.keyStart[i] as number, this.keyEnd[i] as number)
      if (fault === undefined) continue
      this.dropped[i] = 1
      losses[fault]++
      dropped++
    }
    return dropped
  }

  private mergeByPairs(bytes: Buffer): void {
    const { hashes, count } = this
    let seen = 0
    for (let i = 0; i < count; i++) {
      const hash = hashes[i] as number
      // One bit of 32 per key seen: when it is not set yet, no earlier key can be equal.
      const bit = 1 << (hash & 31)
      if ((seen & bit) !== 0) {
        for (let j = 0; j < i; j++) if (hashes[j] === hash && this.sameKey(bytes, i, j)) this.moveValue(i, j)
      }
      seen |= bit
    }
  }

  private mergeByMap(bytes: Buffer): void {
    const places = new Map<string, number>()
    for (let i = 0; i < this.count; i++) {
      const key = bytes.toString('latin1', this.keyStart[i], this.keyEnd[i])
      const place = places.get(key)
      if (place === undefined) places.set(key, i)
      else this.moveValue(i, place)
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

/** Why an attribute is not stored for its key: no condition could name it. */
export type KeyFault = 'longKeys' | 'brokenKeys'

export function keyFault(bytes: Buffer, start: number, end: number): KeyFault | undefined {
  if (end - start > keyCharactersMax && charactersOf(bytes, start, end) > keyCharactersMax) return 'longKeys'
  return isText(bytes, start, end) ? undefined : 'brokenKeys'
}

function charactersOf(bytes: Buffer, start: number, end: number): number {
  let characters = 0
  // Every byte that does not continue a code point begins one.
  for (let i = start; i < end; i++) if (((bytes[i] as number) & 0xc0) !== 0x80) characters++
  return characters
}

function isText(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((bytes[i] as number) >= 0x80) return isUtf8(bytes.subarray(start, end))
  return true
}

/** Four bytes at a time; what is left at the end of a longer key is read together with bytes before it. */
function hashOfKey(view: DataView, start: number, end: number): number {
  let hash = end - start
  if (hash < 4) for (let i = start; i < end; i++) hash = Math.imul(hash ^ view.getUint8(i), hashFactor)
  else {
    for (let i = start; i < end - 4; i += 4) hash = Math.imul(hash ^ view.getInt32(i), hashFactor)
    hash = Math.imul(hash ^ view.getInt32(end - 4), hashFactor)
  }
  return hash ^ (hash >>> 15)
}
