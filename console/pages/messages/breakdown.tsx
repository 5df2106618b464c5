import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from 'react-aria-components'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf } from '../../app/api.ts'
import type { GroupAttribute } from '../../app/search.ts'
import { Fault } from '../../parts/answers/fault.tsx'
import { Waiting } from '../../parts/answers/list-states.tsx'
import { isNegative, type MessageRow } from '../../parts/conditions/operators.ts'
import { spanFields } from '../../parts/conditions/record-fields.ts'
import { useKeySuggestions } from '../../parts/conditions/row-suggestions.ts'
import { counted } from '../../parts/counted.ts'
import { SuggestedText } from '../../parts/forms/suggestions.tsx'
import { formatShare } from '../../parts/share-words.ts'
import { formatNs } from '../../parts/time/duration.ts'
import type { TimeWindow } from '../../parts/time/time.ts'
import { visibleText } from '../../parts/value-text.ts'
import type { MessageFilter } from './message-query.ts'

type Group = components['schemas']['MessageGroup']

const groupLimit = 50

/** The most common attributes of breakdowns, for one click. */
const usual: readonly GroupAttribute[] = [
  { attribute_source: 'intrinsic', attribute_key: 'service' },
  { attribute_source: 'message', attribute_key: 'root.name' },
  { attribute_source: 'intrinsic', attribute_key: 'name' },
  { attribute_source: 'any', attribute_key: 'http.route' },
]

/** The attributes of a new breakdown. */
export const groupsDefault: readonly GroupAttribute[] = [usual[1] as GroupAttribute]

export function breakdownBody<Filter extends MessageFilter>(filter: Filter, by: readonly GroupAttribute[]) {
  return { ...filter, group_by: [...by], limit: groupLimit }
}

interface BreakdownProps {
  readonly filter: MessageFilter & TimeWindow
  readonly by: readonly GroupAttribute[]
  readonly onBy: (by: readonly GroupAttribute[]) => void
  readonly onFilter: (row: MessageRow) => void
}

/** Breaks the messages down by one attribute or two. A click turns a value into a condition. */
export function Breakdown({ filter, by, onBy, onFilter }: BreakdownProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['breakdown', filter, by],
    queryFn: async ({ signal }) => {
      const body = breakdownBody(filter, by)
      // Until the next result arrives, the groups keep the headings with which they were read.
      return { ...(await dataOf(api.POST('/api/v1/messages/breakdown', { body, signal }))), by, filter }
    },
    placeholderData: keepPreviousData,
  })
  return (
    <section aria-label="Breakdown" className="breakdown">
      <GroupChoice by={by} window={filter} onBy={onBy} />
      {error !== null && <Fault error={error} retry={() => void refetch()} />}
      {error === null && data === undefined && <Waiting className="breakdown-waiting" words="Loading the breakdown" />}
      {error === null && data !== undefined && (
        <>
          <GroupTable
            groups={data.groups}
            by={data.by}
            total={data.total}
            lacking={lackingRows(data.filter, data.by)}
            isStale={isPlaceholderData}
            onFilter={onFilter}
          />
          <p className="soft">
            {counted(data.group_count, 'group')}
            {data.other_group_count > 0 &&
              `, of which the ${data.groups.length} largest are shown; ` +
                `${data.other_group_count.toLocaleString('en')} are not`}
            . A message is in every group of which a matched step has the value.
            {data.groups.some(isLacking) && lackingRows(data.filter, data.by).only === undefined && ` ${lackingWords}`}
          </p>
        </>
      )}
    </section>
  )
}

const lackingWords =
  'No condition finds exactly the messages without the attribute, because one of their other steps may have it.'

/** Reports whether the matched steps of a group have none of its attributes. */
function isLacking({ values }: Group): boolean {
  return values.every((value) => value === null)
}

/** The rows that find the messages whose matched steps lack the attribute, and all others. */
interface LackingRows {
  readonly only?: MessageRow
  readonly others?: MessageRow
}

/**
 * Returns the rows for the group of messages that lack the attributes, and for all others. A negative row is about all
 * steps of a message and a group about the matched ones, so they agree only if every step matches. A positive row
 * changes which steps match, and with them the status and the counts of matched steps, so it finds the others only if
 * the filter has no status, no row on these counts, no child spans and no relations.
 */
function lackingRows(filter: MessageFilter, by: readonly GroupAttribute[]): LackingRows {
  const { rows = [], relations = [], integration_id, status } = filter
  const [attribute, second] = by
  if (attribute === undefined || second !== undefined || relations.length > 0) return {}
  const isOfAllSteps =
    integration_id === undefined && rows.every((row) => isNegative(row) || row.attribute_source === 'message')
  const isOfMatchedSteps =
    status !== undefined ||
    rows.some(
      ({ includeDescendants, attribute_key }) => includeDescendants === true || attribute_key.endsWith('_step_count'),
    )
  const row = (operator: MessageRow['operator']) => ({ ...attribute, operator }) as MessageRow
  return {
    ...(isOfAllSteps ? { only: row('not_exists') } : {}),
    ...(isOfMatchedSteps ? {} : { others: row('exists') }),
  }
}

