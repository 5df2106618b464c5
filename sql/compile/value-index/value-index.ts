/**
 * Searches by the value index (schema/migrations/0006-value-index.sql), which knows where spans and log records with a
 * value are: every message that matches a query has such a span. The index only tells where to look; it never decides
 * what matches.
 */
import {
  allOf,
  type Bounds,
  fromStored,
  fromUnrestricted,
  list,
  perShard,
  type Sql,
  sql,
  uint64,
} from '../../fragment.ts'
import { placesColumn, termColumn, timeOf } from '../../identifier.ts'
import type { Condition } from '../../ir/condition.ts'
import { isFieldRow, isStepRow, type MessageQuery } from '../../ir/message-query.ts'
import type { Rule } from '../../ir/slice.ts'
import { type IndexedTable, traceHash } from '../../value-hash.ts'
import { compileSpanCondition } from '../condition.ts'
import { areAboutSteps } from '../message-fields.ts'
import { compileAnyRule } from '../slice-rules.ts'
import { askedMicros } from '../stored-rank.ts'
import { hashesOfCondition, hashList, intrinsicHash } from './value-terms.ts'

/** A claim about spans or log records, as far as the index can find them: each satisfies one of the alternatives. */
export interface IndexedClaim {
  readonly alternatives: readonly Alternative[]
}

/**
 * A claim about every message that a query matches: one of its spans satisfies one of the alternatives. So it is enough
 * to look for matching messages among the traces of such spans.
 */
export interface Claim extends IndexedClaim {
  /** Whether the matched steps are among the spans that satisfy the claim, and each span alone decides if it is one. */
  readonly isWhole: boolean
  /** Whether the claim is whole, and the matched steps of a message decide if it matches. */
  readonly areStepsEnough: boolean
  /** Tests whether a span satisfies the claim and, if it is whole, whether the span is a matched step. */
  readonly test: Sql
}

/** A record satisfies an alternative only if it has a hash of each term. */
interface Alternative {
  readonly terms: readonly Term[]
}

/** Hashes of which a record has at least one, as unsigned integers. */
export type Term = readonly number[]

/** A claim with more alternatives than these is not looked up. */
const alternativesMax = 16
/** Claims beyond this number are not looked up. */
const claimsMax = 8

/** Returns the claims of a query whose spans the index can find. */
export function claimsOf(query: MessageQuery): Claim[] {
  const positive = query.rows
    .filter(isStepRow)
    .map(({ condition }) => condition)
    .filter(({ negated }) => !negated)
  const rowTests = positive.map(compileSpanCondition)
  const ofRows = { alternatives: [{ terms: termsOf(positive) }], test: () => allOf(rowTests) }
  const ofRules = ruleGroups(query).map((rules) => ({
    alternatives: rules.map((rule) => ({ terms: termsOfRule(rule) })),
    test: () => compileAnyRule(rules),
  }))
  const ofRelations = stepsOfRelations(query).map((conditions) => ({
    alternatives: [{ terms: termsOf(conditions) }],
    test: () => allOf(conditions.map(compileSpanCondition)),
  }))
  const isWhole = isEachStepKnown(query)
  const areStepsEnough = isWhole && areAboutSteps(query.rows)
  const isStep = allOf([...rowTests, ...(query.slice === undefined ? [] : [compileAnyRule(query.slice.rules)])])
  return [ofRows, ...ofRules, ...ofRelations]
    .filter(({ alternatives }) => canBeLookedUp(alternatives))
    .slice(0, claimsMax)
    .map(({ alternatives, test }) => ({ alternatives, isWhole, areStepsEnough, test: isWhole ? isStep : test() }))
}

/** Reports whether each span alone decides if it is a matched step, in every message that matches. */
function isEachStepKnown({ rows, relations = [], spansets, slice }: MessageQuery): boolean {
  return (
    relations.length === 0 &&
    spansets === undefined &&
    rows.every((row) => isFieldRow(row) || (!row.condition.negated && !row.includesDescendants)) &&
    slice?.mode !== 'all' &&
    !slice?.rules.some(({ includesDescendants }) => includesDescendants)
  )
}

/** Returns groups of rules. Every message of the query has, for each group, a span that satisfies one of its rules. */
function ruleGroups({ slice, relations = [] }: MessageQuery): (readonly Rule[])[] {
  // The steps of relations are matched steps too, and need not be in the slice.
  if (slice === undefined || relations.length > 0) return []
  return slice.mode === 'all' ? slice.rules.map((rule) => [rule]) : [slice.rules]
}

