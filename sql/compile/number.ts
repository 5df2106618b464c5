import {
  type Decimal,
  decimalPattern,
  exponentMax,
  floorOf,
  integerOf,
  normalize,
  parseDecimal,
  scaled,
} from '../decimal.ts'
import { int64, type Param, param, type Sql, sql, text, uint64 } from '../fragment.ts'
import type { OrderKind } from '../operators.ts'

/** A type of integers. */
interface IntegerRange {
  readonly min: bigint
  readonly max: bigint
  literal(value: bigint): Sql
}

const int64Range: IntegerRange = { min: -(2n ** 63n), max: 2n ** 63n - 1n, literal: (value) => sql`${int64(value)}` }
const uint64Range: IntegerRange = { min: 0n, max: 2n ** 64n - 1n, literal: (value) => sql`${uint64(value)}` }

/** The operand of an order test. @throws Error for a text that is no number, which `parse` refuses */
export function operandOf(value: string): Decimal {
  const operand = parseDecimal(value)
  if (operand === undefined) throw new Error('The operand of an order test is not a number.')
  return operand
}

/** Compiles `integer <kind> operand` exactly, for an Int64 expression. */
export function compareInt64(integer: Sql, kind: OrderKind, operand: Decimal): Sql {
  return compareInteger(integer, kind, operand, int64Range)
}

/**
 * A bound between two integers is moved to the integer that decides the same, and a bound outside of the range decides
 * without reading.
 */
function compareInteger(integer: Sql, kind: OrderKind, operand: Decimal, range: IntegerRange): Sql {
  const floor = floorOf(operand)
  const ceiling = integerOf(operand) === undefined ? floor + 1n : floor
  switch (kind) {
    case 'gt':
      return above(integer, floor + 1n, range)
    case 'gte':
      return above(integer, ceiling, range)
    case 'lt':
      return below(integer, ceiling - 1n, range)
    case 'lte':
      return below(integer, floor, range)
  }
}

function above(integer: Sql, least: bigint, { min, max, literal }: IntegerRange): Sql {
  if (least <= min) return sql`1`
  return least > max ? sql`0` : sql`${integer} >= ${literal(least)}`
}

function below(integer: Sql, most: bigint, { min, max, literal }: IntegerRange): Sql {
  if (most >= max) return sql`1`
  return most < min ? sql`0` : sql`${integer} <= ${literal(most)}`
}

/**
 * Compiles `double <kind> operand` for a Float64 expression. The operand is rounded to the nearest double, so that 0.1
 * is the double written as 0.1; but an integer is compared exactly, because beyond 2^53 rounding would make neighbours
 * equal. NaN compares as false.
 */
export function compareDouble(double: Sql, kind: OrderKind, value: string): Sql {
  const nearest = Number(value)
  const exact = integerOf(operandOf(value))
  const bound = param('Float64', doubleText(nearest))
  const isUpper = kind === 'gt' || kind === 'gte'
  if (exact === undefined || (Number.isFinite(nearest) && BigInt(nearest) === exact))
    return compareTo(double, kind, bound)
  // No double lies between the operand and its nearest double, which is an infinity for an operand beyond all doubles.
  // So the nearest double decides in place of the operand, from one side.
  const isNearestAbove = Number.isFinite(nearest) ? BigInt(nearest) > exact : nearest > 0
  return order(double, isUpper, isNearestAbove === isUpper, sql`${bound}`)
}

function doubleText(value: number): string {
  return Number.isFinite(value) ? String(value) : value > 0 ? 'inf' : '-inf'
}

/**
 * Compiles `content <kind> operand` for content that is wholly one finite decimal number, and false for other content.
 * Texts have any length, so both sides are compared as sign, power of ten and digits, never as a number of limited
 * precision. The lambda names the content and its digits, which would otherwise be written out and analysed many times.
 */
export function compareText(content: Sql, kind: OrderKind, value: string): Sql {
  const { sign, power, digits } = normalize(operandOf(value))
  const isOver = kind === 'gt' || kind === 'gte'
  const includesEqual = kind === 'gte' || kind === 'lte'
  const bound = sql`(${int64(power)}, ${text(digits)})`
  const sameSign = sign === 0 ? booleanSql(includesEqual) : order(magnitude, sign > 0 === isOver, includesEqual, bound)
  const operandSign = sql`${int64(BigInt(sign))}`
  const signDecides = order(numberSign, isOver, false, operandSign)
  return sql`
    (
      match(${content}, ${text(decimalPattern)})
      AND arrayExists(
        (number, digits) -> (${signDecides} OR (${numberSign} = ${operandSign} AND ${sameSign})),
        [${content}],
        [${significantDigits(content)}]
      )
    )
  `
}

function order(left: Sql, isOver: boolean, includesEqual: boolean, right: Sql): Sql {
  if (isOver) return includesEqual ? sql`${left} >= ${right}` : sql`${left} > ${right}`
  return includesEqual ? sql`${left} <= ${right}` : sql`${left} < ${right}`
}

function booleanSql(value: boolean): Sql {
  return value ? sql`1` : sql`0`
}

/** The sign of the lambda's `number` with its significant `digits`: 1, 0 or -1. */
const numberSign: Sql = sql`multiIf(digits = '', 0, startsWith(number, '-'), -1, 1)`

/** The size of a `number` other than zero, without its sign, as `(power, digits)` for 0.digits x 10^power. */
const magnitude: Sql = sql`(${positionOfFirstDigit()} + ${exponentOf()}, digits)`

function positionOfFirstDigit(): Sql {
  const whole = sql`extract(number, '^[+-]?0*([0-9]*)')`
  const zerosAfterPoint = sql`length(extract(number, '^[+-]?0*\\.(0*)'))`
  return sql`if(${whole} = '', -toInt64(${zerosAfterPoint}), toInt64(length(${whole})))`
}

/** The digits without zeros at either end, so none for zero. */
function significantDigits(content: Sql): Sql {
  const all = sql`replaceRegexpAll(extract(${content}, '^[^eE]*'), '[^0-9]', '')`
  return sql`replaceRegexpOne(replaceRegexpOne(${all}, '^0+', ''), '0+$', '')`
}

/**
 * An exponent too long for an integer is taken for `exponentMax`: no stored text has enough digits to make up for it.
 */
function exponentOf(): Sql {
  const written = sql`extract(number, '[eE]([+-]?[0-9]+)$')`
  const digits = sql`replaceRegexpOne(${written}, '^[+-]?0*', '')`
  const far = sql`if(startsWith(${written}, '-'), ${int64(-exponentMax)}, ${int64(exponentMax)})`
  return sql`if(length(${digits}) > 12, ${far}, toInt64OrZero(replaceOne(${written}, '+', '')))`
}

function compareTo(left: Sql, kind: OrderKind, right: Param): Sql {
  return order(left, kind === 'gt' || kind === 'gte', kind === 'gte' || kind === 'lte', sql`${right}`)
}

/** Compares nanoseconds, a UInt64 expression, with an operand in milliseconds, exactly. */
export function compareNanoseconds(nanoseconds: Sql, kind: OrderKind, value: string): Sql {
  return compareInteger(nanoseconds, kind, scaled(operandOf(value), 6n), uint64Range)
}
