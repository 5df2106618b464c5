import { smaller } from './bigint-order.ts'

/** A decimal number with the exact value of an operand or a text: `digits` x 10^`exponent`. */
export interface Decimal {
  readonly digits: bigint
  readonly exponent: bigint
}

/** The syntax of a number (docs/semantics.md, section 3), for JavaScript and RE2. */
export const decimalPattern = '^[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$'

/** Replaces every exponent of more than 12 digits, in operands and in stored texts. No text has as many digits. */
export const exponentMax = 10n ** 15n

/** The largest exponent that is written out as an integer. Larger numbers are beyond all integers and doubles. */
const integerExponentMax = 5000n

const decimalGroups = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Returns undefined for a text that is not one finite decimal number. */
export function parseDecimal(text: string): Decimal | undefined {
  const found = decimalGroups.exec(text)
  if (found === null) return undefined
  const [, sign = '', whole = '', fraction = '', power = '0'] = found
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  const exponent = parseExponent(power) - BigInt(fraction.length)
  return digits === 0n ? { digits, exponent: 0n } : { digits, exponent }
}

function parseExponent(power: string): bigint {
  const isLong = power.replace(/^[+-]?0*/, '').length > 12
  if (!isLong) return BigInt(power.replace('+', ''))
  return power.startsWith('-') ? -exponentMax : exponentMax
}

/** Returns the largest integer not above the number. If the number is beyond all stored integers, so is the result. */
export function floorOf({ digits, exponent }: Decimal): bigint {
  if (exponent >= 0n) return digits * 10n ** smaller(exponent, integerExponentMax)
  const divisor = 10n ** smaller(-exponent, integerExponentMax)
  const quotient = digits / divisor
  return digits < 0n && quotient * divisor !== digits ? quotient - 1n : quotient
}

/** Returns the number as an integer, or undefined if it is not one. */
export function integerOf(decimal: Decimal): bigint | undefined {
  const { digits, exponent } = decimal
  if (exponent >= 0n) return floorOf(decimal)
  if (-exponent > integerExponentMax) return undefined
  return digits % 10n ** -exponent === 0n ? floorOf(decimal) : undefined
}

/** Multiplies by 10^`power`, exactly. */
export function scaled(decimal: Decimal, power: bigint): Decimal {
  return { digits: decimal.digits, exponent: decimal.exponent + power }
}

export interface NormalDecimal {
  readonly sign: -1 | 0 | 1
  /** The exponent of the normalized number 0.`digits` x 10^`power`. Zero has the power 0. */
  readonly power: bigint
  /** The digits without leading and trailing zeros, so that equal numbers have equal fields. Zero has no digits. */
  readonly digits: string
}

/** Returns the only form that equal decimals share: without zeros at either end of the digits. */
export function normalize({ digits, exponent }: Decimal): NormalDecimal {
  if (digits === 0n) return { sign: 0, power: 0n, digits: '' }
  const magnitude = (digits < 0n ? -digits : digits).toString()
  return {
    sign: digits < 0n ? -1 : 1,
    power: BigInt(magnitude.length) + exponent,
    digits: withoutTrailingZeros(magnitude),
  }
}

/** Takes linear time, unlike the pattern `0+$`. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits.endsWith('0', end)) end -= 1
  return digits.slice(0, end)
}
