/** Reads of single traces by id. Ids are decimal texts of UInt128. */
import {
  type Bounds,
  fromScoped,
  fromStored,
  list,
  type Param,
  type Places,
  perShard,
  type Sql,
  sql,
  text,
  uint64,
} from '../../fragment.ts'
import type { ServiceRules } from '../../ir/facet.ts'
import { spanProfile } from '../facets/facets.ts'

/** A complete span. Integers of 64 bits and more are texts. */
export interface TraceSpanRow {
  readonly span_id: string
  /** `0` for a span without a parent. */
  readonly parent_id: string
  readonly start_ns: string
  readonly duration_ns: string
  readonly service: string
  readonly name: string
  readonly kind: number
  readonly status: number
  readonly status_message: string
  readonly trace_state: string
  readonly flags: number
  readonly scope_name: string
  readonly scope_version: string
  readonly scope_attributes: string
  readonly resource_attributes: string
  /** Tagged texts by path; the empty text for a hot key that the span does not carry. */
  readonly attributes: Readonly<Record<string, string>>
  readonly events: string
  readonly links: string
  readonly dropped_attributes_count: number
  readonly dropped_events_count: number
  readonly dropped_links_count: number
}

/** Selects one row if the trace has at least one span. */
export function traceExists(traceId: string): Sql {
  return sql`
    SELECT 1 AS found
    FROM ${spansOf([traceId])}
    LIMIT 1
  `
}

/**
 * Selects the `trace_id` of those traces that have spans before a time. `places` are those of all such spans, if they
 * are known.
 */
export function tracesBefore(traceIds: readonly string[], beforeNs: bigint, places?: Places): Sql {
  const bounds = { traceIds, toNs: beforeNs, ...(places === undefined ? {} : { places }) }
  return sql`SELECT DISTINCT trace_id FROM ${fromScoped('spans', sql`1`, bounds)}`
}

/** A row of `traceNodes`: the edge from a span to its parent, which is `0` for a root. Integers are texts. */
export interface TraceNodeRow {
  readonly span_id: string
  readonly parent_id: string
  readonly start_ns: string
  readonly service: string
}

/** Selects the edges of one trace with the services of the spans, oldest first. `bounds` contains all its spans. */
export function traceNodes(traceId: string, bounds: Omit<Bounds, 'traceIds'> = {}): Sql {
  return sql`
    SELECT
      span_id,
      parent_id,
      toUnixTimestamp64Nano(start) AS start_ns,
      service
    FROM ${spansOf([traceId], bounds)}
    ORDER BY start, span_id
  `
}

/** A row of `traceOutlines`: what a waterfall draws of a span. Integers of 64 bits are texts. */
export interface TraceOutlineRow extends TraceNodeRow {
  readonly duration_ns: string
  readonly name: string
  readonly kind: number
  readonly status: number
}

/** The columns of a `TraceOutlineRow`. */
const outline: Sql = sql`
  span_id,
  parent_id,
  toUnixTimestamp64Nano(start) AS start_ns,
  duration_ns,
  service,
  name,
  kind,
  status
`

/** Selects the outlines of the spans of one trace, oldest first. */
export function traceOutlines(traceId: string): Sql {
  return sql`
    SELECT ${outline}
    FROM ${spansOf([traceId])}
    ORDER BY start, span_id
  `
}

/** A row of `linkingSpans`. Integers of 64 bits and more are texts. */
export interface LinkingSpanRow {
  readonly trace_id: string
  readonly span_id: string
  readonly start_ns: string
  readonly service: string
  readonly name: string
  /** The number of all spans with such a link, in every row. */
  readonly span_count: string
}

/** A span by the hexadecimal ids that stored links contain. */
export interface LinkedSpan {
  readonly hexTraceId: string
  readonly hexSpanId: string
}

/**
 * Returns the beginning of a link to a span. Quotes inside stored texts are escaped, so that no text can look like it.
 */
