/**
 * Searches for messages with a rare value. The value index narrows where such messages can be; each of their traces is
 * then evaluated over the whole window, as in every other search.
 */
import {
  type MessageCountsRow,
  messageCounts,
  messageDetails,
  type PagePosition,
  type Places,
  type PlacesInRange,
  tracesWithSpan,
} from '#sql'
import { readInScope, type ScopedTelemetry } from '../telemetry/scope.ts'
import { bitCount, type Narrowed } from '../telemetry/value-index.ts'
import { type MessageRecord, newestFirst, type StoredMessage, toMessageRecord } from './message-page.ts'
import type { FoundPage } from './message-search.ts'
import { type MessageSearch, storedBy } from './search-strategies.ts'

interface TraceRow {
  readonly trace_id: string
}

/** The maximum number of ranges that one query reads. With more, planning takes longer than reading saves. */
const rangesMax = 192
/** The maximum number of traces that are evaluated. With more, another way to search is cheaper. */
const tracesMax = 1_000
/** The slots of the first chunk for each message of the page. Some traces of a slot have other values. */
const slotsPerMessage = 2

/**
 * Finds a page of the newest messages. Reads places in chunks, newest first: a message that starts within the places
 * read so far has all its spans there. Returns undefined if the index does not help.
 */
export async function searchPageByValues(search: MessageSearch): Promise<FoundPage | undefined> {
  const { telemetry, query, columns, limit, after, values, chunkLengths } = search
  const narrowed = await values.narrow(telemetry, query, chunkLengths)
  if (narrowed === undefined) return undefined
  const { places, allBeforeNs, storedByMicros } = narrowed
  const stored = storedBy(telemetry, storedByMicros)
  const known = new Set<string>()
  const messages: MessageRecord[] = []
  const found = (fromNs: bigint): FoundPage => {
    const final = messages.filter(
      (message) => message.startedNs >= fromNs && (after === undefined || isAfter(message, after)),
    )
    return { messages: final.sort(newestFirst).slice(0, limit), hasMore: final.length > limit, storedByMicros }
  }
  let slotsWanted = slotsPerMessage * (limit + 1)
  for (let first = 0; ; slotsWanted *= 2) {
    const next = endOfChunk(places, first, slotsWanted)
    const isLast = next === places.length
    const ranges = places.slice(first, next)
    const ids = await readTraces(stored, narrowed, {
      ranges,
      ...(isLast && allBeforeNs !== undefined ? { allBeforeNs } : {}),
    })
    if (ids === 'too many') return undefined
    const added = ids.filter((id) => !known.has(id))
    for (const id of added) known.add(id)
    if (added.length > 0) {
      const details = messageDetails(query, added, columns, await values.placesOf(stored, added, allBeforeNs))
      messages.push(...(await readInScope<StoredMessage>(stored, details, 'message details')).map(toMessageRecord))
    }
    const page = found(isLast ? telemetry.scope.window.fromNs : (places[next - 1]?.fromNs ?? 0n))
    if (isLast || page.hasMore) return page
    first = next
  }
}

/** Reports whether a message follows a position in the order of a search. */
function isAfter({ startedNs, traceId }: PagePosition, after: PagePosition): boolean {
  return startedNs === after.startedNs ? BigInt(traceId) < BigInt(after.traceId) : startedNs < after.startedNs
}

/** Counts the messages of a query. Returns undefined if the index does not help. */
export async function countByValues(
  { values: index, chunkLengths }: Pick<MessageSearch, 'values' | 'chunkLengths'>,
  telemetry: ScopedTelemetry,
  query: MessageSearch['query'],
): Promise<MessageCountsRow | undefined> {
  const narrowed = await index.narrow(telemetry, query, chunkLengths)
  if (narrowed === undefined) return undefined
  const stored = storedBy(telemetry, narrowed.storedByMicros)
  const { allBeforeNs } = narrowed
  const places = {
    ranges: joinRanges(narrowed.places, rangesMax),
    ...(allBeforeNs === undefined ? {} : { allBeforeNs }),
  }
  if (places.ranges.length === 0 && allBeforeNs === undefined) return noMessages
  if (narrowed.claim.isWhole) return readCounts(stored, messageCounts(query, { places }))
  const ids = await readTraces(stored, narrowed, places)
  if (ids === 'too many') return undefined
  if (ids.length === 0) return noMessages
  const ofTraces = await index.placesOf(stored, ids, allBeforeNs)
  return readCounts(stored, messageCounts(query, { traceIds: ids, places: ofTraces }))
}

const noMessages: MessageCountsRow = {
  message_count: '0',
  error_message_count: '0',
  matched_step_count: '0',
  error_step_count: '0',
}

async function readCounts(telemetry: ScopedTelemetry, query: ReturnType<typeof messageCounts>) {
  return (await readInScope<MessageCountsRow>(telemetry, query, 'message counts'))[0]
}

/** Reads the ids of the traces that can match: those with a span in the places that satisfies the claim. */
async function readTraces(
  telemetry: ScopedTelemetry,
  { claim }: Narrowed,
  places: Places,
): Promise<string[] | 'too many'> {
  if (places.ranges.length === 0 && places.allBeforeNs === undefined) return []
  const query = tracesWithSpan(claim.test, { places }, tracesMax + 1)
  const rows = await readInScope<TraceRow>(telemetry, query, 'traces with a value')
  return rows.length > tracesMax ? 'too many' : rows.map(({ trace_id }) => trace_id)
}

/** Returns the end of the chunk of places that begins at `first`. */
function endOfChunk(places: readonly PlacesInRange[], first: number, slotsWanted: number): number {
  let slots = 0
  let next = first
  while (next < places.length && next - first < rangesMax && slots < slotsWanted) {
    slots += bitCount(places[next]?.slots ?? 0n)
    next++
  }
  return next
}

/** Joins the ranges with the smallest gaps between them until there are few enough. `places` are newest first. */
function joinRanges(places: readonly PlacesInRange[], countMax: number): readonly PlacesInRange[] {
  if (places.length <= countMax) return places
  const gaps = places.slice(1).map((place, index) => (places[index]?.fromNs ?? 0n) - place.toNs)
  const widest = gaps
    .map((gap, index) => ({ gap, index }))
    .sort((left, right) => (left.gap < right.gap ? 1 : left.gap > right.gap ? -1 : 0))
    .slice(0, countMax - 1)
  const isCut = new Set(widest.map(({ index }) => index))
  const joined: PlacesInRange[] = []
  places.forEach((place, index) => {
    const last = joined.at(-1)
    if (last === undefined || isCut.has(index - 1)) joined.push(place)
    else
      joined[joined.length - 1] = {
        fromNs: place.fromNs,
        toNs: last.toNs,
        slots: (last.slots ?? 0n) | (place.slots ?? 0n),
      }
  })
  return joined
}
