/**
 * Searches for messages with a rare value. The value index narrows where such messages can be; each of their traces is
 * then evaluated over the whole window, as in every other search.
 */
import { type MessageQuery, messageDetails, type PagePosition } from '#sql'
import { bitCount } from '../telemetry/claim-places.ts'
import { readInScope } from '../telemetry/scope.ts'
import type { Narrowed } from '../telemetry/value-index.ts'
import { type FoundTrace, placesToRead, queryOfTraces, readTraces } from './matching-spans.ts'
import { type MessageRecord, newestFirst, type StoredMessage, toMessageRecord } from './message-page.ts'
import type { FoundPage } from './message-search.ts'
import { type MessageSearch, storedBy } from './search-strategies.ts'

/** The slots of the first chunk for each message of the page. Some slots have spans of the same trace. */
const slotsPerMessage = 1.2
/** The traces that are evaluated first for each message of the page. Some do not match, or started much earlier. */
const tracesPerMessage = 1.06
/** The growth of the next batches, which are needed where few of the traces match. */
const batchGrowth = 4

/**
 * Finds a page of the newest messages. Reads places in chunks, newest first: a message that starts within the places
 * read so far has all its spans there. Evaluates the traces found there, beginning with the latest such spans, until no
 * other can be on the page. Returns undefined if the index does not help.
 */
export async function searchPageByValues(search: MessageSearch): Promise<FoundPage | undefined> {
  const { telemetry, query, columns, limit, after, values, chunkLengths } = search
  const narrowed = await values.narrow(telemetry, query, chunkLengths)
  if (narrowed === undefined) return undefined
  const { places, storedByMicros } = narrowed
  const stored = storedBy(telemetry, storedByMicros)
  const evaluated = new Set<string>()
  const messages: MessageRecord[] = []
  const found = (fromNs: bigint): FoundPage => {
    const final = messages.filter(
      (message) => message.startedNs >= fromNs && (after === undefined || isAfter(message, after)),
    )
    return { messages: final.sort(newestFirst).slice(0, limit), hasMore: final.length > limit, storedByMicros }
  }
  const readMessages = async (sought: MessageQuery, ids: readonly string[]) => {
    const ofTraces = await values.placesOf(stored, ids, { lengths: chunkLengths, covered: narrowed })
    const details = messageDetails(sought, ids, columns, ofTraces)
    return (await readInScope<StoredMessage>(stored, details, 'message details')).map(toMessageRecord)
  }
  /** Traces that may have further steps in places that are not read yet. */
  const unfinished = new Set<string>()
  const evaluate = async (traces: readonly FoundTrace[], fromNs: bigint, isLast: boolean) => {
    // With a status, messages that lack it would be read twice, because only the messages that are found are finished.
    const sought = isLast || query.status === undefined ? queryOfTraces(query, traces) : query
    const ids = traces.map(({ id }) => id)
    for (const id of ids) evaluated.add(id)
    const records = await readMessages(sought, ids)
    if (isLast || sought === query) {
      messages.push(...records)
      return
    }
    const finished = records.filter(({ startedNs }) => startedNs >= fromNs)
    messages.push(...finished)
    for (const id of ids) unfinished.add(id)
    for (const { traceId } of finished) unfinished.delete(traceId)
  }
  let slotsWanted = slotsPerMessage * (limit + 1)
  let count = Math.ceil(tracesPerMessage * (limit + 1))
  for (let first = 0; ; slotsWanted *= 2) {
    if (unfinished.size > 0) messages.push(...(await readMessages(query, [...unfinished])))
    unfinished.clear()
    const next = endOfChunk(narrowed, first, slotsWanted)
    const isLast = next === places.length
    const chunk = placesToRead({ ...narrowed, places: places.slice(first, next) }, isLast)
    const traces = await readTraces(stored, narrowed, chunk)
    if (traces === 'too many') return undefined
    const fromNs = isLast ? telemetry.scope.window.fromNs : (places[next - 1]?.fromNs ?? 0n)
    const others = traces.filter(({ id }) => !evaluated.has(id)).sort(latestFirst)
    while (others.length > 0) {
      await evaluate(others.splice(0, count), fromNs, isLast)
      count *= batchGrowth
      const [other] = others
      const page = found(other === undefined || other.lastStartNs < fromNs ? fromNs : other.lastStartNs + 1n)
      if (page.hasMore) return page
    }
    const page = found(fromNs)
    if (isLast || page.hasMore) return page
    first = next
  }
}

function latestFirst(left: FoundTrace, right: FoundTrace): number {
  return left.lastStartNs < right.lastStartNs ? 1 : left.lastStartNs > right.lastStartNs ? -1 : 0
}

/** Reports whether a message follows a position in the order of a search. */
function isAfter({ startedNs, traceId }: PagePosition, after: PagePosition): boolean {
  return startedNs === after.startedNs ? BigInt(traceId) < BigInt(after.traceId) : startedNs < after.startedNs
}

/**
 * Returns the end of the chunk of places that begins at `first`. What the index does not cover is read with the last
 * chunk, so a chunk that reaches into these times is the last one.
 */
function endOfChunk({ places, allBeforeNs = 0n }: Narrowed, first: number, slotsWanted: number): number {
  let slots = 0
  let next = first
  while (next < places.length && slots < slotsWanted) {
    const place = places[next]
    if (place === undefined || place.fromNs < allBeforeNs) return places.length
    slots += bitCount(place.slots)
    next++
  }
  return next
}
