import type { ScalarType } from '../proto/message-table.ts'
import type { ByteWriter } from './byte-writer.ts'
import { hexDigit, integerOfDecimal } from './json-scanner.ts'

/**
 * Writes a JSON value as a protobuf value of one type. For a JSON value of another type, writes nothing and returns the
 * expected type, as the text after "must be ".
 */
export type WriteScalar = (writer: ByteWriter, value: unknown) => string | undefined

const hexPattern = /^(?:[0-9a-f]{2})*$/i
const base64Pattern = /^[A-Za-z0-9+/_-]*={0,2}$/
const integerPattern = /^-?\d{1,20}$/
const decimalPattern = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Integers of up to this many characters are exact as a JavaScript number. */
const exactCharactersMax = 15
const [int32Min, int32Max] = [-(2 ** 31), 2 ** 31 - 1]
/**
 * Written for an id that is not hexadecimal. No valid id has this length, so it is treated as an id of the wrong
 * length.
 */
const invalidId = Buffer.of(0xff)

const writeInt32 = integer('varint', -(2n ** 31n), 2n ** 31n, 'a 32-bit integer')

/** The JSON mapping of protobuf, for every scalar type that OTLP uses. */
export const scalarWriters: Readonly<Record<ScalarType, WriteScalar>> = {
  string: writeString,
  bytes: writeBase64,
  hex: writeHex,
  bool: writeBool,
  double: writeDouble,
  enum: writeEnum,
  int32: writeInt32,
  sint32: integer('zigzag', -(2n ** 31n), 2n ** 31n, 'a 32-bit integer'),
  uint32: integer('varint', 0n, 2n ** 32n, 'an unsigned 32-bit integer'),
  fixed32: integer('fixed32', 0n, 2n ** 32n, 'an unsigned 32-bit integer'),
  int64: integer('varint', -(2n ** 63n), 2n ** 63n, 'a 64-bit integer, as a number or a string'),
  uint64: integer('varint', 0n, 2n ** 64n, 'an unsigned 64-bit integer, as a number or a string'),
  fixed64: integer('fixed64', 0n, 2n ** 64n, 'an unsigned 64-bit integer, as a number or a string'),
  sfixed64: integer('fixed64', -(2n ** 63n), 2n ** 63n, 'a 64-bit integer, as a number or a string'),
}

function writeString(writer: ByteWriter, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'a string'
  writer.string(value)
  return undefined
}

function writeBase64(writer: ByteWriter, value: unknown): string | undefined {
  if (typeof value !== 'string' || !isBase64(value)) return 'a string of base64'
  writer.sized(Buffer.from(value, 'base64'))
  return undefined
}

/** Reports whether a text is base64 in either alphabet, with or without padding. One character alone is no byte. */
function isBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return base64Pattern.test(text) && (text.length - padding) % 4 !== 1
}

/**
 * Writes an id. An id that is not hexadecimal is written as an invalid id, so that only its record is rejected and not
 * the whole request.
 */
function writeHex(writer: ByteWriter, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'a string of hexadecimal digits'
  writer.sized(hexPattern.test(value) ? Buffer.from(value, 'hex') : invalidId)
  return undefined
}

function writeBool(writer: ByteWriter, value: unknown): string | undefined {
  if (typeof value !== 'boolean') return 'true or false'
  writer.uint8(value ? 1 : 0)
  return undefined
}

function writeEnum(writer: ByteWriter, value: unknown): string | undefined {
  if (typeof value !== 'number') return "an integer (OTLP does not allow an enum's name)"
  return writeInt32(writer, value)
}

const double = new DataView(new ArrayBuffer(8))

function writeDouble(writer: ByteWriter, value: unknown): string | undefined {
  const number = doubleOf(value)
  if (number === undefined) return 'a number up to ±1.8e308, "NaN", "Infinity" or "-Infinity"'
  double.setFloat64(0, number, true)
  writer.uint64(double.getUint32(0, true), double.getUint32(4, true))
  return undefined
}

function doubleOf(value: unknown): number | undefined {
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value)
  const isDecimal = typeof value === 'string' && decimalPattern.test(value)
  if (!isDecimal && typeof value !== 'number' && typeof value !== 'bigint') return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

type Layout = 'varint' | 'zigzag' | 'fixed32' | 'fixed64'

