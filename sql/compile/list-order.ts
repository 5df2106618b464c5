/**
 * The order of texts in lists whose pages continue after a text. A cursor is part of a URL, so it holds only the
 * beginning of a long text: texts are sorted by their beginnings, and long texts with the same one by a hash.
 */
import { list, type Sql, sql, text, uint64 } from '../fragment.ts'
import { hashOfText } from '../value-hash.ts'

/** Where a text is in a list: its beginning, and a number for the rest, below 2^33 and 0 without a rest. */
export type TextPosition = readonly [beginning: string, rest: bigint]

/** The number of characters of a beginning. */
const beginningMax = 500

/** Returns the position of a text in a list: the text if it is short, otherwise its beginning and a hash of it. */
export function positionOfText(content: string): TextPosition {
  const first = [...content.slice(0, 2 * beginningMax + 1)]
  if (first.length <= beginningMax) return [content, 0n]
  return [first.slice(0, beginningMax).join(''), BigInt(hashOfText(content) >>> 0) + 1n]
}

/** Returns the expressions by which a list is sorted by a text. */
export function textOrder(content: Sql): Sql[] {
  const max = uint64(beginningMax)
  return [
    sql`substringUTF8(${content}, 1, ${max})`,
    sql`if(lengthUTF8(${content}) > ${max}, toUInt64(xxHash32(${content})) + 1, toUInt64(0))`,
  ]
}

/** Returns the values of `textOrder` for the text at a position. */
export function textPosition([beginning, rest]: TextPosition): Sql[] {
  return [sql`${text(beginning)}`, sql`${uint64(rest)}`]
}

/** Tests whether a text is after a position. What is after a text without a rest is after it by any order of texts. */
export function isAfterText(content: Sql, position: TextPosition): Sql {
  const [beginning, rest] = position
  if (rest === 0n) return sql`${content} > ${text(beginning)}`
  return sql`(${list(textOrder(content))}) > (${list(textPosition(position))})`
}
