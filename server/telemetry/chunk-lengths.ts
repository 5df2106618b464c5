import { createHash } from 'node:crypto'
import type { TimeWindow } from '#sql'

/**
 * Estimates how much of a window a search should read first to find its newest page. The estimate learns from earlier
 * searches. It affects only the time that a search takes, never its result.
 */
export interface ChunkLengths {
  first(search: Search): FirstChunk
  /** Records the cost of reading a chunk. */
  noteRows(search: Search, chunk: ReadChunk): void
  /** Records how much of the newest part of a window holds a page, as far as the search can tell. */
  notePage(search: Search, neededNs: bigint): void
}

export interface Search {
  readonly org: string
  readonly window: TimeWindow
  /** The query as a JSON value. Searches with equal values share their estimate. */
  readonly sought: unknown
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

/** One granule. ClickHouse reads whole granules, usually this one and its predecessor. */
const rowsWanted = 8_192
/** A chunk may be this many times as long as the first one and still count as short. */
const shortMax = 8n
/**
 * The sort key truncates time to ten seconds, and rows within those are in no order. A chunk is therefore read with the
 * rows that precede it in its first ten seconds.
 */
const sortedNs = 10_000_000_000n
/** Part of the window that is read first when nothing is known of the organization. */
const firstPart = 4_096n
const firstNsMin = 1_000_000_000n
/** A chunk with few rows lengthens the next estimate at most by this factor, because the density of rows varies. */
const lengtheningMax = 2n
/** The maximum number of organizations, and of searches, that are remembered. The least recent ones are forgotten. */
const knownMax = 10_000
/** Growth after a chunk without matches, which says nothing about the length that holds a page. */
const growthAfterNone = 256n

export function createChunkLengths(): ChunkLengths {
  const ofRows = createMemory()
  const ofPages = createMemory()
  const firstOfRows = ({ org, window }: Search) =>
    ofRows.get(org) ?? larger((window.toNs - window.fromNs) / firstPart, firstNsMin)
  return {
    first(search) {
      const ofRowsNs = firstOfRows(search)
      const neededNs = ofPages.get(fingerprint(search)) ?? 0n
      return { lengthNs: larger(ofRowsNs, neededNs + neededNs / 4n), shortNsMax: ofRowsNs * shortMax }
    },
    noteRows({ org }, chunk) {
      ofRows.set(org, lengthOfRows(chunk, ofRows.get(org)))
    },
    notePage(search, neededNs) {
      ofPages.set(fingerprint(search), neededNs)
    },
  }
}

function lengthOfRows({ lengthNs, rowsRead }: ReadChunk, known = lengthNs): bigint {
  if (rowsRead >= rowsWanted) return ((lengthNs + sortedNs) * BigInt(rowsWanted)) / BigInt(rowsRead) + 1n
  return lengthNs > known * lengtheningMax ? known * lengtheningMax : larger(lengthNs, known)
}

/** A map of at most `knownMax` lengths that forgets the ones set least recently. */
function createMemory() {
  const lengths = new Map<string, bigint>()
  return {
    get: (key: string) => lengths.get(key),
    set(key: string, lengthNs: bigint) {
      lengths.delete(key)
      lengths.set(key, lengthNs)
      const [oldest] = lengths.keys()
      if (lengths.size > knownMax && oldest !== undefined) lengths.delete(oldest)
    },
  }
}

/** Hashes a search, which may contain hundreds of values and is therefore not stored itself. */
function fingerprint({ org, sought }: Search): string {
  return createHash('sha1')
    .update(JSON.stringify([org, sought]))
    .digest('base64')
}

/** The outcome of a search for the newest part of a window. */
export interface SearchedWindow {
  readonly fromNs: bigint
  /** The end of what was searched: the window's end, or the cursor. */
  readonly newestNs: bigint
  readonly found: number
  readonly wanted: number
  /** The time of the last wanted item; undefined when the window holds fewer. */
  readonly lastNs: bigint | undefined
}

/** Returns the length of the chunk that would have held all wanted items. */
export function neededNs({ fromNs, newestNs, found, wanted, lastNs }: SearchedWindow): bigint {
  return lastNs === undefined ? (newestNs - fromNs) * growth(found, wanted) : newestNs - lastNs
}

/**
 * Returns the factor by which a chunk must grow: the missing share, and half as much again because of uneven density.
 */
export function growth(found: number, wanted: number): bigint {
  return found === 0 ? growthAfterNone : BigInt(Math.max(2, Math.ceil((1.5 * wanted) / found)))
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
