import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf, ifVersion } from '../../app/api.ts'
import { allItems } from '../../parts/all-items.ts'
import { useSingleMutation } from '../../parts/single-mutation.ts'
import type { TimeWindow } from '../../parts/time.ts'

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

/** Lists all services of a window. Names are searched here, so it reads every page. */
export function allServices({ from, to }: TimeWindow) {
  return queryOptions({
    queryKey: ['services', from, to],
    queryFn: ({ signal }) =>
      allItems((page) => api.GET('/api/v1/services', { params: { query: { from, to, ...page } }, signal })),
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

/** What can be changed about custom facets. */
export function useFacetChanges() {
  const client = useQueryClient()
  const onSuccess = () => client.invalidateQueries({ queryKey: ['facets'] })
  const create = useSingleMutation({
    mutationFn: (body: { name: string; description: string }) => dataOf(api.POST('/api/v1/service-facets', { body })),
    onSuccess,
  })
  const update = useSingleMutation({
    mutationFn: ({ facet, name, description }: FacetUpdate) =>
      dataOf(
        api.PUT('/api/v1/service-facets/{slug}', {
          params: paramsOf(facet),
          body: { name, description },
        }),
      ),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (facet: Facet) => dataOf(api.DELETE('/api/v1/service-facets/{slug}', { params: paramsOf(facet) })),
    onSuccess,
  })
  return { create, update, remove }
}

function paramsOf({ slug, version }: Facet) {
  return { path: { slug }, ...(version === undefined ? {} : ifVersion(version)) }
}
