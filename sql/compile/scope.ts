/**
 * Organization, window and visibility: put into a query by this file alone, and last. No other query names a table, so
 * a query that forgot its scope has no table to read, and `render` refuses it.
 */
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
import type { Scope } from '../ir/scope.ts'
import { telemetryTables } from '../schema/tables.ts'
import { type Cluster, oneNode, type Placement, subqueryAt, tableAt } from './placement.ts'
import { compileInSlice } from './slice.ts'

/** A query as it is asked where tables lie on one node, and as it is asked where they are spread over a cluster. */
export interface ScopedQuery extends Query {
  onCluster(cluster: Cluster): Query
}

/** The query's text and parameters, every place where it reads telemetry narrowed to the scope. */
export function renderInScope(query: Sql, scope: Scope): ScopedQuery {
  const scoped = applyScope(query, scope, oneNode)
  if (!readsTelemetry(query)) throw new Error('The query reads no telemetry, so its scope could not be applied.')
  return {
    ...render(scoped),
    onCluster: (cluster) => render(applyScope(query, scope, { cluster, isOnShard: false })),
  }
}

function readsTelemetry(query: Sql): boolean {
  return query.parts.some((part) => {
    if (typeof part === 'string' || part.kind === 'param') return false
    return part.kind === 'scoped' || readsTelemetry(part.query)
  })
}

function applyScope(query: Sql, scope: Scope, placement: Placement): Sql {
  const parts: Part[] = []
  for (const part of query.parts) appendParts(parts, scopePart(part, scope, placement))
  return { parts }
}

function scopePart(part: Part, scope: Scope, placement: Placement): readonly Part[] {
  if (typeof part === 'string' || part.kind === 'param') return [part]
  if (part.kind === 'sharded')
    return subqueryAt(placement, part, (query, inside) => applyScope(query, scope, inside)).parts
  const conditions = [
    ...scopeConditions(scope, part),
    ...visibility(scope, part).map((condition) => applyScope(condition, unrestricted(scope), placement)),
    applyScope(part.where, scope, placement),
  ]
  const final = telemetryTables[part.table].isReplacing ? sql` FINAL` : sql``
  return sql`${tableAt(placement, part.table)}${final} WHERE ${allOf(conditions)}`.parts
}

function scopeConditions(scope: Scope, { table, bounds }: ScopedRead): Sql[] {
  const from = larger(scope.window.fromNs, bounds.fromNs)
  const to = smaller(scope.window.toNs, bounds.toNs)
  const conditions = [
    sql`org = ${text(scope.org)}`,
    sql`${timeOf(table)} >= fromUnixTimestamp64Nano(${int64(from)}, 'UTC')`,
    sql`${beginOf(table)} < fromUnixTimestamp64Nano(${int64(to)}, 'UTC')`,
  ]
  const { traceIds } = bounds
  if (traceIds !== undefined) conditions.push(sql`has(${param('Array(UInt128)', `[${traceIds.join(',')}]`)}, trace_id)`)
  if (scope.storedByMicros !== undefined) conditions.push(sql`stored_rank >= ${storedRank(scope.storedByMicros)}`)
  return conditions
}

/** A restricted caller sees the union of its slices, each of them taken from all of the organization in the window. */
function visibility(scope: Scope, { table, bounds }: ScopedRead): Sql[] {
  if (scope.granted === undefined) return []
  // Grants are of spans. The API document lets no restricted caller ask for anything else; this holds if it ever did.
  if (table !== 'spans') return [sql`0`]
  return [anyOf(scope.granted.map((slice) => compileInSlice(slice, ofTraces(bounds))))]
}

/** Slices that decide what is visible are not themselves narrowed to it. */
function unrestricted({ granted: _, ...scope }: Scope): Scope {
  return scope
}

/** A slice is of the scope's whole window, whatever part of it is read. */
function ofTraces({ traceIds }: Bounds): Bounds {
  return traceIds === undefined ? {} : { traceIds }
}

/** `stored_rank` counts down, so that the row stored first is the one that stays (schema/migrations). */
function storedRank(micros: bigint): Param {
  return uint64(2n ** 64n - 1n - micros)
}

function larger(left: bigint, right: bigint = left): bigint {
  return left > right ? left : right
}

function smaller(left: bigint, right: bigint = left): bigint {
  return left < right ? left : right
}