/** Returns lists of conditions. Every message of the query has, for each list, a span that satisfies all of it. */
function stepsOfRelations({ relations = [] }: MessageQuery): (readonly Condition[])[] {
  return relations.flatMap(({ negated, from, to }) => (negated ? [from] : [from, to]))
}

/** Returns the claim about all log records that satisfy some conditions, if the index can find them. */
export function claimsOfLogs(conditions: readonly Condition[]): IndexedClaim[] {
  const terms = termsOf(conditions, 'log_records')
  return terms.length === 0 ? [] : [{ alternatives: [{ terms }] }]
}

function canBeLookedUp(alternatives: readonly Alternative[]): boolean {
  const count = alternatives.length
  return count > 0 && count <= alternativesMax && alternatives.every(({ terms }) => terms.length > 0)
}

function termsOfRule({ service, conditions }: Rule): Term[] {
  const ofService = service.kind === 'exact' && service.text !== '' ? [[intrinsicHash('service', service.text)]] : []
  return [...ofService, ...termsOf(conditions)]
}

function termsOf(conditions: readonly Condition[], table: IndexedTable = 'spans'): Term[] {
  return conditions.flatMap((condition) => {
    const hashes = hashesOfCondition(condition, table)
    return hashes === undefined ? [] : [hashes]
  })
}

/** The row of `findPlaces`. A place is a pair of the start of a bucket, in seconds, and its slots. */
export type FoundPlacesRow = Readonly<
  Record<`places_${number}`, readonly (readonly [bucket: string, slots: string])[]>
> &
  Readonly<Record<`term_${number}`, readonly [buckets: string, slots: string]>> & {
    /** The latest time of a record that is not indexed, in nanoseconds; 0 if all are. */
    readonly uncovered_ns?: string
    readonly asked_micros?: string
  }

interface CoverageOptions {
  /** The table whose values are looked up; `spans` by default. */
  readonly table?: IndexedTable
  /** Records before this time are known not to be covered by the index. */
  readonly coveredFromNs: bigint
  /**
   * Whether the server knows that all later records are covered, and the time that the page reflects. The row then
   * contains neither.
   */
  readonly isAllKnown?: boolean
}

interface PlacesOptions extends CoverageOptions {
  /** The maximum number of places of a claim. One more is returned if there are more. */
  readonly placesMax: number
}

/**
 * Selects one row: the places of each claim, in any order, the numbers of buckets and of slots of each term, and,
 * unless that is known, whether the index covers the window, and for spans the time that the page reflects. `terms`
 * contains each term of the claims once.
 */
export function findPlaces(
  claims: readonly (readonly (readonly Term[])[])[],
  terms: readonly Term[],
  { table = 'spans', placesMax, coveredFromNs, isAllKnown = false }: PlacesOptions,
): Sql {
  const columnOf = new Map(terms.map((term, index) => [term.join(), termColumn(index)]))
  const termColumns = terms.map(
    (term, index) => sql`groupBitOrIf(slots, hash IN ${hashList(term)}) AS ${termColumn(index)}`,
  )
  const claimColumns = claims.map((alternatives, index) => {
    const each = alternatives.map((ofAlternative) =>
      ofAlternative
        .map((term) => columnOf.get(term.join()) ?? sql`0`)
        .reduce((left, right) => sql`bitAnd(${left}, ${right})`),
    )
    return sql`${each.reduce((left, right) => sql`bitOr(${left}, ${right})`)} AS ${placesColumn(index)}`
  })
  const hashes = [...new Set(terms.flat())]
  const found = sql`
    SELECT toUnixTimestamp(bucket) AS bucket_seconds, ${list([...termColumns, ...claimColumns])}
    FROM ${fromUnrestricted('value_index', sql`hash IN ${hashList(hashes)}`)}
    GROUP BY bucket
  `
  const outputs = [
    ...claims.map((_, index) => {
      const column = placesColumn(index)
      return sql`groupArrayIf(${uint64(placesMax + 1)})((bucket_seconds, ${column}), ${column} != 0) AS ${column}`
    }),
    ...terms.map((_, index) => {
      const column = termColumn(index)
      return sql`(countIf(${column} != 0), sum(bitCount(${column}))) AS ${column}`
    }),
  ]
  if (isAllKnown) return sql`SELECT ${list(outputs)} FROM (${found})`
  const time = table === 'spans' ? [sql`${askedMicros} AS asked_micros`] : []
  return sql`
    SELECT *
    FROM (SELECT ${list([uncovered(table, coveredFromNs), ...time])}) AS known
    CROSS JOIN (SELECT ${list(outputs)} FROM (${found})) AS found
  `
}