interface GroupChoiceProps {
  readonly by: readonly GroupAttribute[]
  readonly window: TimeWindow
  readonly onBy: (by: readonly GroupAttribute[]) => void
}

function GroupChoice({ by, window, onBy }: GroupChoiceProps) {
  const [key, setKey] = useState('')
  const suggestions = useKeySuggestions({ attribute_key: key, operator: 'exists' }, window, true)
  const choose = (event: FormEvent) => {
    event.preventDefault()
    if (key === '') return
    const source = Object.hasOwn(spanFields, key) ? 'intrinsic' : 'any'
    onBy([{ attribute_source: source, attribute_key: key }])
    setKey('')
  }
  return (
    <div className="group-choice">
      <span className="soft">By</span>
      {usual.map((each) => (
        <Button
          key={each.attribute_key}
          className="button toggle"
          aria-pressed={isSame(by[0], each)}
          {...(isSame(by[0], each) ? { 'data-selected': true } : {})}
          onPress={() => onBy([each])}
        >
          {each.attribute_key}
        </Button>
      ))}
      {by[0] !== undefined && !usual.some((each) => isSame(by[0], each)) && (
        <span className="chosen mono">{by.map(({ attribute_key }) => attribute_key).join(' and ')}</span>
      )}
      <form onSubmit={choose}>
        <SuggestedText
          label="Attribute to break down by"
          placeholder="another attribute"
          value={key}
          suggestions={suggestions}
          onChange={setKey}
        />
        <Button type="submit" className="button" isDisabled={key === ''}>
          Break down
        </Button>
      </form>
    </div>
  )
}

interface GroupTableProps {
  readonly groups: readonly Group[]
  readonly by: readonly GroupAttribute[]
  readonly total: components['schemas']['MessageTotal']
  readonly lacking: LackingRows
  readonly isStale: boolean
  readonly onFilter: (row: MessageRow) => void
}

function GroupTable({ groups, by, total, lacking, isStale, onFilter }: GroupTableProps) {
  if (groups.length === 0) return <p className="notice">No message matches, so there are no groups.</p>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className="messages-box" tabIndex={0} aria-label="Groups">
      <table className="messages" aria-busy={isStale}>
        <thead>
          <tr>
            {by.map(({ attribute_key }) => (
              <th key={attribute_key} scope="col">
                {attribute_key}
              </th>
            ))}
            <th scope="col">Messages</th>
            {['With errors', 'Median', '95% within', 'Steps'].map((title) => (
              <th key={title} scope="col" className="number">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <GroupLine key={JSON.stringify(group.values)} {...{ group, by, total, lacking, onFilter }} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface GroupLineProps extends Pick<GroupTableProps, 'by' | 'total' | 'lacking' | 'onFilter'> {
  readonly group: Group
}

function GroupLine({ group, by, total, lacking, onFilter }: GroupLineProps) {
  const { values, message_count, error_message_count, matched_step_count, duration_ms } = group
  return (
    <tr>
      {by.map((attribute, position) => (
        <td key={attribute.attribute_key} className="grouped-by">
          <GroupValue attribute={attribute} value={values[position] ?? null} {...{ lacking, onFilter }} />
        </td>
      ))}
      <td>
        <div className="duration">
          <meter min={0} max={total.message_count} value={message_count} aria-label="Share of all messages" />
          <span>{message_count.toLocaleString('en')}</span>
        </div>
      </td>
      <td className={error_message_count > 0 ? 'number failed-text' : 'number'}>
        {error_message_count.toLocaleString('en')} ({formatShare(error_message_count / message_count)})
      </td>
      <td className="number">{duration_ms === null ? '' : formatNs(duration_ms.p50 * 1e6)}</td>
      <td className="number">{duration_ms === null ? '' : formatNs(duration_ms.p95 * 1e6)}</td>
      <td className="number">{matched_step_count.toLocaleString('en')}</td>
    </tr>
  )
}

interface GroupValueProps extends Pick<GroupTableProps, 'lacking' | 'onFilter'> {
  readonly attribute: GroupAttribute
  readonly value: string | null
}

/** A value with buttons that filter by it. Where no condition finds the messages that lack it, it has none. */
function GroupValue({ attribute, value, lacking, onFilter }: GroupValueProps) {
  const row = (operator: MessageRow['operator']) => ({ ...attribute, operator, value }) as MessageRow
  const shown = value === null ? 'without this attribute' : visibleText(value)
  const words = value === null ? <em className="soft">{shown}</em> : <span className="mono">{shown}</span>
  const { only, others } = value === null ? lacking : { only: row('eq'), others: row('neq') }
  return (
    <span className="group-value" title={shown}>
      {only === undefined ? (
        words
      ) : (
        <Button
          className="link"
          aria-label={`Search with ${attribute.attribute_key} ${shown}`}
          onPress={() => onFilter(only)}
        >
          {words}
        </Button>
      )}
      {others !== undefined && (
        <Button
          className="button bare exclude"
          aria-label={`never ${attribute.attribute_key} ${shown}`}
          onPress={() => onFilter(others)}
        >
          never
        </Button>
      )}
    </span>
  )
}

function isSame(a: GroupAttribute | undefined, b: GroupAttribute): boolean {
  return a?.attribute_key === b.attribute_key && (a.attribute_source ?? 'any') === b.attribute_source
}
