/**
 * Converts stored attribute values to the JSON mapping of OTLP. A value that is sent again has the same type and the
 * same text. Values inside arrays and kvlists are stored as JSON, which does not tell bytes from strings or 12.0 from
 * 12; their texts are equal as well.
 */
import { keyOfPath, readAttributeList, typeOfTag } from '#sql'

/** Returns the JSON text of the `KeyValue` messages of a list column, which holds a resource or a scope. */
export function keyValuesOfList(list: string): string {
  return keyValues(readAttributeList(list))
}

/** Returns the JSON text of the `KeyValue` messages of a JSON column. */
export function keyValuesOfPaths(paths: Readonly<Record<string, string>>): string {
  const carried = Object.entries(paths).filter(([, tagged]) => tagged !== '')
  return keyValues(carried.map(([path, tagged]) => [keyOfPath(path), tagged]))
}

/** Returns the JSON text of a list of `KeyValue` messages. The values are tagged texts. */
export function keyValues(pairs: readonly (readonly [key: string, tagged: string])[] = []): string {
  return `[${pairs.map(([key, tagged]) => `{"key":${JSON.stringify(key)},"value":${anyValue(tagged)}}`).join(',')}]`
}

/** Returns the JSON text of the `AnyValue` of a tagged text. */
export function anyValue(tagged: string): string {
  const text = tagged.slice(1)
  switch (typeOfTag(tagged.slice(0, 1))) {
    case 'string':
      return `{"stringValue":${JSON.stringify(text)}}`
    case 'bool':
      return `{"boolValue":${text}}`
    case 'int':
      return `{"intValue":"${text}"}`
    case 'double':
      return `{"doubleValue":${Number.isFinite(Number(text)) ? text : `"${text}"`}}`
    case 'bytes':
      return `{"bytesValue":"${text}"}`
    case 'array':
    case 'kvlist':
      return new NestedValue(text).read()
    case 'unset':
      return '{}'
  }
}

const int64Min = -(2n ** 63n)
const int64Max = 2n ** 63n - 1n

/**
 * Reads a stored array or kvlist, which is compact JSON of limited depth. JavaScript objects would round integers and
 * reorder keys, so the text is converted as it is read.
 */
class NestedValue {
  private readonly text: string
  private position = 0

  constructor(text: string) {
    this.text = text
  }

  read(): string {
    const first = this.text[this.position]
    if (first === '[') return `{"arrayValue":{"values":[${this.readAll(() => this.read())}]}}`
    if (first === '{') return `{"kvlistValue":{"values":[${this.readAll(() => this.readEntry())}]}}`
    if (first === '"') return `{"stringValue":${this.readString()}}`
    const begin = this.position
    while (this.position < this.text.length && !',]}'.includes(this.text[this.position] as string)) this.position++
    const literal = this.text.slice(begin, this.position)
    if (literal === 'null') return '{}'
    if (literal === 'true' || literal === 'false') return `{"boolValue":${literal}}`
    return isInt64(literal) ? `{"intValue":"${literal}"}` : `{"doubleValue":${literal}}`
  }

  /** Reads the items up to the closing bracket. */
  private readAll(readItem: () => string): string {
    const items: string[] = []
    this.position++
    while (!']}'.includes(this.text[this.position] as string)) {
      items.push(readItem())
      if (this.text[this.position] === ',') this.position++
    }
    this.position++
    return items.join(',')
  }

  private readEntry(): string {
    const key = this.readString()
    this.position++
    return `{"key":${key},"value":${this.read()}}`
  }

  /** Returns the string as it is written, with its quotes. */
  private readString(): string {
    const begin = this.position
    this.position++
    while (this.text[this.position] !== '"') this.position += this.text[this.position] === '\\' ? 2 : 1
    this.position++
    return this.text.slice(begin, this.position)
  }
}

/** Reports whether a number of a stored array or kvlist counts as an int. Doubles without a fraction do too. */
export function isInt64(literal: string): boolean {
  if (!/^-?\d{1,19}$/.test(literal)) return false
  const integer = BigInt(literal)
  return int64Min <= integer && integer <= int64Max
}