/**
 * Returns the column that tells what the index covers. It belongs to the left side of a join, which ClickHouse
 * evaluates before it decides which rows of the right side the query reads. In another order, records that are stored
 * meanwhile would count as covered, and as stored by the time of the page, but their places would be missing.
 */
function uncovered(table: IndexedTable, coveredFromNs: bigint): Sql {
  const records = fromStored(table, sql`is_indexed = 0`, { fromNs: coveredFromNs })
  return sql`(SELECT toUnixTimestamp64Nano(max(${timeOf(table)})) FROM ${records}) AS uncovered_ns`
}

/** A row of `recordsWithin`. */
export interface RecordCountRow {
  readonly record_count: string
}

/** Selects a `RecordCountRow`: how many rows are within the bounds, whether or not the caller may see them. */
export function recordsWithin(table: IndexedTable, bounds: Bounds): Sql {
  return sql`SELECT count() AS record_count FROM ${fromStored(table, sql`1`, bounds)}`
}

/** A row of `placesOfTraces`: a bucket that may have spans of a trace with this hash. */
export interface TracePlacesRow {
  readonly bucket_seconds: number
  readonly hash: number
}

/** Selects the buckets of traces, by the hashes of their ids, and no more of them than `placesMax`. */
export function placesOfTraces(traceIds: readonly string[], placesMax: number): Sql {
  const hashes = hashList(traceIds.map((id) => traceHash(id) >>> 0))
  return sql`
    SELECT DISTINCT toUnixTimestamp(bucket) AS bucket_seconds, hash
    FROM ${fromUnrestricted('value_index', sql`hash IN ${hashes}`)}
    LIMIT ${uint64(placesMax)}
  `
}

/** The row of `timesOfTrace`. The seconds are 0 if the index does not know the trace. */
export interface TraceTimesRow extends Pick<FoundPlacesRow, 'uncovered_ns'> {
  readonly first_seconds: number
  readonly last_seconds: number
}

/** Selects the first and the last bucket of a trace and, unless that is known, whether the index covers the window. */
export function timesOfTrace(traceId: string, { coveredFromNs, isAllKnown = false }: CoverageOptions): Sql {
  const times = sql`
    SELECT
      toUnixTimestamp(min(bucket)) AS first_seconds,
      toUnixTimestamp(max(bucket)) AS last_seconds
    FROM ${fromUnrestricted('value_index', sql`hash IN ${hashList([traceHash(traceId) >>> 0])}`)}
  `
  if (isAllKnown) return times
  return sql`
    SELECT *
    FROM (SELECT ${uncovered('spans', coveredFromNs)}) AS known
    CROSS JOIN (${times}) AS found
  `
}

/** A row of `tracesWithSpan`. Integers are texts. */
export interface TraceWithSpanRow {
  readonly trace_id: string
  /** The start of the last such span. */
  readonly last_start_ns: string
  /** The ids of such spans, if the claim is whole. */
  readonly step_ids?: readonly string[]
}

/** Maximum numbers of what `tracesWithSpan` selects. */
interface TracesOptions {
  readonly tracesMax: number
  readonly stepsMax: number
}

/**
 * Selects the traces with a span that satisfies the test of a claim, whether or not the caller may see it; if the claim
 * is whole, also the ids of these spans, which are all matched steps. They are sorted for the same reason as in
 * `matchingTraceIds`.
 */
export function tracesWithSpan({ test, isWhole }: Claim, bounds: Bounds, { tracesMax, stepsMax }: TracesOptions): Sql {
  const spans = isWhole ? fromUnrestricted('spans', test, bounds) : fromStored('spans', test, bounds)
  const steps = isWhole ? [sql`groupArray(${uint64(stepsMax)})(span_id) AS step_ids`] : []
  const traces = sql`
    SELECT ${list([sql`trace_id, max(start) AS last_start`, ...steps])}
    FROM ${spans}
    GROUP BY trace_id
  `
  const columns = sql`trace_id, toUnixTimestamp64Nano(last_start) AS last_start_ns`
  return sql`
    SELECT ${list([columns, ...(isWhole ? [sql`step_ids`] : [])])}
    FROM ${perShard(traces)}
    ORDER BY trace_id
    LIMIT ${uint64(tracesMax)}
  `
}
