import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useRef, useState } from 'react'
import type { ComparisonKind, MessagesSearch } from '../../app/search.ts'
import { TopBar } from '../../app/top-bar.tsx'
import { insteadOfAnswer } from '../../parts/answers/list-states.tsx'
import { useSettled } from '../../parts/answers/settled.ts'
import { ShowMore } from '../../parts/answers/show-more.tsx'
import type { MessageRow } from '../../parts/conditions/operators.ts'
import { type TimeWindow, type WindowSearch, withoutWindow } from '../../parts/time/time.ts'
import { useWindowEnd } from '../../parts/time/window-end.ts'
import { without } from '../../parts/without.ts'
import { AnswerLine } from './answer-line.tsx'
import { Breakdown } from './breakdown.tsx'
import { Comparison } from './comparison/comparison.tsx'
import { EmptyAnswer } from './empty-answer.tsx'
import { FilterCard } from './filter-card.tsx'
import { MessageList } from './message-list.tsx'
import { filterOf, type MessageFilter, messagesKey, useMessageCount, useMessages } from './message-query.ts'
import { OverTime } from './over-time/over-time.tsx'
import { OpenView } from './views/open-view.tsx'
import { ViewMenu } from './views/view-menu.tsx'
import { WhyCard } from './why-card.tsx'
import './messages.css'
import './over-time.css'
import './answer.css'
import './comparison.css'
import './conditions.css'

/** The message search. Everything that changes its results is in the address. */
export function MessagesPage() {
  const search = useSearch({ from: '/' })
  const navigate = useNavigate({ from: '/' })
  const { rows, relations, status, integration } = search
  const [at, endNow] = useWindowEnd(search, [rows, relations, status, integration])
  // The time is debounced together with the search. Otherwise it would send the previous search again.
  const { search: settled, at: settledAt } = useSettled(useMemo(() => ({ search, at }), [search, at]))
  const filter = filterOf(settled, settledAt)
  const pages = useMessages(filter, settled)
  const isAnswered = pages.isSuccess && !pages.isPlaceholderData
  const count = useMessageCount(filter, isAnswered)
  const queries = useQueryClient()
  const [isWhyOpen, setWhyOpen] = useState(false)
  const whyButton = useRef<HTMLButtonElement>(null)
  const change = (next: MessagesSearch, isTyping = false) => void navigate({ search: next, replace: isTyping })
  const onWindow = (window: WindowSearch) => change({ ...withoutWindow(search), ...window })
  return (
    <>
      <TopBar title="Messages" window={search} onRefresh={endNow} onWindow={onWindow}>
        <OpenView search={search} onChange={change} />
        <ViewMenu onOpen={change} />
      </TopBar>
      <main className="page">
        <FilterCard search={search} filter={filter} error={pages.error} onChange={change} />
        <OverTime
          filter={filter}
          kind={search.chart}
          isEnabled={isAnswered}
          isStopped={!isAnswered && !pages.isFetching}
          onKind={(chart) => change(chart === undefined ? without(search, 'chart') : { ...search, chart })}
          onZoom={onWindow}
        />
        <AnswerLine
          {...{ search, filter, count, isBefore: pages.isPlaceholderData }}
          isSearching={pages.isFetching && !pages.isFetchingNextPage}
          onCancel={() => void queries.cancelQueries({ queryKey: messagesKey(filter, settled) })}
          onChange={change}
          onWhy={() => setWhyOpen(true)}
          whyButton={whyButton}
        />
        {(isWhyOpen || search.why !== undefined) && (
          <WhyCard
            {...{ search, filter }}
            onTrace={(why) => change(why === undefined ? without(search, 'why') : { ...search, why })}
            onClose={() => {
              setWhyOpen(false)
              whyButton.current?.focus()
              if (search.why !== undefined) change(without(search, 'why'))
            }}
          />
        )}
        <Answer {...{ search, settled, filter, pages, change }} at={settledAt} />
      </main>
    </>
  )
}

interface AnswerProps {
  readonly search: MessagesSearch
  readonly settled: MessagesSearch
  readonly filter: MessageFilter & TimeWindow
  readonly pages: ReturnType<typeof useMessages>
  readonly at: Date
  readonly change: (search: MessagesSearch) => void
}

/** Shows the messages as a list, a breakdown or a comparison, or why there are none. */
function Answer({ search, settled, filter, pages, at, change }: AnswerProps) {
  const isBefore = pages.isPlaceholderData
  const answered = useAnswered(settled, at, isBefore)
  const messages = pages.data?.pages.flatMap((page) => page.messages) ?? []
  const instead = insteadOfAnswer(pages, 'Loading messages')
  if (instead !== undefined) return instead
  if (messages.length === 0) return <EmptyAnswer {...answered} isBefore={isBefore} onChange={change} />
  const onFilter = (row: MessageRow) => change({ ...search, rows: [...(search.rows ?? []), row] })
  if (search.compare !== undefined) {
    const onKind = (compare: ComparisonKind) => change({ ...search, compare })
    return <Comparison filter={filter} kind={search.compare} onKind={onKind} onFilter={onFilter} />
  }
  if (search.by !== undefined) {
    return <Breakdown filter={filter} by={search.by} onBy={(by) => change({ ...search, by })} onFilter={onFilter} />
  }
  return (
    <>
      <MessageList
        messages={messages}
        columnsRead={pages.data?.pages[0]?.columns ?? []}
        search={search}
        isStale={isBefore}
      />
      <ShowMore list={pages} />
    </>
  )
}

/** Returns the search whose results are shown: the previous one until the next result arrives. */
function useAnswered(search: MessagesSearch, at: Date, isBefore: boolean) {
  const [answered, setAnswered] = useState({ search, at })
  if (!isBefore && (answered.search !== search || answered.at !== at)) setAnswered({ search, at })
  return answered
}
