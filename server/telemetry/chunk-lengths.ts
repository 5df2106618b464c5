import { createHash } from 'node:crypto'
import type { TimeWindow } from '#sql'

/**
 * How much of a window is looked through first for its newest page: what holds a page of what is searched for, as far as the
 * searches before can tell, and no fewer rows than are read in any case. A guess that only time depends on, never an
 * answer.
 */
export interface ChunkLengths {
  first(search: Search): FirstChunk
  /** What it took to read a slice. */
  noteRows(search: Search, slice: ReadChunk): void
  /** How much of the newest part of the window holds a page, as far as can be told. */
  notePage(search: Search, neededNs: bigint): void
}

export interface Search {
  readonly org: string
  readonly window: TimeWindow
  /** What JSON can hold; equal for searches for the same. */
  readonly sought: unknown
}

export interface FirstChunk {
  /** In nanoseconds; it may be longer than the window. */
  readonly lengthNs: bigint
  /** As long as a slice of few rows can be. */
  readonly shortNsMax: bigint
}

export interface ReadChunk {
  readonly lengthNs: bigint
  readonly rowsRead: number
}

/** A granule: ClickHouse reads no less, and mostly the one before, too. */
const rowsWanted = 8_192
/** So many times as many rows are still few. */
const shortMax = 8n
/** Rows of one part of the sort key lie in any order, so that a slice is read with what is before it in its first ten seconds. */
const bucketNs = 10_000_000_000n
/** Of a window of which nothing is known yet. */
const firstPart = 4_096n
const firstNsMin = 1_000_000_000n
/** Where there was little for some time there may be much again. */
const lengtheningMax = 2n
/** Of organizations, and of searches; beyond so many, what was not asked for the longest time is forgotten. */
const knownMax = 10_000
/** A slice without anything found says nothing of how long one with a page must be. */
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
    noteRows({ org }, slice) {
      ofRows.set(org, lengthOfRows(slice, ofRows.get(org)))
    },
    notePage(search, neededNs) {
      ofPages.set(fingerprint(search), neededNs)
    },
  }
}

function lengthOfRows({ lengthNs, rowsRead }: ReadChunk, known = lengthNs): bigint {
  if (rowsRead >= rowsWanted) return ((lengthNs + bucketNs) * BigInt(rowsWanted)) / BigInt(rowsRead) + 1n
  return lengthNs > known * lengtheningMax ? known * lengtheningMax : larger(lengthNs, known)
}

/** Of the few that are known, the ones set last are kept. */
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

/** A search may name hundreds of values, so it is not kept itself. */
function fingerprint({ org, sought }: Search): string {
  return createHash('sha1')
    .update(JSON.stringify([org, sought]))
    .digest('base64')
}

/**
 * How long a slice would have been enough, once the newest part of a window showed a page or the whole window less. `lastNs`:
 * where the last of `wanted` is; undefined when only `found` of them are there.
 */
export function neededNs(
  { fromNs, newestNs }: { readonly fromNs: bigint; readonly newestNs: bigint },
  { lastNs, found, wanted }: { readonly lastNs: bigint | undefined; readonly found: number; readonly wanted: number },
): bigint {
  return lastNs === undefined ? (newestNs - fromNs) * growth(found, wanted) : newestNs - lastNs
}

/** By as much as what was found is too little, and half as much again, since it does not lie evenly. */
export function growth(found: number, wanted: number): bigint {
  return found === 0 ? growthAfterNone : BigInt(Math.max(2, Math.ceil((1.5 * wanted) / found)))
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
