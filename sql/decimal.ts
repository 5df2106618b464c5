/** A decimal number as operands and texts write it, exactly: `digits` x 10^`exponent`. */
export interface Decimal {
  readonly digits: bigint
  readonly exponent: bigint
}

/** What counts as a number (semantics, section 3), for JavaScript and for RE2 alike. */
export const decimalPattern = '^[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$'

/** An exponent of more than 12 digits is taken for this one, in operands and in stored texts: no text has as many digits. */
export const exponentMax = 10n ** 15n

/** Beyond it a number is larger, or nearer to zero, than any integer or double, and its digits are not worth writing out. */
const integerExponentMax = 5000n

const parts = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Undefined when the text is not wholly one finite decimal number. */
export function parseDecimal(text: string): Decimal | undefined {
  const found = parts.exec(text)
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

/** The largest integer that is not above the number; of a number beyond all integers that are stored, some other such. */
export function floorOf({ digits, exponent }: Decimal): bigint {
  if (exponent >= 0n) return digits * 10n ** smaller(exponent, integerExponentMax)
  const divisor = 10n ** smaller(-exponent, integerExponentMax)
  const quotient = digits / divisor
  return digits < 0n && quotient * divisor !== digits ? quotient - 1n : quotient
}

/** The number when it is an integer. */
export function integerOf(decimal: Decimal): bigint | undefined {
  const { digits, exponent } = decimal
  if (exponent >= 0n) return floorOf(decimal)
  if (-exponent > integerExponentMax) return undefined
  return digits % 10n ** -exponent === 0n ? floorOf(decimal) : undefined
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right
}

/** Times 10^`power`, exactly. */
export function scaled(decimal: Decimal, power: bigint): Decimal {
  return { digits: decimal.digits, exponent: decimal.exponent + power }
}

export interface NormalDecimal {
  readonly sign: -1 | 0 | 1
  /** 0.`digits` x 10^`power`; of zero 0. */
  readonly power: bigint
  /** Without zeros at either end, so two numbers are equal when all three fields are; of zero none. */
  readonly digits: string
}

export function normalize({ digits, exponent }: Decimal): NormalDecimal {
  if (digits === 0n) return { sign: 0, power: 0n, digits: '' }
  const magnitude = (digits < 0n ? -digits : digits).toString()
  return {
    sign: digits < 0n ? -1 : 1,
    power: BigInt(magnitude.length) + exponent,
    digits: magnitude.replace(/0+$/, ''),
  }
}
