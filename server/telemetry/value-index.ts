/**
 * Finds where spans with a value are, by the value index. What it returns only narrows where a search looks; an index
 * that is incomplete for old spans, or has entries without spans, makes searches slower and never wrong.
 */
import {
  type Bounds,
  bucketNs,
  type Claim,
  claimsOf,
  type FoundPlacesRow,
  findPlaces,
  type MessageQuery,
  type Places,
  type Scope,
  type SlotsOfBucket,
  type Sql,
  type Term,
  type TimeWindow,
  type TraceTimesRow,
  timesOfTrace,
} from '#sql'
import type { ValueIndexMode } from '../config/parse-values.ts'
import type { ChunkLengths } from './chunk-lengths.ts'
import { distinctTerms, fewestPlaces, placesMax, type RareClaim, rareClaims } from './claim-places.ts'
import { IndexCoverage } from './index-coverage.ts'
import { createMemory, type Memory } from './memory.ts'
import { readPlacesOfTraces } from './places-of-traces.ts'
import { asOfNow, resultWithin, type ScopedTelemetry } from './scope.ts'
import { type Density, isWorthwhile, partMax, SpanDensity } from './span-density.ts'
import { nsOfSeconds } from './time-units.ts'

/** What the index does not cover of a window. */
interface Uncovered {
  /** The index does not cover spans that start before this time. Absent if it covers the window. */
  readonly allBeforeNs?: bigint
}

/** Where the messages of a query can be. */
export interface Narrowed extends Uncovered {
  /** Every matching message has a span in these places that satisfies the claim. */
  readonly claim: Claim
  /** Newest first. */
  readonly places: readonly Required<SlotsOfBucket>[]
  /** Whether a bucket has so few rows that reading one of its slots reads all of them. */
  readonly readsWholeBuckets: boolean
  /** The places hold for spans stored up to this time, in microseconds since 1970 on ClickHouse's clock. */
  readonly storedByMicros: bigint
}

export interface ValueIndex {
  /**
   * Returns where the messages of a query can be. Returns undefined if reading only those places would not be faster:
   * `lengths` expects few rows in the window, or the places make up much of it.
   */
  narrow(telemetry: ScopedTelemetry, query: MessageQuery, lengths: ChunkLengths): Promise<Narrowed | undefined>
  /**
   * Returns places that contain all spans of some traces. Returns undefined where the filter of trace ids of the spans
   * table finds them as quickly, or the index is not known to cover the window.
   */
  placesOf(
    telemetry: ScopedTelemetry,
    traceIds: readonly string[],
    options: PlacesOfTracesOptions,
  ): Promise<Places | undefined>
  /** Returns bounds that contain all spans of a trace in the window. They are empty if the index does not cover it. */
  boundsOf(telemetry: ScopedTelemetry, traceId: string): Promise<Pick<Bounds, 'places'>>
}

export interface PlacesOfTracesOptions {
  readonly lengths: ChunkLengths
  /** Only spans before this time are needed. */
  readonly beforeNs?: bigint
  /** What the index does not cover of the window, if that is known. */
  readonly uncovered?: Uncovered | undefined
}

export interface ValueIndexOptions {
  readonly now: () => Date
  /** The days after which spans are deleted, and their entries somewhat later; undefined for never. */
  readonly retentionDays: number | undefined
  /** `auto` asks the index when it is expected to help, `always` whenever it can. */
  readonly mode: ValueIndexMode
}

/** In a window of up to this length, the filter of trace ids of the spans table finds a trace as quickly. */
const filteredNsMax = 3_600_000_000_000n
/** Among up to this many spans, searching that filter for a trace costs no more than asking the value index. */
const filteredSpansMax = 10_000_000
/**
 * That filter (schema/migrations/0008-trace-id-filter.sql) is tested for each trace and granule. Up to this number of
 * tests, that takes no longer than asking the value index.
 */
const filterTestsMax = 250_000n

