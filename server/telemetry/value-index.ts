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
  type SlotsOfBucket,
  type Sql,
  spansWithin,
  type Term,
  type TraceTimesRow,
  timesOfTrace,
} from '#sql'
import { readRowCount } from '../clickhouse/usage.ts'
import type { ValueIndexMode } from '../config/parse-values.ts'
import type { ChunkLengths } from './chunk-lengths.ts'
import {
  type Density,
  distinctTerms,
  fewestPlaces,
  isWorthwhile,
  partMax,
  placesMax,
  rareClaims,
  rowsPerGranule,
} from './claim-places.ts'
import { IndexCoverage } from './index-coverage.ts'
import { createMemory, type Memory } from './memory.ts'
import { readPlacesOfTraces } from './places-of-traces.ts'
import { asOfNow, readInScope, resultWithin, type ScopedTelemetry } from './scope.ts'

/** Where the messages of a query can be. */
export interface Narrowed {
  /** Every matching message has a span in these places that satisfies the claim. */
  readonly claim: Claim
  /** Newest first. */
  readonly places: readonly Required<SlotsOfBucket>[]
  /** Whether a bucket has so few rows that reading one of its slots reads all of them. */
  readonly readsWholeBuckets: boolean
  /** The index does not cover spans that start before this time. Absent if it covers the window. */
  readonly allBeforeNs?: bigint
  /** The places hold for spans stored up to this time, in microseconds since 1970 on ClickHouse's clock. */
  readonly storedByMicros: bigint
}

export interface ValueIndex {
  /**
   * Returns where the messages of a query can be, or undefined if reading only those places would not pay. It does not
   * in a window that holds few rows by `lengths`, nor where the places hold much of a window.
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
  /** What is known of the coverage of the window. */
  readonly covered?: Pick<Narrowed, 'allBeforeNs'> | undefined
}

export interface ValueIndexOptions {
  readonly now: () => Date
  /** The days after which spans are deleted, and their entries somewhat later; undefined for never. */
  readonly retentionDays: number | undefined
  /** `auto` asks the index when it is expected to help, `always` whenever it can. */
  readonly mode: ValueIndexMode
}

/**
 * The filter of trace ids of the spans table (schema/migrations/0008-trace-id-filter.sql) is tested for each trace and
 * granule. Up to this number of tests, that takes no longer than asking the value index.
 */
const filteredMax = 250_000n
/** In a window of up to this length, the filter of trace ids finds a trace as quickly. */
const searchedNsMax = 3_600_000_000_000n
/** Among up to this many spans, searching their filters for a trace costs no more than asking the value index. */
const filteredSpansMax = 10_000_000
/** How long a number of spans is known. It is asked often enough that a growing store soon uses the index. */
const spanCountMs = 60_000

export function createValueIndex(options: ValueIndexOptions): ValueIndex {
  return new LearningValueIndex(options)
}

class LearningValueIndex implements ValueIndex {
  private readonly options: ValueIndexOptions
  private readonly frequent: Memory<true>
  private readonly coverage: IndexCoverage
  /** The length that holds about a granule of an organization's rows, until searches of its newest messages show it. */
  private readonly granules: Memory<bigint>
  /** The number of stored spans of an organization. */
  private readonly spanCounts: Memory<number>

  constructor(options: ValueIndexOptions) {
    this.options = options
    this.frequent = createMemory(options.now)
    // With `always`, the index is asked if it covers anything of a window.
    const uncoveredMax = options.mode === 'always' ? 1 : partMax
    this.coverage = new IndexCoverage({ ...options, uncoveredMax })
    this.granules = createMemory(options.now)
    this.spanCounts = createMemory(options.now, spanCountMs)
  }

