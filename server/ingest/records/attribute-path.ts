import { hotAttributeKeys, pathOfKey } from '#sql'
import { ByteWriter } from '../wire/byte-writer.ts'
import { type AttributeList, type KeyFault, keyFault } from './attribute-list.ts'

/** How ClickHouse's binary encoding of types writes String; it stands before a value whose path has no type of its own. */
const stringType = 0x15
const slots = 16_384
/** Longer keys are rare, so their paths are made each time: what is remembered takes some megabytes at most. */
const rememberedKeyBytesMax = 96

/** 1 for each byte that stands in a path as it is; every other is a percent sign and two digits. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w-]/.test(String.fromCharCode(byte)) ? 1 : 0))
const percentCodes = Array.from(isPlain, (_, byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
const encodedBytes = 3

interface KnownPath {
  readonly key: Uint8Array
  /** The path as a RowBinary string, and what ClickHouse has to know of the type of its values. */
  readonly path: Uint8Array
}

/** By the hash of the key. Spans carry the same keys again and again, over all requests; a key displaces another. */
const knownPaths: (KnownPath | undefined)[] = new Array(slots).fill(undefined)

/**
 * Writes the path of the key at a place of a list, for a JSON column. Answers why, and writes nothing, when the attribute
 * is not stored.
 */
export function writePath(
  writer: ByteWriter,
  attributes: AttributeList,
  at: number,
  bytes: Buffer,
): KeyFault | undefined {
  const start = attributes.keyStart[at] as number
  const end = attributes.keyEnd[at] as number
  const slot = (attributes.hashes[at] as number) & (slots - 1)
  const known = knownPaths[slot]
  if (known !== undefined && known.key.length === end - start && isKeyAt(known.key, bytes, start)) {
    writer.view(known.path)
    return undefined
  }
  const fault = keyFault(bytes, start, end)
  if (fault !== undefined) return fault
  const path = encodedPath(bytes, start, end)
  if (end - start <= rememberedKeyBytesMax)
    knownPaths[slot] = { key: Uint8Array.from(bytes.subarray(start, end)), path }
  writer.view(path)
  return undefined
}

function isKeyAt(key: Uint8Array, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < key.length; i++) if (key[i] !== bytes[start + i]) return false
  return true
}

/** The same path as `pathOfKey` makes. */
function encodedPath(bytes: Buffer, start: number, end: number): Uint8Array {
  const writer = new ByteWriter((end - start) * encodedBytes + encodedBytes + 4)
  let length = end - start
  for (let i = start; i < end; i++) if (isPlain[bytes[i] as number] === 0) length += encodedBytes - 1
  if (length === 0) writer.string(pathOfKey(''))
  else writer.varint(length)
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number
    if (isPlain[byte] === 1) writer.uint8(byte)
    else writer.ascii(percentCodes[byte] as string)
  }
  if (!hotAttributeKeys.has(bytes.toString('utf8', start, end))) writer.uint8(stringType)
  return Uint8Array.from(writer.since(0))
}
