import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf } from '../../app/api.ts'
import type { MessageSearch } from '../../app/search.ts'
import { useSettled } from '../../parts/answers/settled.ts'
import type { MessageRow } from '../../parts/conditions/operators.ts'
import { columnOf } from '../../parts/conditions/row-suggestions.ts'
import { currentTime } from '../../parts/time/clock.ts'
import { filterOf, type MessageFilter } from '../messages/message-query.ts'
import { rootsOf, type Tree, treeOf } from './tree.ts'

/** Reads the skeleton of a message, and which of its spans the search matched. Without an id nothing is read. */
export function useTree(id: string | undefined, search: MessageSearch) {
  const isFiltered = hasFilter(search)
  const body = filterOfMessage(search)
  const traceId = id ?? ''
  const skeleton = useQuery({
    enabled: id !== undefined,
    queryKey: ['skeleton', traceId, isFiltered ? body : null],
    queryFn: ({ signal }) => {
      const path = { trace_id: traceId }
      return isFiltered
        ? dataOf(api.POST('/api/v1/messages/{trace_id}/skeleton', { params: { path }, body, signal }))
        : dataOf(api.GET('/api/v1/messages/{trace_id}/skeleton', { params: { path }, signal }))
    },
    staleTime: 60_000,
  })
  const tree = useMemo(() => (skeleton.data === undefined ? undefined : treeOf(skeleton.data)), [skeleton.data])
  return { ...skeleton, tree }
}

/**
 * Returns the filter of an address for its message. Only an absolute window is part of it, because a relative one has
 * moved on since the message was found.
 */
export function filterOfMessage(search: MessageSearch): MessageFilter {
  const { from, to, ...filter } = filterOf(search, currentTime())
  return search.from === undefined ? filter : { ...filter, from, to }
}

/** Whether the address contains a filter, and not only a message. */
export function hasFilter({ rows, relations, status, integration }: MessageSearch): boolean {
  return [rows, relations, status, integration].some((each) => each !== undefined)
}

/** Reads one span whole. */
export function useSpan(traceId: string, spanId: string | undefined) {
  return useQuery({ ...spanQuery(traceId, spanId ?? ''), enabled: spanId !== undefined })
}

function spanQuery(traceId: string, spanId: string) {
  return queryOptions({
    queryKey: ['span', traceId, spanId],
    queryFn: ({ signal }) => {
      const path = { trace_id: traceId, span_id: spanId }
      return dataOf(api.GET('/api/v1/messages/{trace_id}/spans/{span_id}', { params: { path }, signal }))
    },
    staleTime: 60_000,
  })
}

/** Why a step is at the top level although it is not the root of the message. */
export type DetachedReason = 'missing parent' | 'cycle'

/** The maximum number of top-level steps that are read. The header counts the others. */
export const rootsMax = 20

/** Returns the top-level steps that have a parent id: the parent is missing, or is below the step. */
export function useDetached(traceId: string, tree: Tree): ReadonlyMap<number, DetachedReason> {
  const roots = useMemo(() => rootsOf(tree).slice(0, rootsMax), [tree])
  const parents = useQueries({
    queries: roots.map((position) => spanQuery(traceId, tree.spanIds[position] ?? '')),
    combine: (answers) => answers.map(({ data }) => data?.parent_span_id ?? '').join(' '),
  })
  return useMemo(() => {
    const found = new Map<number, DetachedReason>()
    for (const [index, parent] of parents.split(' ').entries()) {
      const position = roots[index]
      if (parent !== '' && position !== undefined)
        found.set(position, tree.spanIds.includes(parent) ? 'cycle' : 'missing parent')
    }
    return found
  }, [parents, roots, tree])
}

/** The steps that a search within the message finds. */
export interface Found {
  /** Their positions; undefined without a search, or until its result is known. */
  readonly positions: ReadonlySet<number> | undefined
  readonly isSearching: boolean
  readonly error: Error | null
  refetch(): unknown
}

/** Finds the steps with a text in their name, service or id, or with `key=value` among their fields and attributes. */
export function useFound(traceId: string, tree: Tree, find: string): Found {
  const text = find.trim()
  const row = useMemo(() => rowOf(text), [text])
  const isTyping = useSettled(text) !== text
  const { data, error, refetch } = useQuery({
    queryKey: ['found', traceId, row],
    queryFn: ({ signal }) => {
      const body = { rows: row === undefined ? [] : [row] }
      const path = { trace_id: traceId }
      return dataOf(api.POST('/api/v1/messages/{trace_id}/skeleton', { params: { path }, body, signal }))
    },
    select: foundIds,
    enabled: row !== undefined && !isTyping,
    staleTime: 60_000,
  })
  const isKnown = row === undefined || data !== undefined
  const positions = useMemo(() => {
    if (text === '' || !isKnown) return undefined
    const [found, lower] = [new Set<number>(), text.toLowerCase()]
    for (let i = 0; i < tree.size; i++) {
      const isNamed = `${tree.serviceOf(i)} ${tree.nameOf(i)} ${tree.spanIds[i]}`.toLowerCase().includes(lower)
      if (isNamed || data?.has(tree.spanIds[i] ?? '')) found.add(i)
    }
    return found
  }, [tree, text, isKnown, data])
  return { positions, isSearching: !isKnown && error === null, error, refetch }
}

/** Returns the ids of the found steps. Steps may have arrived since the tree was read, so positions may differ. */
function foundIds({ span_ids, matched = [] }: components['schemas']['MessageSkeleton']): ReadonlySet<string> {
  return new Set(span_ids.filter((_, position) => matched[position] === 1))
}

/** Parses `key=value`, with or without spaces around the sign. Returns undefined for another text. */
function rowOf(text: string): MessageRow | undefined {
  const [key = '', ...values] = text.split('=')
  const [attribute_key, value] = [key.trim(), values.join('=').trim()]
  if (attribute_key === '' || value === '') return undefined
  const row = { ...columnOf(attribute_key), operator: 'eq', value }
  return row as MessageRow
}
