/** A stream of choices that is the same for the same seed on every machine. */
export interface Random {
  /** Returns an integer from 0 up to, but not including, `limit`. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** Returns `count` items in random order, each position of the list at most once. */
  sample<T>(items: readonly T[], count: number): T[]
  /** Returns one of the keys, with a probability in proportion to its weight. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K
}

/** Mulberry32. Its 32 bits of state are enough for test data, and the generator has five lines. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    sample: (items, count) => shuffled(items, below).slice(0, count),
    weighted: (weights) => pickWeighted(weights, next()),
  }
}

function shuffled<T>(items: readonly T[], below: (limit: number) => number): T[] {
  const order = [...items]
  for (let last = order.length - 1; last > 0; last--) {
    const other = below(last + 1)
    const kept = order[last] as T
    order[last] = order[other] as T
    order[other] = kept
  }
  return order
}

function pickWeighted<K extends string>(weights: Readonly<Record<K, number>>, share: number): K {
  const entries = Object.entries(weights) as [K, number][]
  let left = share * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [key, weight] of entries) {
    left -= weight
    if (left < 0) return key
  }
  return (entries.at(-1) as [K, number])[0]
}
