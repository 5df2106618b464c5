/**
 * Finds where spans with a value are, by the value index. What it returns only narrows where a search looks; an index
 * that is incomplete for old spans, or has entries without spans, makes searches slower and never wrong.
 */
import {
  type Bounds,
  bucketSeconds,
  type Claim,
  claimsOf,
  type FoundPlacesRow,
  findPlaces,
  type MessageQuery,
  type Places,
  type PlacesInRange,
  placesOfTraces,
  slotBits,
  type Term,
  type TimeWindow,
  type TracePlacesRow,
  type TraceTimesRow,
  timesOfTrace,
  traceHash,
} from '#sql'
import type { ValueIndexMode } from '../config/parse-values.ts'
import { readInScope, type ScopedTelemetry } from './scope.ts'
import { msPerDay } from './time-units.ts'

/** Where the messages of a query can be. */
export interface Narrowed {
  /** Every matching message has a span in these places that satisfies the claim. */
  readonly claim: Claim
  /** Newest first. */
  readonly places: readonly PlacesInRange[]
  /** The index does not cover spans that start before this time. Absent if it covers the window. */
  readonly allBeforeNs?: bigint
  /** The places hold for spans stored up to this time, in microseconds since 1970 on ClickHouse's clock. */
  readonly storedByMicros: bigint
}

export interface ValueIndex {
  /**
   * Returns where the messages of a query can be, or undefined if reading only those places would not pay. It does not
   * in a window of up to `shortNsMax`.
   */
  narrow(telemetry: ScopedTelemetry, query: MessageQuery, shortNsMax?: bigint): Promise<Narrowed | undefined>
  /** Returns the places of all spans of some traces. The index does not cover spans before `allBeforeNs`. */
  placesOf(telemetry: ScopedTelemetry, traceIds: readonly string[], allBeforeNs?: bigint): Promise<Places>
  /** Returns bounds that contain all spans of a trace in the window. They are empty if the index does not cover it. */
  boundsOf(telemetry: ScopedTelemetry, traceId: string): Promise<Pick<Bounds, 'places'>>
}

export interface ValueIndexOptions {
  readonly now: () => Date
  /** The days after which spans are deleted, and their entries somewhat later; undefined for never. */
  readonly retentionDays: number | undefined
  /** `auto` asks the index when it is expected to help, `always` whenever it can. */
  readonly mode: ValueIndexMode
}

const slotsPerBucket = 2 ** slotBits
const bucketNs = BigInt(bucketSeconds) * 1_000_000_000n
/** A claim with more slots than these is not worth looking up. */
const slotsMax = 4_096
/** Nor is one with more than this part of all slots of the window. */
const partMax = 1 / 8
/** In a window of up to this length, the index of the spans table finds a trace as quickly. */
const searchedNsMax = 3_600_000_000_000n
/** How long a value is known to be frequent, and spans to be uncovered. */
const knownMs = 600_000
/** The maximum number of terms, and of organizations, about which something is remembered. */
const knownMax = 10_000

export function createValueIndex(options: ValueIndexOptions): ValueIndex {
  return new LearningValueIndex(options)
}

class LearningValueIndex implements ValueIndex {
  private readonly options: ValueIndexOptions
  private readonly frequent: Memory<true>
  /** The time before which an organization has spans without entries. */
  private readonly uncovered: Memory<bigint>
  readonly placesOf = placesOf

  constructor(options: ValueIndexOptions) {
    this.options = options
    this.frequent = createMemory(options.now)
    this.uncovered = createMemory(options.now)
  }

  async narrow(telemetry: ScopedTelemetry, query: MessageQuery, shortNsMax = 0n): Promise<Narrowed | undefined> {
    const { org, window } = telemetry.scope
    const { mode } = this.options
    if (mode === 'off' || (mode === 'auto' && window.toNs - window.fromNs <= shortNsMax)) return undefined
    const knownFromNs = this.coveredFrom(org)
    if (knownFromNs >= window.toNs) return undefined
    const claims = rareClaims(claimsOf(query), (term) => this.isRare(org, term))
    if (claims.length === 0) return undefined
    const terms = distinctTerms(claims)
    const alternatives = claims.map((claim) => claim.alternatives)
    const lookup = findPlaces(alternatives, terms, { placesMax: slotsMax, coveredFromNs: knownFromNs })
    const [row] = await readInScope<FoundPlacesRow>(telemetry, lookup, 'value index')
    if (row === undefined) return undefined
    const slotsWorthwhile = slotsWorthwhileIn(window)
    this.learn(org, terms, row, slotsWorthwhile)
    const allBeforeNs = this.coveredFrom(org)
    if (allBeforeNs >= window.toNs) return undefined
    const found = fewestPlaces(claims, row)
    if (found === undefined || (mode === 'auto' && found.slots > slotsWorthwhile)) return undefined
    return {
      claim: found.claim,
      places: found.places,
      storedByMicros: telemetry.scope.storedByMicros ?? BigInt(row.asked_micros),
      ...(allBeforeNs > window.fromNs ? { allBeforeNs } : {}),
    }
  }

