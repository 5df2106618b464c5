import type { TimeWindow } from '#sql'

/** The first slice is this part of the window. */
const firstSlicePart = 64n
const firstSliceNsMin = 1_000_000_000n

/** A slice without anything found says nothing of how long one with a page must be. */
const growthAfterNone = 64n

/** How much of a window is looked through first for its newest page. */
export function firstSliceNs({ fromNs, toNs }: TimeWindow): bigint {
  const part = (toNs - fromNs) / firstSlicePart
  return part > firstSliceNsMin ? part : firstSliceNsMin
}

/** By as much as what was found is too little, and half as much again, since it does not lie evenly. */
export function growth(found: number, wanted: number): bigint {
  return found === 0 ? growthAfterNone : BigInt(Math.max(2, Math.ceil((1.5 * wanted) / found)))
}
