import { two32 } from './widths.ts'

/** Below it, high and low half make a number that is exact. */
const highOfSafeIntegers = 2 ** 21

/** Two unsigned halves as an unsigned integer in decimal. */
export function textOfUint64(low: number, high: number): string {
  if (high < highOfSafeIntegers) return String(high * two32 + low)
  return ((BigInt(high) << 32n) | BigInt(low)).toString()
}

/** Two unsigned halves as a signed integer in decimal. */
export function textOfInt64(low: number, high: number): string {
  if (high < highOfSafeIntegers) return String(high * two32 + low)
  return BigInt.asIntN(64, (BigInt(high) << 32n) | BigInt(low)).toString()
}
