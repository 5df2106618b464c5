import {
  type Bounds,
  bucketNs,
  type Condition,
  type FoundLogRow,
  type LogPosition,
  type LogRecordRow,
  larger,
  logRecordDetails,
  newestLogRecords,
  smaller,
} from '#sql'
import { growth, neededNs } from '../telemetry/chunk-lengths.ts'
import { readInScope, resultInScope, type ScopedTelemetry, withWindow } from '../telemetry/scope.ts'
import { endOfSlots } from '../telemetry/value-index/claim-places.ts'
import { placesToRead } from '../telemetry/value-index/value-places.ts'
import { type LearnedLogs, type LogPlaces, placesOfLogs, placesOfTimes } from './log-places.ts'

/** A search for the newest log records after a position. */
export interface LogSearch {
  readonly telemetry: ScopedTelemetry
  readonly conditions: readonly Condition[]
  readonly after?: LogPosition
  readonly limit: number
  readonly learned: LearnedLogs
}

export interface LogPage {
  /** Newest first. */
  readonly rows: readonly LogRecordRow[]
  readonly hasMore: boolean
}

/** The slots of the first chunk of places for each record of the page. Some slots have no such record. */
const slotsPerRecord = 1.2

/**
 * Finds the newest log records that satisfy all conditions. Avoids reading the whole window: it reads consecutive
 * chunks from the end of the window, each longer than the one before, until a page is full; only the places of a rare
 * value, as far as the value index knows them. The time of a record never changes, so the result for a chunk is final,
 * and a cursor keeps its position when new records arrive. Then only the records of the page are read completely.
 */
export async function searchLogs(search: LogSearch): Promise<LogPage> {
  const { learned, telemetry, conditions, limit } = search
  const wanted = limit + 1
  const narrowed = await placesOfLogs(learned, telemetry, conditions)
  const found = await (narrowed === undefined ? findInWindow(search, wanted) : findInPlaces(search, narrowed, wanted))
  const page = found.slice(0, limit)
  return { rows: await readDetails(telemetry, page, narrowed), hasMore: found.length > limit }
}

/** Finds the wanted number of records, one more than the page has, to detect a next page. */
async function findInWindow(search: LogSearch, wanted: number): Promise<FoundLogRow[]> {
  const { telemetry, conditions } = search
  const { chunkLengths } = search.learned
  const { org, window } = telemetry.scope
  const windowQuery = { org, window, query: conditions }
  const found: FoundLogRow[] = []
  const newestNs = newestOf(search)
  let { lengthNs } = chunkLengths.first(windowQuery)
  let toNs = newestNs
  while (toNs > window.fromNs && found.length < wanted) {
    const fromNs = larger(toNs - lengthNs, window.fromNs)
    const missing = wanted - found.length
    const { rows, rowsRead } = await readChunk(search, { fromNs, toNs }, missing)
    chunkLengths.noteRows(windowQuery, { lengthNs: toNs - fromNs, rowsRead })
    found.push(...rows)
    lengthNs *= growth(rows.length, missing)
    toNs = fromNs
  }
  const last = found[wanted - 1]
  const lastNs = last === undefined ? undefined : BigInt(last.time_ns)
  chunkLengths.notePage(windowQuery, neededNs({ fromNs: window.fromNs, newestNs, found: found.length, wanted, lastNs }))
  return found
}

/**
 * Finds records as `findInWindow` does, in chunks of places, each with twice as many as the one before. The buckets of
 * a chunk are later than those of the next one. What the index does not cover is older, and read after them.
 */
async function findInPlaces(search: LogSearch, narrowed: LogPlaces, wanted: number): Promise<FoundLogRow[]> {
  const { window } = search.telemetry.scope
  const coveredFromNs = narrowed.allBeforeNs ?? window.fromNs
  const places = narrowed.places.filter(({ fromNs }) => fromNs < newestOf(search) && fromNs + bucketNs > coveredFromNs)
  const found: FoundLogRow[] = []
  let slotsWanted = slotsPerRecord * wanted
  for (let first = 0; first < places.length && found.length < wanted; slotsWanted *= 2) {
    const end = endOfSlots(places, first, slotsWanted)
    const chunk = places.slice(first, end)
    const bounds = {
      fromNs: larger(chunk.at(-1)?.fromNs ?? 0n, coveredFromNs),
      toNs: smaller((chunk[0]?.fromNs ?? 0n) + bucketNs, newestOf(search)),
      places: placesToRead({ ...narrowed, places: chunk }, false),
    }
    found.push(...(await readChunk(search, bounds, wanted - found.length)).rows)
    first = end
  }
  if (coveredFromNs === window.fromNs || found.length === wanted) return found
  const older = withWindow(search.telemetry, { toNs: smaller(coveredFromNs, window.toNs) })
  return [...found, ...(await findInWindow({ ...search, telemetry: older }, wanted - found.length))]
}

/** Returns the end of what is searched: the end of the window, or the time of the cursor. */
function newestOf({ after, telemetry }: LogSearch): bigint {
  const { toNs } = telemetry.scope.window
  return after === undefined ? toNs : smaller(after.timeNs + 1n, toNs)
}

function readChunk({ telemetry, conditions, after }: LogSearch, bounds: Bounds, limit: number) {
  const query = newestLogRecords(conditions, { bounds, limit, ...(after === undefined ? {} : { after }) })
  return resultInScope<FoundLogRow>(telemetry, query, 'log records')
}

async function readDetails(
  telemetry: ScopedTelemetry,
  page: readonly FoundLogRow[],
  narrowed: LogPlaces | undefined,
): Promise<LogRecordRow[]> {
  const [newest, oldest] = [page[0], page.at(-1)]
  if (newest === undefined || oldest === undefined) return []
  const times = page.map(({ time_ns }) => BigInt(time_ns))
  const bounds: Bounds = {
    fromNs: BigInt(oldest.time_ns),
    toNs: BigInt(newest.time_ns) + 1n,
    ...placesOfTimes(narrowed, times),
  }
  const ids = page.map(({ id }) => id)
  return readInScope<LogRecordRow>(telemetry, logRecordDetails(ids, bounds), 'log record details')
}
