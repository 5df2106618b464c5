import type { components } from '../../../../openapi/types.ts'
import type { MessagesSearch } from '../../../app/search.ts'
import { canonical } from '../../../parts/records/stored.ts'
import { relativeSecondsOf, relativeWindow } from '../../../parts/time/time.ts'
import { filterOf } from '../message-query.ts'

export type SavedView = components['schemas']['SavedView']
type StoredSearch = Omit<components['schemas']['SavedViewUpdate'], 'name' | 'description'>

/**
 * Returns a search as views store it. Every member is present, so that those that the search no longer has are removed.
 */
export function storedSearch(search: MessagesSearch): StoredSearch {
  const { rows = [], relations = [] } = filterOf(search, new Date(0))
  const { from, to } = search
  const window =
    from !== undefined && to !== undefined
      ? { kind: 'absolute' as const, from, to }
      : { kind: 'relative' as const, last_s: relativeSecondsOf(search) ?? 0 }
  return {
    rows,
    relations,
    order: search.order ?? 'newest',
    columns: [...(search.columns ?? [])],
    integration_id: search.integration ?? null,
    status: search.status ?? null,
    window,
  }
}

/** Returns the search parameters of a view. */
export function searchOfView(view: SavedView): MessagesSearch {
  const { id, rows, relations = [], order = 'newest', columns = [], integration_id, status, window } = view
  return {
    view: id,
    ...(rows.length > 0 ? { rows } : {}),
    ...(relations.length > 0 ? { relations } : {}),
    ...(order === 'newest' ? {} : { order }),
    ...(columns.length > 0 ? { columns } : {}),
    ...(integration_id === undefined ? {} : { integration: integration_id }),
    ...(status === undefined ? {} : { status }),
    ...(window.kind === 'absolute' ? { from: window.from, to: window.to } : { last: relativeWindow(window.last_s) }),
  }
}

/** Reports whether a search differs from the view that was opened. */
export function isViewEdited(view: SavedView, search: MessagesSearch): boolean {
  return canonical(storedSearch(searchOfView(view))) !== canonical(storedSearch(search))
}
