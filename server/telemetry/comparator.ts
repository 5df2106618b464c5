interface ComparatorEntry {
  readonly holds: (value: number, threshold: number) => boolean
  /** The relation in words, as in "above 5". */
  readonly words: string
}

/** Comparisons of a value with a threshold. They share the names of the operators of conditions. */
export const comparators = {
  gt: { holds: (value, threshold) => value > threshold, words: 'above' },
  gte: { holds: (value, threshold) => value >= threshold, words: 'at least' },
  lt: { holds: (value, threshold) => value < threshold, words: 'below' },
  lte: { holds: (value, threshold) => value <= threshold, words: 'at most' },
  eq: { holds: (value, threshold) => value === threshold, words: 'equal to' },
  neq: { holds: (value, threshold) => value !== threshold, words: 'different from' },
} as const satisfies Readonly<Record<string, ComparatorEntry>>

export type Comparator = keyof typeof comparators