  async narrow(asked: ScopedTelemetry, query: MessageQuery, lengths: ChunkLengths): Promise<Narrowed | undefined> {
    const telemetry = asOfNow(asked)
    const { org, window, storedByMicros } = telemetry.scope
    const { mode } = this.options
    if (mode === 'off') return undefined
    const { shortNsMax } = lengths.first({ org, window, sought: query })
    if (mode === 'auto' && window.toNs - window.fromNs <= shortNsMax) return undefined
    if (!this.coverage.includes(org, window)) return undefined
    const knownFromNs = this.coverage.from(org)
    const claims = rareClaims(claimsOf(query), (term) => this.isRare(telemetry.scope, term))
    if (claims.length === 0) return undefined
    const terms = distinctTerms(claims)
    const alternatives = claims.map((claim) => claim.alternatives)
    const isAllKnown = storedByMicros !== undefined && isCovered(telemetry)
    const lookup = findPlaces(alternatives, terms, { placesMax, coveredFromNs: knownFromNs, isAllKnown })
    const row = await this.look<FoundPlacesRow>(telemetry, lookup)
    if (row === undefined) return undefined
    const allBeforeNs = this.coverage.learn(org, knownFromNs, row.uncovered_ns)
    if (!this.coverage.includes(org, window)) return undefined
    const found = fewestPlaces(claims, row)
    let readsWholeBuckets = false
    if (mode === 'auto') {
      const granuleNs = await this.granuleNsOf(telemetry, found?.places ?? [], lengths)
      const density = { window, granuleNs, spanCount: await this.spanCountOf(telemetry) }
      this.learnTerms(telemetry.scope, terms, row, density)
      if (found !== undefined && !isWorthwhile(found.places.length, found.slots, density)) return undefined
      readsWholeBuckets = granuleNs >= bucketNs
    }
    if (found === undefined) return undefined
    return {
      claim: found.claim,
      places: found.places,
      readsWholeBuckets,
      storedByMicros: storedByMicros ?? BigInt(row.asked_micros ?? 0),
      ...(allBeforeNs > window.fromNs ? { allBeforeNs } : {}),
    }
  }

  async placesOf(
    telemetry: ScopedTelemetry,
    traceIds: readonly string[],
    { lengths, beforeNs = telemetry.scope.window.toNs, covered = this.coveredBy(telemetry) }: PlacesOfTracesOptions,
  ): Promise<Places | undefined> {
    const { org, window } = telemetry.scope
    const { mode } = this.options
    if (mode === 'off' || covered === undefined) return undefined
    const granuleNs = shorter(this.granules.get(org), lengths.granuleNs(org))
    const isSmall =
      granuleNs === undefined || (beforeNs - window.fromNs) * BigInt(traceIds.length) <= granuleNs * filteredMax
    if (mode === 'auto' && isSmall) return undefined
    const traces = await readPlacesOfTraces(telemetry, traceIds)
    if (traces === undefined) return undefined
    const { allBeforeNs } = covered
    return {
      traces: traces.filter(([fromNs]) => fromNs < beforeNs),
      ...(allBeforeNs === undefined ? {} : { allBeforeNs }),
    }
  }

  /** Returns what the index covers of a window, if that is known without a query. */
  private coveredBy(telemetry: ScopedTelemetry): Pick<Narrowed, 'allBeforeNs'> | undefined {
    if (!isCovered(telemetry)) return undefined
    const { org, window } = telemetry.scope
    const coveredFromNs = this.coverage.from(org)
    return coveredFromNs > window.fromNs ? { allBeforeNs: coveredFromNs } : {}
  }

  async boundsOf(telemetry: ScopedTelemetry, traceId: string): Promise<Pick<Bounds, 'places'>> {
    const { org, window } = telemetry.scope
    const { mode } = this.options
    if (mode === 'off' || !this.coverage.includes(org, window)) return {}
    if (
      mode === 'auto' &&
      (window.toNs - window.fromNs <= searchedNsMax || (await this.spanCountOf(telemetry)) <= filteredSpansMax)
    )
      return {}
    const knownFromNs = this.coverage.from(org)
    const lookup = timesOfTrace(traceId, { coveredFromNs: knownFromNs, isAllKnown: isCovered(telemetry) })
    const row = await this.look<TraceTimesRow>(telemetry, lookup)
    if (row === undefined) return {}
    const coveredFromNs = this.coverage.learn(org, knownFromNs, row.uncovered_ns)
    const fromNs = BigInt(row.first_seconds) * 1_000_000_000n
    const range = { fromNs, toNs: BigInt(row.last_seconds) * 1_000_000_000n + bucketNs }
    return { places: { range, ...(coveredFromNs > window.fromNs ? { allBeforeNs: coveredFromNs } : {}) } }
  }

