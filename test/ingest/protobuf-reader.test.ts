/** Values at the ends of their ranges, and values that do not fit into their message. */
import { describe, expect, it } from 'vitest'
import { MalformedBody } from '../../server/ingest/wire/body-errors.ts'
import { ProtobufReader } from '../../server/ingest/wire/protobuf-reader.ts'

/** Returns a reader of some bytes, and of others behind the message that these are. */
function readerOf(bytes: readonly number[], behind: readonly number[] = []): ProtobufReader {
  return new ProtobufReader(Buffer.from([...bytes, ...behind]))
}

function varint(value: bigint): number[] {
  return value < 128n ? [Number(value)] : [Number(value & 127n) | 128, ...varint(value >> 7n)]
}

/** Around each number of bits that a byte, or one of the halves, ends with. */
const values = [7n, 14n, 21n, 28n, 31n, 32n, 33n, 35n, 42n, 49n, 56n, 63n, 64n].flatMap((bits) =>
  [2n ** bits - 1n, 2n ** bits, 2n ** bits + 0x5555n].filter((value) => value < 2n ** 64n),
)

describe.each(values.map((value) => [value, varint(value)] as const))('the varint %i', (value, bytes) => {
  it('is read', () => {
    const reader = readerOf(bytes, [0xff])
    expect(reader.varint(bytes.length)).toBe(Number(value & 0xffff_ffffn))
    expect((BigInt(reader.high) << 32n) | BigInt(reader.low)).toBe(value)
    expect(reader.position).toBe(bytes.length)
  })

  it('does not reach beyond its message', () => {
    for (const end of bytes.keys()) expect(() => readerOf(bytes).varint(end)).toThrow(MalformedBody)
  })
})

it.each([
  ['of the field 0', 0n],
  ['of the field 0 with another type', 7n],
  ['of 33 bits', 2n ** 32n + 8n],
])('refuses the tag %s', (_, tag) => {
  const bytes = varint(tag)
  expect(() => readerOf(bytes).tag(bytes.length)).toThrow('A protobuf field has an invalid number.')
})

it('reads the tags of the first, the last and other fields', () => {
  for (const tag of [8, 15, 127, 128, 2 ** 32 - 1]) {
    const bytes = varint(BigInt(tag))
    expect(readerOf(bytes).tag(bytes.length)).toBe(tag)
  }
})

it.each([0, 1, 127, 128, 300])('a field of %i bytes ends with its message, and not behind it', (length) => {
  const bytes = [...varint(BigInt(length)), ...Array.from({ length }, () => 1)]
  expect(readerOf(bytes).endOfBytes(bytes.length)).toBe(bytes.length)
  expect(() => readerOf(bytes, [1]).endOfBytes(bytes.length - 1)).toThrow(MalformedBody)
})

it('a length of more than 32 bits is refused', () => {
  const bytes = varint(2n ** 32n)
  expect(() => readerOf(bytes).endOfBytes(bytes.length)).toThrow(MalformedBody)
})

it('fixed numbers end with their message, and not behind it', () => {
  const bytes = [1, 2, 3, 4, 5, 6, 7, 0x88]
  const reader = readerOf(bytes)
  reader.fixed64(8)
  expect([reader.low, reader.high]).toEqual([0x0403_0201, 0x8807_0605])
  expect(readerOf(bytes).fixed32(4)).toBe(0x0403_0201)
  expect(() => readerOf(bytes).fixed64(7)).toThrow(MalformedBody)
  expect(() => readerOf(bytes).fixed32(3)).toThrow(MalformedBody)
})

it('zigzag numbers have their sign in the lowest bit', () => {
  const read = (value: bigint) => readerOf(varint(value)).zigzag(10)
  expect([0n, 1n, 2n, 3n, 2n ** 32n - 2n, 2n ** 32n - 1n].map(read)).toEqual([0, -1, 1, -2, 2 ** 31 - 1, -(2 ** 31)])
})
