import { useQuery } from '@tanstack/react-query'
import type { components } from '../../../../openapi/types.ts'
import { api, dataOf } from '../../../app/api.ts'
import type { ComparisonKind } from '../../../app/search.ts'
import { ownWaiting } from '../../../app/slow-queries.tsx'
import type { MessageRow } from '../../../parts/conditions/operators.ts'
import type { TimeWindow } from '../../../parts/time/time.ts'
import type { MessageFilter } from '../message-query.ts'

export type ComparisonAnswer = components['schemas']['MessageComparison']
type Sides = components['schemas']['MessageComparisonRequest']
type Filter = MessageFilter & TimeWindow

/** A comparison is costly and has an absolute time range, so going back to it shows the previous result. */
const staleMs = 300_000

/** Returns the first comparison to show: a search for all messages has no other messages to compare with. */
export function firstComparison({ rows, relations, status }: MessageFilter): ComparisonKind {
  return rows === undefined && relations === undefined && status === undefined ? 'failures' : 'others'
}

/** Returns the query key of a comparison, also to cancel it, which ends it in the database. */
export function comparisonKey(filter: Filter, kind: ComparisonKind): readonly unknown[] {
  return ['comparison', kind, filter]
}

/** Compares, or only returns an earlier result. The result contains the sides that were compared. */
export function useComparison(filter: Filter, kind: ComparisonKind, isEnabled = true) {
  return useQuery({
    queryKey: comparisonKey(filter, kind),
    queryFn: async ({ signal }) => {
      const sides = kind === 'slowest' ? await slowestSides(filter, signal) : sidesOf(filter, kind)
      return { ...(await dataOf(api.POST('/api/v1/messages/compare', { body: sides, signal }))), sides }
    },
    enabled: isEnabled,
    staleTime: staleMs,
    meta: ownWaiting,
  })
}

function sidesOf(filter: Filter, kind: Exclude<ComparisonKind, 'slowest'>): Sides {
  if (kind === 'others') return { a: filter }
  if (kind === 'failures') return { a: { ...filter, status: 'error' }, b: { ...filter, status: 'ok' } }
  return { a: filter, b: { ...filter, ...windowBefore(filter) } }
}

/** Returns the window of the same length just before another one. */
function windowBefore({ from, to }: TimeWindow): TimeWindow {
  const start = Date.parse(from)
  return { from: new Date(start - (Date.parse(to) - start)).toISOString(), to: from }
}

/** Returns the messages at or above the 95th percentile of the durations, and those below it. */
async function slowestSides(filter: Filter, signal: AbortSignal): Promise<Sides> {
  const group_by = [{ attribute_source: 'message' as const, attribute_key: 'root.name' }]
  const { total } = await dataOf(
    api.POST('/api/v1/messages/breakdown', { body: { ...filter, group_by, limit: 1 }, signal }),
  )
  const duration = (operator: 'gte' | 'lt'): MessageRow => ({
    attribute_source: 'message',
    attribute_key: 'duration_ms',
    operator,
    value: total.duration_ms?.p95 ?? 0,
  })
  const withRow = (row: MessageRow) => ({ ...filter, rows: [...(filter.rows ?? []), row] })
  return { a: withRow(duration('gte')), b: withRow(duration('lt')) }
}
