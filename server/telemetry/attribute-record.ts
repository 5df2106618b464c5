import { keyOfPath, readAttributeList, typeOfTag, type ValueType } from '#sql'
import type { components } from '../../openapi/types.ts'

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
      return Number.isSafeInteger(Number(text)) ? Number(text) : text
    case 'double':
      return Number.isFinite(Number(text)) ? Number(text) : text
    case 'array':
    case 'kvlist':
      return JSON.parse(text)
    case 'unset':
      return null
    default:
      return text
  }
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

/** Returns the attributes of stored pairs of key and tagged text, sorted by key. */
export function attributesOfPairs(pairs: readonly (readonly [string, string])[] = []): AttributeRecord[] {
  return pairs.map(([key, tagged]) => toAttribute(key, tagged)).sort(byKey)
}

function byKey(left: AttributeRecord, right: AttributeRecord): number {
  return left.key < right.key ? -1 : 1
}
