/** A seeded source of chance: the same seed draws the same shop. */
export interface Draw {
  /** In [0, 1). */
  fraction(): number
  /** An integer, both ends included. */
  integer(from: number, to: number): number
  chance(probability: number): boolean
  /** One of the items; the earlier ones are likelier, as in real traffic. */
  oneOf<T>(items: readonly [T, ...T[]]): T
  /** A duration around `typical`, with the long tail that real latencies have. */
  latencyMs(typical: number): number
  hex(digits: number): string
}

export function createDraw(seed: number): Draw {
  const fraction = mulberry32(seed)
  const integer = (from: number, to: number) => from + Math.floor(fraction() * (to - from + 1))
  return {
    fraction,
    integer,
    chance: (probability) => fraction() < probability,
    oneOf: ([first, ...others]) => {
      const items = [first, ...others]
      return items[Math.floor(fraction() ** 1.6 * items.length)] ?? first
    },
    latencyMs: (typical) => typical * (0.5 + fraction()) * (fraction() < 0.03 ? integer(4, 12) : 1),
    // An id of zeros is not a valid one, so the first digit never is zero.
    hex: (digits) =>
      integer(1, 15).toString(16) + Array.from({ length: digits - 1 }, () => integer(0, 15).toString(16)).join(''),
  }
}

function mulberry32(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
