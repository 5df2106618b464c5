import { Button } from 'react-aria-components'
import { relativeSecondsOf, secondsOf, type WindowSearch, withoutWindow } from '../time/time.ts'

interface LastWeekProps<Search> {
  readonly search: Search
  readonly onSearch: (search: Search) => void
}

const week = '7d'

/** The button that searches the last week, unless a relative time range is already as long. */
export function LastWeek<Search extends WindowSearch>({ search, onSearch }: LastWeekProps<Search>) {
  const isShorter = (relativeSecondsOf(search) ?? 0) < (secondsOf(week) ?? 0)
  if (!isShorter) return null
  return (
    <Button className="button" onPress={() => onSearch({ ...withoutWindow(search), last: week } as Search)}>
      Search the last 7 days
    </Button>
  )
}
