import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../../app/api.ts'
import { type MessageRow, messageFields } from '../operators.ts'
import type { Suggestion } from '../suggestions.tsx'
import type { TimeWindow } from '../time.ts'

const suggestionsMax = 40
/** The number of keys or values that are read at once. If there are no more, typing asks nothing. */
const readMax = 200

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

const messageFieldNotes = Object.fromEntries(
  Object.entries(messageFields).map(([key, { type, words }]) => [key, type === 'number' ? `${words}, number` : words]),
)

/** Keys that answer most questions come first, then the others by how many spans carry them. */
const commonKeys = /^(service\.|http\.|url\.|db\.|rpc\.|messaging\.|error|exception|.*\.id$)/

/** Suggests keys that begin with what has been typed. */
export function useKeySuggestions(row: MessageRow, { from, to }: TimeWindow, isEnabled: boolean): Suggestion[] {
  const { attribute_key: prefix, attribute_source } = row
  const isMessage = attribute_source === 'message'
  const data = useBeginningWith(prefix, isEnabled && !isMessage, (beginning) => ({
    queryKey: ['keys', beginning, from, to],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
      const query = { prefix: beginning, from, to, limit: readMax }
      return dataOf(api.GET('/api/v1/attributes', { params: { query }, signal }))
    },
  }))
  const fields = Object.entries(isMessage ? messageFieldNotes : spanFields).filter(([key]) => key.startsWith(prefix))
  const keys = data.filter(({ key, source }) => source !== 'intrinsic' && key.startsWith(prefix))
  const rank = (key: string) => (commonKeys.test(key) ? 0 : 1)
  const sorted = keys.toSorted((a, b) => rank(a.key) - rank(b.key) || (b.span_count ?? 0) - (a.span_count ?? 0))
  const found = sorted
    .slice(0, suggestionsMax)
    .map(({ key, types, span_count }) => ({ text: key, note: noteOf(types.join(', '), span_count) }))
  return distinct([...fields.map(([text, note]) => ({ text, note })), ...(isMessage ? [] : found)])
}

/** Suggests values of the attribute of a row. */
export function useValueSuggestions(row: MessageRow, { from, to }: TimeWindow, isEnabled: boolean): Suggestion[] {
  const prefix = 'value' in row ? String(row.value ?? '') : ''
  const { attribute_key, attribute_source } = row
  const isAsked = isEnabled && attribute_key !== '' && attribute_source !== 'message'
  const data = useBeginningWith(prefix, isAsked, (beginning) => ({
    queryKey: ['values', attribute_key, attribute_source, beginning, from, to],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
      const isNamed = attribute_source !== undefined && attribute_source !== 'message'
      const source = isNamed ? { source: attribute_source } : {}
      const query = { key: attribute_key, ...source, prefix: beginning, from, to, limit: readMax }
      return dataOf(api.GET('/api/v1/attributes/values', { params: { query }, signal }))
    },
  }))
  const values = data.filter(({ value }) => value.startsWith(prefix))
  const sorted = values.toSorted((a, b) => (b.span_count ?? 0) - (a.span_count ?? 0)).slice(0, suggestionsMax)
  return distinct(sorted.map(({ value, type, span_count }) => ({ text: value, note: noteOf(type, span_count) })))
}

interface Listed<Item> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<{
    readonly items: readonly Item[]
    readonly next_cursor: string | null
  }>
}

/**
 * Reads what begins with a text. All of it is read when there is little, and then typing asks nothing: the server reads
 * every span of the window for each answer. Otherwise it is asked for what begins with the text.
 */
function useBeginningWith<Item>(text: string, isEnabled: boolean, list: (text: string) => Listed<Item>) {
  const all = useQuery({ ...list(''), enabled: isEnabled, staleTime: 60_000 })
  const isPart = all.data?.next_cursor !== null
  const some = useQuery({
    ...list(text),
    enabled: isEnabled && text !== '' && isPart,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return (text !== '' && isPart ? some.data : all.data)?.items ?? []
}

function noteOf(type: string, count: number | undefined): string {
  return count === undefined ? type : `${type} · ${count.toLocaleString('en')}`
}

function distinct(suggestions: readonly Suggestion[]): Suggestion[] {
  return [...new Map(suggestions.toReversed().map((each) => [each.text, each])).values()].toReversed()
}
