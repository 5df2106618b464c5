/**
 * A finite decimal number, exactly: 0.`digits` x 10^`exponent`. `digits` has no zero at either end, so it is empty for
 * zero, and two numbers are equal when all three fields are.
 */
export interface Decimal {
  readonly negative: boolean
  readonly digits: string
  readonly exponent: bigint
}

const decimalPattern = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Returns undefined for a text that is not one finite decimal number, such as `inf`, `0x10`, ` 5`, `.5` and `5.`. */
export function parseDecimal(text: string): Decimal | undefined {
  const found = decimalPattern.exec(text)
  if (found === null) return undefined
  const [, sign, whole = '', fraction = '', power = '0'] = found
  return decimal(sign === '-', whole + fraction, BigInt(whole.length) + BigInt(power))
}

function decimal(negative: boolean, padded: string, exponent: bigint): Decimal {
  const unpadded = padded.replace(/^0+/, '')
  const digits = unpadded.replace(/0+$/, '')
  if (digits === '') return { negative: false, digits: '', exponent: 0n }
  return { negative, digits, exponent: exponent - BigInt(padded.length - unpadded.length) }
}

export function isInteger(number: Decimal): boolean {
  return number.exponent >= BigInt(number.digits.length)
}

/** Returns a negative number, zero or a positive number, as a comparator for `sort` does. */
export function compareDecimals(left: Decimal, right: Decimal): number {
  if (signOf(left) !== signOf(right)) return signOf(left) - signOf(right)
  return left.negative ? compareMagnitudes(right, left) : compareMagnitudes(left, right)
}

function signOf(number: Decimal): number {
  if (number.digits === '') return 0
  return number.negative ? -1 : 1
}

function compareMagnitudes(left: Decimal, right: Decimal): number {
  if (left.exponent !== right.exponent) return left.exponent < right.exponent ? -1 : 1
  // Both are 0.digits of one power of ten, so the order of the digit strings is the order of the numbers.
  if (left.digits === right.digits) return 0
  return left.digits < right.digits ? -1 : 1
}

/** Returns the exact value of a finite double, without rounding. For 0.1 it has 55 digits. */
export function decimalOfDouble(double: number): Decimal {
  const bits = new DataView(new ArrayBuffer(8))
  bits.setFloat64(0, double)
  const raw = bits.getBigUint64(0)
  const biased = Number((raw >> 52n) & 0x7ffn)
  const fraction = raw & 0xfffffffffffffn
  const mantissa = biased === 0 ? fraction : fraction | (1n << 52n)
  const power = (biased === 0 ? 1 : biased) - 1075
  const negative = double < 0
  if (power >= 0) return integerDecimal(negative, mantissa << BigInt(power), 0)
  // m / 2^p is m x 5^p / 10^p.
  return integerDecimal(negative, mantissa * 5n ** BigInt(-power), power)
}

function integerDecimal(negative: boolean, magnitude: bigint, tenPower: number): Decimal {
  const digits = magnitude.toString()
  return decimal(negative, digits, BigInt(digits.length + tenPower))
}
