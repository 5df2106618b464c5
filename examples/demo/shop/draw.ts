/** A seeded random source. Equal seeds draw equal shops. */
export interface Draw {
  /** Returns a number in [0, 1). */
  fraction(): number
  /** Returns an integer between two bounds, both inclusive. */
  integer(from: number, to: number): number
  chance(probability: number): boolean
  /** Returns one of the items. Earlier items are more likely, as in real traffic. */
  oneOf<T>(items: readonly [T, ...T[]]): T
  /** Returns a duration around `typical` with the long tail of real latencies. */
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
    // An id of zeros is invalid, so the first digit is never zero.
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
