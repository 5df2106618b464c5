/**
 * How one OTLP attribute value is held in the attribute maps: a one-character type tag, then the value's text
 * (product semantics, section 2). The tag makes a carried empty text non-empty, so presence and value are one read,
 * and the OTLP type survives.
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
export type ValueTag = (typeof valueTags)[ValueType]

/** The text of a double: its shortest round-trip decimal form (`12` for 12.0, `NaN`, `Infinity`, `-Infinity`). */
export function textOfDouble(value: number): string {
  return String(value)
}

const typesByTag: ReadonlyMap<string, ValueType> = new Map(
  (Object.keys(valueTags) as ValueType[]).map((type) => [valueTags[type], type]),
)

/** The OTLP type behind a tag. */
export function typeOfTag(tag: string): ValueType {
  const type = typesByTag.get(tag)
  if (type === undefined) throw new Error('A stored attribute value has no type tag.')
  return type
}
