/**
 * Returns the position that a key leads to from the current one, of a number of positions from left to right. Returns
 * undefined for a key that does not move.
 */
export function positionAfterKey(key: string, current: number | undefined, count: number): number | undefined {
  const next = { ArrowLeft: (current ?? count) - 1, ArrowRight: (current ?? -1) + 1, Home: 0, End: count - 1 }[key]
  return next === undefined ? undefined : Math.min(Math.max(next, 0), count - 1)
}
