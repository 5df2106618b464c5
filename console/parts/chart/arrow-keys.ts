/**
 * Returns the position to which a key moves from the current one, of `count` positions from left to right. Returns
 * undefined for any other key.
 */
export function positionAfterKey(key: string, current: number | undefined, count: number): number | undefined {
  const next = { ArrowLeft: (current ?? count) - 1, ArrowRight: (current ?? -1) + 1, Home: 0, End: count - 1 }[key]
  return next === undefined ? undefined : Math.min(Math.max(next, 0), count - 1)
}
