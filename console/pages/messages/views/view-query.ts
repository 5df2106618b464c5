import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf, deletionOf, versionOf } from '../../../app/api.ts'
import type { MessagesSearch } from '../../../app/search.ts'
import { allItems, pageOf } from '../../../parts/answers/all-items.ts'
import { useSingleMutation } from '../../../parts/records/single-mutation.ts'
import { changeOf, showStored } from '../../../parts/records/stored.ts'
import { isViewEdited, type SavedView, storedSearch } from './view-search.ts'

/** Lists all views of the organization, newest first. */
export const allViews = queryOptions({
  queryKey: ['views', 'all'],
  queryFn: ({ signal }) => allItems((query) => readViews(query, signal)),
})

/** Lists the views of the organization page by page, newest first. */
export function useViews(isEnabled: boolean) {
  return useInfiniteQuery({
    queryKey: ['views'],
    queryFn: ({ pageParam, signal }) => dataOf(readViews(pageOf(pageParam), signal)),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    enabled: isEnabled,
  })
}

function readViews(query: ReturnType<typeof pageOf>, signal: AbortSignal) {
  return api.GET('/api/v1/saved-views', { params: { query }, signal })
}

/** Reads the view that is open. */
export function useView(id: string | undefined) {
  return useQuery({
    queryKey: ['view', id],
    queryFn: ({ signal }) => readView(id ?? '', signal),
    enabled: id !== undefined,
  })
}

export function readView(id: string, signal: AbortSignal): Promise<SavedView> {
  return dataOf(api.GET('/api/v1/saved-views/{id}', { params: { path: { id } }, signal }))
}

/**
 * Returns the changes of views. Each names the version that a person has seen, and updates the lists that are shown.
 */
export function useViewChanges() {
  const client = useQueryClient()
  const onSuccess = async (view: SavedView | undefined) => {
    if (view !== undefined) showStored(client, ['view', view.id], view)
    await client.invalidateQueries({ queryKey: ['views'] })
  }
  const create = useSingleMutation({
    mutationFn: ({ name, search }: { readonly name: string; readonly search: MessagesSearch }) => {
      const { integration_id, status, ...stored } = storedSearch(search)
      const whole = { ...(integration_id == null ? {} : { integration_id }), ...(status == null ? {} : { status }) }
      return dataOf(api.POST('/api/v1/saved-views', { body: { name, ...stored, ...whole } }))
    },
    onSuccess,
  })
  const update = useSingleMutation({
    mutationFn: ({ view, name, search }: ViewUpdate) => {
      const body = { ...(name === undefined ? {} : { name }), ...(search === undefined ? {} : storedSearch(search)) }
      return changeOf(
        api.PUT('/api/v1/saved-views/{id}', { params: versionOf(view), body }),
        () => api.GET('/api/v1/saved-views/{id}', { params: { path: { id: view.id } } }),
        (stored) =>
          (name === undefined || stored.name === name) && (search === undefined || !isViewEdited(stored, search)),
      )
    },
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (view: SavedView) => deletionOf(api.DELETE('/api/v1/saved-views/{id}', { params: versionOf(view) })),
    onSuccess: () => onSuccess(undefined),
  })
  return { create, update, remove }
}

export type ViewChanges = ReturnType<typeof useViewChanges>

interface ViewUpdate {
  readonly view: SavedView
  readonly name?: string
  readonly search?: MessagesSearch
}
