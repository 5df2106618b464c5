import { useEffect, useState } from 'react'
import { Button } from 'react-aria-components'
import type { MessagesSearch } from '../../app/search.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { counted } from '../../parts/counted.ts'
import { Segments } from '../../parts/segments.tsx'
import type { TimeWindow } from '../../parts/time.ts'
import { groupsDefault } from './breakdown.tsx'
import { ColumnChoice } from './column-choice.tsx'
import { MessageExports } from './message-exports.tsx'
import type { MessageFilter, useMessageCount } from './message-query.ts'
import { without } from './without.ts'

const slowMs = 2_000

const tabs = [
  ['list', 'List'],
  ['breakdown', 'Breakdown'],
] as const

interface AnswerLineProps {
  readonly search: MessagesSearch
  readonly filter: MessageFilter & TimeWindow
  readonly count: ReturnType<typeof useMessageCount>
  readonly isSearching: boolean
  readonly onChange: (search: MessagesSearch) => void
  readonly onWhy: () => void
}

/** How many messages match, and what can be done with all of them. */
export function AnswerLine({ search, filter, count, isSearching, onChange, onWhy }: AnswerLineProps) {
  const isList = search.by === undefined
  return (
    <div className="answer-line">
      <Counts count={count.data} isCounting={count.isFetching} />
      <SlowQuery isRunning={isSearching} key={JSON.stringify(filter)} />
      <span className="answer-actions">
        <Segments
          label="Answer"
          value={isList ? 'list' : 'breakdown'}
          options={tabs}
          onChange={(tab) => onChange(tab === 'list' ? without(search, 'by') : { ...search, by: groupsDefault })}
        />
        {isList && (
          <ColumnChoice
            columns={search.columns ?? []}
            window={filter}
            onChange={(columns) => onChange(columns.length === 0 ? without(search, 'columns') : { ...search, columns })}
          />
        )}
        <MessageExports filter={filter} search={search} />
        <Button className="button bare" onPress={onWhy}>
          Why not here?
        </Button>
        <CopyButton text={curlOf(filter, search)} label="Copy as curl" written="curl" />
      </span>
    </div>
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

function curlOf(filter: MessageFilter, { order, columns }: MessagesSearch): string {
  const body = JSON.stringify({ ...filter, order, columns }).replaceAll("'", "'\\''")
  const url = new URL('api/v1/messages/search', document.baseURI)
  const headers = `-H "Authorization: Bearer $TRACEFOLD_TOKEN" -H 'Content-Type: application/json'`
  return `curl -sS ${url.href} ${headers} -d '${body}'`
}
