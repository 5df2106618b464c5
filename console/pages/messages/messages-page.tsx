import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import type { MessageOrder, MessagesSearch } from '../../app/search.ts'
import { isSignedOut } from '../../app/session.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { counted } from '../../parts/counted.ts'
import { Fault } from '../../parts/fault.tsx'
import { EmptyAnswer } from './empty-answer.tsx'
import { FilterCard } from './filter-card.tsx'
import { MessageList } from './message-list.tsx'
import { filterOf, type MessageFilter, useMessageCount, useMessages } from './message-query.ts'
import './messages.css'

const typingPauseMs = 250
const slowMs = 2_000

/** Finds messages. Everything that changes the answer is in the address. */
export function MessagesPage() {
  const search = useSearch({ from: '/' })
  const navigate = useNavigate({ from: '/' })
  const [at, setAt] = useState(() => new Date())
  const settled = useSettled(search)
  const filter = filterOf(settled, at)
  const pages = useMessages(filter, settled.order)
  const count = useMessageCount(filter, pages.isSuccess && !pages.isPlaceholderData)
  const messages = pages.data?.pages.flatMap((page) => page.messages) ?? []
  const change = (next: MessagesSearch, isTyping = false) => {
    // A relative window ends now when the question changes, and stays as it is while more of the answer is read.
    if (next.last !== search.last || next.from !== search.from) setAt(new Date())
    navigate({ search: next, replace: isTyping })
  }
  return (
    <>
      <TopBar
        title="Messages"
        window={search}
        onRefresh={() => setAt(new Date())}
        onWindow={(window) => {
          const { last: _last, from: _from, to: _to, ...rest } = search
          change({ ...rest, ...window })
        }}
      />
      <main className="page">
        <FilterCard search={search} filter={filter} error={pages.error} onChange={change} />
        <div className="answer-line">
          <Counts count={count.data} isCounting={count.isFetching} />
          <CopyButton text={curlOf(filter, settled.order)} label="Copy as curl" isWritten />
          <SlowQuery isRunning={pages.isFetching && !pages.isFetchingNextPage} key={JSON.stringify(filter)} />
        </div>
        {pages.error !== null && !isSignedOut(pages.error) && (
          <Fault error={pages.error} retry={() => void pages.refetch()} />
        )}
        {pages.isPending && <Waiting />}
        {pages.isSuccess && messages.length === 0 && !pages.isPlaceholderData && (
          <EmptyAnswer search={settled} at={at} onChange={change} />
        )}
        {messages.length > 0 && pages.error === null && (
          <MessageList messages={messages} search={search} isStale={pages.isPlaceholderData} />
        )}
        {pages.hasNextPage && (
          <Button className="button" isDisabled={pages.isFetchingNextPage} onPress={() => void pages.fetchNextPage()}>
            {pages.isFetchingNextPage ? 'Loading…' : 'Show more'}
          </Button>
        )}
      </main>
    </>
  )
}

interface CountsProps {
  readonly count: { message_count: number; error_message_count: number; matched_step_count: number } | undefined
  readonly isCounting: boolean
}

function Counts({ count, isCounting }: CountsProps) {
  if (count === undefined) return <h2 className="soft">{isCounting ? 'Counting…' : ' '}</h2>
  const { message_count, error_message_count, matched_step_count } = count
  return (
    <h2 aria-live="polite" data-stale={isCounting}>
      {counted(message_count, 'message')}
      <span className="soft">
        {' '}
        · {error_message_count.toLocaleString('en')} with errors · {counted(matched_step_count, 'matched step')}
      </span>
    </h2>
  )
}

/** Tells how long a slow query has been running. Changing the question cancels it. */
function SlowQuery({ isRunning }: { readonly isRunning: boolean }) {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    setSeconds(0)
    if (!isRunning) return
    const start = Date.now()
    const timer = setInterval(() => setSeconds((Date.now() - start) / 1_000), 500)
    return () => clearInterval(timer)
  }, [isRunning])
  if (!isRunning || seconds * 1_000 < slowMs) return null
  return <span className="soft">Searching for {Math.floor(seconds)} s…</span>
}

function Waiting() {
  return (
    <div className="waiting" role="status">
      <span className="visually-hidden">Loading messages</span>
      {['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((each) => (
        <div key={each} className="skeleton" />
      ))}
    </div>
  )
}

/** Waits until typing pauses, so that not every key asks. */
function useSettled(search: MessagesSearch): MessagesSearch {
  const [settled, setSettled] = useState(search)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(search), typingPauseMs)
    return () => clearTimeout(timer)
  }, [search])
  return settled
}

function curlOf(filter: MessageFilter, order: MessageOrder | undefined): string {
  const body = JSON.stringify({ ...filter, order }).replaceAll("'", "'\\''")
  const url = new URL('api/v1/messages/search', document.baseURI)
  const headers = `-H "Authorization: Bearer $TRACEFOLD_TOKEN" -H 'Content-Type: application/json'`
  return `curl -sS ${url.href} ${headers} -d '${body}'`
}
