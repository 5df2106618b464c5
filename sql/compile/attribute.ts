/** How an attribute is read: as presence, as text, as number. What is asked of it stands in condition.ts. */
import { escapeMarks, escapes, keyMark, valueMark } from '../attribute-list-text.ts'
import { joinSql, type Sql, sql, text, uint64 } from '../fragment.ts'
import type { Attribute } from '../ir/condition.ts'
import { intrinsicOf, type RecordKind } from '../record-kinds/record-kinds.ts'

/** Columns that hold a list of attributes as one text (attribute-list-text.ts). */
export type AttributeListColumn = 'resource_attributes' | 'scope_attributes'

/** How the tagged text of an attribute is written in a list column, the empty text where it is absent. Runs once per distinct list. */
export function writtenListAttribute(column: AttributeListColumn, key: string): Sql {
  const pattern = `${hex(keyMark)}${quotePattern(escapeMarks(key))}${hex(valueMark)}([^\\x{03}]*)`
  return sql`extract(${listColumns[column]}, ${text(pattern)})`
}

/** The tagged text of an attribute of a list column, the empty text where it is absent. */
export function listAttribute(column: AttributeListColumn, key: string): Sql {
  const written = writtenListAttribute(column, key)
  return escapes.reduce((read, [mark, code]) => sql`replaceAll(${read}, ${text(code)}, ${text(mark)})`, written)
}

const listColumns: Readonly<Record<AttributeListColumn, Sql>> = {
  resource_attributes: sql`resource_attributes`,
  scope_attributes: sql`scope_attributes`,
}

function hex(character: string): string {
  return `\\x{${character.charCodeAt(0).toString(16).padStart(2, '0')}}`
}

/** As a pattern that matches the text itself: RE2 reads every escaped ASCII sign, and none of the letters, literally. */
function quotePattern(content: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters must be quoted, too
  return content.replace(/[\u0000-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f]/g, hex)
}

export function isCarried(tagged: Sql): Sql {
  return sql`${tagged} != ''`
}

/** The text behind the tag. */
export function textOf(tagged: Sql): Sql {
  return sql`substring(${tagged}, 2)`
}

/** The tagged text that a source and key read, the empty text where it is absent. */
export function taggedText({ source, key }: Attribute, records: RecordKind): Sql {
  switch (source) {
    case 'resource':
      return listAttribute('resource_attributes', key)
    case 'any': {
      const own = records.own(key)
      return sql`if(${own} != '', ${own}, ${listAttribute('resource_attributes', key)})`
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

/** The hexadecimal digits of an id, none for no id. */
export function idText(number: Sql, digits: number): Sql {
  return sql`if(${number} = 0, '', leftPad(lower(hex(${number})), ${uint64(digits)}, '0'))`
}

/** Milliseconds as text: exactly, also where a double would round. */
export function millisecondsText(nanoseconds: Sql): Sql {
  return sql`toString(divideDecimal(toDecimal128(${nanoseconds}, 0), toDecimal128(1000000, 0), 6))`
}

/** A parenthesized list of bound texts, for IN. */
export function textList(values: readonly string[]): Sql {
  return sql`(${joinSql(
    values.map((value) => sql`${text(value)}`),
    sql`, `,
  )})`
}
