/**
 * Determines which spans decide the messages of a query: those of the traces that the value index names, or else all
 * of the window. Both are evaluated in the same way.
 */
import {
  type Bounds,
  type MessageCountsRow,
  type MessageQuery,
  messageCounts,
  ofKnownSteps,
  type Places,
  type Sql,
  type TraceWithSpanRow,
  tracesWithSpan,
} from '#sql'
import type { ChunkLengths } from '../../telemetry/chunk-lengths.ts'
import { readInScope, type ScopedTelemetry, storedBy } from '../../telemetry/scope.ts'
import type { Narrowed, ValueIndex } from '../../telemetry/value-index/value-index.ts'
import { areEmpty, placesToRead } from '../../telemetry/value-index/value-places.ts'

/** What searches have learned about where the spans of an organization are. */
export interface LearnedPlaces {
  readonly chunkLengths: ChunkLengths
  readonly values: ValueIndex
}

/** The spans to read for the messages of a query. */
export interface MatchingSpans {
  /** The telemetry for which the bounds hold: that of the query, possibly as of a certain time. */
  readonly telemetry: ScopedTelemetry
  /** A query with the same results as the requested one. It names the matched steps if they are known. */
  readonly query: MessageQuery
  /**
   * They contain all spans of every matching message, or all its matched steps if no more is read. Without a matching
   * message, they may name no trace.
   */
  readonly bounds: Bounds
}

interface MatchingOptions {
  /** Whether the matched steps alone decide the messages, so that nothing else needs to be read. */
  readonly readsStepsOnly?: boolean
}

/** The maximum number of traces that are evaluated. With more, another way to search is cheaper. */
const tracesMax = 1_000
/** The steps of a trace are not known if it has more than these, because each is a text in the response. */
const stepsOfTraceMax = 100
/** With more known steps, naming them takes longer than testing the spans again. */
const knownStepsMax = 1_000
const none: Bounds = { traceIds: [] }

/** Returns the spans to read for the messages of a query. */
export async function spansOfMatches(
  { values, chunkLengths }: LearnedPlaces,
  telemetry: ScopedTelemetry,
  query: MessageQuery,
  { readsStepsOnly = false }: MatchingOptions = {},
): Promise<MatchingSpans> {
  const narrowed = await values.narrow(telemetry, query, chunkLengths)
  if (narrowed === undefined) return { telemetry, query, bounds: {} }
  const stored = storedBy(telemetry, narrowed.storedByMicros)
  const places = placesToRead(narrowed)
  if (areEmpty(places)) return { telemetry: stored, query, bounds: none }
  if (readsStepsOnly && narrowed.claim.areStepsEnough) return { telemetry: stored, query, bounds: { places } }
  const traces = await readTraces(stored, narrowed, places)
  if (traces === 'too many') return { telemetry, query, bounds: {} }
  if (traces.length === 0) return { telemetry: stored, query, bounds: none }
  const traceIds = traces.map(({ id }) => id)
  const ofTraces = await values.placesOf(stored, traceIds, { lengths: chunkLengths, uncovered: narrowed })
  return { telemetry: stored, query: queryOfTraces(query, traces), bounds: boundsOfTraces(traceIds, ofTraces) }
}

/** Returns bounds that contain all spans of some traces. `places` are those of these spans, if they are known. */
export function boundsOfTraces(traceIds: readonly string[], places: Places | undefined): Bounds {
  return places === undefined ? { traceIds } : { traceIds, places }
}

/** Runs a query over the spans of matching messages. Returns no rows if there are no such messages. */
export async function readMatches<Row>(
  { telemetry, query, bounds }: MatchingSpans,
  compile: (query: MessageQuery, bounds: Bounds) => Sql,
  label: string,
): Promise<Row[]> {
  return bounds.traceIds?.length === 0 ? [] : readInScope<Row>(telemetry, compile(query, bounds), label)
}

/** Counts the messages of a query. `label` names the query in logs, metrics and errors. */
export type CountMessages = (
  telemetry: ScopedTelemetry,
  query: MessageQuery,
  label: string,
) => Promise<MessageCountsRow>

const noMessages: MessageCountsRow = {
  message_count: '0',
  error_message_count: '0',
  matched_step_count: '0',
  error_step_count: '0',
}

/** Returns the function that counts messages, by the value index where that reads less than the window. */
export function countingOf(learned: LearnedPlaces): CountMessages {
  return async (telemetry, query, label) => {
    const found = await spansOfMatches(learned, telemetry, query, { readsStepsOnly: true })
    const [row = noMessages] = await readMatches<MessageCountsRow>(found, messageCounts, label)
    return row
  }
}

export interface FoundTrace {
  readonly id: string
  /** The start of the last span that is known to satisfy the claim. No message of the trace starts later. */
  readonly lastStartNs: bigint
  /** The ids of its matched steps, if the claim is whole and they are few. */
  readonly stepIds?: readonly string[]
}

/**
 * Returns a query for the messages of some traces, with the same results as `query`. It names their steps if these are
 * known, which saves reading and testing the attributes of all other spans.
 */
export function queryOfTraces(query: MessageQuery, traces: readonly FoundTrace[]): MessageQuery {
  const areKnown = traces.every(({ stepIds }) => stepIds !== undefined)
  const steps = traces.flatMap(({ id, stepIds = [] }) => stepIds.map((stepId) => [id, stepId] as const))
  return areKnown && steps.length <= knownStepsMax ? ofKnownSteps(query, steps) : query
}

/** Reads the traces that can match: those with a span in the places that satisfies the claim. */
export async function readTraces(
  telemetry: ScopedTelemetry,
  { claim }: Narrowed,
  places: Places,
): Promise<FoundTrace[] | 'too many'> {
  if (areEmpty(places)) return []
  const query = tracesWithSpan(claim, { places }, { tracesMax: tracesMax + 1, stepsMax: stepsOfTraceMax + 1 })
  const rows = await readInScope<TraceWithSpanRow>(telemetry, query, 'traces with a value')
  if (rows.length > tracesMax) return 'too many'
  return rows.map(({ trace_id, last_start_ns, step_ids: stepIds }) => ({
    id: trace_id,
    lastStartNs: BigInt(last_start_ns),
    ...(stepIds === undefined || stepIds.length > stepsOfTraceMax ? {} : { stepIds }),
  }))
}
