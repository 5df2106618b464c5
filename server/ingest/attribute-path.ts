import { pathOfKey } from '../../sql/attribute-path.ts'
import { hotAttributeKeys } from '../../sql/schema/hot-attributes.ts'
import { type AttributeList, hashOfKey } from './attribute-list.ts'
import type { ByteWriter } from './byte-writer.ts'

/** How ClickHouse's binary encoding of types writes String; it stands before a value whose path has no type of its own. */
const stringType = 0x15
const percent = 0x25
const bytesPerEncoded = 3
const upperHex = Buffer.from('0123456789ABCDEF')

/** A path is not empty, so the empty key has one that no other key has. */
const emptyKeyPath = rowString(pathOfKey(''))

/** 1 for each byte that a path holds as it is. */
const plain = new Uint8Array(256)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-')) plain[byte] = 1

interface HotKey {
  readonly key: Buffer
  /** Its path as a RowBinary string. */
  readonly path: Buffer
}

const slots = 256
const hotKeys: readonly (readonly HotKey[])[] = Array.from({ length: slots }, (_, slot) =>
  [...hotAttributeKeys]
    .map((key) => ({ key: Buffer.from(key), path: rowString(pathOfKey(key)) }))
    .filter(({ key }) => (hashOfKey(key, 0, key.length) & (slots - 1)) === slot),
)

function rowString(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length), Buffer.from(text)])
}

/**
 * Writes the path of an attribute in a JSON column, and what ClickHouse has to know of the type of its value: the same
 * path as `pathOfKey` makes, without making a string of the key. The key is valid UTF-8.
 */
export function writePath(writer: ByteWriter, attributes: AttributeList, at: number, bytes: Buffer): void {
  const start = attributes.keyStart[at] as number
  const end = attributes.keyEnd[at] as number
  for (const { key, path } of hotKeys[(attributes.hashes[at] as number) & (slots - 1)] as readonly HotKey[]) {
    if (key.length === end - start && equalBytes(key, bytes, start)) {
      writer.raw(path)
      return
    }
  }
  writeEncoded(writer, bytes, start, end)
  writer.uint8(stringType)
}

function equalBytes(key: Buffer, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < key.length; i++) if (key[i] !== bytes[start + i]) return false
  return true
}

function writeEncoded(writer: ByteWriter, bytes: Buffer, start: number, end: number): void {
  let length = end - start
  for (let i = start; i < end; i++) if (plain[bytes[i] as number] === 0) length += bytesPerEncoded - 1
  if (length === 0) writer.raw(emptyKeyPath)
  else writer.varint(length)
  writer.reserve(length)
  const target = writer.bytes
  let at = writer.position
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number
    if (plain[byte] === 1) target[at++] = byte
    else {
      target[at++] = percent
      target[at++] = upperHex[byte >> 4] as number
      target[at++] = upperHex[byte & 15] as number
    }
  }
  writer.position = at
}
