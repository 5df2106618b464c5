/**
 * The text forms of attributes: a value with a tag for its type, a list of attributes as one text, and a key as a path
 * of a JSON column. Ingest writes these forms, queries compare them, and readers decode them.
 */
import { integerOf, parseDecimal } from './decimal.ts'

/**
 * The tags of value types. A tagged text is the tag followed by the text of the value (docs/semantics.md, section 2).
 * The tag keeps the OTLP type. It also makes the text of an attribute with an empty value non-empty, so that one read
 * returns both presence and value.
 */
export const valueTags = {
  string: 's',
  bool: 'b',
  int: 'i',
  double: 'd',
  bytes: 'y',
  array: 'a',
  kvlist: 'k',
  unset: 'n',
} as const

export type ValueType = keyof typeof valueTags

/**
 * Returns the text of a double: its shortest round-trip decimal form (`12` for 12.0), `NaN`, `Infinity` or `-Infinity`.
 */
export function textOfDouble(value: number): string {
  return String(value)
}

const typesByTag: ReadonlyMap<string, ValueType> = new Map(
  (Object.keys(valueTags) as ValueType[]).map((type) => [valueTags[type], type]),
)

/** Returns the type of a tagged text. @throws Error if the text has no valid tag */
export function typeOfTag(tag: string): ValueType {
  const type = typesByTag.get(tag)
  if (type === undefined) throw new Error('A stored attribute value has no type tag.')
  return type
}

const canonicalInteger = /^(0|-?[1-9][0-9]*)$/
const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/**
 * Returns the tagged texts that equal an operand (docs/semantics.md, section 3, `eq`): the text itself under every type
 * that can have such a text and, for a number, the texts of the int and the double with the same numeric value.
 */
export function taggedTextsEqualTo(value: string): string[] {
  const tagged = new Set([valueTags.string + value])
  if (value === 'true' || value === 'false') tagged.add(valueTags.bool + value)
  if (value === '') tagged.add(valueTags.unset)
  if (base64.test(value)) tagged.add(valueTags.bytes + value)
  if (value.startsWith('[')) tagged.add(valueTags.array + value)
  if (value.startsWith('{')) tagged.add(valueTags.kvlist + value)
  for (const number of numbersEqualTo(value)) tagged.add(number)
  return [...tagged]
}

function numbersEqualTo(value: string): string[] {
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return [valueTags.double + value]
  const operand = parseDecimal(value)
  const asText = canonicalInteger.test(value) ? [valueTags.int + value] : []
  // If the operand is the text of a double, it equals that double by text, even if the double is not exactly the
  // operand.
  if (textOfDouble(Number(value)) === value) asText.push(valueTags.double + value)
  if (operand === undefined) return asText
  const integer = integerOf(operand)
  const double = Number(value)
  if (integer !== undefined) asText.push(valueTags.int + integer.toString())
  const isSame = Number.isFinite(double) && (integer === undefined || BigInt(double) === integer)
  return isSame ? [...asText, valueTags.double + textOfDouble(double)] : asText
}

/**
 * The marks of attribute lists. The attributes of a resource or scope are stored as one text per row in a
 * LowCardinality column, because a function of such a column runs once for each distinct text instead of once for each
 * row. An attribute is `␁key␂value␃` (U+0001, U+0002, U+0003) with a tagged value. Attributes are in ascending order of
 * their keys, by UTF-16 code unit; an empty list is the empty text. Inside keys and values, these three characters and
 * U+0004 are written as U+0004 followed by a letter.
 */
export const keyMark = '\u0001'
export const valueMark = '\u0002'
export const endMark = '\u0003'
const escapeMark = '\u0004'
const escapedLetters = ['A', 'B', 'C', 'D'] as const

/**
 * Pairs of a character and its escaped form, in the order in which a reader must replace them: the escape mark is last.
 */
export const escapes: readonly (readonly [character: string, escaped: string])[] = [
  [keyMark, escapeMark + escapedLetters[0]],
  [valueMark, escapeMark + escapedLetters[1]],
  [endMark, escapeMark + escapedLetters[2]],
  [escapeMark, escapeMark + escapedLetters[3]],
]

// biome-ignore lint/suspicious/noControlCharactersInRegex: these control characters are the format's marks
const marks = /[\u0001-\u0004]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these control characters are the format's marks
const escaped = /\u0004([ABCD])/g

/** Replaces the marks of the format in a text, so that it contains none. */
export function escapeMarks(text: string): string {
  return text.replace(marks, (mark) => escapeMark + escapedLetters[mark.charCodeAt(0) - 1])
}

function unescapeMarks(text: string): string {
  return text.replace(escaped, (_, letter: string) => String.fromCharCode(letter.charCodeAt(0) - 64))
}

/** Writes attributes with tagged values as one text. If a key occurs twice, its last value is kept. */
export function writeAttributeList(attributes: Iterable<readonly [key: string, value: string]>): string {
  const last = new Map(attributes)
  const keys = [...last.keys()].sort((a, b) => (a < b ? -1 : 1))
  return keys
    .map((key) => `${keyMark}${escapeMarks(key)}${valueMark}${escapeMarks(last.get(key) ?? '')}${endMark}`)
    .join('')
}

/** Reads a text made by `writeAttributeList` as pairs of key and tagged text. */
export function readAttributeList(text: string): [key: string, value: string][] {
  const written = text.split(endMark)
  written.pop()
  return written.map((attribute) => {
    const at = attribute.indexOf(valueMark)
    return [unescapeMarks(attribute.slice(1, at)), unescapeMarks(attribute.slice(at + 1))]
  })
}

/**
 * Returns the path of a key in a JSON column. A dot would create a nested path, and ClickHouse's own escaping confuses
 * `a.b` with `a%2Eb`, so every byte of the key's UTF-8 outside `[A-Za-z0-9_-]` is written as `%XX`. The path of the
 * empty key is `%`. No two keys have the same path, and a path needs no quoting other than back-ticks.
 */
export function pathOfKey(key: string): string {
  if (/^[A-Za-z0-9_-]+$/.test(key)) return key
  if (key === '') return '%'
  return key.replace(/[^A-Za-z0-9_-]/gu, percentEncode)
}

function percentEncode(character: string): string {
  let encoded = ''
  for (const byte of new TextEncoder().encode(character))
    encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  return encoded
}

/** Returns the key of a path that `pathOfKey` returned. */
export function keyOfPath(path: string): string {
  return path === '%' ? '' : decodeURIComponent(path)
}
