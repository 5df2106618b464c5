import { pathOfKey } from '../../sql/attribute-path.ts'
import { hotAttributeKeys } from '../../sql/schema/hot-attributes.ts'
import { type AttributeList, type KeyFault, keyFault } from './attribute-list.ts'
import { ByteWriter } from './byte-writer.ts'

/** How ClickHouse's binary encoding of types writes String; it stands before a value whose path has no type of its own. */
const stringType = 0x15
const slots = 1024

/**
 * The paths of attribute keys in a JSON column, each with what ClickHouse has to know of the type of its value. The spans
 * of a body carry the same few keys, so a key is checked and its path made once, and found again by the key's bytes.
 */
export class AttributePaths {
  private readonly bytes: Buffer
  /** Of the key in each slot, in the body; a free slot has a length that no key has. */
  private readonly keyStart = new Int32Array(slots)
  private readonly keyLength = new Int32Array(slots).fill(-1)
  private readonly paths: Uint8Array[] = []

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** Writes the path of the key at a place of the list, or nothing, and answers why, when its attribute is not stored. */
  write(writer: ByteWriter, attributes: AttributeList, at: number): KeyFault | undefined {
    const start = attributes.keyStart[at] as number
    const length = (attributes.keyEnd[at] as number) - start
    const slot = (attributes.hashes[at] as number) & (slots - 1)
    if (this.keyLength[slot] !== length || !this.isKeyOf(slot, start, length)) {
      const fault = keyFault(this.bytes, start, start + length)
      if (fault !== undefined) return fault
      this.remember(slot, start, length)
    }
    writer.view(this.paths[slot] as Uint8Array)
    return undefined
  }

  private isKeyOf(slot: number, start: number, length: number): boolean {
    const { bytes } = this
    const known = this.keyStart[slot] as number
    for (let i = 0; i < length; i++) if (bytes[known + i] !== bytes[start + i]) return false
    return true
  }

  private remember(slot: number, start: number, length: number): void {
    const key = this.bytes.toString('utf8', start, start + length)
    const path = new ByteWriter(pathOfKey(key).length + 8)
    path.string(pathOfKey(key))
    if (!hotAttributeKeys.has(key)) path.uint8(stringType)
    this.keyStart[slot] = start
    this.keyLength[slot] = length
    this.paths[slot] = path.since(0)
  }
}
