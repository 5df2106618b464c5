import { textOf } from './reference-attribute.ts'
import { groupBy } from './reference-descendants.ts'
import { byCodePoints } from './reference-order.ts'
import { typeOfValue } from './reference-wire.ts'
import { carriedValue, type OtlpValue, type SpanModel } from './span-model.ts'

export interface CompletionKey {
  readonly key: string
  readonly source: 'span' | 'resource'
  /** Distinct, in alphabetical order. */
  readonly types: readonly string[]
  readonly span_count: number
}

/** Returns the keys that spans of a population carry, by key in code point order, then by source. */
export function keysOf(
  population: readonly SpanModel[],
  source: 'any' | 'span' | 'resource',
  prefix = '',
): CompletionKey[] {
  const carried = population.flatMap((span) => [
    ...(source === 'resource'
      ? []
      : [...new Map(span.attributes)].map(([key, value]) => ({ key, source: 'span' as const, value }))),
    ...(source === 'span'
      ? []
      : [...new Map(span.resourceAttributes)].map(([key, value]) => ({ key, source: 'resource' as const, value }))),
  ])
  const groups = groupBy(
    carried.filter(({ key }) => key.startsWith(prefix)),
    (one) => JSON.stringify([one.key, one.source]),
  )
  return [...groups.values()]
    .map((group) => ({
      key: group[0]?.key ?? '',
      source: group[0]?.source ?? 'span',
      types: [...new Set(group.map(({ value }) => typeOfValue(value)))].sort(),
      span_count: group.length,
    }))
    .sort((left, right) => byCodePoints(left.key, right.key) || byCodePoints(left.source, right.source))
}

export interface CompletionValue {
  readonly value: string
  readonly type: string
  readonly span_count: number
}

/** Returns the values that spans carry under a key, by text in code point order, then by type. */
export function valuesOf(
  population: readonly SpanModel[],
  source: 'any' | 'span' | 'resource',
  key: string,
  prefix = '',
): CompletionValue[] {
  const read = (span: SpanModel): OtlpValue | undefined => {
    const [own, shared] = [carriedValue(span.attributes, key), carriedValue(span.resourceAttributes, key)]
    if (source === 'span') return own
    return source === 'resource' ? shared : (own ?? shared)
  }
  const values = population.map(read).filter((value) => value !== undefined)
  const groups = groupBy(
    values.filter((value) => textOf(value).startsWith(prefix)),
    (value) => JSON.stringify([textOf(value), typeOfValue(value)]),
  )
  return [...groups]
    .map(([name, group]) => ({ value: JSON.parse(name)[0], type: JSON.parse(name)[1], span_count: group.length }))
    .sort((left, right) => byCodePoints(left.value, right.value) || byCodePoints(left.type, right.type))
}
