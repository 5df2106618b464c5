import { type FormEvent, useState } from 'react'
import { Button } from 'react-aria-components'
import { completePositions } from '../../parts/conditions/operators.ts'
import { Choice } from '../../parts/forms/choice.tsx'
import { problemAt } from '../../parts/forms/problem-at.ts'
import { SuggestedText } from '../../parts/forms/suggestions.tsx'
import { AddIcon, RemoveIcon } from '../../parts/icons.tsx'
import { without } from '../../parts/without.ts'
import type { Metric, SeriesFilter } from './metrics-query.ts'
import {
  type Aggregation,
  aggregationWords,
  groupsMaxDefault,
  groupsMaxima,
  type MetricsSearch,
  type SeriesAttribute,
  type SeriesCondition,
} from './metrics-search.ts'
import { keysOf, SeriesRow, withKey } from './series-rows.tsx'

const groupByMax = 4
const emptyCondition = { operator: 'eq' } as SeriesCondition

interface MetricFormProps {
  readonly search: MetricsSearch
  readonly aggregation: Aggregation
  readonly metrics: readonly Metric[]
  readonly filter: SeriesFilter
  readonly error: Error | null
  readonly onChange: (search: MetricsSearch, isTyping?: boolean) => void
}

/** Chooses the series, their aggregation, and the attributes by which they are grouped. */
export function MetricForm({ search, aggregation, metrics, filter, error, onChange }: MetricFormProps) {
  const { conditions = [], by = [], groups = groupsMaxDefault } = search
  const sent = completePositions(conditions)
  const faultOf = (position: number) =>
    sent.includes(position) ? problemAt(error, `/conditions/${sent.indexOf(position)}`) : undefined
  const set = (next: readonly SeriesCondition[], isTyping = false) =>
    onChange(next.length === 0 ? without(search, 'conditions') : { ...search, conditions: next }, isTyping)
  return (
    <section className="card filter" aria-label="Series">
      <ol>
        {conditions.map((condition, position) => (
          <SeriesRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a condition has no other identity than its position
            key={position}
            name={`Condition ${position + 1}`}
            {...{ condition, metrics, filter }}
            fault={faultOf(position)}
            onChange={(next, isTyping) => set(conditions.with(position, next), isTyping)}
            onRemove={() => set(conditions.toSpliced(position, 1))}
          />
        ))}
      </ol>
      <div className="filter-actions">
        <Button className="button" onPress={() => set([...conditions, emptyCondition])}>
          <AddIcon /> Add condition
        </Button>
        <Choice
          label="Aggregation"
          value={aggregation}
          options={Object.entries(aggregationWords) as [Aggregation, string][]}
          onChange={(next) => onChange({ ...search, aggregation: next })}
        />
        <GroupBy
          by={by}
          metrics={metrics}
          onBy={(next) => onChange(next.length === 0 ? without(search, 'by') : { ...search, by: next })}
        />
        {by.length > 0 && (
          <Choice
            label="Number of groups"
            value={String(groups)}
            options={groupsMaxima.map((each): [string, string] => [String(each), `at most ${each} groups`])}
            onChange={(next) => onChange({ ...search, groups: Number(next) })}
          />
        )}
      </div>
    </section>
  )
}

interface GroupByProps {
  readonly by: readonly SeriesAttribute[]
  readonly metrics: readonly Metric[]
  readonly onBy: (by: readonly SeriesAttribute[]) => void
}

/** Chooses the attributes whose values become separate lines. */
function GroupBy({ by, metrics, onBy }: GroupByProps) {
  const [key, setKey] = useState('')
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (key !== '' && !by.some(({ attribute_key }) => attribute_key === key))
      onBy([...by, withKey({ attribute_key: '' }, key)])
    setKey('')
  }
  return (
    <>
      {by.map(({ attribute_key }, position) => (
        <span key={attribute_key} className="chosen mono">
          by {attribute_key}
          <Button
            className="button bare icon"
            aria-label={`Do not group by ${attribute_key}`}
            onPress={() => onBy(by.toSpliced(position, 1))}
          >
            <RemoveIcon />
          </Button>
        </span>
      ))}
      {by.length < groupByMax && (
        <form noValidate className="group-by" onSubmit={add}>
          <SuggestedText
            label="Attribute to group by"
            placeholder="group by an attribute"
            value={key}
            suggestions={keysOf(metrics, key)}
            onChange={setKey}
          />
          <Button type="submit" className="button" isDisabled={key === ''}>
            Group
          </Button>
        </form>
      )}
    </>
  )
}
