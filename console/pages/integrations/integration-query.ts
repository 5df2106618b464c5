import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf, deletionOf, versionOf } from '../../app/api.ts'
import { atOnce, limited } from '../../parts/answers/limited.ts'
import { readIfOther } from '../../parts/records/deleted.tsx'
import { useSingleMutation } from '../../parts/records/single-mutation.ts'
import { changeOf, showStored } from '../../parts/records/stored.ts'
import type { TimeWindow } from '../../parts/time/time.ts'
import { type Draft, type Integration, isSame, type SentRules, toDraft, toMatchers } from './editor/draft.ts'

const pageLimit = 200

export function useIntegration(id: string) {
  return useQuery({
    queryKey: ['integration', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/v1/integrations/{id}', { params: { path: { id } }, signal })),
  })
}

/** A list reads the counts of many integrations. */
const statsLimit = limited(atOnce)

/** Counts the messages of an integration exactly. */
export function useStats(id: string, window: TimeWindow, isEnabled: boolean) {
  return useQuery({
    queryKey: ['integration stats', id, window],
    queryFn: ({ signal }) =>
      statsLimit(signal, () =>
        dataOf(api.GET('/api/v1/integrations/{id}/stats', { params: { path: { id }, query: window }, signal })),
      ),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  })
}

/** Counts what rules would select, in total and for each rule. */
export function useIntegrationPreview({ ruleMatch }: Draft, { matchers }: SentRules, window: TimeWindow) {
  const body = { ...window, rule_match: ruleMatch, matchers }
  return useQuery({
    queryKey: ['integration preview', body],
    queryFn: ({ signal }) => dataOf(api.POST('/api/v1/integrations/preview', { body, signal })),
    placeholderData: keepPreviousData,
  })
}

/** Compares the slice of a draft with that of the saved integration. */
export function useDifference(id: string, { ruleMatch }: Draft, sent: SentRules, options: DifferenceOptions) {
  const { window, version, isEnabled } = options
  const body = { ...window, rule_match: ruleMatch, matchers: sent.matchers }
  return useQuery({
    queryKey: ['integration difference', id, version, body],
    queryFn: ({ signal }) =>
      dataOf(api.POST('/api/v1/integrations/{id}/diff', { params: { path: { id } }, body, signal })),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  })
}

interface DifferenceOptions {
  readonly window: TimeWindow
  /** The saved version that the draft is compared with. */
  readonly version: number
  readonly isEnabled: boolean
}

/** Returns the changes of integrations. Each one updates the lists that are shown. */
export function useIntegrationChanges() {
  const client = useQueryClient()
  const changed = async (integration?: Integration) => {
    if (integration !== undefined) showStored(client, ['integration', integration.id], integration)
    await client.invalidateQueries({ queryKey: ['integrations'] })
  }
  const save = useSingleMutation({
    mutationFn: ({ draft, saved }: { readonly draft: Draft; readonly saved: Version | undefined }) => {
      const { name, description, ruleMatch } = draft
      const body = { name, description, rule_match: ruleMatch, matchers: toMatchers(draft, false).matchers }
      if (saved === undefined) return dataOf(api.POST('/api/v1/integrations', { body }))
      return changeOf(
        api.PUT('/api/v1/integrations/{id}', { params: versionOf(saved), body }),
        () => api.GET('/api/v1/integrations/{id}', { params: { path: { id: saved.id } } }),
        (stored) => isSame(toDraft(stored), draft),
      )
    },
    onError: (error, { saved }) => readIfOther(client, error, ['integration', saved?.id]),
    onSuccess: async (saved) => {
      await changed(saved)
      await client.invalidateQueries({ queryKey: ['integration stats', saved.id] })
    },
  })
  const clone = useSingleMutation({
    mutationFn: ({ id, name }: { readonly id: string; readonly name: string }) =>
      dataOf(api.POST('/api/v1/integrations/{id}/clone', { params: { path: { id } }, body: { name } })),
    onSuccess: changed,
  })
  const remove = useMutation({
    mutationFn: (version: Version) =>
      deletionOf(api.DELETE('/api/v1/integrations/{id}', { params: versionOf(version) })),
    onSuccess: () => changed(),
  })
  return { save, clone, remove }
}

/** The version of an integration that a person has seen. A change applies to this version only. */
type Version = Pick<Integration, 'id' | 'version'>

/** Reads which records refer to an integration, before it is deleted. */
export function useReferences(id: string) {
  return useQuery({
    queryKey: ['integration references', id],
    queryFn: async ({ signal }) => {
      const query = { limit: pageLimit }
      const [rules, views] = await Promise.all([
        dataOf(api.GET('/api/v1/alerting/rules', { params: { query }, signal })),
        dataOf(api.GET('/api/v1/saved-views', { params: { query }, signal })),
      ])
      const namesOf = (items: readonly { name: string; integration_id?: string }[]) =>
        items.filter(({ integration_id }) => integration_id === id).map(({ name }) => name)
      return {
        alertRules: namesOf(rules.items),
        views: namesOf(views.items),
        isWhole: rules.next_cursor === null && views.next_cursor === null,
      }
    },
    // Another person may have added a reference since.
    staleTime: 0,
  })
}

type ConfigExport = Pick<components['schemas']['ConfigExport'], 'format_version' | 'integrations'>

/** Exports one integration as it is stored now, in the form that an import accepts. */
export async function exportIntegration(id: string): Promise<Blob> {
  const params = { path: { id } }
  const stored = await dataOf(api.GET('/api/v1/integrations/{id}', { params }))
  const { name, description, rule_match } = stored
  const matchers = stored.matchers.map(({ id: _, ...matcher }) => matcher)
  const exported: ConfigExport = { format_version: 1, integrations: [{ name, description, rule_match, matchers }] }
  return new Blob([`${JSON.stringify(exported, null, 2)}\n`], { type: 'application/json' })
}
