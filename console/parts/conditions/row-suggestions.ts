import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../app/api.ts'
import type { MessageRow } from '../operators.ts'
import type { Suggestion } from '../suggestions.tsx'
import type { TimeWindow } from '../time.ts'

const suggestionsMax = 40

/** The fields that every span has, with the words for their type. Most searches begin with one of them. */
export const spanFields: Readonly<Record<string, string>> = {
  service: 'service of the step',
  name: 'name of the step',
  status: 'unset, ok or error',
  duration_ms: 'milliseconds, number',
  kind: 'server, client, …',
  status_message: 'text',
  scope_name: 'instrumentation library',
}

/** The fields of whole messages. Rows about them are conditions on the message, not on a step. */
const messageFields: Readonly<Record<string, string>> = {
  duration_ms: 'last end minus first start, number',
  span_count: 'steps of the message, number',
  error_count: 'failed steps, number',
  service_count: 'different services, number',
  matched_step_count: 'matched steps, number',
  error_step_count: 'failed matched steps, number',
  'root.service': 'service of the root',
  'root.name': 'name of the root',
}

/** Keys that answer most questions come first, then the others by how many spans carry them. */
const commonKeys = /^(service\.|http\.|url\.|db\.|rpc\.|messaging\.|error|exception|.*\.id$)/

/** Suggests keys that begin with what has been typed. */
export function useKeySuggestions(row: MessageRow, { from, to }: TimeWindow, isEnabled: boolean): Suggestion[] {
  const { attribute_key: prefix, attribute_source } = row
  const isMessage = attribute_source === 'message'
  const { data } = useQuery({
    queryKey: ['keys', prefix, from, to],
    queryFn: ({ signal }) => {
      const query = { prefix, from, to, limit: suggestionsMax }
      return dataOf(api.GET('/api/v1/attributes', { params: { query }, signal }))
    },
    enabled: isEnabled && !isMessage,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const fields = Object.entries(isMessage ? messageFields : spanFields).filter(([key]) => key.startsWith(prefix))
  const keys = (data?.items ?? []).filter(({ source }) => source !== 'intrinsic')
  const rank = (key: string) => (commonKeys.test(key) ? 0 : 1)
  const sorted = keys.toSorted((a, b) => rank(a.key) - rank(b.key) || (b.span_count ?? 0) - (a.span_count ?? 0))
  const found = sorted.map(({ key, types, span_count }) => ({ text: key, note: noteOf(types.join(', '), span_count) }))
  return distinct([...fields.map(([text, note]) => ({ text, note })), ...(isMessage ? [] : found)])
}

/** Suggests values of the attribute of a row. */
export function useValueSuggestions(row: MessageRow, { from, to }: TimeWindow, isEnabled: boolean): Suggestion[] {
  const prefix = 'value' in row ? String(row.value ?? '') : ''
  const { attribute_key, attribute_source } = row
  const { data } = useQuery({
    queryKey: ['values', attribute_key, attribute_source, prefix, from, to],
    queryFn: ({ signal }) => {
      const isNamed = attribute_source !== undefined && attribute_source !== 'message'
      const source = isNamed ? { source: attribute_source } : {}
      const query = { key: attribute_key, ...source, prefix, from, to, limit: suggestionsMax }
      return dataOf(api.GET('/api/v1/attributes/values', { params: { query }, signal }))
    },
    enabled: isEnabled && attribute_key !== '' && attribute_source !== 'message',
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  const sorted = (data?.items ?? []).toSorted((a, b) => (b.span_count ?? 0) - (a.span_count ?? 0))
  return distinct(sorted.map(({ value, type, span_count }) => ({ text: value, note: noteOf(type, span_count) })))
}

function noteOf(type: string, count: number | undefined): string {
  return count === undefined ? type : `${type} · ${count.toLocaleString('en')}`
}

function distinct(suggestions: readonly Suggestion[]): Suggestion[] {
  return [...new Map(suggestions.toReversed().map((each) => [each.text, each])).values()].toReversed()
}
