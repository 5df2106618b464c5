/** Finds where the spans of messages are, by the value index (value-places.ts). */
import {
  type Bounds,
  bucketNs,
  type Claim,
  claimsOf,
  type MessageQuery,
  type Places,
  type TraceTimesRow,
  timesOfTrace,
} from '#sql'
import type { ValueIndexMode } from '../../config/parse-values.ts'
import type { ChunkLengths } from '../chunk-lengths.ts'
import type { ScopedTelemetry } from '../scope.ts'
import { nsOfSeconds } from '../time-units.ts'
import { readPlacesOfTraces } from './places-of-traces.ts'
import { type ClaimPlaces, type Uncovered, uncoveredPart, type ValueIndexOptions, ValuePlaces } from './value-places.ts'

/** Where the messages of a query can be. Every matching message has a span in the places that satisfies the claim. */
export type Narrowed = ClaimPlaces<Claim>

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
  return new SpanIndex(options)
}

class SpanIndex implements ValueIndex {
  private readonly mode: ValueIndexMode
  private readonly values: ValuePlaces

  constructor(options: ValueIndexOptions) {
    this.mode = options.mode
    this.values = new ValuePlaces('spans', options)
  }

  narrow(telemetry: ScopedTelemetry, query: MessageQuery, lengths: ChunkLengths): Promise<Narrowed | undefined> {
    return this.values.find(telemetry, () => claimsOf(query), { query, lengths })
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
    const granuleNs = this.values.density.knownGranuleNs(org, lengths)
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
    return this.values.isCovered(telemetry) ? uncoveredPart(window, this.values.coverage.from(org)) : undefined
  }

  async boundsOf(telemetry: ScopedTelemetry, traceId: string): Promise<Pick<Bounds, 'places'>> {
    const { org, window } = telemetry.scope
    if (this.mode === 'off' || !this.values.coverage.includes(org, window)) return {}
    if (this.mode === 'auto' && (await this.isFilteredQuickly(telemetry))) return {}
    const coveredFromNs = this.values.coverage.from(org)
    const lookup = timesOfTrace(traceId, { coveredFromNs, isAllKnown: this.values.isCovered(telemetry) })
    const row = await this.values.ask<TraceTimesRow>(telemetry, lookup)
    if (row === undefined) return {}
    const range = { fromNs: nsOfSeconds(row.first_seconds), toNs: nsOfSeconds(row.last_seconds) + bucketNs }
    const learnedFromNs = this.values.coverage.learn(org, coveredFromNs, row.uncovered_ns)
    return { places: { range, ...uncoveredPart(window, learnedFromNs) } }
  }

  /** Reports whether the filter of trace ids finds a single trace in the window as quickly. */
  private async isFilteredQuickly(telemetry: ScopedTelemetry): Promise<boolean> {
    const { fromNs, toNs } = telemetry.scope.window
    return toNs - fromNs <= filteredNsMax || (await this.values.density.recordCount(telemetry)) <= filteredSpansMax
  }
}
