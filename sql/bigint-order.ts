/** Returns the larger of two integers, as `Math.max` does for numbers. Without the second one, returns the first. */
export function larger(left: bigint, right: bigint = left): bigint {
  return left > right ? left : right
}

/** Returns the smaller of two integers, as `Math.min` does for numbers. Without the second one, returns the first. */
export function smaller(left: bigint, right: bigint = left): bigint {
  return left < right ? left : right
}
