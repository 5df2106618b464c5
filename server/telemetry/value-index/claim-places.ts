/** The places of claims in the value index: which terms to look up, and which claim to follow. */
import type { FoundPlacesRow, IndexedClaim, SlotsOfBucket, Term } from '#sql'
import { nsOfSeconds } from '../time-units.ts'

/** A claim with more places than these is not worth looking up. */
export const placesMax = 4_096

/** A claim to look up, by those of its terms that are not known to be frequent. */
export interface RareClaim<Claim extends IndexedClaim = IndexedClaim> {
  readonly claim: Claim
  readonly alternatives: readonly (readonly Term[])[]
}

/** Returns the claims of which every alternative has a term that is not known to be frequent, with these terms. */
export function rareClaims<Claim extends IndexedClaim>(
  claims: readonly Claim[],
  isRare: (term: Term) => boolean,
): RareClaim<Claim>[] {
  return claims
    .map((claim) => ({ claim, alternatives: claim.alternatives.map(({ terms }) => terms.filter(isRare)) }))
    .filter(({ alternatives }) => alternatives.every((terms) => terms.length > 0))
}

/** Returns the terms of all claims, each once. */
export function distinctTerms(claims: readonly RareClaim[]): Term[] {
  const terms = claims.flatMap(({ alternatives }) => alternatives.flat())
  return [...new Map(terms.map((term) => [term.join(), term])).values()]
}

/** Returns the claim with the fewest slots, unless all have too many places, and its places, newest first. */
export function fewestPlaces<Claim extends IndexedClaim>(claims: readonly RareClaim<Claim>[], row: FoundPlacesRow) {
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
  return { fromNs: nsOfSeconds(bucket), slots: BigInt(slots) }
}

/** Returns the index after the first places that have a number of slots, from the place at `first` on. */
export function endOfSlots(places: readonly Required<SlotsOfBucket>[], first: number, slotsWanted: number): number {
  let end = first
  for (let slots = 0; end < places.length && slots < slotsWanted; end++) slots += bitCount(places[end]?.slots ?? 0n)
  return end
}

/** Returns the number of slots of a place. */
function bitCount(slots: bigint): number {
  let count = 0
  for (let rest = slots; rest > 0n; rest &= rest - 1n) count++
  return count
}
