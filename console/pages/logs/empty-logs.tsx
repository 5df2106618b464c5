import { Button } from 'react-aria-components'
import { relativeWindows, secondsOf, withoutWindow } from '../../parts/time.ts'
import { useAnyRecord } from './logs-query.ts'
import { askedConditions, type LogsSearch, logFilterOf, severities } from './logs-search.ts'

interface EmptyLogsProps {
  readonly search: LogsSearch
  readonly at: Date
  readonly onChange: (search: LogsSearch) => void
}

/** Explains an empty answer: what alone excludes everything, and which wider window has records. */
export function EmptyLogs({ search, at, onChange }: EmptyLogsProps) {
  const relaxed = relaxations(search)
  const asked = logFilterOf(search, at)
  const seconds = (Date.parse(asked.to) - Date.parse(asked.from)) / 1_000
  const wider = relativeWindows
    .filter(([last]) => (secondsOf(last) ?? 0) > seconds || search.from !== undefined)
    .map(([last, words]) => ({ words, search: { ...withoutWindow(search), last } }))
  const found = useAnyRecord([...relaxed, ...wider].map((each) => logFilterOf(each.search, at)))
  const nearest = wider.find((_, index) => found[relaxed.length + index] === true)
  const excluding = relaxed.filter((_, index) => found[index] === true)
  return (
    <div className="notice empty" role="status">
      <div>
        <strong>No log record matches.</strong>
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
            In the {nearest.words.toLowerCase()} there are records.{' '}
            <Button className="button" onPress={() => onChange(nearest.search)}>
              Widen the time range
            </Button>
          </p>
        )}
        {found.includes(undefined) && <p className="soft">Looking for what excludes everything…</p>}
        {!found.includes(undefined) && excluding.length === 0 && nearest === undefined && (
          <p className="soft">No single condition excludes everything, and no record of the last 7 days matches.</p>
        )}
      </div>
    </div>
  )
}

/** Returns the search without each of its conditions. */
function relaxations(search: LogsSearch): { readonly words: string; readonly search: LogsSearch }[] {
  const { conditions = [], severity, text, ...rest } = search
  const rows = askedConditions(search).map((position) => ({
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
