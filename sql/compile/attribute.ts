/** How an attribute is read: as presence, as text, as number. What is asked of it stands in condition.ts. */
import { escapeMarks, escapes, keyMark, valueMark } from '../attribute-list-text.ts'
import { joinSql, type Sql, sql, text } from '../fragment.ts'
import { spanAttribute } from '../identifier.ts'

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

/** The tagged text of a span attribute, the empty text where it is absent. */
export { spanAttribute }

export function isCarried(tagged: Sql): Sql {
  return sql`${tagged} != ''`
}

/** The text behind the tag. */
export function textOf(tagged: Sql): Sql {
  return sql`substring(${tagged}, 2)`
}

/** Intrinsics that are texts, or small closed lists of texts. All of them are always carried. */
export const intrinsicTexts: Readonly<Record<string, Sql>> = {
  service: sql`service`,
  name: sql`name`,
  kind: sql`['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'][kind + 1]`,
  status: sql`['unset', 'ok', 'error'][status + 1]`,
  status_message: sql`status_message`,
  scope_name: sql`scope_name`,
}

export const durationKey = 'duration_ms'

/** `duration_ms` as text: exactly, also where a double would round. */
export const durationText: Sql = sql`toString(divideDecimal(toDecimal128(duration_ns, 0), toDecimal128(1000000, 0), 6))`

export const intrinsicKeys: readonly string[] = [...Object.keys(intrinsicTexts), durationKey]

/** A parenthesized list of bound texts, for IN. */
export function textList(values: readonly string[]): Sql {
  return sql`(${joinSql(
    values.map((value) => sql`${text(value)}`),
    sql`, `,
  )})`
}
