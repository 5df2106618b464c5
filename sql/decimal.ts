/** A decimal number as operands and texts write it, exactly: `digits` x 10^`exponent`. */
export interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

/** What counts as a number (semantics, section 3), for JavaScript and for RE2 alike. */
export const decimalPattern = '^[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?$'

/** Beyond it a number is larger, or nearer to zero, than anything that is stored, whatever its digits. */
const exponentMax = 5000

const parts = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/** Undefined when the text is not wholly one finite decimal number. */
export function parseDecimal(text: string): Decimal | undefined {
  const found = parts.exec(text)
  if (found === null) return undefined
  const [, sign = '', whole = '', fraction = '', power = '0'] = found
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  const exponent = Math.max(-exponentMax, Math.min(exponentMax, Number(power))) - fraction.length
  return digits === 0n ? { digits, exponent: 0 } : { digits, exponent }
}

/** The largest integer that is not above the number. */
export function floorOf({ digits, exponent }: Decimal): bigint {
  if (exponent >= 0) return digits * 10n ** BigInt(exponent)
  const divisor = 10n ** BigInt(-exponent)
  const quotient = digits / divisor
  return digits < 0n && quotient * divisor !== digits ? quotient - 1n : quotient
}

/** The number when it is an integer. */
export function integerOf(decimal: Decimal): bigint | undefined {
  const floor = floorOf(decimal)
  const { digits, exponent } = decimal
  return exponent >= 0 || floor * 10n ** BigInt(-exponent) === digits ? floor : undefined
}

/** Times 10^`power`, exactly. */
export function scaled(decimal: Decimal, power: number): Decimal {
  return { digits: decimal.digits, exponent: decimal.exponent + power }
}

/** The text for a ClickHouse Decimal with `scale` digits after the point and `precision` in all; undefined when it does not fit. */
export function decimalText(decimal: Decimal, precision: number, scale: number): string | undefined {
  const units = integerOf(scaled(decimal, scale))
  if (units === undefined) return undefined
  const magnitude = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  if (magnitude.length > precision) return undefined
  const sign = units < 0n ? '-' : ''
  return `${sign}${magnitude.slice(0, -scale)}.${magnitude.slice(-scale)}`
}
