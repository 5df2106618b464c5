/**
 * Finds where the records of a table with a value are, by the value index. What it returns only narrows where a search
 * looks; an index that is incomplete for old records, or has entries without records, makes searches slower and never
 * wrong.
 */
import {
  bucketNs,
  type FoundPlacesRow,
  findPlaces,
  type IndexedClaim,
  type IndexedTable,
  type Places,
  type Scope,
  type SlotsOfBucket,
  type Sql,
  type Term,
  type TimeWindow,
} from '#sql'
import type { ValueIndexMode } from '../../config/parse-values.ts'
import type { ChunkLengths } from '../chunk-lengths.ts'
import { createMemory, type Memory } from '../memory.ts'
import { asOfNow, resultWithin, type ScopedTelemetry, storedByOf } from '../scope.ts'
import { distinctTerms, fewestPlaces, placesMax, type RareClaim, rareClaims } from './claim-places.ts'
import { IndexCoverage } from './index-coverage.ts'
import { type Density, isWorthwhile, RecordDensity } from './record-density.ts'

export interface ValueIndexOptions {
  readonly now: () => Date
  /** The days after which records are deleted, and their entries somewhat later; undefined for never. */
  readonly retentionDays: number | undefined
  /** `auto` asks the index when it is expected to help, `always` whenever it can. */
  readonly mode: ValueIndexMode
}

/** What the index does not cover of a window. */
export interface Uncovered {
  /** The index does not cover records before this time. Absent if it covers the window. */
  readonly allBeforeNs?: bigint
}

/** Where the records that satisfy a claim can be. */
export interface ClaimPlaces<Claim extends IndexedClaim> extends Uncovered {
  readonly claim: Claim
  /** All such records are in these places, as far as the index covers the window. Newest first. */
  readonly places: readonly Required<SlotsOfBucket>[]
  /** Whether a bucket has so few rows that reading one of its slots reads all of them. */
  readonly readsWholeBuckets: boolean
  /** For spans: the places hold for those stored up to this time, in microseconds since 1970 on ClickHouse's clock. */
  readonly storedByMicros: bigint
}

/** With `auto`, the index is not asked where it does not cover more than this part of a window. */
const uncoveredMaxOfAuto = 1 / 8

/** A query, and how dense the records of a window are. */
interface PlacesQuery {
  /** The query as a JSON value. */
  readonly query: unknown
  readonly lengths: ChunkLengths
}

/** Asks the index about the records of one table, and learns from its answers when asking is of no use. */
export class ValuePlaces {
  readonly coverage: IndexCoverage
  readonly density: RecordDensity
  private readonly table: IndexedTable
  private readonly mode: ValueIndexMode
  /** The terms that are too frequent to narrow anything. */
  private readonly frequent: Memory<true>

  constructor(table: IndexedTable, options: ValueIndexOptions) {
    this.table = table
    this.mode = options.mode
    // With `always`, the index is used if it covers anything of a window.
    this.coverage = new IndexCoverage({ ...options, uncoveredMax: options.mode === 'always' ? 1 : uncoveredMaxOfAuto })
    this.density = new RecordDensity(table, options.now)
    this.frequent = createMemory(options.now)
  }

  /**
   * Returns where the records that satisfy one of the claims can be, for the claim with the fewest places. Returns
   * undefined if reading only those would not be faster: `lengths` expects few rows in the window, or the places make
   * up much of it.
   */
  async find<Claim extends IndexedClaim>(
    requested: ScopedTelemetry,
    claimsOfQuery: () => readonly Claim[],
    { query, lengths }: PlacesQuery,
  ): Promise<ClaimPlaces<Claim> | undefined> {
    const telemetry = asOfNow(requested)
    const { scope } = telemetry
    if (this.mode === 'off' || !this.coverage.includes(scope.org, scope.window)) return undefined
    if (this.mode === 'auto' && isShort(scope, query, lengths)) return undefined
    const claims = rareClaims(claimsOfQuery(), (term) => this.isRare(scope, term))
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
      storedByMicros: storedByOf(telemetry, [row]),
      ...uncovered,
    }
  }

  /** Looks up the places of claims. Returns undefined if the index turns out to cover too little of the window. */
  private async locate(telemetry: ScopedTelemetry, claims: readonly RareClaim[]) {
    const { org, window, storedByMicros } = telemetry.scope
    const coveredFromNs = this.coverage.from(org)
    const isAllKnown = storedByMicros !== undefined && this.isCovered(telemetry)
    const lookup = findPlaces(
      claims.map(({ alternatives }) => alternatives),
      distinctTerms(claims),
      { table: this.table, placesMax, coveredFromNs, isAllKnown },
    )
    const row = await this.ask<FoundPlacesRow>(telemetry, lookup)
    if (row === undefined) return undefined
    const uncovered = uncoveredPart(window, this.coverage.learn(org, coveredFromNs, row.uncovered_ns))
    return this.coverage.includes(org, window) ? { row, uncovered } : undefined
  }

  /** Reports whether it is known without a query that the index covers all records. */
  isCovered({ clickhouse: { known } }: ScopedTelemetry): boolean {
    return this.table === 'spans' && known?.areIndexed === true
  }

  /**
   * Asks the index. Returns undefined if that would read more rows than a query may, as in a store with billions of
   * records without entries. The index then counts as useless for such windows until that is forgotten.
   */
  async ask<Row>(telemetry: ScopedTelemetry, lookup: Sql): Promise<Row | undefined> {
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

/** Returns the places of a claim, and what the index does not cover if they include the oldest. */
export function placesToRead(
  { places, readsWholeBuckets, allBeforeNs }: Omit<ClaimPlaces<IndexedClaim>, 'claim' | 'storedByMicros'>,
  includesOldest = true,
): Places {
  return {
    slots: readsWholeBuckets ? places.map(({ fromNs }) => ({ fromNs })) : places,
    ...(includesOldest && allBeforeNs !== undefined ? { allBeforeNs } : {}),
  }
}

/** Reports whether no record can be in the places. */
export function areEmpty({ slots = [], traces = [], range, allBeforeNs }: Places): boolean {
  return slots.length === 0 && traces.length === 0 && range === undefined && allBeforeNs === undefined
}

/** Returns what an index that is complete from a time on does not cover of a window. */
export function uncoveredPart(window: TimeWindow, coveredFromNs: bigint): Uncovered {
  return coveredFromNs > window.fromNs ? { allBeforeNs: coveredFromNs } : {}
}

/** Reports whether a search is expected to read few rows of its window without the index. */
function isShort({ org, window }: Scope, query: unknown, lengths: ChunkLengths): boolean {
  return window.toNs - window.fromNs <= lengths.first({ org, window, query }).shortNsMax
}

/**
 * Returns the key under which a term is known to be frequent, in windows of about this length: a value that is in every
 * minute of an hour may be in no other hour of a week.
 */
function keyOfTerm({ org, window }: Scope, term: Term): string {
  return `${org} ${(window.toNs - window.fromNs).toString(2).length} ${term.join()}`
}
