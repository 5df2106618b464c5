/**
 * Condition -> Sql of 0 or 1, never NULL, so that negation is plain NOT: a record without the attribute makes every
 * test false and every negation true. The one compiler of conditions, for every kind of record.
 */
import { escapeMarks, taggedTextsEqualTo } from '../attribute-text.ts'
import { integerOf, parseDecimal, scaled } from '../decimal.ts'
import { int64, param, type Sql, sql, text, uint64 } from '../fragment.ts'
import type { Attribute, Condition, Test } from '../ir/condition.ts'
import { isOrderKind, type OrderKind } from '../operators.ts'
import { type Intrinsic, intrinsicOf, type RecordKind, spanRecords } from '../record-kinds/record-kinds.ts'
import {
  hasTag,
  idText,
  isCarried,
  millisecondsText,
  resourceAttribute,
  textList,
  textOf,
  writtenResourceAttribute,
} from './attribute.ts'
import { compareDouble, compareInt64, compareNanoseconds, compareText, operandOf } from './number.ts'

export function compileCondition(condition: Condition, records: RecordKind): Sql {
  const test = compileTest(condition.attribute, condition.test, records)
  return condition.negated ? sql`(NOT ${test})` : test
}

export function compileSpanCondition(condition: Condition): Sql {
  return compileCondition(condition, spanRecords)
}

function compileTest(attribute: Attribute, test: Test, records: RecordKind): Sql {
  const { source, key } = attribute
  if (test.kind === 'eq' && source !== 'intrinsic') return testEqual(records, attribute, [test.value])
  switch (source) {
    case 'resource':
      return testResource(key, test)
    case 'any':
      return testEither(records, key, test)
    case 'intrinsic':
      return compileIntrinsicTest(intrinsicOf(records, key), test)
    default:
      return testOwn(records, key, test)
  }
}

function testOwn(records: RecordKind, key: string, test: Test): Sql {
  return test.kind === 'exists' ? sql`(${records.carries(key)})` : compileTaggedTest(records.own(key), test)
}

/** Tests whether an attribute, which must not be an intrinsic, equals one of several values. */
export function compileEqualsAny(attribute: Attribute, values: readonly string[]): Sql {
  return testEqual(spanRecords, attribute, values)
}

/** Equality is decided on the texts as they are written. */
function testEqual(records: RecordKind, { source, key }: Attribute, values: readonly string[]): Sql {
  const equal = [...new Set(values.flatMap(taggedTextsEqualTo))]
  const own = sql`(${records.own(key)} IN ${textList(equal)})`
  const written = writtenResourceAttribute(key)
  const shared = sql`(${written} IN ${textList(equal.map(escapeMarks))})`
  if (source === 'resource') return shared
  return source === 'any' ? ownOrShared(records.own(key), own, shared) : own
}

function testEither(records: RecordKind, key: string, test: Test): Sql {
  const [own, shared] = [testOwn(records, key, test), testResource(key, test)]
  return test.kind === 'exists' ? sql`(${own} OR ${shared})` : ownOrShared(records.own(key), own, shared)
}

/**
 * The record's own attribute decides if it is carried. Its text, which is read anyway, tells whether it is. The
 * resource's attribute is tested once for each distinct resource.
 */
function ownOrShared(text: Sql, own: Sql, shared: Sql): Sql {
  return sql`if(${isCarried(text)}, ${own}, ${shared})`
}

/**
 * Presence and beginnings are decided on the text as it is written: escapes replace single characters, so a text begins
 * with another exactly if it does so as they are written. Every other test undoes the escapes first.
 */
function testResource(key: string, test: Test): Sql {
  const written = writtenResourceAttribute(key)
  if (test.kind === 'exists') return compileTaggedTest(written, test)
  if (test.kind === 'starts_with') return compileTaggedTest(written, { ...test, value: escapeMarks(test.value) })
  return compileTaggedTest(resourceAttribute(key), test)
}

/** Compiles a test of a value that every record has. */
export function compileIntrinsicTest(intrinsic: Intrinsic, test: Test): Sql {
  switch (intrinsic.kind) {
    case 'text':
      return testText(intrinsic.text, test)
    case 'tagged':
      return compileTaggedTest(intrinsic.tagged, test)
    case 'integer':
      return testInteger(intrinsic.integer, test)
    case 'id':
      return testId(intrinsic.number, intrinsic.digits, test)
    case 'milliseconds':
      return testMilliseconds(intrinsic.nanoseconds, test)
  }
}

