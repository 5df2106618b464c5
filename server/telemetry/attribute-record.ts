import { keyOfPath, readAttributeList, typeOfTag, type ValueType } from '#sql'
import type { components } from '../../openapi/types.ts'
import { isInt64 } from './otlp-value.ts'

export type AttributeRecord = components['schemas']['Attribute']

/**
 * Converts a tagged text, the stored form of an attribute value, to an attribute of the API. A number that JSON cannot
 * represent exactly becomes a string.
 */
export function toAttribute(key: string, tagged: string): AttributeRecord {
  const type = typeOfTag(tagged.slice(0, 1))
  return { key, type, value: toJson(type, tagged.slice(1)) }
}

function toJson(type: ValueType, text: string): unknown {
  switch (type) {
    case 'bool':
      return text === 'true'
    case 'int':
      return isSafeInt(text) ? Number(text) : text
    case 'double':
      return Number.isFinite(Number(text)) ? Number(text) : text
    case 'array':
    case 'kvlist':
      return JSON.parse(withExactInts(text))
    case 'unset':
      return null
    default:
      return text
  }
}

function isSafeInt(int: string): boolean {
  return Number.isSafeInteger(Number(int))
}

/**
 * Matches the quotes, escapes and large ints of JSON. It does not match whole strings, because long ones with escapes
 * overflow the stack of the regular expression.
 */
const quoteOrLargeInt = /\\.|"|(?<![\d.])-?\d{16,19}(?![\d.eE])/gs

/** Quotes the ints of a stored array or kvlist that a number cannot represent, which `JSON.parse` would round. */
function withExactInts(json: string): string {
  if (!/\d{16}/.test(json)) return json
  let isInString = false
  return json.replaceAll(quoteOrLargeInt, (found) => {
    if (found === '"') isInString = !isInString
    return isInString || !isInt64(found) || isSafeInt(found) ? found : `"${found}"`
  })
}

/**
 * Returns the attributes of a JSON column, sorted by key. Hot keys that a record does not carry are stored as empty
 * texts and left out.
 */
export function attributesOfPaths(paths: Readonly<Record<string, string>>): AttributeRecord[] {
  return Object.entries(paths)
    .filter(([, tagged]) => tagged !== '')
    .map(([path, tagged]) => toAttribute(keyOfPath(path), tagged))
    .sort(byKey)
}

/** Returns the attributes of a resource or scope, which are stored sorted by key. */
export function attributesOfList(text: string): AttributeRecord[] {
  return readAttributeList(text).map(([key, tagged]) => toAttribute(key, tagged))
}

/** Reads the attributes of a resource or scope, like `attributesOfList`. */
export type ReadList = (text: string) => AttributeRecord[]

/** Creates a function that parses each distinct text once, because the records of one resource share its text. */
export function createListReader(): ReadList {
  const lists = new Map<string, AttributeRecord[]>()
  return (text) => {
    const known = lists.get(text) ?? attributesOfList(text)
    lists.set(text, known)
    return known
  }
}

/** Returns the attributes of stored pairs of key and tagged text, sorted by key. */
export function attributesOfPairs(pairs: readonly (readonly [string, string])[] = []): AttributeRecord[] {
  return pairs.map(([key, tagged]) => toAttribute(key, tagged)).sort(byKey)
}

function byKey(left: AttributeRecord, right: AttributeRecord): number {
  return left.key < right.key ? -1 : 1
}
