/**
 * How much every random suite checks, and from which seed. These environment variables apply:
 *
 *   TEST_PROFILE      `quick`, the default, checks a few cases of each suite; `full` checks all of them
 *   FUZZ_CASES        the number of cases of every suite, in place of the number of the profile
 *   TABLE_EVERY       runs one in this many cases of each operator table, in place of the number of the profile
 *   FUZZ_SEED         the seed of the first set; a failure prints the seed to repeat it with
 *   FUZZ_DIFFERENCES  a suite that collects differences stops after this many
 */
const profiles = ['quick', 'full'] as const

/**
 * The number of cases of each suite. What a case is, each suite says: mostly one query on one set of random telemetry.
 */
const cases = {
  messages: { quick: 15, full: 300 },
  'backfilled messages': { quick: 4, full: 80 },
  relations: { quick: 5, full: 120 },
  TraceQL: { quick: 8, full: 150 },
  explanations: { quick: 2, full: 70 },
  'message pages under ingest': { quick: 5, full: 50 },
  'message details': { quick: 8, full: 60 },
  skeletons: { quick: 3, full: 48 },
  exports: { quick: 2, full: 24 },
  sentences: { quick: 40, full: 2_000 },
  'log exports': { quick: 2, full: 40 },
  'chunk lengths': { quick: 9, full: 30 },
  logs: { quick: 20, full: 250 },
  metrics: { quick: 20, full: 250 },
  'message totals': { quick: 3, full: 160 },
  comparisons: { quick: 1, full: 12 },
  slices: { quick: 2, full: 60 },
  'slice diffs': { quick: 2, full: 160 },
  grants: { quick: 30, full: 60 },
  'granted messages': { quick: 2, full: 40 },
  facets: { quick: 8, full: 600 },
  widgets: { quick: 8, full: 200 },
  'alert rules': { quick: 8, full: 480 },
  'alert previews': { quick: 2, full: 40 },
  templates: { quick: 50, full: 500 },
  signatures: { quick: 20, full: 200 },
  'hostile requests': { quick: 50, full: 500 },
  'forged cursors': { quick: 30, full: 60 },
  'spans in a backup': { quick: 12_000, full: 60_000 },
  'OTLP bodies': { quick: 32, full: 640 },
  'OTLP protocols': { quick: 5, full: 60 },
  'HTTP/2 frames': { quick: 30, full: 600 },
  'queries on real data': { quick: 5, full: 30 },
} as const satisfies Readonly<Record<string, Readonly<Record<Profile, number>>>>

const tableEvery = { quick: 14, full: 1 } as const satisfies Readonly<Record<Profile, number>>

type Profile = (typeof profiles)[number]
export type FuzzSuite = keyof typeof cases

const profile = readProfile(process.env.TEST_PROFILE ?? 'quick')

export const fuzzSettings = {
  seed: Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 1_000_000_000)),
  differencesMax: Number(process.env.FUZZ_DIFFERENCES ?? 5),
} as const

/** Returns the line that a run begins with: which profile it runs, and what that leaves out. */
export function describeProfile(): string {
  return profile === 'full'
    ? 'Test profile full: the slow suites, and the random ones with all of their cases.'
    : 'Test profile quick: few random cases, no shards and no replicas. `npm run test:all` runs everything.'
}

/** Returns the number of cases that this run checks in a suite. */
export function casesOf(suite: FuzzSuite): number {
  return Number(process.env.FUZZ_CASES ?? cases[suite][profile])
}

const leastTimeoutMs = 3_600_000
const caseMsMax = 20_000

/** Returns the time that all cases of a suite may take, on a busy machine too. */
export function timeoutOf(suite: FuzzSuite): number {
  return Math.max(leastTimeoutMs, casesOf(suite) * caseMsMax)
}

/** A set of random telemetry and the number of cases that are checked on it. */
export interface FuzzSet {
  readonly seed: number
  readonly cases: number
}

/** Returns the sets that hold the cases of a suite, each with at most `casesPerSet` of them. */
export function setsOf(suite: FuzzSuite, casesPerSet: number): FuzzSet[] {
  const count = casesOf(suite)
  return Array.from({ length: Math.ceil(count / casesPerSet) }, (_, position) => ({
    seed: fuzzSettings.seed + position,
    cases: Math.min(casesPerSet, count - position * casesPerSet),
  }))
}

/**
 * Returns the cases of an operator table that this run checks: all of them in the full profile, else one in several.
 */
export function sampleOf<Case>(table: readonly Case[]): readonly Case[] {
  const every = Number(process.env.TABLE_EVERY ?? tableEvery[profile])
  return table.filter((_, position) => position % every === 0)
}

function readProfile(name: string): Profile {
  const known = profiles.find((each) => each === name)
  if (known === undefined) throw new Error(`TEST_PROFILE must be one of ${profiles.join(', ')}, not "${name}".`)
  return known
}
