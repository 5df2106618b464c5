/**
 * Adds organization, window and visibility to a query, as the last step before `render`. No other file names a
 * telemetry table, so a query without a scope has no table to read, and `render` refuses it.
 */
import { larger, smaller } from '../bigint-order.ts'
import {
  allOf,
  anyOf,
  appendParts,
  type Bounds,
  int64,
  type Param,
  type Part,
  param,
  type Query,
  render,
  type ScopedRead,
  type Sql,
  sql,
  text,
  uint64,
} from '../fragment.ts'
import { beginOf, timeOf } from '../identifier.ts'
import type { Scope, TimeWindow } from '../ir/scope.ts'
import { telemetryTables } from '../schema/tables.ts'
import { type IndexedTable, isIndexedTable } from '../value-hash.ts'
import { type Cluster, oneNode, type Placement, subqueryAt, tableAt } from './placement.ts'
import { inPlaces } from './places.ts'
import { isFirstStored, isWithoutRepeats } from './repeated-spans.ts'
import { seriesWithPoints } from './series-with-points.ts'
import { compileInSlice } from './slice.ts'
import { latestMicros, rankMax } from './stored-rank.ts'

/** A query for tables on one node, which can also be rendered for tables that are distributed over a cluster. */
export interface ScopedQuery extends Query {
  onCluster(cluster: Cluster): Query
}

/**
 * Renders a query with every read of telemetry restricted to the scope.
 * @throws Error for a query that reads no telemetry
 */
export function renderInScope(query: Sql, scope: Scope): ScopedQuery {
  const scoped = applyScope(query, scope, oneNode)
  if (!readsTelemetry(query)) throw new Error('The query reads no telemetry, so its scope could not be applied.')
  return {
    ...render(scoped),
    onCluster: (cluster) => render(applyScope(query, scope, { cluster, isOnShard: false })),
  }
}

/** The latest time that ClickHouse can store. */
const latestNs = 2n ** 63n - 1n

function readsTelemetry(query: Sql): boolean {
  return query.parts.some((part) => {
    if (typeof part === 'string' || part.kind === 'param' || part.kind === 'asked') return false
    return part.kind === 'scoped' || readsTelemetry(part.query)
  })
}

function applyScope(query: Sql, scope: Scope, placement: Placement): Sql {
  const parts: Part[] = []
  for (const part of query.parts) appendParts(parts, scopePart(part, scope, placement))
  return { parts }
}

function scopePart(part: Part, queried: Scope, placement: Placement): readonly Part[] {
  if (typeof part === 'string' || part.kind === 'param') return [part]
  if (part.kind === 'asked') {
    const { storedByMicros } = queried
    return storedByMicros === undefined ? applyScope(latestMicros, queried, placement).parts : [int64(storedByMicros)]
  }
  if (part.kind === 'sharded')
    return subqueryAt(placement, part, (query, inside) => applyScope(query, queried, inside)).parts
  const scope = narrowWindow(queried, part.bounds)
  const conditions = [
    ...scopeConditions(scope, part),
    ...visibility(scope, part).map((condition) => applyScope(condition, unrestricted(scope), placement)),
    ...firstStored(scope, part, placement),
    ...withPoints(scope, part).map((condition) => applyScope(condition, scope, placement)),
    applyScope(part.where, scope, placement),
  ]
  return sql`${tableAt(placement, part.table)}${replaced(part)} WHERE ${allOf(conditions)}`.parts
}

/**
 * Returns the clauses that leave out rows that are replaced. With `FINAL`, ClickHouse reads every column before it
 * tests the conditions, except for those of `PREWHERE`. The trace id is part of the key, so of rows that replace each
 * other, all or none are of the traces.
 */
function replaced(read: ScopedRead): Sql {
  if (!isReplaced(read)) return sql``
  const { traceIds } = read.bounds
  return traceIds === undefined ? sql` FINAL` : sql` FINAL PREWHERE ${isOfTraces(traceIds)}`
}

function isReplaced({ table, rows }: ScopedRead): boolean {
  return telemetryTables[table].isReplacing && rows !== 'stored'
}

function isOfTraces(traceIds: readonly string[]): Sql {
  return sql`has(${param('Array(UInt128)', `[${traceIds.join(',')}]`)}, trace_id)`
}

function scopeConditions(scope: Scope, read: ScopedRead): Sql[] {
  const { table, bounds } = read
  const fromNs = larger(scope.window.fromNs, bounds.fromNs)
  const toNs = smaller(scope.window.toNs, bounds.toNs)
  const conditions = [sql`org = ${text(scope.org)}`, ...isInWindow(table, { fromNs, toNs })]
  const { traceIds, places } = bounds
  if (traceIds !== undefined && !isReplaced(read)) conditions.push(isOfTraces(traceIds))
  if (places !== undefined) conditions.push(inPlaces(indexed(table), places))
  if (scope.storedByMicros !== undefined && table === 'spans')
    conditions.push(sql`stored_rank >= ${storedRank(scope.storedByMicros)}`)
  return conditions
}

