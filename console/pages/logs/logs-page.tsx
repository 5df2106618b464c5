import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, dataOf } from '../../app/api.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { slowSeconds } from '../../app/slow-queries.tsx'
import { TopBar } from '../../app/top-bar.tsx'
import { insteadOfAnswer } from '../../parts/answers/list-states.tsx'
import { Running } from '../../parts/answers/running.tsx'
import { useSettled } from '../../parts/answers/settled.ts'
import { ShowMore } from '../../parts/answers/show-more.tsx'
import { likelySentence } from '../../parts/conditions/likely-sentence.ts'
import { CopyButton } from '../../parts/copy-button.tsx'
import { counted } from '../../parts/counted.ts'
import { curlOf } from '../../parts/export/curl.ts'
import { ExportMenu } from '../../parts/export/export-menu.tsx'
import { exportedWords } from '../../parts/export/exported-words.ts'
import { relativeSecondsOf, withoutWindow, zoneName } from '../../parts/time/time.ts'
import { useWindowEnd } from '../../parts/time/window-end.ts'
import { without } from '../../parts/without.ts'
import { EmptyLogs } from './empty-logs.tsx'
import { LogConditions } from './log-conditions.tsx'
import { LogList } from './log-list.tsx'
import { logsKey, useLogs } from './logs-query.ts'
import { type LogCondition, type LogFilter, type LogsSearch, logFilterOf } from './logs-search.ts'

/** The log search. Everything that changes its results is in the address. */
export function LogsPage() {
  const search = useSearch({ from: '/explore/logs' })
  const navigate = useNavigate({ from: '/explore/logs' })
  const [at, endNow] = useWindowEnd(search, withoutWindow(search))
  const change = (next: LogsSearch, isTyping = false) => void navigate({ search: next, replace: isTyping })
  return (
    <>
      <TopBar
        title="Logs"
        window={search}
        onRefresh={endNow}
        onWindow={(window) => change({ ...withoutWindow(search), ...window })}
      />
      <main className="page">
        <Logs search={search} at={at} onChange={change} />
      </main>
    </>
  )
}

interface LogsProps {
  readonly search: LogsSearch
  readonly at: Date
  readonly onChange: (search: LogsSearch, isTyping?: boolean) => void
}

function Logs({ search, at, onChange }: LogsProps) {
  // The time is debounced together with the search. Otherwise it would send the previous search again.
  const settled = useSettled(useMemo(() => ({ search, at }), [search, at]))
  const filter = logFilterOf(settled.search, settled.at)
  const lastSeconds = relativeSecondsOf(settled.search)
  const pages = useLogs(filter, lastSeconds)
  const records = pages.data?.pages.flatMap(({ items }) => items) ?? []
  const onFilter = (condition: LogCondition) =>
    onChange({ ...search, conditions: [...(search.conditions ?? []), condition] })
  return (
    <>
      <LogConditions
        search={search}
        likely={likelySentence(
          'Log records',
          'step',
          lastSeconds === undefined ? filter : without(filter, 'from', 'to'),
        )}
        records={records}
        summary={pages.data?.pages[0]?.summary}
        error={pages.error}
        onChange={onChange}
      />
      <LogsLine filter={filter} pages={pages} shown={records.length} />
      <Answer search={settled.search} at={settled.at} pages={pages} onChange={onChange} onFilter={onFilter} />
    </>
  )
}

interface LogsLineProps {
  readonly filter: LogFilter
  readonly pages: ReturnType<typeof useLogs>
  readonly shown: number
}

/** Shows how many records have been read, and the actions for all of them. */
function LogsLine({ filter, pages, shown }: LogsLineProps) {
  const queries = useQueryClient()
  const { isUtc } = usePreferences()
  const isAnswered = pages.isSuccess && !pages.isPlaceholderData
  const exported = (extension: string, Accept: 'application/x-ndjson' | 'text/csv' | 'application/json') => ({
    fileName: `logs.${extension}`,
    read: (signal: AbortSignal) =>
      dataOf(api.POST('/api/v1/logs/export', { body: filter, headers: { Accept }, parseAs: 'stream', signal })),
  })
  return (
    <div className="answer-line">
      <h2 aria-live="polite" data-stale={pages.isPlaceholderData}>
        {isAnswered && (pages.hasNextPage ? `The newest ${counted(shown, 'record')}` : counted(shown, 'record'))}
        {pages.data !== undefined && <span className="soft"> · {zoneName(isUtc)}</span>}
      </h2>
      {pages.isFetching && !pages.isFetchingNextPage && (
        <Running
          key={JSON.stringify(filter)}
          words="Searching…"
          fromSeconds={slowSeconds}
          onCancel={() => void queries.cancelQueries({ queryKey: logsKey(filter) })}
        />
      )}
      <span className="answer-actions">
        <ExportMenu
          note={`${exportedWords('records')}, newest first.`}
          choices={[
            { id: 'ndjson', words: 'Records as NDJSON', ...exported('ndjson', 'application/x-ndjson') },
            { id: 'csv', words: 'Records as CSV', ...exported('csv', 'text/csv') },
            { id: 'otlp', words: 'OTLP as JSON', ...exported('json', 'application/json') },
          ]}
        />
        <CopyButton text={curlOf('api/v1/logs/search', filter)} label="Copy as curl" written="curl" />
      </span>
    </div>
  )
}

interface AnswerProps {
  readonly search: LogsSearch
  readonly at: Date
  readonly pages: ReturnType<typeof useLogs>
  readonly onChange: (search: LogsSearch) => void
  readonly onFilter: (condition: LogCondition) => void
}

/** Shows the records, or why there are none. */
function Answer({ search, at, pages, onChange, onFilter }: AnswerProps) {
  const instead = insteadOfAnswer(pages, 'Loading log records')
  if (instead !== undefined) return instead
  const records = pages.data?.pages.flatMap(({ items }) => items) ?? []
  if (records.length === 0 && !pages.isPlaceholderData) return <EmptyLogs search={search} at={at} onChange={onChange} />
  return (
    <>
      <LogList records={records} isStale={pages.isPlaceholderData} onFilter={onFilter} />
      <ShowMore list={pages} />
    </>
  )
}
