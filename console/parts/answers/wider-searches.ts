import { type Condition, completePositions } from '../conditions/operators.ts'
import { type WindowSearch, widerWindows, withoutWindow } from '../time/time.ts'

/** A search that asks for more than one that has no answer. */
export interface WiderSearch<Search> {
  /** What it leaves out, or the time range that it has. */
  readonly words: string
  readonly search: Search
}

/** Returns a search without each of its complete conditions. */
export function withoutEachCondition<Search extends { readonly conditions?: readonly Condition[] }>(
  search: Search,
): WiderSearch<Search>[] {
  const { conditions = [] } = search
  return completePositions(conditions).map((position) => ({
    words: `condition ${position + 1} (${conditions[position]?.attribute_key})`,
    search: { ...search, conditions: conditions.toSpliced(position, 1) },
  }))
}

/** Returns a search in the time ranges that contain its own, the shortest first. */
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
