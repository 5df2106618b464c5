import { useState } from 'react'
import { matching } from '../../parts/conditions/matching.ts'
import { keyTextOf } from '../../parts/conditions/operators.ts'
import { seriesFields } from '../../parts/conditions/record-fields.ts'
import { RecordRow, valueTextOf, withFieldKey } from '../../parts/conditions/record-row.tsx'
import type { Suggestion } from '../../parts/forms/suggestions.tsx'
import { type Metric, type SeriesFilter, useSeriesValues } from './metrics-query.ts'
import type { SeriesAttribute, SeriesCondition } from './metrics-search.ts'

type Source = NonNullable<SeriesAttribute['attribute_source']>

const sources: readonly (readonly [Source, string])[] = [
  ['any', 'any attribute'],
  ['point', 'point attribute'],
  ['resource', 'resource attribute'],
  ['intrinsic', 'series field'],
]

/** Returns the keys of a metric that match what was typed. */
export function keysOf(metrics: readonly Metric[], typed: string): Suggestion[] {
  const notes = new Map(Object.entries(seriesFields))
  for (const { attribute_keys, resource_attribute_keys } of metrics) {
    for (const key of attribute_keys) notes.set(key, notes.get(key) ?? 'point attribute')
    for (const key of resource_attribute_keys) notes.set(key, notes.get(key) ?? 'resource attribute')
  }
  return matching(
    [...notes].map(([text, note]) => ({ text, note })),
    typed,
  )
}

/** Sets the key of an attribute of series, which may be one of their fields. */
export const withKey = <Attribute extends SeriesAttribute>(attribute: Attribute, key: string): Attribute =>
  withFieldKey(seriesFields, attribute, key)

interface SeriesRowProps {
  readonly condition: SeriesCondition
  readonly name: string
  readonly metrics: readonly Metric[]
  readonly filter: SeriesFilter
  /** The fault of the condition. */
  readonly fault: string | undefined
  readonly onChange: (condition: SeriesCondition, isTyping: boolean) => void
  readonly onRemove: () => void
}

/** Edits a condition on one series. Values are read while one is being chosen. */
export function SeriesRow({ condition, metrics, filter, ...rest }: SeriesRowProps) {
  const [isValueFocused, setValueFocused] = useState(false)
  const { attribute_source = 'any' } = condition
  const key = keyTextOf(condition)
  const value = valueTextOf(condition)
  const values = useSeriesValues(filter, { attribute_key: key, attribute_source }, isValueFocused)
  return (
    <RecordRow
      condition={condition}
      sources={sources}
      fields={seriesFields}
      keyPlaceholder="attribute, service, unit, …"
      valuePlaceholder="value"
      keys={keysOf(metrics, key)}
      values={matching(values.data ?? [], value)}
      onValueFocus={setValueFocused}
      {...rest}
    />
  )
}
