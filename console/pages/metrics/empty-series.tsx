import { usePreferences } from '../../app/preferences.tsx'
import { EmptyReasons } from '../../parts/empty-reasons.tsx'
import { completePositions } from '../../parts/operators.ts'
import { widerWindows, withoutWindow } from '../../parts/time.ts'
import { seriesFilterOf, useAnyPoint } from './metrics-query.ts'
import type { MetricsSearch } from './metrics-search.ts'

interface EmptySeriesProps {
  readonly search: MetricsSearch
  readonly at: Date
  readonly onChange: (search: MetricsSearch) => void
}

/** Explains why there are no series: which single condition excludes all, and which wider window has points. */
export function EmptySeries({ search, at, onChange }: EmptySeriesProps) {
  const { isUtc } = usePreferences()
  const { conditions = [] } = search
  const relaxed = completePositions(conditions).map((position) => ({
    words: `condition ${position + 1} (${conditions[position]?.attribute_key})`,
    search: { ...search, conditions: conditions.toSpliced(position, 1) },
  }))
  const wider = widerWindows(search, at, isUtc).map(({ words, window }) => ({
    words,
    search: { ...withoutWindow(search), ...window },
  }))
  const answers = useAnyPoint([...relaxed, ...wider].map((each) => seriesFilterOf(each.search, at)))
  return <EmptyReasons noun="point of this metric" found="points" {...{ search, relaxed, wider, answers, onChange }} />
}
