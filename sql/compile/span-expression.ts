/** SpanExpression -> Sql of 0 or 1. Its conditions are compiled by condition.ts. */
import { valueTags } from '../attribute-text.ts'
import { allOf, anyOf, type Sql, sql, text } from '../fragment.ts'
import type { Test } from '../ir/condition.ts'
import type { SpanExpression, ValueKind } from '../ir/spanset.ts'
import { spanRecords } from '../record-kinds/record-kinds.ts'
import { hasTag, taggedText, textOf } from './attribute.ts'
import { compileSpanCondition, compileTaggedTest } from './condition.ts'

/** Returns a test of one span, which is 0 or 1 and never NULL. */
export function compileSpanExpression(expression: SpanExpression): Sql {
  switch (expression.kind) {
    case 'condition':
      return compileSpanCondition(expression.condition)
    case 'is_set': {
      const tagged = taggedText(expression.attribute, spanRecords)
      return sql`(${tagged} != '' AND ${tagged} != ${text(valueTags.unset)})`
    }
    case 'some_value':
      return compileSomeValue(expression)
    case 'not':
      return sql`(NOT ${compileSpanExpression(expression.of)})`
    case 'all':
      return allOf(expression.of.map(compileSpanExpression))
    case 'any':
      return anyOf(expression.of.map(compileSpanExpression))
  }
}

const tagsOfKind: Readonly<Record<ValueKind, readonly (keyof typeof valueTags)[]>> = {
  string: ['string'],
  number: ['int', 'double'],
  boolean: ['bool'],
}

/** Only the elements of an array are split into values. Every other value is tested as it is stored. */
function compileSomeValue({ attribute, type, tests }: Extract<SpanExpression, { kind: 'some_value' }>): Sql {
  const tagged = taggedText(attribute, spanRecords)
  const isOne = testValue(tagged, type, tests)
  const isElement = testValue(sql`element`, type, tests)
  return sql`
    (
      ${isOne}
      OR (${hasTag(tagged, 'array')} AND arrayExists(element -> ${isElement}, ${elementsOf(tagged)}))
    )
  `
}

function testValue(tagged: Sql, type: ValueKind, tests: readonly Test[]): Sql {
  const hasType = anyOf(tagsOfKind[type].map((tag) => hasTag(tagged, tag)))
  return allOf([hasType, ...tests.map((test) => compileTaggedTest(tagged, test))])
}

/**
 * Returns the elements of an array, which is stored as JSON, as tagged texts. ClickHouse writes the elements again, and
 * integers beyond 64 bits without an exponent, which it takes for no number afterwards.
 */
function elementsOf(tagged: Sql): Sql {
  return sql`
    arrayMap(
      json -> multiIf(
        JSONType(json) = 'String', concat(${text(valueTags.string)}, JSONExtractString(json)),
        JSONType(json) = 'Bool', concat(${text(valueTags.bool)}, json),
        JSONType(json) IN ('Double', 'UInt64'), concat(${text(valueTags.double)}, json),
        JSONType(json) = 'Int64', concat(${text(valueTags.int)}, json),
        match(json, '^-?[0-9]+$'), concat(${text(valueTags.double)}, json),
        ${text(valueTags.unset)}
      ),
      JSONExtractArrayRaw(${withReadableNumbers(sql`toString(${textOf(tagged)})`)})
    )
  `
}

const jsonText = '("(?:[^"\\\\]|\\\\.)*")'

const leastInt64 = '9223372036854775808'
/** Matches 19 digits of a larger integer than the magnitude of the least one of 64 bits. */
const largerDigits = [...leastInt64].flatMap((digit, at) =>
  digit === '9' ? [] : [`${leastInt64.slice(0, at)}[${Number(digit) + 1}-9][0-9]{${leastInt64.length - at - 1}}`],
)
const integerBeyond64Bits = `(-?[0-9]{20,}|-(?:${largerDigits.join('|')}))`

/**
 * Appends an exponent to integers beyond 64 bits, which are doubles that ClickHouse cannot read as JSON otherwise. The
 * first expression also matches texts, so that digits in them are left alone; the second removes what it appended.
 */
function withReadableNumbers(json: Sql): Sql {
  const marked = sql`replaceRegexpAll(${json}, ${text(`${jsonText}|${integerBeyond64Bits}`)}, ${text('\\1\\2e0')})`
  const readable = sql`replaceRegexpAll(${marked}, ${text(`${jsonText}e0`)}, ${text('\\1')})`
  return sql`if(match(${json}, '[0-9]{19}'), ${readable}, ${json})`
}
