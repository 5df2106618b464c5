/**
 * Hashes of the index from values to places (schema/migrations/0006-value-index.sql). Ingest and the backfill compute
 * them from bytes, and searches from text.
 *
 * A value is hashed as its text without the tag of its type, so that one hash serves all types with this text. A span
 * and its resource share the hashes of their keys, because most conditions are about both.
 */

const prime1 = 0x9e3779b1 | 0
const prime2 = 0x85ebca77 | 0
const prime3 = 0xc2b2ae3d | 0
const prime4 = 0x27d4eb2f | 0
const prime5 = 0x165667b1 | 0

/** The factors by which hashes are multiplied before they are combined, so that they do not cancel each other out. */
const hashFactors = { text: 0x9e3779b1, presence: 0x85ebca77 } as const

/**
 * The keys of what is indexed besides attributes. No attribute has such a key within the limits of conditions, and one
 * that had would only add entries.
 */
export const indexedIntrinsics = {
  service: '\u0000service',
  name: '\u0000name',
  scope_name: '\u0000scope_name',
  status_message: '\u0000status_message',
  trace_id: '\u0000trace_id',
  severity: '\u0000severity',
} as const

/**
 * The tables whose values are indexed. The hashes of each are combined with another number, so that a value that is in
 * all log records does not seem to be in spans.
 */
const salts = { spans: 0, log_records: 0x165667b1 } as const

export type IndexedTable = keyof typeof salts

export const indexedTables = Object.keys(salts) as readonly IndexedTable[]

export function isIndexedTable(table: string): table is IndexedTable {
  return Object.hasOwn(salts, table)
}

/** Returns the number that is combined, by exclusive or, with every hash of a table. */
export function saltOf(table: IndexedTable): number {
  return salts[table]
}

/** Returns the XXH32 of the bytes at [start, end), with seed 0, as a signed integer: `xxHash32` in ClickHouse. */
export function xxHash32(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  let hash = prime5
  if (end - start >= 16) {
    let [a, b, c, d] = [(prime1 + prime2) | 0, prime2, 0, -prime1 | 0]
    for (; at <= end - 16; at += 16) {
      a = round(a, read32(bytes, at))
      b = round(b, read32(bytes, at + 4))
      c = round(c, read32(bytes, at + 8))
      d = round(d, read32(bytes, at + 12))
    }
    hash = (rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18)) | 0
  }
  hash = (hash + (end - start)) | 0
  for (; at <= end - 4; at += 4) hash = Math.imul(rotate((hash + Math.imul(read32(bytes, at), prime3)) | 0, 17), prime4)
  for (; at < end; at++) hash = Math.imul(rotate((hash + Math.imul(bytes[at] as number, prime5)) | 0, 11), prime1)
  hash = Math.imul(hash ^ (hash >>> 15), prime2)
  hash = Math.imul(hash ^ (hash >>> 13), prime3)
  return hash ^ (hash >>> 16)
}

function round(state: number, input: number): number {
  return Math.imul(rotate((state + Math.imul(input, prime2)) | 0, 13), prime1)
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

function read32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  )
}

const encoder = new TextEncoder()

/** Returns the hash of a key or a text. */
export function hashOfText(text: string): number {
  const bytes = encoder.encode(text)
  return xxHash32(bytes, 0, bytes.length)
}

/** Returns the hash of a key with a value, from the hashes of both, as a signed integer. */
export function valueHash(keyHash: number, textHash: number): number {
  return keyHash ^ Math.imul(textHash, hashFactors.text)
}

/** Returns the hash of a key alone, which every span that carries the key has. */
export function presenceHash(keyHash: number): number {
  return Math.imul(keyHash, hashFactors.presence)
}

/** Returns the hash of a trace id, given as the decimal text of a UInt128. */
export function traceHash(traceId: string): number {
  const bytes = new Uint8Array(16)
  let rest = BigInt(traceId)
  for (let i = 0; i < bytes.length; i++, rest >>= 8n) bytes[i] = Number(rest & 0xffn)
  return valueHash(hashOfText(indexedIntrinsics.trace_id), xxHash32(bytes, 0, bytes.length))
}

/**
 * Reports whether a value is indexed with its key. Doubles with a fraction are not: they are mostly measurements, of
 * which every span has another and which are rarely looked up.
 */
export function isIndexedDouble(text: string): boolean {
  return /^-?[0-9]+$/.test(text)
}
