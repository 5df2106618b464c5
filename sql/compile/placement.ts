/**
 * Where tables lie: on one node, or spread over the shards of a cluster by trace or series
 * (docs/decisions/0004-cluster.md). Of every spread table there are two: one on each shard that holds its rows, in a
 * database of their own, and one that reads all shards, under the name that the table has on one node.
 */
import { type ShardedSubquery, type Sql, sql } from '../fragment.ts'
import { quoteName, tableName } from '../identifier.ts'
import type { TelemetryTable } from '../schema/tables.ts'

/** Letters, digits and `_` alone. */
export interface Cluster {
  readonly name: string
  /** Where each shard has its own rows. */
  readonly shardDatabase: string
}

/** Where a piece of a query is answered. */
export interface Placement {
  readonly cluster?: Cluster
  /** By each shard from its own rows. */
  readonly isOnShard: boolean
}

export const oneNode: Placement = { isOnShard: false }

export function tableAt({ cluster, isOnShard }: Placement, table: TelemetryTable): Sql {
  const name = tableName(table)
  return cluster !== undefined && isOnShard ? sql`${quoteName(cluster.shardDatabase)}.${name}` : name
}

/**
 * A subquery in its parentheses, what `place` makes of its parts inside. Inside one that shards answer they answer
 * everything.
 */
export function subqueryAt(
  placement: Placement,
  { query, behind }: ShardedSubquery,
  place: (query: Sql, inside: Placement) => Sql,
): Sql {
  const { cluster, isOnShard } = placement
  if (cluster === undefined) return sql`(${place(query, placement)})`
  const answered = place(query, { cluster, isOnShard: true })
  return behind === 'IN' || isOnShard ? sql`(${answered})` : sql`cluster(${quoteName(cluster.name)}, view(${answered}))`
}
