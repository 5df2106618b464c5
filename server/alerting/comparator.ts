interface ComparatorEntry {
  readonly holds: (value: number, threshold: number) => boolean
  /** Between a value and its threshold, in a sentence. */
  readonly words: string
}

/** How a value is held against its threshold, in the names of the operators of conditions. */
export const comparators = {
  gt: { holds: (value, threshold) => value > threshold, words: 'is above' },
  gte: { holds: (value, threshold) => value >= threshold, words: 'is at least' },
  lt: { holds: (value, threshold) => value < threshold, words: 'is below' },
  lte: { holds: (value, threshold) => value <= threshold, words: 'is at most' },
  eq: { holds: (value, threshold) => value === threshold, words: 'is' },
  neq: { holds: (value, threshold) => value !== threshold, words: 'is not' },
} as const satisfies Readonly<Record<string, ComparatorEntry>>

export type Comparator = keyof typeof comparators
