/** The encodings of rows and of protobuf at the ends of their ranges, and where a buffer ends. */
import { describe, expect, it } from 'vitest'
import { ByteWriter } from '../../server/ingest/wire/byte-writer.ts'

/** Returns what a writer whose buffer has this size writes, in hexadecimal. */
function written(size: number, write: (writer: ByteWriter) => void): string {
  const writer = new ByteWriter(size)
  write(writer)
  return writer.written().toString('hex')
}

const hex = (...parts: readonly (Uint8Array | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part))).toString('hex')

/** Seven bits per byte, the low ones first; every byte but the last has the high bit. */
function varint(value: bigint): number[] {
  return value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)]
}

const sizes = Array.from({ length: 50 }, (_, size) => size)
const filled = (length: number) => Buffer.from('abcdefg'.repeat(Math.ceil(length / 7)).slice(0, length))

it.each([0, 1, 127, 128, 129, 16_383, 16_384, 2_097_151, 2_097_152, 2 ** 31 - 1])('writes the length %i', (value) => {
  const expected = hex(varint(BigInt(value)))
  for (const size of sizes) expect(written(size, (writer) => writer.varint(value))).toBe(expected)
})

it.each([0n, 127n, 128n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 35n - 1n, 2n ** 35n, 2n ** 63n, 2n ** 64n - 1n])(
  'writes the 64 bits of %s',
  (value) => {
    const [low, high] = [Number(value & 0xffff_ffffn), Number(value >> 32n)]
    for (const size of sizes) expect(written(size, (writer) => writer.varint64(low, high))).toBe(hex(varint(value)))
  },
)

it.each([0, 1, 127, 128, 129, 16_383, 16_384])('writes the length of a message of %i bytes after it', (length) => {
  const content = filled(length)
  const message = (size: number, isFullWidth: boolean) =>
    written(size, (writer) => {
      const start = writer.openLength(isFullWidth)
      writer.raw(content)
      writer.closeLength(start, isFullWidth)
      writer.uint8(0xff)
    })
  // A varint of five bytes, however few would do.
  const wide = [0, 7, 14, 21, 28].map((shift) => ((length >> shift) & 127) | (shift < 28 ? 128 : 0))
  for (const size of [0, 1, length, length + 1, length + 2, length + 5]) {
    expect(message(size, false)).toBe(hex(varint(BigInt(length)), content, [0xff]))
    expect(message(size, true)).toBe(hex(wide, content, [0xff]))
  }
})

const [letter, euro, invalid] = [Buffer.from('x'), Buffer.from('€'), Buffer.of(0xe2, 0x82)]
/** Copying changes its way after 40 bytes, and the length of a text takes another byte after 127. */
const texts = [0, 1, 36, 37, 38, 39, 40, 41, 42, 124, 125, 126, 127, 128, 129].flatMap((length) =>
  [letter, euro, invalid, Buffer.from('"'), Buffer.from('\u007f')].map((end) => Buffer.concat([filled(length), end])),
)

describe.each([0, 0x73])('after the tag %i', (tag) => {
  const prefix = tag === 0 ? '' : String.fromCharCode(tag)

  it('writes texts with their lengths, and U+FFFD for what is not UTF-8', () => {
    for (const text of texts) {
      const expected = Buffer.from(prefix + text.toString())
      const all = hex(varint(BigInt(expected.length)), expected)
      for (const size of [...sizes, text.length, text.length + 1, text.length + 2]) {
        expect(written(size, (writer) => writer.text(text, 0, text.length, tag))).toBe(all)
        expect(written(size, (writer) => writer.string(text.toString(), tag))).toBe(all)
      }
    }
  })

  it('writes texts as JSON', () => {
    for (const text of texts) {
      const json = hex(Buffer.from(JSON.stringify(prefix + text.toString())))
      for (const size of [...sizes, text.length + 1, text.length + 2, text.length + 3])
        expect(written(size, (writer) => writer.jsonString(text, 0, text.length, tag))).toBe(json)
    }
  })
})

describe('counts the texts that were not UTF-8', () => {
  const escaped = texts.map((text) => Buffer.concat([Buffer.from('"'), text]))
  it.each([
    ['as they are', texts, 'text'],
    ['in JSON', texts, 'jsonString'],
    ['in JSON, with escapes', escaped, 'jsonString'],
  ] as const)('%s', (_, written, method) => {
    const writer = new ByteWriter()
    for (const text of written) writer[method](text, 0, text.length)
    expect(writer.repaired).toBe(written.filter((text) => text.subarray(-2).equals(invalid)).length)
  })
})

it.each([0, 0x7f, 0x80, 0x7ff, 0x800, 0xfff, 0x1000, 0xffff, 0x1_0000, 0x10_ffff])(
  'writes the character %i',
  (code) => {
    const expected = hex(Buffer.from(String.fromCodePoint(code)))
    for (const size of [0, 1, 2, 3, 4]) expect(written(size, (writer) => writer.codePoint(code))).toBe(expected)
  },
)
