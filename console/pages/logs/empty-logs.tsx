import { Button } from 'react-aria-components'
import { usePreferences } from '../../app/preferences.tsx'
import { NothingArrived } from '../../parts/first-telemetry.tsx'
import { completePositions } from '../../parts/operators.ts'
import { describeWindow, widerWindows, windowWith, withoutWindow } from '../../parts/time.ts'
import { useAnyRecord } from './logs-query.ts'
import { type LogsSearch, logFilterOf, severities } from './logs-search.ts'

interface EmptyLogsProps {
  readonly search: LogsSearch
  readonly at: Date
  readonly onChange: (search: LogsSearch) => void
}

/** Explains an empty answer: which single condition excludes everything, and which wider window has records. */
export function EmptyLogs({ search, at, onChange }: EmptyLogsProps) {
  const { isUtc } = usePreferences()
  const relaxed = relaxations(search)
  const wider = widerWindows(search, at, isUtc).map(({ words, window }) => ({
    words,
    search: { ...withoutWindow(search), ...window },
  }))
  const found = useAnyRecord([...relaxed, ...wider].map((each) => logFilterOf(each.search, at)))
  const nearest = wider.find((_, index) => found[relaxed.length + index] === true)
  const excluding = relaxed.filter((_, index) => found[index] === true)
  const widest = wider.at(-1)?.words ?? `the time range, ${describeWindow(search, isUtc).toLowerCase()}`
  const [isSearching, isUnknown] = [found.includes(undefined), found.includes('failed')]
  const isKnown = !isSearching && !isUnknown && nearest === undefined
  const isNothing = isKnown && relaxed.length === 0
  return (
    <div className="notice empty" role="status">
      <div>
        <strong>{isNothing ? `No log record has arrived in ${widest}.` : 'No log record matches.'}</strong>
        {excluding.map((each) => (
          <p key={each.words}>
            Without {each.words} there are records.{' '}
            <Button className="button" onPress={() => onChange(each.search)}>
              Remove it
            </Button>
          </p>
        ))}
        {nearest !== undefined && (
          <p>
            In {nearest.words} there are records.{' '}
            <Button className="button" onPress={() => onChange(nearest.search)}>
              Widen the time range
            </Button>
          </p>
        )}
        {isNothing && (
          <NothingArrived
            noun="log record"
            onShow={(moment) => onChange({ ...withoutWindow(search), ...windowWith(moment, search, at) })}
          />
        )}
        {isSearching && <p className="soft">Looking for the condition that excludes everything…</p>}
        {isUnknown && <p className="soft">Not every condition could be checked, because the server refused.</p>}
        {isKnown && !isNothing && excluding.length === 0 && (
          <p className="soft">Removing a single condition does not help, and no record in {widest} matches.</p>
        )}
      </div>
    </div>
  )
}

/** Returns the search without each of its conditions. */
function relaxations(search: LogsSearch): { readonly words: string; readonly search: LogsSearch }[] {
  const { conditions = [], severity, text, ...rest } = search
  const rows = completePositions(conditions).map((position) => ({
    words: `condition ${position + 1} (${conditions[position]?.attribute_key})`,
    search: { ...search, conditions: conditions.toSpliced(position, 1) },
  }))
  return [
    ...rows,
    ...(severity === undefined
      ? []
      : [
          {
            words: `the severity (${severities[severity][1]})`,
            search: { ...rest, conditions, ...(text !== undefined && { text }) },
          },
        ]),
    ...(text === undefined
      ? []
      : [{ words: 'the text in the body', search: { ...rest, conditions, ...(severity && { severity }) } }]),
  ]
}
