import { createHash } from 'node:crypto'
import { larger, type TimeWindow } from '#sql'
import { createBoundedMemory } from './memory.ts'
import { nsOfSeconds } from './time-units.ts'

/**
 * Estimates how long the first chunk of a search should be to hold its newest page. The estimate learns from earlier
 * searches. It affects only the duration of a search, never its result.
 */
export interface ChunkLengths {
  first(search: WindowQuery): FirstChunk
  /** Returns the length that holds about a granule of an organization's rows, if earlier searches have shown it. */
  granuleNs(org: string): bigint | undefined
  /** Records the cost of reading a chunk. */
  noteRows(search: WindowQuery, chunk: ReadChunk): void
  /** Records the length at the end of a window that holds a page, as far as the search can tell. */
  notePage(search: WindowQuery, neededNs: bigint): void
}

/** A query and the window that it searches. */
export interface WindowQuery {
  readonly org: string
  readonly window: TimeWindow
  /** The query as a JSON value. Searches with equal values share their estimate. */
  readonly query: unknown
}

export interface FirstChunk {
  /** Length in nanoseconds. It may exceed the window. */
  readonly lengthNs: bigint
  /** The maximum length of a chunk that is expected to hold few rows. */
  readonly shortNsMax: bigint
}

export interface ReadChunk {
  readonly lengthNs: bigint
  readonly rowsRead: number
}

/**
 * The rows of a granule, which ClickHouse reads as a whole, and usually with its predecessor. See `index_granularity`
 * in sql/schema/migrations/0001-spans.sql.
 */
export const rowsPerGranule = 8_192
/** A chunk of up to this multiple of the first length still counts as short. */
const shortMax = 8n
/**
 * The precision of time in the sort key: it is truncated to ten seconds, within which rows are unordered. Reading a
 * chunk therefore includes the rows that precede it in its first ten seconds.
 */
const sortedNs = 10_000_000_000n
/** The first chunk is this fraction of the window if nothing is known about the organization. */
const firstPart = 4_096n
const firstNsMin = nsOfSeconds(1)
/**
 * The maximum factor by which a chunk with few rows lengthens the next estimate, because the density of rows varies.
 */
const lengtheningMax = 2n
/**
 * The growth factor after a chunk without matches, which gives no information about the length that holds a page.
 * Senders deliver with a delay, so the newest seconds are often empty, and the next chunk should not read far more than
 * a page. Two steps lead from the first part of a window to all of it, so finding nothing takes three chunks.
 */
const growthAfterNone = 64n

export function createChunkLengths(): ChunkLengths {
  const ofRows = createBoundedMemory<bigint>()
  const ofPages = createBoundedMemory<bigint>()
  const firstOfRows = ({ org, window }: WindowQuery) =>
    ofRows.get(org) ?? larger((window.toNs - window.fromNs) / firstPart, firstNsMin)
  return {
    first(search) {
      const ofRowsNs = firstOfRows(search)
      const neededNs = ofPages.get(fingerprint(search)) ?? 0n
      return { lengthNs: larger(ofRowsNs, neededNs + neededNs / 4n), shortNsMax: ofRowsNs * shortMax }
    },
    granuleNs: (org) => ofRows.get(org),
    noteRows({ org }, chunk) {
      ofRows.set(org, lengthOfRows(chunk, ofRows.get(org)))
    },
    notePage(search, neededNs) {
      ofPages.set(fingerprint(search), neededNs)
    },
  }
}

function lengthOfRows({ lengthNs, rowsRead }: ReadChunk, known = lengthNs): bigint {
  if (rowsRead >= rowsPerGranule) return ((lengthNs + sortedNs) * BigInt(rowsPerGranule)) / BigInt(rowsRead) + 1n
  return lengthNs > known * lengtheningMax ? known * lengtheningMax : larger(lengthNs, known)
}

/** Returns a hash of a search. The search itself may contain hundreds of values, so it is not stored. */
function fingerprint({ org, query }: WindowQuery): string {
  return createHash('sha1')
    .update(JSON.stringify([org, query]))
    .digest('base64')
}

/** The result of a search for the newest items of a window. */
export interface SearchedWindow {
  readonly fromNs: bigint
  /** The end of the searched range: the end of the window, or the cursor. */
  readonly newestNs: bigint
  readonly found: number
  readonly wanted: number
  /** The time of the last wanted item; undefined if the window holds fewer items. */
  readonly lastNs: bigint | undefined
}

/** Returns the length of the chunk that would have held exactly the wanted items. */
export function neededNs({ fromNs, newestNs, found, wanted, lastNs }: SearchedWindow): bigint {
  return lastNs === undefined ? (newestNs - fromNs) * growth(found, wanted) : newestNs - lastNs
}

/**
 * Returns the factor by which a chunk must grow: the ratio of wanted to found items, times 1.5 because density varies,
 * and at least 2.
 */
export function growth(found: number, wanted: number): bigint {
  return found === 0 ? growthAfterNone : BigInt(Math.max(2, Math.ceil((1.5 * wanted) / found)))
}
