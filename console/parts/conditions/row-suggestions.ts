import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type MessageField, messageFieldTypes } from '../../../sql/ir/message-field.ts'
import { api, dataOf } from '../../app/api.ts'
import { usePreferences } from '../../app/preferences.tsx'
import type { Column } from '../../app/search.ts'
import { useSettled } from '../answers/settled.ts'
import { isFacetKey } from '../facets/facets.ts'
import type { Suggestion } from '../forms/suggestions.tsx'
import { formatTime, type TimeWindow } from '../time/time.ts'
import { matching } from './matching.ts'
import { fieldEquals, isSourceChosen, keyTextOf, type MessageRow, messageFieldWords } from './operators.ts'
import { spanFields } from './record-fields.ts'

/** The number of keys or values in one response. If there are no more, typing sends no further request. */
const readMax = 200
/** The approximate number of spans from which suggestions are taken, so that they appear while a person types. */
const suggestionSpans = 250_000

/** Returns the column of a key. Fields of spans have names like attributes, so the name decides the source. */
export function columnOf(key: string): Column {
  return { attribute_key: key, ...(Object.hasOwn(spanFields, key) ? { attribute_source: 'intrinsic' as const } : {}) }
}

const messageFieldNotes = Object.fromEntries(
  Object.entries(messageFieldWords).map(([key, words]) => {
    return [key, messageFieldTypes[key as MessageField] === 'number' ? `${words}, number` : words]
  }),
)

/** Keys that are often asked about, in addition to those of facets. */
const commonKeys = /^(service\.|url\.|rpc\.|error|exception|.*\.id$)/

/** Returns the rank of a key. Keys of one rank are ordered by the number of spans that carry them. */
function rankOf(key: string): number {
  if (isFacetKey(key)) return 0
  return commonKeys.test(key) ? 1 : 2
}

type RowField = 'key' | 'value'

/**
 * Suggests the key and the value of a row. Values are read when their field is focused, or already when an existing key
 * was typed or chosen.
 */
export function useRowSuggestions(row: MessageRow, window: TimeWindow) {
  const [focused, setFocused] = useState<RowField>()
  const key = keyTextOf(row)
  const keys = useKeySuggestions(row, window, focused === 'key')
  const isNamed = useSettled(key) === key && keys.some(({ text }) => text === key)
  const isValueNext = focused === 'value' || (focused === 'key' && isNamed)
  const values = useValueSuggestions(row, window, isValueNext)
  const onFocus = (field: RowField) => (isFocused: boolean) =>
    setFocused((current) => (isFocused ? field : current === field ? undefined : current))
  return { keys, values, onFocus }
}

/** Suggests keys that contain what has been typed, those that begin with it first. */
export function useKeySuggestions(row: MessageRow, window: TimeWindow, isEnabled: boolean): Suggestion[] {
  const { isUtc } = usePreferences()
  const { attribute_source } = row
  const { from, to } = window
  const prefix = keyTextOf(row)
  const isMessage = attribute_source === 'message'
  // If the source was chosen, keys that exist only in another one would find nothing.
  const source = attribute_source === 'span' || attribute_source === 'resource' ? { source: attribute_source } : {}
  const data = useBeginningWith(prefix, isEnabled && !isMessage, (beginning) => ({
    queryKey: ['keys', source, beginning, from, to],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
      const query = { ...source, prefix: beginning, from, to, limit: readMax, span_limit: suggestionSpans }
      return dataOf(api.GET('/api/v1/attributes', { params: { query }, signal }))
    },
  }))
  const ofSpan = isSourceChosen(attribute_source) ? {} : spanFields
  const fields = Object.entries(isMessage ? messageFieldNotes : ofSpan)
  const keys = isMessage ? [] : data.filter(({ source }) => source !== 'intrinsic')
  const sorted = keys.toSorted((a, b) => rankOf(a.key) - rankOf(b.key) || (b.span_count ?? 0) - (a.span_count ?? 0))
  const found = sorted.map(({ key, types, span_count, readFrom }) => ({
    text: key,
    note: noteOf(types.join(', '), span_count, sinceOf(readFrom, window, isUtc)),
  }))
  return matching([...fields.map(([text, note]) => ({ text, note })), ...found], prefix)
}

/** Suggests values of the attribute of a row. */
function useValueSuggestions(row: MessageRow, window: TimeWindow, isEnabled: boolean): Suggestion[] {
  const { isUtc } = usePreferences()
  const { from, to } = window
  const prefix = 'value' in row ? String(row.value ?? '') : ''
  const { attribute_source } = row
  const key = keyTextOf(row)
  const isNeeded = isEnabled && key !== '' && attribute_source !== 'message'
  const data = useBeginningWith(prefix, isNeeded, (beginning) => ({
    queryKey: ['values', key, attribute_source, beginning, from, to],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) => {
      const isNamed = attribute_source !== undefined && attribute_source !== 'message'
      const source = isNamed ? { source: attribute_source } : {}
      const query = { key, ...source, prefix: beginning, from, to, limit: readMax, span_limit: suggestionSpans }
      return dataOf(api.GET('/api/v1/attributes/values', { params: { query }, signal }))
    },
  }))
  const sorted = data.toSorted((a, b) => (b.span_count ?? 0) - (a.span_count ?? 0))
  const found = sorted.map(({ value, type, span_count, readFrom }) => ({
    text: value,
    note: noteOf(type, span_count, sinceOf(readFrom, window, isUtc)),
  }))
  return matching(found, prefix)
}

/** Suggests names of services. */
export function useServiceSuggestions(name: string, window: TimeWindow, isEnabled: boolean): Suggestion[] {
  return useValueSuggestions(fieldEquals('service', name), window, isEnabled)
}

interface Listed<Item> {
  readonly queryKey: readonly unknown[]
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<{
    readonly items: readonly Item[]
    readonly next_cursor: string | null
    readonly from: string
  }>
}

/**
 * Reads the items that begin with a text. If there are few, all of them are read at once and typing sends no requests,
 * because the server reads every span of the newest part of the window for each. Otherwise they are requested once
 * typing pauses, and the known ones are returned meanwhile.
 */
function useBeginningWith<Item>(text: string, isEnabled: boolean, list: (text: string) => Listed<Item>) {
  const settled = useSettled(text)
  const all = useQuery({ ...list(''), enabled: isEnabled, staleTime: 60_000 })
  const isPart = all.data !== undefined && all.data.next_cursor !== null
  const some = useQuery({ ...list(settled), enabled: isEnabled && settled !== '' && isPart, staleTime: 60_000 })
  return [some.data, all.data].flatMap((page) => page?.items.map((item) => ({ ...item, readFrom: page.from })) ?? [])
}

/**
 * Returns a note with the type, the number of spans, and the beginning of the part that was read if it is not the whole
 * window.
 */
function noteOf(type: string, count: number | undefined, since: string | undefined): string {
  if (count === undefined) return type
  return `${type} · ${count.toLocaleString('en')}${since === undefined ? '' : ` since ${since}`}`
}

/** Returns the beginning of the part of a window that was read, or undefined if it was read completely. */
function sinceOf(readFrom: string, { from, to }: TimeWindow, isUtc: boolean): string | undefined {
  if (Date.parse(readFrom) <= Date.parse(from)) return undefined
  const [time, end] = [formatTime(readFrom, isUtc), formatTime(to, isUtc)]
  return time.slice(0, 10) === end.slice(0, 10) ? time.slice(11) : time
}
