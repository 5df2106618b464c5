/** Which claims are looked up in the value index, and which of those found is followed. */
import { expect, it } from 'vitest'
import { endOfSlots, fewestPlaces, placesMax, rareClaims } from '../../server/telemetry/value-index/claim-places.ts'

const [frequent, rare, other] = [[1], [2], [3]] as const

it('looks up a claim only if each of its alternatives has a term that is not known to be frequent', () => {
  const claim = { alternatives: [{ terms: [frequent, rare] }, { terms: [other] }] }
  const hidden = { alternatives: [{ terms: [frequent] }, { terms: [rare] }] }
  const found = rareClaims([hidden, claim], (term) => term !== frequent)
  expect(found).toEqual([{ claim, alternatives: [[rare], [other]] }])
})

/** A row with places in consecutive buckets, which have these slots. */
const placesOf = (slots: readonly bigint[]) => slots.map((each, index) => [String(10 * index), String(each)] as const)
const claims = ['first', 'second'].map((name) => ({ claim: { name, alternatives: [] }, alternatives: [] }))

it('follows the claim with the fewest slots, in its newest places first', () => {
  const row = { places_0: placesOf([0b1n, 0b111n]), places_1: placesOf([0b1n, 0b1n, 0b1n]) }
  const followed = fewestPlaces(claims, row)
  expect(followed?.claim).toMatchObject({ name: 'second' })
  expect(followed?.slots).toBe(3)
  expect(followed?.places.map(({ fromNs }) => fromNs)).toEqual([20_000_000_000n, 10_000_000_000n, 0n])
})

it('follows a claim with as many places as are looked up, and none of whose places some are missing', () => {
  const many = (count: number) => placesOf(Array.from({ length: count }, () => 1n))
  const most = { places_0: many(placesMax), places_1: many(placesMax + 1) }
  expect(fewestPlaces(claims, most)?.places).toHaveLength(placesMax)
  expect(fewestPlaces(claims, { places_0: many(placesMax + 1), places_1: many(placesMax + 1) })).toBeUndefined()
})

it('a chunk ends with the place that has the last slot that is wanted', () => {
  const places = [0b11n, 0b1n, 0b111n].map((slots) => ({ fromNs: 0n, slots }))
  expect([1, 2, 3, 4, 6, 7].map((wanted) => endOfSlots(places, 0, wanted))).toEqual([1, 1, 2, 3, 3, 3])
  expect(endOfSlots(places, 1, 1)).toBe(2)
})
