import { useQueries } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { api, dataOf } from '../../app/api.ts'
import { usePreferences } from '../../app/preferences.tsx'
import type { MessagesSearch } from '../../app/search.ts'
import { useIsRestricted } from '../../app/session.tsx'
import { GrantedOnly, NothingArrived } from '../../parts/answers/first-telemetry.tsx'
import { completePositions } from '../../parts/conditions/operators.ts'
import { counted } from '../../parts/counted.ts'
import { describeWindow, type WindowSearch, widerWindows, windowWith, withoutWindow } from '../../parts/time/time.ts'
import { without } from '../../parts/without.ts'
import { working } from '../../parts/working.ts'
import { statuses } from './filter-card.tsx'
import { completeRelations, filterOf, type MessageFilter } from './message-query.ts'

interface EmptyAnswerProps {
  readonly search: MessagesSearch
  readonly at: Date
  /** Whether another search is in progress. The suggestions here would undo its changes. */
  readonly isBefore: boolean
  readonly onChange: (search: MessagesSearch) => void
}

/** Explains an empty result: which single condition excludes everything, and which wider window has messages. */
export function EmptyAnswer({ search, at, isBefore, onChange }: EmptyAnswerProps) {
  const { isUtc } = usePreferences()
  const isRestricted = useIsRestricted()
  const relaxed = relaxations(search)
  const wider = widerWindows(search, at, isUtc)
  const inWider = wider.map(({ window }) => ({ ...withoutWindow(search), ...window }))
  const relaxedCounts = useCounts(relaxed.map((each) => filterOf(each.search, at)))
  const widerCounts = useCounts(inWider.map((each) => filterOf(each, at)))
  const counts = [...relaxedCounts, ...widerCounts]
  const [isSearching, isUnknown] = [counts.includes(undefined), counts.includes('failed')]
  const excluding = relaxed.flatMap((each, index) => {
    const count = relaxedCounts[index]
    return isSome(count) ? [{ ...each, count }] : []
  })
  const nearest = widerCounts.findIndex(isSome)
  const [nearestWindow, nearestCount] = [wider[nearest], widerCounts[nearest]]
  const widest = wider.at(-1)?.words ?? `the time range, ${describeWindow(search, isUtc).toLowerCase()}`
  const isKnown = !isSearching && !isUnknown && nearestWindow === undefined
  const isNothing = isKnown && relaxed.length === 0
  const showIn = (window: WindowSearch) => onChange({ ...withoutWindow(search), ...window })
  const nothing = isRestricted ? 'Nothing that is granted to you' : 'Nothing'
  return (
    <div className="notice empty" role="status">
      <div>
        <strong>{isNothing ? `${nothing} has arrived in ${widest}.` : 'No message matches.'}</strong>
        {excluding.map(({ words, count, search: relaxation }) => (
          <p key={words}>
            Without <bdi>{words}</bdi> there {thereAre(count)}.{' '}
            <Button className="button" onPress={() => onChange(relaxation)} {...working(isBefore)}>
              Remove it
            </Button>
          </p>
        ))}
        {nearestWindow !== undefined && isSome(nearestCount) && (
          <p>
            In {nearestWindow.words} there {thereAre(nearestCount)}.{' '}
            <Button className="button" onPress={() => showIn(nearestWindow.window)} {...working(isBefore)}>
              Widen the time range
            </Button>
          </p>
        )}
        {isSearching && <p className="soft">Looking for the condition that excludes everything…</p>}
        {isNothing && (
          <NothingArrived noun="message" onShow={(moment) => !isBefore && showIn(windowWith(moment, search, at))} />
        )}
        {isUnknown && <p className="soft">Not every condition could be checked, because the server refused.</p>}
        {isKnown && !isNothing && excluding.length === 0 && (
          <>
            <p className="soft">Removing a single condition does not help, and no message in {widest} matches.</p>
            <GrantedOnly />
          </>
        )}
      </div>
    </div>
  )
}

/** Returns a search for each part of the filter, without that part. */
function relaxations(search: MessagesSearch): { readonly words: string; readonly search: MessagesSearch }[] {
  const { rows = [], relations = [], status, integration } = search
  const statusWords = statuses.find(([each]) => each === status)?.[1]
  return [
    ...completePositions(search.rows).map((position) => ({
      words: `condition ${position + 1} (${rows[position]?.attribute_key})`,
      search: { ...search, rows: rows.toSpliced(position, 1) },
    })),
    ...completeRelations(search).map(({ position }) => ({
      words: `relation ${position + 1}`,
      search: { ...search, relations: relations.toSpliced(position, 1) },
    })),
    ...(status === undefined ? [] : [{ words: `the status “${statusWords}”`, search: without(search, 'status') }]),
    ...(integration === undefined ? [] : [{ words: 'the integration', search: without(search, 'integration') }]),
  ]
}

function thereAre(count: number): string {
  return `${count === 1 ? 'is' : 'are'} ${counted(count, 'message')}`
}

/** The number of messages of another search; undefined until it is known. */
type Count = number | 'failed' | undefined

function isSome(count: Count): count is number {
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
