import type { TimeWindow } from '#sql'

/**
 * How much of a window is looked through first for its newest page: what holds about `rowsWanted` rows, as far as the searches
 * before can tell. A guess that only time depends on, never an answer.
 */
export interface SliceLengths {
  /** Of the first slice, in nanoseconds; it may be longer than the window. */
  first(org: string, window: TimeWindow): bigint
  /** What it took to read a slice, so that the next search begins with a better guess. */
  note(org: string, slice: ReadSlice): void
}

export interface ReadSlice {
  readonly lengthNs: bigint
  readonly rowsRead: number
}

/** Two granules, since ClickHouse hardly reads less. */
const rowsWanted = 16_384
/** Rows of one part of the sort key lie in any order, so that a slice is read with what is before it in its first ten seconds. */
const bucketNs = 10_000_000_000n
/** Of a window of which nothing is known yet. */
const firstPart = 64n
const firstNsMin = 1_000_000_000n
/** Where there was little for some time there may be much again. */
const lengtheningMax = 2n
/** Beyond so many, the organization that was asked about the longest time ago is forgotten. */
const orgsMax = 10_000
/** A slice without anything found says nothing of how long one with a page must be. */
const growthAfterNone = 256n

export function createSliceLengths(): SliceLengths {
  const lengths = new Map<string, bigint>()
  return {
    first: (org, { fromNs, toNs }) => lengths.get(org) ?? larger((toNs - fromNs) / firstPart, firstNsMin),
    note(org, slice) {
      const length = planned(slice, lengths.get(org))
      lengths.delete(org)
      lengths.set(org, length)
      const [oldest] = lengths.keys()
      if (lengths.size > orgsMax && oldest !== undefined) lengths.delete(oldest)
    },
  }
}

function planned({ lengthNs, rowsRead }: ReadSlice, known = lengthNs): bigint {
  if (rowsRead >= rowsWanted) return ((lengthNs + bucketNs) * BigInt(rowsWanted)) / BigInt(rowsRead) + 1n
  return lengthNs > known * lengtheningMax ? known * lengtheningMax : larger(lengthNs, known)
}

/** By as much as what was found is too little, and half as much again, since it does not lie evenly. */
export function growth(found: number, wanted: number): bigint {
  return found === 0 ? growthAfterNone : BigInt(Math.max(2, Math.ceil((1.5 * wanted) / found)))
}

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right
}
