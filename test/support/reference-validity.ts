import { RE2JS } from 're2js'
import { attributeSources, intrinsicKeys } from './reference-attribute.ts'
import type { Condition } from './reference-condition.ts'
import { fieldAccepts } from './reference-message-fields.ts'
import { parseDecimal } from './reference-number.ts'
import { isNegative, type Operator, operandOf, operators } from './reference-operators.ts'

const conditionCountMax = 50
const keyCharactersMax = 256
const valueCharactersMax = 4096
const patternCharactersMax = 1000

/** A condition or message filter row, before it is validated. */
export interface UncheckedRow {
  readonly attribute_source?: unknown
  readonly attribute_key?: unknown
  readonly operator?: unknown
  readonly value?: unknown
  readonly includeDescendants?: unknown
}

/** Returns the positions of the rows that must be refused (docs/semantics.md, sections 3 and 6). */
export function invalidRows(rows: readonly UncheckedRow[]): { readonly tooMany: boolean; readonly rows: number[] } {
  return {
    tooMany: rows.length > conditionCountMax,
    rows: rows.flatMap((row, position) => (isValidRow(row) ? [] : [position])),
  }
}

export function isValidRow(row: UncheckedRow): boolean {
  if (row.attribute_source === 'message') return isValidFieldRow(row)
  return isValidAttribute(row) && isValidOperator(row) && isValidDescendants(row)
}

/** A row on a field of the message (docs/questions.md, section 10). */
function isValidFieldRow(row: UncheckedRow): boolean {
  const isAccepted = fieldAccepts(String(row.attribute_key), row.operator as Operator)
  return isAccepted && isValidOperator(row) && (row.includeDescendants ?? false) === false
}

function isValidAttribute({ attribute_source: source = 'any', attribute_key: key }: UncheckedRow): boolean {
  if (typeof source !== 'string' || !attributeSources.includes(source)) return false
  if (typeof key !== 'string' || characters(key) > keyCharactersMax) return false
  return source !== 'intrinsic' || intrinsicKeys.includes(key)
}

function isValidOperator({ operator, value }: UncheckedRow): boolean {
  const known = operators.find((one) => one === operator)
  if (known === undefined) return false
  const operand = operandOf(known)
  if (operand === 'none') return true
  if (!isSendable(value) || characters(String(value)) > valueCharactersMax) return false
  if (operand === 'number') return parseDecimal(String(value)) !== undefined
  return operand !== 'pattern' || isPattern(String(value))
}

/** Accepts strings, booleans and numbers, except integers that a JSON number cannot hold exactly. */
function isSendable(value: unknown): boolean {
  if (typeof value === 'number')
    return !(Number.isInteger(value) && Math.abs(value) < 2 ** 64) || Number.isSafeInteger(value)
  return typeof value === 'string' || typeof value === 'boolean'
}

function isPattern(text: string): boolean {
  if (characters(text) > patternCharactersMax) return false
  try {
    RE2JS.compile(text)
    return true
  } catch {
    return false
  }
}

function isValidDescendants(row: UncheckedRow): boolean {
  if (row.includeDescendants !== undefined && typeof row.includeDescendants !== 'boolean') return false
  const allowed = !isNegative(row as Condition) && row.attribute_source !== 'intrinsic'
  return row.includeDescendants !== true || allowed
}

/** Counts code points, so that an emoji is one character. */
function characters(text: string): number {
  return [...text].length
}
