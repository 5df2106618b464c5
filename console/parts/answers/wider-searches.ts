import { type Condition, completePositions } from '../conditions/operators.ts'
import { type WindowSearch, widerWindows, withoutWindow } from '../time/time.ts'

/** A wider variant of a search that found nothing. */
export interface WiderSearch<Search> {
  /** The condition that it omits, or its time range, in words. */
  readonly words: string
  readonly search: Search
}

/** Returns a variant of a search for each of its complete conditions, without that condition. */
export function withoutEachCondition<Search extends { readonly conditions?: readonly Condition[] }>(
  search: Search,
): WiderSearch<Search>[] {
  const { conditions = [] } = search
  return completePositions(conditions).map((position) => ({
    words: `condition ${position + 1} (${conditions[position]?.attribute_key})`,
    search: { ...search, conditions: conditions.toSpliced(position, 1) },
  }))
}

/** Returns variants of a search in wider time ranges, the shortest first. */
export function inWiderWindows<Search extends WindowSearch>(
  search: Search,
  at: Date,
  isUtc: boolean,
): WiderSearch<Omit<Search, keyof WindowSearch> & WindowSearch>[] {
  return widerWindows(search, at, isUtc).map(({ words, window }) => ({
    words,
    search: { ...withoutWindow(search), ...window },
  }))
}
