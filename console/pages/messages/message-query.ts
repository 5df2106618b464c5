import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  usePrefetchInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import type { components } from '../../../openapi/types.ts'
import { api, dataOf } from '../../app/api.ts'
import type { MessagesSearch, Relation } from '../../app/search.ts'
import { ownWaiting } from '../../app/slow-queries.tsx'
import { completePositions, isComplete } from '../../parts/conditions/operators.ts'
import { type TimeWindow, windowAt } from '../../parts/time/time.ts'

export type MessageFilter = components['schemas']['MessageFilter']
export type Message = components['schemas']['Message']

const pageLimit = 50

/** A relation as it is sent, with the positions of its parts in the address. */
interface SentRelation {
  readonly relation: Relation
  readonly position: number
  readonly from: readonly number[]
  readonly to: readonly number[]
}

/** Returns the relations to send: all except those in which every condition is unfinished. */
export function completeRelations({ relations = [] }: MessagesSearch): SentRelation[] {
  return relations.flatMap((relation, position) => {
    const [from, to] = [completePositions(relation.from), completePositions(relation.to)]
    const isTyped = from.length + to.length === 0 && relation.from.length + relation.to.length > 0
    if (isTyped) return []
    const only = (conditions: Relation['from'], kept: readonly number[]) =>
      conditions.filter((_, at) => kept.includes(at))
    const sent = { ...relation, from: only(relation.from, from), to: only(relation.to, to) }
    return [{ relation: sent, position, from, to }]
  })
}

/** Returns the filter of an address, with its window resolved at the given moment. */
export function filterOf(search: MessagesSearch, at: Date): MessageFilter & TimeWindow {
  const rows = (search.rows ?? []).filter(isComplete)
  const relations = completeRelations(search).map(({ relation }) => relation)
  return {
    ...windowAt(search, at),
    ...(rows.length > 0 ? { rows: [...rows] } : {}),
    ...(relations.length > 0 ? { relations } : {}),
    ...(search.status === undefined ? {} : { status: search.status }),
    ...(search.integration === undefined ? {} : { integration_id: search.integration }),
  }
}

/** Returns the members of a search that are about the list and not the filter. */
function shownOf({ order, columns }: MessagesSearch) {
  return {
    ...(order === undefined ? {} : { order }),
    ...(columns === undefined ? {} : { columns: [...columns] }),
  }
}

/** Returns the query key of a list of messages, also to cancel it. */
export function messagesKey(filter: MessageFilter, search: MessagesSearch): readonly unknown[] {
  return ['messages', filter, shownOf(search)]
}

/**
 * Reads pages of messages, each with the columns for which its messages have values. A new query cancels the previous
 * one, also in the database. The first page is requested before the list is first rendered, which takes as long as the
 * response.
 */
export function useMessages(filter: MessageFilter, search: MessagesSearch) {
  const shown = shownOf(search)
  const options = infiniteQueryOptions({
    queryKey: messagesKey(filter, search),
    queryFn: async ({ pageParam, signal }) => {
      const body = { ...filter, ...shown, limit: pageLimit, cursor: pageParam }
      const page = await dataOf(api.POST('/api/v1/messages/search', { body, signal }))
      return { ...page, columns: search.columns ?? [] }
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    meta: ownWaiting,
  })
  usePrefetchInfiniteQuery(options)
  return useInfiniteQuery({ ...options, placeholderData: keepPreviousData })
}

/** Counts exactly. Sent after the first page, so that the page does not wait for it. */
export function useMessageCount(filter: MessageFilter, isEnabled: boolean) {
  return useQuery({
    queryKey: ['message count', filter],
    queryFn: ({ signal }) => dataOf(api.POST('/api/v1/messages/count', { body: filter, signal })),
    enabled: isEnabled,
  })
}
