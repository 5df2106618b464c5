/** Reads of attributes. The tests of conditions on them are in condition.ts. */
import { endMark, escapeMarks, escapes, keyMark, type ValueType, valueMark, valueTags } from '../attribute-text.ts'
import { list, type Sql, sql, text, uint64 } from '../fragment.ts'
import type { Attribute } from '../ir/condition.ts'
import { intrinsicOf, type RecordKind } from '../record-kinds/record-kinds.ts'

/**
 * Returns the tagged text of a resource attribute as the column contains it (attribute-text.ts), with escapes; the
 * empty text if it is absent. The expression is evaluated once for each distinct resource.
 */
export function writtenResourceAttribute(key: string): Sql {
  const pattern = `${hex(keyMark)}${quotePattern(escapeMarks(key))}${hex(valueMark)}([^\\x{03}]*)`
  return sql`extract(resource_attributes, ${text(pattern)})`
}

/** Returns the tagged text of a resource attribute; the empty text if it is absent. */
export function resourceAttribute(key: string): Sql {
  return unescaped(writtenResourceAttribute(key))
}

/** Returns all attributes of the resource as an array of pairs of key and tagged text. */
export function resourceAttributes(): Sql {
  const written = sql`arrayPopBack(splitByChar(${text(endMark)}, toString(resource_attributes)))`
  const key = sql`substring(splitByChar(${text(valueMark)}, attribute)[1], 2)`
  const tagged = sql`splitByChar(${text(valueMark)}, attribute)[2]`
  return sql`arrayMap(attribute -> (${unescaped(key)}, ${unescaped(tagged)}), ${written})`
}

/** Returns all attributes of the column `attributes` like `resourceAttributes`. */
export function ownAttributes(): Sql {
  const written = sql`JSONExtractKeysAndValues(toJSONString(attributes), 'String')`
  // A hot key that the record does not carry has the empty text. `keyOfPath` decodes paths in the same way.
  const carried = sql`arrayFilter(attribute -> attribute.2 != '', ${written})`
  const key = sql`if(attribute.1 = '%', '', decodeURLComponent(attribute.1))`
  return sql`arrayMap(attribute -> (${key}, attribute.2), ${carried})`
}

function unescaped(written: Sql): Sql {
  return escapes.reduce((read, [mark, code]) => sql`replaceAll(${read}, ${text(code)}, ${text(mark)})`, written)
}

function hex(character: string): string {
  return `\\x{${character.charCodeAt(0).toString(16).padStart(2, '0')}}`
}

/**
 * Returns a pattern that matches the text literally. All ASCII characters except letters and digits are written as
 * codes.
 */
function quotePattern(content: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must be quoted as well
  return content.replace(/[\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]/g, hex)
}

/** Tests whether a tagged text is of an attribute that the record carries. Otherwise it is empty. */
export function isCarried(tagged: Sql): Sql {
  return sql`${tagged} != ''`
}

/** Tests whether a tagged text is of a type. */
export function hasTag(tagged: Sql, type: ValueType): Sql {
  return sql`startsWith(${tagged}, ${text(valueTags[type])})`
}

/** Removes the tag of a tagged text. */
export function textOf(tagged: Sql): Sql {
  return sql`substring(${tagged}, 2)`
}

/** Returns the tagged text of an attribute of a record; the empty text if it is absent. */
export function taggedText({ source, key }: Attribute, records: RecordKind): Sql {
  switch (source) {
    case 'resource':
      return resourceAttribute(key)
    case 'any': {
      const own = records.own(key)
      return sql`if(${own} != '', ${own}, ${resourceAttribute(key)})`
    }
    case 'intrinsic':
      return taggedIntrinsic(records, key)
    default:
      return records.own(key)
  }
}

function taggedIntrinsic(records: RecordKind, key: string): Sql {
  const intrinsic = intrinsicOf(records, key)
  switch (intrinsic.kind) {
    case 'text':
      return sql`concat('s', ${intrinsic.text})`
    case 'tagged':
      return intrinsic.tagged
    case 'integer':
      return sql`concat('i', toString(${intrinsic.integer}))`
    case 'id':
      return sql`concat('s', ${idText(intrinsic.number, intrinsic.digits)})`
    case 'milliseconds':
      return sql`concat('d', ${millisecondsText(intrinsic.nanoseconds)})`
  }
}

/** Returns the hexadecimal digits of an id. For 0, which represents a missing id, returns the empty text. */
export function idText(number: Sql, digits: number): Sql {
  return sql`if(${number} = 0, '', leftPad(lower(hex(${number})), ${uint64(digits)}, '0'))`
}

/** Converts nanoseconds to the exact text of milliseconds, which a double might round. */
export function millisecondsText(nanoseconds: Sql): Sql {
  return sql`toString(divideDecimal(toDecimal128(${nanoseconds}, 0), toDecimal128(1000000, 0), 6))`
}

/** Returns a parenthesized list of texts as parameters, for IN. */
export function textList(values: readonly string[]): Sql {
  return sql`(${list(values.map((value) => sql`${text(value)}`))})`
}
