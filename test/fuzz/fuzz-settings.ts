/** Queries that each set of traces is asked. */
export const queriesPerTraces = 20

/** `FUZZ_SEED` repeats a run from its first set of traces, `FUZZ_CASES` says how many (traces, query) pairs it has. */
export const fuzzSettings = {
  seed: Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 1_000_000_000)),
  cases: Number(process.env.FUZZ_CASES ?? 2_000),
  /** Differences that are told, each shrunk; the run ends when it has found so many. */
  differencesMax: Number(process.env.FUZZ_DIFFERENCES ?? 5),
} as const

/** The seed of each set of traces of this run; the first repeats alone with FUZZ_SEED=<it> FUZZ_CASES=1. */
export function seedsOfRun(): number[] {
  return Array.from(
    { length: Math.ceil(fuzzSettings.cases / queriesPerTraces) },
    (_, position) => fuzzSettings.seed + position,
  )
}

/** Of a long table of cases those that this run asks: all of them, or with `TABLE_EVERY` one in so many. */
export function casesOfRun<Case>(table: readonly Case[]): readonly Case[] {
  const every = Number(process.env.TABLE_EVERY ?? 1)
  return table.filter((_, position) => position % every === 0)
}
