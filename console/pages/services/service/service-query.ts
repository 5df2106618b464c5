import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { components } from '../../../../openapi/types.ts'
import { api, dataOf, deletionOf, ifVersion } from '../../../app/api.ts'
import { atOnce, limited } from '../../../parts/answers/limited.ts'
import { stepSecondsOf } from '../../../parts/chart/units.ts'
import { useSingleMutation } from '../../../parts/records/single-mutation.ts'
import { changeOf, hasAll } from '../../../parts/records/stored.ts'
import type { TimeWindow } from '../../../parts/time/time.ts'

export type Overrides = components['schemas']['FacetOverrides']
export type Rule = components['schemas']['FacetMapping']
/** A rule to create. The API takes any value for an operator that ignores it. */
export type NewRule = components['schemas']['FacetMappingCreate'] & { readonly match_value?: string }
export type RulePage = components['schemas']['FacetMappingPage']
export type Widget = components['schemas']['Widget']
export type Section = components['schemas']['DashboardSection']
export type WidgetData = components['schemas']['WidgetData']

/** A service has at most 100 rules, so one page has all of them. */
const rulesMax = 200

/** Reads which sections the dashboard of a service has, and their widgets. */
export function useDashboard(name: string, { from, to }: TimeWindow) {
  return useQuery({
    queryKey: ['service', name, 'dashboard', from, to],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/api/v1/services/{name}/widgets', { params: { path: { name }, query: { from, to } }, signal })),
    placeholderData: (previous, query) => (query?.queryKey[1] === name ? previous : undefined),
  })
}

/** A dashboard has dozens of widgets, each of which takes a query over the window. */
const widgetLimit = limited(atOnce)

/** Reads the data of one widget. The previous result stays until the next one arrives. */
export function useWidgetData(name: string, id: string, { from, to }: TimeWindow) {
  return useQuery({
    queryKey: ['service', name, 'widget', id, from, to],
    queryFn: async ({ signal }) => {
      const query = { from, to, step_s: stepSecondsOf({ from, to }) }
      const params = { path: { name, widget_id: id }, query }
      const data = await widgetLimit(signal, () =>
        dataOf(api.GET('/api/v1/services/{name}/widgets/{widget_id}/data', { params, signal })),
      )
      // The generated types lose the lengths of pairs.
      return { data: data as WidgetData, window: { from, to } }
    },
    placeholderData: keepPreviousData,
  })
}

/** Reads all facets of a service, with why it has them or not. */
export function useOverrides(name: string, { from, to }: TimeWindow) {
  return useQuery({
    queryKey: ['service', name, 'overrides', from, to],
    queryFn: ({ signal }) => {
      const params = { path: { name }, query: { from, to } }
      return dataOf(api.GET('/api/v1/services/{name}/facet-overrides', { params, signal }))
    },
    placeholderData: (previous, query) => (query?.queryKey[1] === name ? previous : undefined),
  })
}

interface OverrideChange {
  readonly include: string[]
  readonly exclude: string[]
  /** The version that a person has seen. */
  readonly version: number
}

/** Replaces the overrides of a service. */
export function useOverrideChange(name: string) {
  const client = useQueryClient()
  return useSingleMutation({
    mutationFn: ({ include, exclude, version }: OverrideChange) =>
      changeOf(
        api.PUT('/api/v1/services/{name}/facet-overrides', {
          params: { path: { name }, ...ifVersion(version) },
          body: { include, exclude },
        }),
        () => api.GET('/api/v1/services/{name}/facet-overrides', { params: { path: { name } } }),
        (stored) => hasAll(sorted(stored), sorted({ include, exclude })),
      ),
    onSuccess: () => Promise.all([forget(client, name), client.invalidateQueries({ queryKey: ['services'] })]),
  })
}

function sorted({ include, exclude }: Pick<OverrideChange, 'include' | 'exclude'>) {
  return { include: include.toSorted(), exclude: exclude.toSorted() }
}

/** Reads the classification rules of a service, and how many spans of the window each of them decided. */
export function useRules(name: string, { from, to }: TimeWindow, isExplained: boolean) {
  return useQuery({
    queryKey: ['service', name, 'rules', from, to, isExplained],
    queryFn: ({ signal }) => {
      const query = { explain: isExplained, from, to, limit: rulesMax }
      return dataOf(api.GET('/api/v1/services/{name}/facet-mappings', { params: { path: { name }, query }, signal }))
    },
    placeholderData: keepPreviousData,
  })
}

/** Adds and deletes classification rules. */
export function useRuleChanges(name: string) {
  const client = useQueryClient()
  const onSuccess = () => Promise.all([forget(client, name), client.invalidateQueries({ queryKey: ['services'] })])
  const add = useSingleMutation({
    mutationFn: (body: NewRule) =>
      dataOf(api.POST('/api/v1/services/{name}/facet-mappings', { params: { path: { name } }, body })),
    onSuccess,
  })
  const remove = useMutation({
    mutationFn: (id: string) =>
      deletionOf(api.DELETE('/api/v1/services/{name}/facet-mappings/{id}', { params: { path: { name, id } } })),
    onSuccess,
  })
  return { add, remove }
}

/** Invalidates everything about a service, all of which depends on its overrides and rules. */
function forget(client: ReturnType<typeof useQueryClient>, name: string): Promise<void> {
  return client.invalidateQueries({ queryKey: ['service', name] })
}
