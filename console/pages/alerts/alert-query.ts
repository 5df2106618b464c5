import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf, deletionOf, versionOf } from '../../app/api.ts'
import { allItems } from '../../parts/answers/all-items.ts'
import { readIfOther } from '../../parts/records/deleted.tsx'
import { useSingleMutation } from '../../parts/records/single-mutation.ts'
import { changeOf, hasAll, showStored } from '../../parts/records/stored.ts'
import type { TimeWindow } from '../../parts/time/time.ts'
import type { Delivery } from '../channels/channel-query.ts'

export type AlertRule = components['schemas']['AlertRule']
export type AlertRuleCreate = components['schemas']['AlertRuleCreate']
export type AlertRuleUpdate = components['schemas']['AlertRuleUpdate']
export type Alert = components['schemas']['Alert']
export type AlertState = components['schemas']['AlertState']

const alertsPerPage = 20
const followMs = 10_000

/** Lists all alert rules with their states. */
export const allAlertRules = queryOptions({
  queryKey: ['alert rules'],
  queryFn: ({ signal }) => allItems((page) => api.GET('/api/v1/alerting/rules', { params: { query: page }, signal })),
})

/** Lists all alert rules, and follows their states. */
export function useAlertRules() {
  return useQuery({ ...allAlertRules, refetchInterval: followMs })
}

export function useAlertRule(id: string) {
  return useQuery({
    queryKey: ['alert rule', id],
    queryFn: ({ signal }) => readAlertRule(id, signal),
    refetchInterval: followMs,
  })
}

export function readAlertRule(id: string, signal: AbortSignal): Promise<AlertRule> {
  return dataOf(api.GET('/api/v1/alerting/rules/{id}', { params: { path: { id } }, signal }))
}

/** Returns the changes of alert rules. Each names the version that a person has seen. */
export function useAlertRuleChanges() {
  const client = useQueryClient()
  const onSuccess = async (rule: AlertRule | undefined) => {
    if (rule !== undefined) showStored(client, ['alert rule', rule.id], rule)
    await client.invalidateQueries({ queryKey: ['alert rules'] })
  }
  const create = useSingleMutation({
    mutationFn: (body: AlertRuleCreate) => dataOf(api.POST('/api/v1/alerting/rules', { body })),
    onSuccess,
  })
  const update = useSingleMutation({
    mutationFn: ({ rule, body }: { readonly rule: AlertRule; readonly body: AlertRuleUpdate }) =>
      changeOf(
        api.PUT('/api/v1/alerting/rules/{id}', { params: versionOf(rule), body }),
        () => api.GET('/api/v1/alerting/rules/{id}', { params: { path: { id: rule.id } } }),
        (stored) => hasAll(stored, body),
      ),
    onSuccess,
    onError: (error, { rule }) => readIfOther(client, error, ['alert rule', rule.id]),
  })
  const remove = useMutation({
    mutationFn: (rule: AlertRule) => deletionOf(api.DELETE('/api/v1/alerting/rules/{id}', { params: versionOf(rule) })),
    onSuccess: () => onSuccess(undefined),
    onError: (error, { id }) => readIfOther(client, error, ['alert rule', id]),
  })
  return { create, update, remove }
}

/** Reads one alert and follows it. */
export function useAlert(id: string) {
  return useQuery({
    queryKey: ['alert', id],
    queryFn: ({ signal }) => dataOf(api.GET('/api/v1/alerting/alerts/{id}', { params: { path: { id } }, signal })),
    refetchInterval: followMs,
  })
}

interface AlertFilter {
  readonly state?: AlertState | undefined
  readonly ruleId?: string | undefined
}

/** Lists alerts, newest first, and follows them. */
export function useAlerts({ state, ruleId }: AlertFilter) {
  return useInfiniteQuery({
    queryKey: ['alerts', state, ruleId],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        limit: alertsPerPage,
        ...(pageParam === null ? {} : { cursor: pageParam }),
        ...(state === undefined ? {} : { state }),
        ...(ruleId === undefined ? {} : { rule_id: ruleId }),
      }
      return dataOf(api.GET('/api/v1/alerting/alerts', { params: { query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    refetchInterval: followMs,
  })
}

/** Reads the deliveries about one alert, of all channels that were notified of it and that still exist. */
export function useAlertDeliveries({ id, channel_ids }: Alert, known: readonly string[]) {
  const channels = channel_ids.filter((each) => known.includes(each))
  return useQuery({
    queryKey: ['alert deliveries', id, channels],
    queryFn: async ({ signal }) => {
      const ofChannel = async (channel: string): Promise<Delivery[]> => {
        const params = { path: { id: channel }, query: { alert_id: id } }
        return (await dataOf(api.GET('/api/v1/alerting/channels/{id}/deliveries', { params, signal }))).items
      }
      return (await Promise.all(channels.map(ofChannel))).flat()
    },
    refetchInterval: followMs,
  })
}

/** Evaluates a rule over a window, without storing it. */
export function useAlertRulePreview(rule: AlertRuleCreate | undefined, { from, to }: TimeWindow) {
  return useQuery({
    queryKey: ['alert preview', rule, from, to],
    queryFn: ({ signal }) => {
      const { name: _, ...measured } = rule as AlertRuleCreate
      return dataOf(api.POST('/api/v1/alerting/rules/preview', { body: { ...measured, from, to }, signal }))
    },
    enabled: rule !== undefined,
    placeholderData: keepPreviousData,
  })
}