export function createValueIndex(options: ValueIndexOptions): ValueIndex {
  return new LearningValueIndex(options)
}

/** Asks the index, and learns from its answers when asking is of no use. */
class LearningValueIndex implements ValueIndex {
  private readonly mode: ValueIndexMode
  private readonly coverage: IndexCoverage
  private readonly density: SpanDensity
  /** The terms that are too frequent to narrow anything. */
  private readonly frequent: Memory<true>

  constructor(options: ValueIndexOptions) {
    this.mode = options.mode
    // With `always`, the index is asked if it covers anything of a window.
    this.coverage = new IndexCoverage({ ...options, uncoveredMax: options.mode === 'always' ? 1 : partMax })
    this.density = new SpanDensity(options.now)
    this.frequent = createMemory(options.now)
  }

  async narrow(requested: ScopedTelemetry, query: MessageQuery, lengths: ChunkLengths): Promise<Narrowed | undefined> {
    const telemetry = asOfNow(requested)
    const { scope } = telemetry
    if (this.mode === 'off' || !this.coverage.includes(scope.org, scope.window)) return undefined
    if (this.mode === 'auto' && isShort(scope, query, lengths)) return undefined
    const claims = rareClaims(claimsOf(query), (term) => this.isRare(scope, term))
    const located = claims.length === 0 ? undefined : await this.locate(telemetry, claims)
    if (located === undefined) return undefined
    const { row, uncovered } = located
    const found = fewestPlaces(claims, row)
    const density = this.mode === 'auto' ? await this.density.read(telemetry, found?.places ?? [], lengths) : undefined
    if (density !== undefined) this.learnFrequent(scope, distinctTerms(claims), row, density)
    if (found === undefined) return undefined
    if (density !== undefined && !isWorthwhile(found.places.length, found.slots, density)) return undefined
    return {
      claim: found.claim,
      places: found.places,
      readsWholeBuckets: density !== undefined && density.granuleNs >= bucketNs,
      storedByMicros: scope.storedByMicros ?? BigInt(row.asked_micros ?? 0),
      ...uncovered,
    }
  }

  /** Looks up the places of claims. Returns undefined if the index turns out to cover too little of the window. */
  private async locate(telemetry: ScopedTelemetry, claims: readonly RareClaim[]) {
    const { org, window, storedByMicros } = telemetry.scope
    const coveredFromNs = this.coverage.from(org)
    const isAllKnown = storedByMicros !== undefined && isCovered(telemetry)
    const lookup = findPlaces(
      claims.map(({ alternatives }) => alternatives),
      distinctTerms(claims),
      { placesMax, coveredFromNs, isAllKnown },
    )
    const row = await this.ask<FoundPlacesRow>(telemetry, lookup)
    if (row === undefined) return undefined
    const uncovered = uncoveredPart(window, this.coverage.learn(org, coveredFromNs, row.uncovered_ns))
    return this.coverage.includes(org, window) ? { row, uncovered } : undefined
  }

  async placesOf(
    telemetry: ScopedTelemetry,
    traceIds: readonly string[],
    {
      lengths,
      beforeNs = telemetry.scope.window.toNs,
      uncovered = this.knownUncovered(telemetry),
    }: PlacesOfTracesOptions,
  ): Promise<Places | undefined> {
    if (this.mode === 'off' || uncovered === undefined) return undefined
    const { org, window } = telemetry.scope
    const granuleNs = this.density.knownGranuleNs(org, lengths)
    const areFilteredQuickly =
      granuleNs === undefined || (beforeNs - window.fromNs) * BigInt(traceIds.length) <= granuleNs * filterTestsMax
    if (this.mode === 'auto' && areFilteredQuickly) return undefined
    const traces = await readPlacesOfTraces(telemetry, traceIds)
    if (traces === undefined) return undefined
    const { allBeforeNs } = uncovered
    return {
      traces: traces.filter(([fromNs]) => fromNs < beforeNs),
      ...(allBeforeNs === undefined ? {} : { allBeforeNs }),
    }
  }