function linkTo({ hexTraceId, hexSpanId }: LinkedSpan): Param {
  return text(`{"t":"${hexTraceId}","s":"${hexSpanId}"`)
}

/** The beginnings of all links of a row, as the index `links_filter` has them. */
const linksOfRow: Sql = sql`extractAll(links, '\\{"t":"[0-9a-f]{32}","s":"[0-9a-f]{16}"')`

/** Selects the `trace_id` of traces with a stored row that links to a span, whether that row counts or not. */
export function linkingTraces(linked: LinkedSpan, limit: number): Sql {
  return sql`
    SELECT DISTINCT trace_id
    FROM ${fromStored('spans', sql`has(${linksOfRow}, ${linkTo(linked)})`)}
    LIMIT ${uint64(limit)}
  `
}

/**
 * Selects the newest spans of traces, or of all traces, that link to a span, up to a limit. The condition is one that
 * the index does not know: the index would leave out the row that replaces one with a link, and the link would count.
 */
export function linkingSpans(linked: LinkedSpan, limit: number, traces: Pick<Bounds, 'traceIds'>): Sql {
  return sql`
    SELECT
      trace_id,
      span_id,
      toUnixTimestamp64Nano(start) AS start_ns,
      service,
      name,
      count() OVER () AS span_count
    FROM ${fromScoped('spans', sql`links != '' AND position(links, ${linkTo(linked)}) > 0`, traces)}
    ORDER BY start DESC, trace_id DESC, span_id DESC
    LIMIT ${uint64(limit)}
  `
}

/** The table of spans that `traceSpans` gets: a row of RowBinary for each, with its position in the result. */
export const askedSpansTable = {
  name: 'asked_spans',
  structure: 'span_id UInt64, position UInt32',
  rowBytes: 12,
} as const

/** A row of `traceSpans`. */
export interface AskedSpanRow extends TraceSpanRow {
  readonly position: number
}

/**
 * Selects the spans of one trace that are in `askedSpansTable`, complete and in the order of their positions. `bounds`
 * is the time range in which they start.
 */
export function traceSpans(traceId: string, bounds: Omit<Bounds, 'traceIds'> = {}): Sql {
  const wholeSpans = sql`SELECT ${wholeSpan} FROM ${spansOf([traceId], bounds)}`
  return sql`
    SELECT *
    FROM ${perShard(sql`SELECT * FROM (${wholeSpans}) AS whole_spans INNER JOIN asked_spans USING (span_id)`)}
    ORDER BY position, start_ns
  `
}

/** A row of `profiledSpans`. */
export interface ProfiledSpanRow extends TraceSpanRow {
  /** The profile of the span (see `readProfile`). */
  readonly profile: number
}

export interface ProfiledSpansOptions {
  /** The classification rules of the services. */
  readonly rules: readonly ServiceRules[]
  readonly limit: number
  /** Bounds that contain all spans of the trace. */
  readonly bounds?: Omit<Bounds, 'traceIds'>
}

/** Selects any spans of one trace, complete, with their profiles, and in no order, up to a limit. */
export function profiledSpans(traceId: string, { rules, limit, bounds }: ProfiledSpansOptions): Sql {
  const { columns, profile } = spanProfile(rules)
  return sql`
    WITH ${list(columns)}
    SELECT ${wholeSpan}, ${profile} AS profile
    FROM ${spansOf([traceId], bounds)}
    LIMIT ${uint64(limit)}
  `
}

/** The columns of a `TraceSpanRow`. */
const wholeSpan: Sql = sql`
  ${outline},
  status_message,
  trace_state,
  flags,
  scope_name,
  scope_version,
  scope_attributes,
  resource_attributes,
  attributes,
  events,
  links,
  dropped_attributes_count,
  dropped_events_count,
  dropped_links_count
`

function spansOf(traceIds: readonly string[], bounds: Omit<Bounds, 'traceIds'> = {}): Sql {
  return fromScoped('spans', sql`1`, { ...bounds, traceIds })
}
