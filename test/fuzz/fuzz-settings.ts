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
  return seedsOfSets(Number.POSITIVE_INFINITY, queriesPerTraces)
}

/** Seeds of `setsMax` sets, and of fewer in a run of few cases: each set is asked about so many. */
export function seedsOfSets(setsMax: number, casesPerSet: number): number[] {
  const count = Math.min(setsMax, Math.ceil(fuzzSettings.cases / casesPerSet))
  return Array.from({ length: count }, (_, position) => fuzzSettings.seed + position)
}

/** Of a long table of cases those that this run asks: all of them, or with `TABLE_EVERY` one in so many. */
export function casesOfRun<Case>(table: readonly Case[]): readonly Case[] {
  const every = Number(process.env.TABLE_EVERY ?? 1)
  return table.filter((_, position) => position % every === 0)
}
