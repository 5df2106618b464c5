/**
 * Reads attributes from the text of a JSON column. `JSON.parse` would round large integers and lose one of two
 * attributes `a` and `a.b`, which ClickHouse writes as `{"a":1,"a":{"b":2}}`.
 */

/** A value in the form of OTLP/JSON. */
export type OtlpValue = Readonly<Record<string, unknown>>

export interface OtlpAttribute {
  readonly key: string
  readonly value: OtlpValue
}

const [int64Min, int64Max] = [-(2n ** 63n), 2n ** 63n - 1n]
const isInteger = /^-?\d+$/

/**
 * Returns the attributes with their types. ClickHouse keeps no difference between an object and dotted keys, so each
 * value below objects is an attribute with a dotted key.
 */
export function attributesOfJson(text: string): OtlpAttribute[] {
  const found: OtlpAttribute[] = []
  new JsonReader(text).readPaths('', found)
  return found
}

/** Reads JSON as ClickHouse writes it: well-formed and without white space. */
class JsonReader {
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  /** Adds the values of an object and of those inside it, by their paths. */
  readPaths(prefix: string, found: OtlpAttribute[]): void {
    this.readMembers((name) => {
      const key = `${prefix}${name}`
      if (this.text[this.at] === '{') return this.readPaths(`${key}.`, found)
      const value = this.readValue()
      // A typed path without a value is null.
      if (Object.keys(value).length > 0) found.push({ key, value })
    })
  }

  private readValue(): OtlpValue {
    switch (this.text[this.at]) {
      case '"':
        return { stringValue: this.readString() }
      case '[':
        return { arrayValue: { values: this.readArray() } }
      case '{': {
        const values: OtlpAttribute[] = []
        this.readMembers((key) => values.push({ key, value: this.readValue() }))
        return { kvlistValue: { values } }
      }
      default:
        return scalarOf(this.readToken())
    }
  }

  private readMembers(readMember: (name: string) => void): void {
    this.at++
    while (this.text[this.at] !== '}') {
      const name = this.readString()
      this.expect(':')
      readMember(name)
      if (this.text[this.at] !== '}') this.expect(',')
    }
    this.at++
  }

  private readArray(): OtlpValue[] {
    const values: OtlpValue[] = []
    this.at++
    while (this.text[this.at] !== ']') {
      values.push(this.readValue())
      if (this.text[this.at] !== ']') this.expect(',')
    }
    this.at++
    return values
  }

  private readString(): string {
    const start = this.at
    this.expect('"')
    for (;;) {
      const quote = this.text.indexOf('"', this.at)
      if (quote < 0) throw this.fault()
      let backslashes = 0
      while (this.text[quote - 1 - backslashes] === '\\') backslashes++
      this.at = quote + 1
      if (backslashes % 2 === 0) return JSON.parse(this.text.slice(start, this.at)) as string
    }
  }

  private readToken(): string {
    const start = this.at
    while (this.at < this.text.length && !',]}'.includes(this.text[this.at] as string)) this.at++
    if (this.at === this.text.length) throw this.fault()
    return this.text.slice(start, this.at)
  }

  private expect(character: string): void {
    if (this.text[this.at] !== character) throw this.fault()
    this.at++
  }

  private fault(): Error {
    return new Error(`ClickHouse returned attributes that are not JSON, at character ${this.at}`)
  }
}

function scalarOf(token: string): OtlpValue {
  if (token === 'null') return {}
  if (token === 'true' || token === 'false') return { boolValue: token === 'true' }
  if (isInteger.test(token) && BigInt(token) >= int64Min && BigInt(token) <= int64Max) return { intValue: token }
  return { doubleValue: Number(token) }
}