function isInWindow(table: ScopedRead['table'], window: TimeWindow): Sql[] {
  const declared = telemetryTables[table]
  return 'keySeconds' in declared ? isInWindowByKey(table, window, declared.keySeconds) : isWithin(table, window)
}

/**
 * Selects the rows in a window, where rows that replace each other may differ in their times. By a comparison of times,
 * ClickHouse leaves out whole parts of the table. Were that the window itself, a row would count in it although the one
 * that replaced it is outside, in a part that was left out. So parts are selected by the intervals of the key, and the
 * exact comparison is converted to a number, which ClickHouse does not recognize as a condition on the key.
 */
function isInWindowByKey(table: ScopedRead['table'], { fromNs, toNs }: TimeWindow, keySeconds: number): Sql[] {
  const keyNs = BigInt(keySeconds) * 1_000_000_000n
  const keys = { fromNs: floorTo(fromNs, keyNs), toNs: smaller(-floorTo(-toNs, keyNs), latestNs) }
  return [
    ...isWithin(table, keys),
    ...(keys.fromNs === fromNs ? [] : [sql`toUInt8(${reaches(table, fromNs)})`]),
    ...(keys.toNs === toNs ? [] : [sql`toUInt8(${beginsBefore(table, toNs)})`]),
  ]
}

function isWithin(table: ScopedRead['table'], { fromNs, toNs }: TimeWindow): Sql[] {
  return [reaches(table, beginOfRow(table, fromNs)), beginsBefore(table, toNs)]
}

function reaches(table: ScopedRead['table'], ns: bigint): Sql {
  return sql`${timeOf(table)} >= fromUnixTimestamp64Nano(${int64(ns)}, 'UTC')`
}

function beginsBefore(table: ScopedRead['table'], ns: bigint): Sql {
  return sql`${beginOf(table)} < fromUnixTimestamp64Nano(${int64(ns)}, 'UTC')`
}

/**
 * Restricts visibility. A restricted caller sees the union of its slices, each computed from all spans of the
 * organization in the window.
 */
function visibility(scope: Scope, { table, bounds, rows }: ScopedRead): Sql[] {
  if (scope.granted === undefined) return []
  // Grants apply to spans only. The API document already denies restricted callers all other telemetry; this is a
  // second line of defence.
  if (table !== 'spans' && (rows === 'visible' || table === 'metric_points')) return [sql`0`]
  if (rows !== 'visible') return []
  return [anyOf(scope.granted.map((slice) => compileInSlice(slice, ofTraces(bounds))))]
}

/** Excludes the rows of spans that were sent again. */
function firstStored(scope: Scope, { table, rows, bounds }: ScopedRead, placement: Placement): Sql[] {
  if (table !== 'spans' || rows === 'stored' || scope.mayRepeat === false) return []
  const { traceIds, places, ...inTime } = bounds
  const overAllShards = { ...placement, isOnShard: false }
  return [
    anyOf([
      applyScope(isWithoutRepeats(inTime), unrestricted(scope), overAllShards),
      applyScope(isFirstStored(inTime), unrestricted(scope), placement),
    ]),
  ]
}

function withPoints({ window }: Scope, { bounds: { ofPoints } }: ScopedRead): Sql[] {
  return ofPoints === undefined ? [] : [seriesWithPoints(window, ofPoints)]
}

/** Returns the scope with the window of the bounds, if they have one. */
function narrowWindow(scope: Scope, { window }: Bounds): Scope {
  if (window === undefined) return scope
  const fromNs = larger(scope.window.fromNs, window.fromNs)
  return { ...scope, window: { fromNs, toNs: smaller(scope.window.toNs, window.toNs) } }
}

/** Removes the restriction. The slices that determine visibility are computed over all spans, visible or not. */
function unrestricted({ granted: _, ...scope }: Scope): Scope {
  return scope
}

/**
 * Keeps only the trace ids of the bounds, and the places of these traces. A slice is computed over the whole window of
 * the scope, even if only a part of it is read.
 */
function ofTraces({ traceIds, places }: Bounds): Bounds {
  if (traceIds === undefined) return {}
  return places === undefined ? { traceIds } : { traceIds, places }
}

/** Converts a time of storage. See `askedMicros` for the reverse. */
function storedRank(micros: bigint): Param {
  return uint64(rankMax - micros)
}

/** @throws Error for a table without values in the index */
function indexed(table: ScopedRead['table']): IndexedTable {
  if (isIndexedTable(table)) return table
  throw new Error(`The values of ${table} are not indexed, so it has no places.`)
}

/** Returns the earliest time that a row may have that covers `fromNs` (`timeSeconds` in schema/tables.ts). */
function beginOfRow(table: ScopedRead['table'], fromNs: bigint): bigint {
  const declared = telemetryTables[table]
  return 'timeSeconds' in declared ? floorTo(fromNs, BigInt(declared.timeSeconds) * 1_000_000_000n) : fromNs
}

/** Rounds down to a multiple. */
function floorTo(value: bigint, multiple: bigint): bigint {
  return value - (((value % multiple) + multiple) % multiple)
}
