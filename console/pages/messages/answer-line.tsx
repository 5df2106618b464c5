import type { RefObject } from 'react'
import { Button } from 'react-aria-components'
import type { MessagesSearch } from '../../app/search.ts'
import { isSignedOut } from '../../app/session.tsx'
import { slowSeconds } from '../../app/slow-queries.tsx'
import { Fault } from '../../parts/answers/fault.tsx'
import { Running } from '../../parts/answers/running.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { counted } from '../../parts/counted.ts'
import { curlOf } from '../../parts/export/curl.ts'
import { Segments } from '../../parts/forms/segments.tsx'
import type { TimeWindow } from '../../parts/time/time.ts'
import { without } from '../../parts/without.ts'
import { breakdownBody, groupsDefault } from './breakdown.tsx'
import { ColumnChoice } from './column-choice.tsx'
import { firstComparison, useComparison } from './comparison/comparison-query.ts'
import { MessageExports } from './message-exports.tsx'
import type { MessageFilter, useMessageCount } from './message-query.ts'

const tabs = [
  ['list', 'List'],
  ['breakdown', 'Breakdown'],
  ['comparison', 'Comparison'],
] as const

interface AnswerLineProps {
  readonly search: MessagesSearch
  readonly filter: MessageFilter & TimeWindow
  readonly count: ReturnType<typeof useMessageCount>
  readonly isSearching: boolean
  /** Whether the results shown are still those of the previous search. */
  readonly isBefore: boolean
  readonly onCancel: () => void
  readonly onChange: (search: MessagesSearch) => void
  readonly onWhy: () => void
  /** The button that asks why a message is not in the list. */
  readonly whyButton: RefObject<HTMLButtonElement | null>
}

/** Shows how many messages match, and the actions for all of them. */
export function AnswerLine(props: AnswerLineProps) {
  const { search, filter, count, isSearching, isBefore, onCancel, onChange, onWhy, whyButton } = props
  const tab = tabOf(search)
  return (
    <div className="answer-line counts-line">
      {count.error === null || isSignedOut(count.error) ? (
        <Counts count={count.data} isCounting={count.isFetching} {...{ filter, isSearching, isBefore }} />
      ) : (
        <Fault error={count.error} retry={() => void count.refetch()} />
      )}
      {isSearching && (
        <Running key={JSON.stringify(filter)} words="Searching…" fromSeconds={slowSeconds} onCancel={onCancel} />
      )}
      <span className="answer-actions">
        <Segments
          label="Answer"
          value={tab}
          options={tabs}
          onChange={(next) => onChange(withTab(search, filter, next))}
        />
        {/* Stays where it is, so that what is beside it does not move while it is clicked. */}
        <ColumnChoice
          columns={search.columns ?? []}
          window={filter}
          isDisabled={tab !== 'list'}
          onChange={(columns) => onChange(columns.length === 0 ? without(search, 'columns') : { ...search, columns })}
        />
        <MessageExports filter={filter} search={search} />
        <Button ref={whyButton} className="button bare" onPress={onWhy}>
          Why not here?
        </Button>
        <CopyRequest filter={filter} search={search} />
      </span>
    </div>
  )
}

/** Copies the request for the tab that is shown. */
function CopyRequest({ filter, search }: Pick<AnswerLineProps, 'filter' | 'search'>) {
  const { order, columns, by, compare } = search
  // Which messages are the slowest is only known after the comparison.
  const compared = useComparison(filter, compare ?? 'others', false).data
  const copy = (path: string, body: object | undefined) => (
    <CopyButton
      text={body === undefined ? undefined : curlOf(`api/v1/messages/${path}`, body)}
      label="Copy as curl"
      written="curl"
    />
  )
  if (compare !== undefined) return copy('compare', compared?.sides)
  return by === undefined ? copy('search', { ...filter, order, columns }) : copy('breakdown', breakdownBody(filter, by))
}

interface CountsProps extends Pick<AnswerLineProps, 'filter' | 'isSearching' | 'isBefore'> {
  readonly count: { message_count: number; error_message_count: number; matched_step_count: number } | undefined
  readonly isCounting: boolean
}

function Counts({ count, isCounting, filter, isSearching, isBefore }: CountsProps) {
  if (count === undefined && isSearching) {
    return (
      <h2 className="soft">
        Searching… {isBefore && <span className="soft">the previous answer is shown until then</span>}
      </h2>
    )
  }
  if (count === undefined) return <h2 className="soft">{isCounting ? 'Counting…' : ' '}</h2>
  const { message_count, error_message_count, matched_step_count } = count
  const { rows = [], relations = [], integration_id } = filter
  // Other steps of a message may have failed as well; its own page shows them.
  const isPart = rows.length + relations.length > 0 || integration_id !== undefined
  const where = isPart ? 'with errors in matched steps' : 'with errors'
  return (
    <h2 aria-live="polite" data-stale={isCounting}>
      {counted(message_count, 'message')}{' '}
      <span className="soft">
        {error_message_count.toLocaleString('en')} {where} · {counted(matched_step_count, 'matched step')}
      </span>
    </h2>
  )
}

type Tab = (typeof tabs)[number][0]

function tabOf({ by, compare }: MessagesSearch): Tab {
  if (compare !== undefined) return 'comparison'
  return by === undefined ? 'list' : 'breakdown'
}

/** Returns the search with its results in another form. */
function withTab(search: MessagesSearch, filter: MessageFilter, tab: Tab) {
  const list = without(search, 'by', 'compare')
  if (tab === 'comparison') return { ...list, compare: firstComparison(filter) }
  return tab === 'breakdown' ? { ...list, by: groupsDefault } : list
}