  /** Returns what the index does not cover of a window, if that is known without a query. */
  private knownUncovered(telemetry: ScopedTelemetry): Uncovered | undefined {
    const { org, window } = telemetry.scope
    return isCovered(telemetry) ? uncoveredPart(window, this.coverage.from(org)) : undefined
  }

  async boundsOf(telemetry: ScopedTelemetry, traceId: string): Promise<Pick<Bounds, 'places'>> {
    const { org, window } = telemetry.scope
    if (this.mode === 'off' || !this.coverage.includes(org, window)) return {}
    if (this.mode === 'auto' && (await this.isFilteredQuickly(telemetry))) return {}
    const coveredFromNs = this.coverage.from(org)
    const lookup = timesOfTrace(traceId, { coveredFromNs, isAllKnown: isCovered(telemetry) })
    const row = await this.ask<TraceTimesRow>(telemetry, lookup)
    if (row === undefined) return {}
    const range = { fromNs: nsOfSeconds(row.first_seconds), toNs: nsOfSeconds(row.last_seconds) + bucketNs }
    return { places: { range, ...uncoveredPart(window, this.coverage.learn(org, coveredFromNs, row.uncovered_ns)) } }
  }

  /** Reports whether the filter of trace ids finds a single trace in the window as quickly. */
  private async isFilteredQuickly(telemetry: ScopedTelemetry): Promise<boolean> {
    const { fromNs, toNs } = telemetry.scope.window
    return toNs - fromNs <= filteredNsMax || (await this.density.spanCount(telemetry)) <= filteredSpansMax
  }

  /**
   * Asks the index. Returns undefined if that would read more rows than a query may, as in a store with billions of
   * spans without entries. The index then counts as useless for such windows until that is forgotten.
   */
  private async ask<Row>(telemetry: ScopedTelemetry, lookup: Sql): Promise<Row | undefined> {
    const result = await resultWithin<Row>(telemetry, lookup, 'value index', {})
    if (result !== 'too large') return result.rows[0]
    this.coverage.exclude(telemetry.scope.org, telemetry.scope.window.toNs)
    return undefined
  }

  private isRare(scope: Scope, term: Term): boolean {
    return this.mode === 'always' || this.frequent.get(keyOfTerm(scope, term)) === undefined
  }

  /** Learns which terms are too frequent to narrow anything. Later lookups leave them out. */
  private learnFrequent(scope: Scope, terms: readonly Term[], row: FoundPlacesRow, density: Density): void {
    terms.forEach((term, index) => {
      const [buckets, slots] = row[`term_${index}`] ?? ['0', '0']
      if (!isWorthwhile(Number(buckets), Number(slots), density)) this.frequent.set(keyOfTerm(scope, term), true)
    })
  }
}

/** Reports whether a search is expected to read few rows of its window without the index. */
function isShort({ org, window }: Scope, query: MessageQuery, lengths: ChunkLengths): boolean {
  return window.toNs - window.fromNs <= lengths.first({ org, window, sought: query }).shortNsMax
}

/** Returns what an index that is complete from a time on does not cover of a window. */
function uncoveredPart(window: TimeWindow, coveredFromNs: bigint): Uncovered {
  return coveredFromNs > window.fromNs ? { allBeforeNs: coveredFromNs } : {}
}

/**
 * Returns the key under which a term is known to be frequent, in windows of about this length: a value that is in every
 * minute of an hour may be in no other hour of a week.
 */
function keyOfTerm({ org, window }: Scope, term: Term): string {
  return `${org} ${(window.toNs - window.fromNs).toString(2).length} ${term.join()}`
}

/** Reports whether it is known without a query that the index covers all spans. */
function isCovered({ clickhouse: { known } }: ScopedTelemetry): boolean {
  return known?.areIndexed === true
}
