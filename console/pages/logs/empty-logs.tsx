import { usePreferences } from '../../app/preferences.tsx'
import { EmptyReasons } from '../../parts/answers/empty-reasons.tsx'
import { NothingArrived } from '../../parts/answers/first-telemetry.tsx'
import { inWiderWindows, type WiderSearch, withoutEachCondition } from '../../parts/answers/wider-searches.ts'
import { windowWith, withoutWindow } from '../../parts/time/time.ts'
import { useAnyRecord } from './logs-query.ts'
import { type LogsSearch, logFilterOf, severities } from './logs-search.ts'

interface EmptyLogsProps {
  readonly search: LogsSearch
  readonly at: Date
  readonly onChange: (search: LogsSearch) => void
}

/** Explains an empty result: which single condition excludes everything, and which wider window has records. */
export function EmptyLogs({ search, at, onChange }: EmptyLogsProps) {
  const { isUtc } = usePreferences()
  const relaxed = relaxations(search)
  const wider = inWiderWindows(search, at, isUtc)
  const answers = useAnyRecord([...relaxed, ...wider].map((each) => logFilterOf(each.search, at)))
  return (
    <EmptyReasons noun="log record" found="records" {...{ search, relaxed, wider, answers, onChange }}>
      <NothingArrived
        noun="log record"
        onShow={(moment) => onChange({ ...withoutWindow(search), ...windowWith(moment, search, at) })}
      />
    </EmptyReasons>
  )
}

/** Returns the search without each of its conditions. */
function relaxations(search: LogsSearch): WiderSearch<LogsSearch>[] {
  const { conditions = [], severity, text, ...rest } = search
  return [
    ...withoutEachCondition(search),
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