/** Returns the writer of an integer type. `min` is the smallest integer of the type, `end` the largest one plus one. */
function integer(layout: Layout, min: bigint, end: bigint, expected: string): WriteScalar {
  const smallMin = min < 0n ? int32Min : 0
  return (writer, value) => {
    const integer = typeof value === 'string' ? integerOfText(value) : value
    if (typeof integer !== 'number' && typeof integer !== 'bigint') return expected
    const number = Number(integer)
    if (!Number.isInteger(number)) return expected
    if (number >= smallMin && number <= int32Max) return writeSmall(writer, number, layout)
    return writeWide(writer, BigInt(integer), layout, min, end, expected)
  }
}

function integerOfText(text: string): number | bigint | undefined {
  if (integerPattern.test(text)) return text.length <= exactCharactersMax ? Number(text) : BigInt(text)
  // The JSON mapping also accepts 1e3 and 1.0.
  return integerOfDecimal(text)
}

/** Writes a signed 32-bit integer without converting it to a bigint. */
function writeSmall(writer: ByteWriter, value: number, layout: Layout): undefined {
  const high = value < 0 ? 0xffff_ffff : 0
  if (layout === 'varint') writer.varint64(value >>> 0, high)
  else if (layout === 'zigzag') writer.varint(((value << 1) ^ (value >> 31)) >>> 0)
  else if (layout === 'fixed32') writer.uint32(value >>> 0)
  else writer.uint64(value >>> 0, high)
}

function writeWide(
  writer: ByteWriter,
  value: bigint,
  layout: Layout,
  min: bigint,
  end: bigint,
  expected: string,
): string | undefined {
  if (value < min || value >= end) return expected
  const bits = BigInt.asUintN(64, value)
  const low = Number(bits & 0xffff_ffffn)
  const high = Number(bits >> 32n)
  if (layout === 'varint') writer.varint64(low, high)
  else if (layout === 'fixed32') writer.uint32(low)
  else writer.uint64(low, high)
  return undefined
}

/** Integers of up to this many decimal digits fit into unsigned 64 bits. */
const digitsMax = 19
const lowDigits = 9
const zero = 0x30

/**
 * Writes decimal digits without creating a string. Returns false, and writes nothing, for a text that is not the usual
 * form of an integer of the type.
 */
type WriteDigits = (writer: ByteWriter, bytes: Uint8Array, start: number, end: number) => boolean

/** Fast paths for the integers of which telemetry is full: times, counts and attributes. */
export const writeDigits: Readonly<Partial<Record<ScalarType, WriteDigits>>> = {
  int64: digits('varint', 0x8000_0000),
  uint64: digits('varint', 2 ** 32),
  fixed64: digits('fixed64', 2 ** 32),
  sfixed64: digits('fixed64', 0x8000_0000),
}

/** Returns the fast path of a type whose values have a high half below `highEnd`. */
function digits(layout: 'varint' | 'fixed64', highEnd: number): WriteDigits {
  return (writer, bytes, start, end) => {
    if (end <= start || end - start > digitsMax) return false
    const split = Math.max(start, end - lowDigits)
    const upper = decimal(bytes, start, split)
    const lower = decimal(bytes, split, end)
    if (upper < 0 || lower < 0) return false
    // upper * 10^9 + lower, in parts that are exact as numbers.
    const product = Math.floor(upper / 2 ** 16) * 1e9
    const rest = (product % 2 ** 16) * 2 ** 16 + (upper % 2 ** 16) * 1e9 + lower
    const high = Math.floor(product / 2 ** 16) + Math.floor(rest / 2 ** 32)
    if (high >= highEnd) return false
    if (layout === 'varint') writer.varint64(rest % 2 ** 32, high)
    else writer.uint64(rest % 2 ** 32, high)
    return true
  }
}

/** Returns the number that up to ten digits represent, or -1 for other characters. */
function decimal(bytes: Uint8Array, start: number, end: number): number {
  let value = 0
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] as number) - zero
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

/** Writes an id in hexadecimal without creating a string. Returns false, and writes nothing, for any other text. */
export function writeHexDigits(writer: ByteWriter, bytes: Uint8Array, start: number, end: number): boolean {
  if ((end - start) % 2 !== 0 || end - start > 64) return false
  const begin = writer.position
  writer.uint8((end - start) / 2)
  for (let i = start; i < end; i += 2) {
    const high = hexDigit(bytes[i] as number)
    const low = hexDigit(bytes[i + 1] as number)
    if (high < 0 || low < 0) {
      writer.position = begin
      return false
    }
    writer.uint8(high * 16 + low)
  }
  return true
}
