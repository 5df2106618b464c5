/** The places of claims in the value index: which terms to look up, which claim to follow, and whether that pays. */
import {
  bucketNs,
  type Claim,
  type FoundPlacesRow,
  type SlotsOfBucket,
  slotsPerBucket,
  type Term,
  type TimeWindow,
} from '#sql'

/** A claim with more places than these is not worth looking up. */
export const placesMax = 4_096
/**
 * A claim whose places hold more than this part of the granules of the window is not worth looking up either. Each
 * place is at least a granule, and a page reads them three times.
 */
export const partMax = 1 / 8
/** See `index_granularity` in sql/schema/migrations/0001-spans.sql. */
export const rowsPerGranule = 8_192

/** How many rows a window holds, and how dense they are. */
export interface Density {
  readonly window: TimeWindow
  /** The length that holds about a granule of rows where there are any. */
  readonly granuleNs: bigint
  /** The number of all stored spans. They may be in a small part of the window. */
  readonly spanCount: number
}

/** Reports whether reading some slots of some buckets is cheaper than reading the window. */
export function isWorthwhile(buckets: number, slots: number, { window, granuleNs, spanCount }: Density): boolean {
  const granules = Math.min(Number(window.toNs - window.fromNs) / Number(granuleNs), spanCount / rowsPerGranule)
  const read = Math.max(buckets, (slots / slotsPerBucket) * (Number(bucketNs) / Number(granuleNs)))
  return buckets <= placesMax && read <= granules * partMax
}

interface RareClaim {
  readonly claim: Claim
  readonly alternatives: readonly (readonly Term[])[]
}

/** Returns the claims of which every alternative has a term that is not known to be frequent, with these terms. */
export function rareClaims(claims: readonly Claim[], isRare: (term: Term) => boolean): RareClaim[] {
  return claims
    .map((claim) => ({ claim, alternatives: claim.alternatives.map(({ terms }) => terms.filter(isRare)) }))
    .filter(({ alternatives }) => alternatives.every((terms) => terms.length > 0))
}

export function distinctTerms(claims: readonly RareClaim[]): Term[] {
  const terms = claims.flatMap(({ alternatives }) => alternatives.flat())
  return [...new Map(terms.map((term) => [term.join(), term])).values()]
}

/** Returns the claim with the fewest slots, unless all have too many places, and its places, newest first. */
export function fewestPlaces(claims: readonly RareClaim[], row: FoundPlacesRow) {
  const found = claims.map(({ claim }, index) => {
    const places = (row[`places_${index}`] ?? []).map(placeOf)
    return { claim, places, slots: places.reduce((sum, { slots }) => sum + bitCount(slots), 0) }
  })
  const [fewest] = found
    .filter(({ places }) => places.length <= placesMax)
    .sort((left, right) => left.slots - right.slots)
  fewest?.places.sort((left, right) => (left.fromNs > right.fromNs ? -1 : 1))
  return fewest
}

function placeOf([bucket, slots]: readonly [string | number, string]): Required<SlotsOfBucket> {
  return { fromNs: BigInt(bucket) * 1_000_000_000n, slots: BigInt(slots) }
}

/** Returns the number of slots of a place. */
export function bitCount(slots: bigint): number {
  let count = 0
  for (let rest = slots; rest > 0n; rest &= rest - 1n) count++
  return count
}
