import { keepPreviousData, useInfiniteQuery, useQueries } from '@tanstack/react-query'
import { api, dataOf } from '../../app/api.ts'
import { ownWaiting } from '../../app/slow-queries.tsx'
import type { LogFilter } from './logs-search.ts'

const pageLimit = 100

/** Returns the query key of a list of records, also to cancel it. */
export function logsKey(filter: LogFilter): readonly unknown[] {
  return ['logs', filter]
}

/**
 * Reads pages of records, newest first. A new query cancels the previous one.
 * @param lastSeconds the length of a relative window, which the sentence then states
 */
export function useLogs(filter: LogFilter, lastSeconds: number | undefined) {
  return useInfiniteQuery({
    queryKey: [...logsKey(filter), lastSeconds],
    queryFn: ({ pageParam, signal }) => {
      const summarized = lastSeconds === undefined ? {} : { summary_last_s: lastSeconds }
      const body = { ...filter, ...summarized, limit: pageLimit, cursor: pageParam }
      return dataOf(api.POST('/api/v1/logs/search', { body, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    meta: ownWaiting,
  })
}

/** Reads for each filter whether any record matches; undefined until it is known. */
export function useAnyRecord(filters: readonly LogFilter[]): (boolean | 'failed' | undefined)[] {
  return useQueries({
    queries: filters.map((filter) => ({
      queryKey: ['any log record', filter],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        dataOf(api.POST('/api/v1/logs/search', { body: { ...filter, limit: 1 }, signal })),
    })),
  }).map(({ data, isError }) => (isError ? 'failed' : data && data.items.length > 0))
}