  /**
   * Asks the index. Returns undefined if that would read more rows than a query may, as in a store with billions of
   * spans without entries. The index then counts as useless for such windows until that is forgotten.
   */
  private async look<Row>(telemetry: ScopedTelemetry, lookup: Sql): Promise<Row | undefined> {
    const result = await resultWithin<Row>(telemetry, lookup, 'value index', {})
    if (result !== 'too large') return result.rows[0]
    this.coverage.exclude(telemetry.scope.org, telemetry.scope.window.toNs)
    return undefined
  }

  /** Returns the number of stored spans of the organization, including those that the caller may not see. */
  private async spanCountOf({ clickhouse, scope: { org }, signal, isBackground }: ScopedTelemetry): Promise<number> {
    const known = this.spanCounts.get(org)
    if (known !== undefined) return known
    const options = { for: { org, isBackground }, label: 'usage', signal }
    const count = await readRowCount(clickhouse, 'spans', org, options)
    this.spanCounts.set(org, count)
    return count
  }

  /**
   * Returns the length that holds about a granule of rows: by one place, or by the ends of the windows of earlier
   * searches, where that is shorter. Either may have been quiet.
   */
  private async granuleNsOf(
    telemetry: ScopedTelemetry,
    [newest]: readonly SlotsOfBucket[],
    lengths: ChunkLengths,
  ): Promise<bigint> {
    const { org } = telemetry.scope
    const [ofPlace, ofEnds] = [this.granules.get(org), lengths.granuleNs(org)]
    if (ofPlace !== undefined || newest === undefined) return shorter(ofPlace, ofEnds) ?? bucketNs
    const { fromNs } = newest
    const [row] = await readInScope<{ span_count: string }>(
      telemetry,
      spansWithin({ fromNs, toNs: fromNs + bucketNs }),
      'spans of a place',
    )
    const granuleNs = (bucketNs * BigInt(rowsPerGranule)) / BigInt(Math.max(1, Number(row?.span_count ?? 0)))
    this.granules.set(org, granuleNs)
    return shorter(granuleNs, ofEnds)
  }

  private isRare(scope: ScopedTelemetry['scope'], term: Term): boolean {
    return this.options.mode === 'always' || this.frequent.get(keyOfTerm(scope, term)) === undefined
  }

  /** Learns which terms are too frequent to narrow anything. Later lookups leave them out. */
  private learnTerms(
    scope: ScopedTelemetry['scope'],
    terms: readonly Term[],
    row: FoundPlacesRow,
    density: Density,
  ): void {
    terms.forEach((term, index) => {
      const [buckets, slots] = row[`term_${index}`] ?? ['0', '0']
      if (!isWorthwhile(Number(buckets), Number(slots), density)) this.frequent.set(keyOfTerm(scope, term), true)
    })
  }
}

/**
 * Returns the key under which a term is known to be frequent, in windows of about this length: a value that is in every
 * minute of an hour may be in no other hour of a week.
 */
function keyOfTerm({ org, window }: ScopedTelemetry['scope'], term: Term): string {
  return `${org} ${(window.toNs - window.fromNs).toString(2).length} ${term.join()}`
}

function shorter(leftNs: bigint, rightNs: bigint | undefined): bigint
function shorter(leftNs: bigint | undefined, rightNs: bigint | undefined): bigint | undefined
function shorter(leftNs: bigint | undefined, rightNs: bigint | undefined): bigint | undefined {
  if (leftNs === undefined || rightNs === undefined) return leftNs ?? rightNs
  return leftNs < rightNs ? leftNs : rightNs
}

/** Reports whether it is known without a query that the index covers all spans. */
function isCovered({ clickhouse: { known } }: ScopedTelemetry): boolean {
  return known?.areIndexed === true
}
