/** Searches in an order other than newest first (docs/questions.md, section 10). They read the whole window. */
import { type Bounds, int64, param, perShard, type Sql, sql, uint64 } from '../../fragment.ts'
import type { MessageOrder, MessageQuery } from '../../ir/message-query.ts'
import { askedMicros } from '../stored-rank.ts'
import { traceDuration } from '../trace-columns.ts'
import { matchingTraces } from './matching-traces.ts'
import type { PagePosition } from './messages.ts'
import type { SelectedColumns } from './selected-columns.ts'

export type RankedOrder = Exclude<MessageOrder, 'newest'>

/** The last message of a page, with its key in the order: nanoseconds or a count. */
export interface RankedPosition extends PagePosition {
  readonly key: bigint
}

export interface RankedOptions {
  readonly order: RankedOrder
  /** Selects only messages after this one. */
  readonly after?: RankedPosition
  readonly limit: number
}

interface OrderEntry {
  readonly key: Sql
  readonly isAscending: boolean
  /** The columns that the key reads. */
  readonly selected: SelectedColumns
}

const orders: Readonly<Record<RankedOrder, OrderEntry>> = {
  oldest: { key: sql`started_ns`, isAscending: true, selected: {} },
  longest: { key: traceDuration, isAscending: false, selected: { trace: ['ended_ns'] } },
  shortest: { key: traceDuration, isAscending: true, selected: { trace: ['ended_ns'] } },
  most_steps: { key: sql`step_count`, isAscending: false, selected: { steps: 'counts' } },
  most_errors: { key: sql`failed_step_count`, isAscending: false, selected: { steps: 'counts' } },
}

/** Reports whether messages with smaller keys come first in an order. */
export function isAscending(order: RankedOrder): boolean {
  return orders[order].isAscending
}

/** A row of `rankedMessages`. Numbers are decimal texts. */
export interface RankedMessageRow {
  readonly trace_id: string
  readonly started_ns: string
  readonly key: string
  readonly asked_micros: string
}

/**
 * Selects a `RankedMessageRow` for each of the first matching messages in the order, ties newest first. The bounds must
 * contain all spans of every matching message.
 */
export function rankedMessages(query: MessageQuery, options: RankedOptions, bounds: Bounds = {}): Sql {
  const { order, after, limit } = options
  const { key, selected } = orders[order]
  const matching = matchingTraces(query, bounds, { ...selected, trace: ['started_ns', ...(selected.trace ?? [])] })
  const rank = isAscending(order) ? sql`-toInt128(${key})` : sql`toInt128(${key})`
  const isLater = after === undefined ? sql`1` : isAfter(after, order)
  return sql`
    SELECT trace_id, started_ns, toInt128(${key}) AS key, ${rank} AS rank, ${askedMicros} AS asked_micros
    FROM ${perShard(matching)}
    WHERE ${isLater}
    ORDER BY rank DESC, started_ns DESC, trace_id DESC
    LIMIT ${uint64(limit)}
  `
}

function isAfter({ key, startedNs, traceId }: RankedPosition, order: RankedOrder): Sql {
  const rank = param('Int128', (isAscending(order) ? -key : key).toString())
  return sql`(rank, started_ns, trace_id) < (${rank}, ${int64(startedNs)}, ${param('UInt128', traceId)})`
}
