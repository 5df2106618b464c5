import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Button } from 'react-aria-components'
import { api, dataOf } from '../../app/api.ts'
import type { MessagesSearch } from '../../app/search.ts'
import { relativeWindows, secondsOf, windowAt } from '../../parts/time.ts'
import { askedRows, filterOf, type MessageFilter } from './message-query.ts'

interface EmptyAnswerProps {
  readonly search: MessagesSearch
  readonly at: Date
  readonly onChange: (search: MessagesSearch) => void
}

/** Explains an empty answer: which single condition excludes everything, and which wider window has messages. */
export function EmptyAnswer({ search, at, onChange }: EmptyAnswerProps) {
  const { rows = [] } = search
  const without = askedRows(search).map((position) => ({
    position,
    search: { ...search, rows: rows.toSpliced(position, 1) },
  }))
  const current = windowAt(search, at)
  const seconds = (Date.parse(current.to) - Date.parse(current.from)) / 1_000
  const wider = relativeWindows
    .filter(([last]) => (secondsOf(last) ?? 0) > seconds || search.from !== undefined)
    .map(([last, words]) => {
      const { from: _from, to: _to, ...rest } = search
      return { words, search: { ...rest, last } }
    })
  const withoutCounts = useCounts(without.map((each) => filterOf(each.search, at)))
  const widerCounts = useCounts(wider.map((each) => filterOf(each.search, at)))
  const counts = [...withoutCounts, ...widerCounts]
  const [isSearching, isUnknown] = [counts.includes(undefined), counts.includes('failed')]
  const excluding = without.filter((_, index) => isSome(withoutCounts[index]))
  const nearest = wider.findIndex((_, index) => isSome(widerCounts[index]))
  const nearestWindow = wider[nearest]
  const hasFilter = [search.status, search.integration, search.relations].some((each) => each !== undefined)
  const isNothing = !isSearching && !isUnknown && !hasFilter && without.length === 0 && nearestWindow === undefined
  return (
    <div className="notice empty" role="status">
      <div>
        <strong>{isNothing ? 'Nothing has arrived in the last 7 days.' : 'No message matches.'}</strong>
        {excluding.map((each) => (
          <p key={each.position}>
            Without condition {each.position + 1} (<bdi>{rows[each.position]?.attribute_key}</bdi>) there are{' '}
            {withoutCounts[without.indexOf(each)]?.toLocaleString('en')} messages.{' '}
            <Button className="button" onPress={() => onChange(each.search)}>
              Remove it
            </Button>
          </p>
        ))}
        {nearestWindow !== undefined && (
          <p>
            In the {nearestWindow.words.toLowerCase()} there are {widerCounts[nearest]?.toLocaleString('en')}.{' '}
            <Button className="button" onPress={() => onChange(nearestWindow.search)}>
              Widen the time range
            </Button>
          </p>
        )}
        {isSearching && <p className="soft">Looking for what excludes everything…</p>}
        {isNothing && (
          <p>
            <FirstSpan />
          </p>
        )}
        {isUnknown && <p className="soft">Not all that could exclude everything was looked at: the server refused.</p>}
        {!isSearching && !isUnknown && !isNothing && excluding.length === 0 && nearestWindow === undefined && (
          <p className="soft">No single condition excludes everything, and no message of the last 7 days matches.</p>
        )}
      </div>
    </div>
  )
}

/** The way to the first telemetry. */
function FirstSpan() {
  return (
    <>
      <Link to="/start" className="button-link primary">
        See how to send the first span
      </Link>{' '}
      <span className="soft">with a key that is made on the spot</span>
    </>
  )
}

/** The number of messages that another search finds; undefined until it is known. */
type Count = number | 'failed' | undefined

function isSome(count: Count): boolean {
  return typeof count === 'number' && count > 0
}

function useCounts(filters: readonly MessageFilter[]): Count[] {
  return useQueries({
    queries: filters.map((filter) => ({
      queryKey: ['message count', filter],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(api.POST('/api/v1/messages/count', { body: filter, signal })),
    })),
  }).map(({ data, isError }) => (isError ? 'failed' : data?.message_count))
}
