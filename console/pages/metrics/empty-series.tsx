import { usePreferences } from '../../app/preferences.tsx'
import { EmptyReasons } from '../../parts/answers/empty-reasons.tsx'
import { inWiderWindows, withoutEachCondition } from '../../parts/answers/wider-searches.ts'
import { seriesFilterOf, useAnyPoint } from './metrics-query.ts'
import type { MetricsSearch } from './metrics-search.ts'

interface EmptySeriesProps {
  readonly search: MetricsSearch
  readonly at: Date
  readonly onChange: (search: MetricsSearch) => void
}

/** Explains why there are no series: which single condition excludes all of them, and which wider window has points. */
export function EmptySeries({ search, at, onChange }: EmptySeriesProps) {
  const { isUtc } = usePreferences()
  const relaxed = withoutEachCondition(search)
  const wider = inWiderWindows(search, at, isUtc)
  const answers = useAnyPoint([...relaxed, ...wider].map((each) => seriesFilterOf(each.search, at)))
  return <EmptyReasons noun="point of this metric" found="points" {...{ search, relaxed, wider, answers, onChange }} />
}
