import { type Decimal, decimalPattern, decimalText, floorOf, integerOf, parseDecimal, scaled } from '../decimal.ts'
import { type Param, param, type Sql, sql, text } from '../fragment.ts'
import type { OrderKind } from '../ir/condition.ts'

const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n
const decimalPrecision = 76
const decimalScale = 20

/** The operand of an order test; what may be asked has been checked by `parse`. */
export function operandOf(value: string): Decimal {
  const operand = parseDecimal(value)
  if (operand === undefined) throw new Error('The operand of an order test is not a number.')
  return operand
}

/**
 * `integer <kind> operand`, exactly, for an Int64 expression: a bound between two integers is moved to the integer that
 * decides the same, and one outside of Int64 decides without reading.
 */
export function compareInt64(integer: Sql, kind: OrderKind, operand: Decimal): Sql {
  const floor = floorOf(operand)
  const ceiling = integerOf(operand) === undefined ? floor + 1n : floor
  switch (kind) {
    case 'gt':
      return above(integer, floor + 1n)
    case 'gte':
      return above(integer, ceiling)
    case 'lt':
      return below(integer, ceiling - 1n)
    case 'lte':
      return below(integer, floor)
  }
}

function above(integer: Sql, least: bigint): Sql {
  if (least <= int64Min) return sql`1`
  return least > int64Max ? sql`0` : sql`${integer} >= ${int64(least)}`
}

function below(integer: Sql, most: bigint): Sql {
  if (most >= int64Max) return sql`1`
  return most < int64Min ? sql`0` : sql`${integer} <= ${int64(most)}`
}

function int64(value: bigint): Param {
  return param('Int64', value.toString())
}

/**
 * `double <kind> operand` for a Float64 expression: with the operand rounded to the nearest double, so that 0.1 is the
 * double written so; but an integer is compared exactly, since beyond 2^53 rounding would make neighbours equal. NaN: false.
 */
export function compareDouble(double: Sql, kind: OrderKind, value: string): Sql {
  const nearest = Number(value)
  const exact = integerOf(operandOf(value))
  const bound = param('Float64', doubleText(nearest))
  if (exact === undefined || !Number.isFinite(nearest) || BigInt(nearest) === exact) return order(double, kind, bound)
  // No double lies between the operand and the double nearest to it, so that double stands for it on one side.
  const isUpper = kind === 'gt' || kind === 'gte'
  const includesNearest = BigInt(nearest) > exact === isUpper
  return order(double, isUpper ? (includesNearest ? 'gte' : 'gt') : includesNearest ? 'lte' : 'lt', bound)
}

function doubleText(value: number): string {
  return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf'
}

/** `text <kind> operand` where the text is wholly one finite decimal number, else false. */
export function compareText(content: Sql, kind: OrderKind, value: string): Sql {
  const fixed = decimalText(operandOf(value), decimalPrecision, decimalScale)
  const asDouble = order(sql`toFloat64OrZero(${content})`, kind, param('Float64', doubleText(Number(value))))
  if (fixed === undefined) return sql`(match(${content}, ${text(decimalPattern)}) AND ${asDouble})`
  const decimal = sql`toDecimal256OrNull(${content}, 20)`
  // Texts too long for the decimal are that far from any operand that fits it, or differ beyond the 20th digit.
  const asDecimal = sql`ifNull(${order(decimal, kind, param('Decimal(76, 20)', fixed))}, ${asDouble})`
  return sql`(match(${content}, ${text(decimalPattern)}) AND ${asDecimal})`
}

function order(left: Sql, kind: OrderKind, right: Param): Sql {
  switch (kind) {
    case 'gt':
      return sql`${left} > ${right}`
    case 'gte':
      return sql`${left} >= ${right}`
    case 'lt':
      return sql`${left} < ${right}`
    case 'lte':
      return sql`${left} <= ${right}`
  }
}

/** Nanoseconds against an operand in milliseconds, exactly. */
export function compareNanoseconds(nanoseconds: Sql, kind: OrderKind, value: string): Sql {
  return compareInt64(nanoseconds, kind, scaled(operandOf(value), 6))
}
