import { keyOfPath, readAttributeList, typeOfTag, type ValueType } from '#sql'
import type { components } from '../../openapi/types.ts'

export type AttributeRecord = components['schemas']['Attribute']

/** A tagged text as the API shows it: numbers as JSON numbers where JSON holds them exactly, else as texts. */
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

/** The attributes of a JSON column, in the order of their keys. Hot keys that the span does not carry are empty there. */
export function attributesOfPaths(paths: Readonly<Record<string, string>>): AttributeRecord[] {
  return Object.entries(paths)
    .filter(([, tagged]) => tagged !== '')
    .map(([path, tagged]) => toAttribute(keyOfPath(path), tagged))
    .sort(byKey)
}

/** The attributes of a resource or scope, in the order of their keys. */
export function attributesOfList(text: string): AttributeRecord[] {
  return readAttributeList(text).map(([key, tagged]) => toAttribute(key, tagged))
}

export function attributesOfPairs(pairs: readonly (readonly [string, string])[] = []): AttributeRecord[] {
  return pairs.map(([key, tagged]) => toAttribute(key, tagged)).sort(byKey)
}

function byKey(left: AttributeRecord, right: AttributeRecord): number {
  return left.key < right.key ? -1 : 1
}