  async boundsOf(telemetry: ScopedTelemetry, traceId: string): Promise<Pick<Bounds, 'places'>> {
    const { org, window } = telemetry.scope
    const { mode } = this.options
    const knownFromNs = this.coveredFrom(org)
    const isLong = mode === 'always' || window.toNs - window.fromNs > searchedNsMax
    if (mode === 'off' || !isLong || knownFromNs >= window.toNs) return {}
    const [row] = await readInScope<TraceTimesRow>(telemetry, timesOfTrace(traceId, knownFromNs), 'value index')
    if (row === undefined) return {}
    this.learnCoverage(org, row)
    const coveredFromNs = this.coveredFrom(org)
    const fromNs = BigInt(row.first_seconds) * 1_000_000_000n
    const ranges = [{ fromNs, toNs: BigInt(row.last_seconds) * 1_000_000_000n + bucketNs }]
    return { places: { ranges, ...(coveredFromNs > window.fromNs ? { allBeforeNs: coveredFromNs } : {}) } }
  }

  /** Returns the time from which the index is complete as far as it is known. */
  private coveredFrom(org: string): bigint {
    const { now, retentionDays } = this.options
    const known = this.uncovered.get(org) ?? 0n
    if (retentionDays === undefined) return known
    const expiredNs = BigInt(now().getTime() - retentionDays * msPerDay) * 1_000_000n
    return known > expiredNs ? known : expiredNs
  }

  private isRare(org: string, term: Term): boolean {
    return this.options.mode === 'always' || this.frequent.get(`${org} ${term.join()}`) === undefined
  }

  /** Learns which terms are frequent, which later lookups leave out, and what the index does not cover. */
  private learn(org: string, terms: readonly Term[], row: FoundPlacesRow, slotsWorthwhile: number): void {
    terms.forEach((term, index) => {
      const slots = Number(row[`term_${index}`]?.[1] ?? 0)
      if (slots > slotsWorthwhile) this.frequent.set(`${org} ${term.join()}`, true)
    })
    this.learnCoverage(org, row)
  }

  private learnCoverage(org: string, { uncovered_ns }: Pick<FoundPlacesRow, 'uncovered_ns'>): void {
    if (uncovered_ns !== '0') this.uncovered.set(org, BigInt(uncovered_ns) + 1n)
  }
}

/** Returns the maximum number of slots that are worth looking up in a window. */
function slotsWorthwhileIn({ fromNs, toNs }: TimeWindow): number {
  return Math.min(slotsMax, Number((toNs - fromNs) / bucketNs + 1n) * slotsPerBucket * partMax)
}

interface RareClaim {
  readonly claim: Claim
  readonly alternatives: readonly (readonly Term[])[]
}

/** Returns the claims of which every alternative has a term that is not known to be frequent, with these terms. */
function rareClaims(claims: readonly Claim[], isRare: (term: Term) => boolean): RareClaim[] {
  return claims
    .map((claim) => ({ claim, alternatives: claim.alternatives.map(({ terms }) => terms.filter(isRare)) }))
    .filter(({ alternatives }) => alternatives.every((terms) => terms.length > 0))
}

function distinctTerms(claims: readonly RareClaim[]): Term[] {
  const terms = claims.flatMap(({ alternatives }) => alternatives.flat())
  return [...new Map(terms.map((term) => [term.join(), term])).values()]
}

/** Returns the claim with the fewest slots. */
function fewestPlaces(claims: readonly RareClaim[], row: FoundPlacesRow) {
  const found = claims.map(({ claim }, index) => {
    const places = (row[`places_${index}`] ?? []).map(placeOf)
    return { claim, places, slots: places.reduce((sum, { slots }) => sum + bitCount(slots), 0) }
  })
  return found.filter(({ places }) => places.length <= slotsMax).sort((left, right) => left.slots - right.slots)[0]
}

function placeOf([bucket, slots]: readonly [string | number, string]): Required<Omit<PlacesInRange, 'traceIds'>> {
  const fromNs = BigInt(bucket) * 1_000_000_000n
  return { fromNs, toNs: fromNs + bucketNs, slots: BigInt(slots) }
}

/** Returns the number of slots of a place. */
export function bitCount(slots: bigint): number {
  let count = 0
  for (let rest = slots; rest > 0n; rest &= rest - 1n) count++
  return count
}

async function placesOf(
  telemetry: ScopedTelemetry,
  traceIds: readonly string[],
  allBeforeNs?: bigint,
): Promise<Places> {
  const rows = await readInScope<TracePlacesRow>(telemetry, placesOfTraces(traceIds), 'places of traces')
  const idsOfHash = new Map<number, string[]>()
  for (const id of traceIds) {
    const hash = traceHash(id) >>> 0
    idsOfHash.set(hash, [...(idsOfHash.get(hash) ?? []), id])
  }
  const ranges = rows.map(({ bucket_seconds, hashes }) => {
    const fromNs = BigInt(bucket_seconds) * 1_000_000_000n
    return { fromNs, toNs: fromNs + bucketNs, traceIds: hashes.flatMap((hash) => idsOfHash.get(hash) ?? []) }
  })
  return { ranges, ...(allBeforeNs === undefined ? {} : { allBeforeNs }) }
}

interface Memory<Value> {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
}

/** Creates a map that forgets entries after a time, and the oldest ones if there are too many. */
function createMemory<Value>(now: () => Date): Memory<Value> {
  const entries = new Map<string, { readonly value: Value; readonly untilMs: number }>()
  return {
    get(key: string): Value | undefined {
      const entry = entries.get(key)
      return entry === undefined || entry.untilMs < now().getTime() ? undefined : entry.value
    },
    set(key: string, value: Value): void {
      entries.delete(key)
      entries.set(key, { value, untilMs: now().getTime() + knownMs })
      const [oldest] = entries.keys()
      if (entries.size > knownMax && oldest !== undefined) entries.delete(oldest)
    },
  }
}
