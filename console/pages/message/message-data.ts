import { queryOptions, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, dataOf } from '../../app/api.ts'
import type { MessageSearch } from '../../app/search.ts'
import { filterOf } from '../messages/message-query.ts'
import { rootsOf, type Tree, treeOf } from './tree.ts'

/** Reads the outlines of all spans of a message, and which of them the search matched; nothing without an id. */
export function useTree(id: string | undefined, search: MessageSearch) {
  const isFiltered = isAsked(search)
  const { from, to, ...filter } = filterOf(search, new Date())
  // Only a window that the address names is kept: the steps of the message outside it are still shown.
  const body = search.from === undefined ? filter : { ...filter, from, to }
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

/** Whether the address contains a question, and not only a message. */
export function isAsked({ rows, relations, status, integration }: MessageSearch): boolean {
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

/** Why a step stands at the top although it is not the start of the message. */
export type DetachedReason = 'missing parent' | 'cycle'

/** The maximum number of steps at the top that are asked about. The header counts the others. */
export const rootsMax = 20

/** Tells the steps at the top that have a parent: it is missing, or it is below them. */
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

/** Finds the steps with `key=value` among all attributes, or with a text in their name or service. */
export function useFound(traceId: string, find: string) {
  const [key = '', ...values] = find.split('=')
  const value = values.join('=')
  const isAttribute = key.trim() !== '' && value !== ''
  return useQuery({
    queryKey: ['found', traceId, find],
    queryFn: ({ signal }) => {
      const body = { rows: [{ attribute_key: key.trim(), operator: 'eq' as const, value }] }
      const path = { trace_id: traceId }
      return dataOf(api.POST('/api/v1/messages/{trace_id}/skeleton', { params: { path }, body, signal }))
    },
    select: ({ span_ids, matched }) => new Set(span_ids.filter((_, index) => matched?.[index] === 1)),
    enabled: isAttribute,
  })
}