/** Compiles a test of a tagged text, which is empty if the attribute is absent. */
export function compileTaggedTest(tagged: Sql, test: Test): Sql {
  if (test.kind === 'exists') return sql`(${isCarried(tagged)})`
  if (test.kind === 'eq') return sql`(${tagged} IN ${textList(taggedTextsEqualTo(test.value))})`
  if (isOrderKind(test.kind)) return testOrder(tagged, test.kind, test.value)
  const ofText = testText(textOf(tagged), test)
  return isFalseWithoutText(test) ? ofText : sql`(${isCarried(tagged)} AND ${ofText})`
}

/** Reports whether a test is false for the empty text, and so for an attribute that is absent. */
function isFalseWithoutText(test: Test): boolean {
  switch (test.kind) {
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      return test.value !== ''
    default:
      return false
  }
}

function testOrder(tagged: Sql, kind: OrderKind, value: string): Sql {
  const content = textOf(tagged)
  const asInteger = compareInt64(sql`toInt64OrZero(${content})`, kind, operandOf(value))
  const asDouble = compareDouble(sql`toFloat64OrZero(${content})`, kind, value)
  const asText = compareText(content, kind, value)
  return sql`multiIf(${hasTag(tagged, 'int')}, ${asInteger}, ${hasTag(tagged, 'double')}, ${asDouble}, ${asText})`
}

function testText(content: Sql, test: Test): Sql {
  switch (test.kind) {
    case 'exists':
      return sql`1`
    case 'eq':
      return sql`(${content} = ${text(test.value)})`
    case 'contains':
      return sql`(position(${content}, ${text(test.value)}) > 0)`
    case 'starts_with':
      return sql`startsWith(${content}, ${text(test.value)})`
    case 'ends_with':
      return sql`endsWith(${content}, ${text(test.value)})`
    case 'matches':
      return sql`match(${content}, ${text(patternForMatch(test.value))})`
    default:
      return compareText(content, test.kind, test.value)
  }
}

/** Expressions for which ClickHouse may require a text that a match need not contain. */
const misread = /[^ -~]|\[\^?\]|\[[^\]]*\[/

/** An alternative that matches nothing. */
const never = '[^\\s\\S]'

/**
 * Returns an expression for `match`, which means in ClickHouse what the given one means in RE2. By default, a dot
 * matches a line break in ClickHouse. And before ClickHouse runs an expression, it searches for a text that every match
 * contains. It finds a wrong one where it takes a byte for a character, as in `café?`, or does not know where a class
 * ends, as in `[]a]` and `[[(]`. It searches for nothing if there is an alternative.
 */
function patternForMatch(pattern: string): string {
  return misread.test(pattern) ? `(?-s)${never}|${pattern}` : `(?-s)${pattern}`
}

function testInteger(integer: Sql, test: Test): Sql {
  if (test.kind === 'eq') {
    const operand = parseDecimal(test.value)
    const exact = operand === undefined ? undefined : integerOf(operand)
    return exact === undefined || !isInt64(exact) ? sql`0` : sql`(${integer} = ${int64(exact)})`
  }
  if (test.kind !== 'exists' && isOrderKind(test.kind))
    return sql`(${compareInt64(sql`toInt64(${integer})`, test.kind, operandOf(test.value))})`
  return testText(sql`toString(${integer})`, test)
}

/** Equality compares the number, which has an index. Other tests turn the id into text. */
function testId(number: Sql, digits: 16 | 32, test: Test): Sql {
  if (test.kind !== 'eq') return testText(idText(number, digits), test)
  if (test.value === '') return sql`(${number} = 0)`
  const isId = test.value.length === digits && /^[0-9a-f]+$/.test(test.value) && !/^0+$/.test(test.value)
  const type = digits === 32 ? 'UInt128' : 'UInt64'
  return isId ? sql`(${number} = ${param(type, BigInt(`0x${test.value}`).toString())})` : sql`0`
}

function isInt64(integer: bigint): boolean {
  return BigInt.asIntN(64, integer) === integer
}

/** Numbers are compared as nanoseconds. Only text tests turn the duration into text. */
function testMilliseconds(nanoseconds: Sql, test: Test): Sql {
  if (test.kind === 'eq') {
    const operand = parseDecimal(test.value)
    const exact = operand === undefined ? undefined : integerOf(scaled(operand, 6n))
    if (exact === undefined || exact < 0n || exact >= 2n ** 64n) return sql`0`
    return sql`(${nanoseconds} = ${uint64(exact)})`
  }
  if (test.kind !== 'exists' && isOrderKind(test.kind))
    return sql`(${compareNanoseconds(nanoseconds, test.kind, test.value)})`
  return testText(millisecondsText(nanoseconds), test)
}
