import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf, deletionOf, ifVersion } from '../../app/api.ts'
import { allItems, allPages } from '../../parts/answers/all-items.ts'
import { readIfOther } from '../../parts/records/deleted.tsx'
import { useSingleMutation } from '../../parts/records/single-mutation.ts'
import { changeOf, hasAll } from '../../parts/records/stored.ts'
import type { TimeWindow } from '../../parts/time/time.ts'

export type Facet = components['schemas']['Facet']
export type Service = components['schemas']['Service']

/** Lists all facets: the built-in ones in the order of dashboards, then custom ones. */
export function useFacets() {
  return useQuery({
    queryKey: ['facets'],
    queryFn: ({ signal }) => allItems((page) => api.GET('/api/v1/service-facets', { params: { query: page }, signal })),
    staleTime: 60_000,
  })
}

/** The services of a window that have been read so far, by name. */
interface ReadServices {
  readonly services: readonly Service[]
  readonly isWhole: boolean
}

/**
 * Lists all services of a window. The console searches their names itself, so it reads every page. Each page takes a
 * query over the whole window, so the services of the first pages are shown while the others are read.
 */
export function allServices({ from, to }: TimeWindow) {
  const queryKey = ['services', from, to]
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }) => {
      let read: ReadServices = { services: [], isWhole: false }
      const pages = allPages((page) =>
        api.GET('/api/v1/services', { params: { query: { from, to, ...page } }, signal }),
      )
      for await (const { items, next_cursor } of pages) {
        read = { services: [...read.services, ...items], isWhole: next_cursor === null }
        // On a reload, the previous list stays until the new one is complete.
        if (client.getQueryData<ReadServices>(queryKey)?.isWhole !== true) client.setQueryData(queryKey, read)
      }
      return read
    },
  })
}

export function useServices(window: TimeWindow) {
  return useQuery({ ...allServices(window), placeholderData: keepPreviousData })
}

/** Reads a facet and the services that carry it in a window. */
export function useCarriers(slug: string | undefined, { from, to }: TimeWindow) {
  return useQuery({
    queryKey: ['carriers', slug, from, to],
    queryFn: ({ signal }) => {
      const params = { path: { slug: slug ?? '' }, query: { from, to } }
      return dataOf(api.GET('/api/v1/service-facets/{slug}', { params, signal }))
    },
    enabled: slug !== undefined,
  })
}

interface FacetUpdate {
  readonly facet: Facet
  readonly name: string
  readonly description: string
}

/** Returns the changes of custom facets. */
export function useFacetChanges() {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['facets'] })
  const create = useSingleMutation({
    mutationFn: (body: { name: string; description: string }) => dataOf(api.POST('/api/v1/service-facets', { body })),
    onSuccess,
  })
  const update = useSingleMutation({
    mutationFn: ({ facet, name, description }: FacetUpdate) =>
      changeOf<Facet>(
        api.PUT('/api/v1/service-facets/{slug}', { params: paramsOf(facet), body: { name, description } }),
        () => api.GET('/api/v1/service-facets/{slug}', { params: { path: { slug: facet.slug } } }),
        (stored) => hasAll(stored, { name, description }),
      ),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (facet: Facet) => deletionOf(api.DELETE('/api/v1/service-facets/{slug}', { params: paramsOf(facet) })),
    onSuccess,
    onError: (error) => readIfOther(client, error, ['facets']),
  })
  return { create, update, remove }
}

function paramsOf({ slug, version }: Facet) {
  return { path: { slug }, ...(version === undefined ? {} : ifVersion(version)) }
}
