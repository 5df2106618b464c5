/**
 * Searches for messages with a rare value. The value index narrows where such messages can be; each of their traces is
 * then evaluated over the whole window, as in every other search.
 */
import { isFieldRow, larger, type MessageQuery, messageDetails, type Places } from '#sql'
import { readInScope, storedBy } from '../../telemetry/scope.ts'
import { endOfSlots } from '../../telemetry/value-index/claim-places.ts'
import type { Narrowed } from '../../telemetry/value-index/value-index.ts'
import { placesToRead } from '../../telemetry/value-index/value-places.ts'
import { boundsOfTraces, type FoundTrace, queryOfTraces, readTraces } from './matching-spans.ts'
import { type FoundPage, type MessageRecord, newestFirst, type StoredMessage, toMessageRecord } from './message-page.ts'
import type { MessageSearch } from './search-strategies.ts'

/** The slots of the first chunk for each message of the page. Some slots have spans of the same trace. */
const slotsPerMessage = 1.2
/** The traces that are evaluated first for each message of the page. Some do not match, or started much earlier. */
const tracesPerMessage = 1.06
/** The growth of the next batches, which are needed where few of the traces match. */
const batchGrowth = 4

/**
 * Finds a page of the newest messages. Reads places in chunks, newest first, and evaluates the traces found in each
 * chunk, until no other message can be on the page. Returns undefined if the index does not help.
 */
export async function searchPageByValues(search: MessageSearch): Promise<FoundPage | undefined> {
  const { telemetry, query, limit, values, chunkLengths } = search
  const narrowed = await values.narrow(telemetry, query, chunkLengths)
  if (narrowed === undefined) return undefined
  const stored = storedBy(telemetry, narrowed.storedByMicros)
  const evaluation = new TraceEvaluation({ ...search, telemetry: stored }, narrowed)
  let slotsWanted = slotsPerMessage * (limit + 1)
  for (let first = 0; ; slotsWanted *= 2) {
    const chunk = chunkFrom(search, narrowed, first, slotsWanted)
    const traces = await readTraces(stored, narrowed, chunk.places)
    if (traces === 'too many') return undefined
    const page = await evaluation.readPage(traces, chunk)
    if (page.hasMore || chunk.isLast) return page
    await evaluation.readIncomplete()
    first = chunk.end
  }
}

/** Some of the places of a search, which are read at once. */
interface PlacesChunk {
  readonly places: Places
  /** A message that starts at this time or later has all its spans with the value in the chunks read so far. */
  readonly fromNs: bigint
  /** The index of the first place after the chunk. */
  readonly end: number
  /** Whether nothing is left to read after this chunk. */
  readonly isLast: boolean
}

/** Returns the chunk of places that begins at `first`. The last chunk includes what the index does not cover. */
function chunkFrom(search: MessageSearch, narrowed: Narrowed, first: number, slotsWanted: number): PlacesChunk {
  const end = endOfChunk(narrowed, first, slotsWanted)
  const places = narrowed.places.slice(first, end)
  const isLast = end === narrowed.places.length
  return {
    places: placesToRead({ ...narrowed, places }, isLast),
    fromNs: isLast ? search.telemetry.scope.window.fromNs : (places.at(-1)?.fromNs ?? 0n),
    end,
    isLast,
  }
}

/** A chunk that reaches into times that the index does not cover is the last one. */
function endOfChunk({ places, allBeforeNs = 0n }: Narrowed, first: number, slotsWanted: number): number {
  const end = endOfSlots(places, first, slotsWanted)
  return places.slice(first, end).some(({ fromNs }) => fromNs < allBeforeNs) ? places.length : end
}

/** Evaluates the traces of a search, chunk by chunk, and collects the messages that match. */
class TraceEvaluation {
  private readonly search: MessageSearch
  private readonly narrowed: Narrowed
  private readonly evaluated = new Set<string>()
  private readonly messages: MessageRecord[] = []
  /** Evaluated traces whose messages may have further steps in places that are not read yet. */
  private incomplete: string[] = []
  /** The number of traces that are evaluated next. */
  private batchSize: number

  constructor(search: MessageSearch, narrowed: Narrowed) {
    this.search = search
    this.narrowed = narrowed
    this.batchSize = Math.ceil(tracesPerMessage * (search.limit + 1))
  }

  /**
   * Returns the page, as far as the chunks read so far contain it. Of the traces in the chunk, evaluates those with the
   * latest spans first, until no other can be on the page.
   */
  async readPage(traces: readonly FoundTrace[], chunk: PlacesChunk): Promise<FoundPage> {
    const rest = traces.filter(({ id }) => !this.evaluated.has(id)).sort(latestFirst)
    while (rest.length > 0) {
      await this.evaluate(rest.splice(0, this.batchSize), chunk)
      this.batchSize *= batchGrowth
      const [next] = rest
      const page = this.pageFrom(next === undefined ? chunk.fromNs : larger(chunk.fromNs, next.lastStartNs + 1n))
      if (page.hasMore) return page
    }
    return this.pageFrom(chunk.fromNs)
  }

  /** Reads the messages whose steps were not all known. They are complete whatever chunks follow. */
  async readIncomplete(): Promise<void> {
    if (this.incomplete.length > 0) this.messages.push(...(await this.readMessages(this.search.query, this.incomplete)))
    this.incomplete = []
  }

  private async evaluate(traces: readonly FoundTrace[], { fromNs, isLast }: PlacesChunk): Promise<void> {
    const { query } = this.search
    // Where steps alone do not make a message match, those that do not match would be read twice, because only messages
    // that are found become complete.
    const matchBySteps = query.status === undefined && !query.rows.some(isFieldRow)
    const narrowed = isLast || matchBySteps ? queryOfTraces(query, traces) : query
    const ids = traces.map(({ id }) => id)
    for (const id of ids) this.evaluated.add(id)
    const records = await this.readMessages(narrowed, ids)
    const areComplete = isLast || narrowed === query
    const complete = areComplete ? records : records.filter(({ startedNs }) => startedNs >= fromNs)
    this.messages.push(...complete)
    if (areComplete) return
    const completeIds = new Set(complete.map(({ traceId }) => traceId))
    this.incomplete.push(...ids.filter((id) => !completeIds.has(id)))
  }

  private async readMessages(query: MessageQuery, ids: readonly string[]): Promise<MessageRecord[]> {
    const { telemetry, columns, values, chunkLengths } = this.search
    const places = await values.placesOf(telemetry, ids, { lengths: chunkLengths, uncovered: this.narrowed })
    const details = messageDetails(query, boundsOfTraces(ids, places), columns)
    return (await readInScope<StoredMessage>(telemetry, details, 'message details')).map(toMessageRecord)
  }

  /** Returns the page of the messages that start at a time or later. */
  private pageFrom(fromNs: bigint): FoundPage {
    const { after, limit } = this.search
    const final = this.messages
      .filter((message) => message.startedNs >= fromNs)
      .filter((message) => after === undefined || newestFirst(after, message) < 0)
      .sort(newestFirst)
    const { storedByMicros } = this.narrowed
    return { messages: final.slice(0, limit), hasMore: final.length > limit, storedByMicros }
  }
}

function latestFirst(left: FoundTrace, right: FoundTrace): number {
  return left.lastStartNs < right.lastStartNs ? 1 : left.lastStartNs > right.lastStartNs ? -1 : 0
}
