/**
 * The placement of tables: on one server, or sharded over a cluster by trace or series
 * (docs/decisions/0004-cluster.md). A sharded table exists twice on every node: as a local table with the rows of the
 * node's shard, in a separate database, and as a distributed table that reads all shards and has the name of the table
 * on a single server.
 */
import { type ShardedSubquery, type Sql, sql } from '../fragment.ts'
import { quoteName, tableName } from '../identifier.ts'
import type { TelemetryTable } from '../schema/tables.ts'

/** A cluster of ClickHouse nodes. Names consist of letters, digits and underscores. */
export interface Cluster {
  readonly name: string
  /** The database of the local tables. */
  readonly shardDatabase: string
}

/** Where a part of a query is executed. */
export interface Placement {
  readonly cluster?: Cluster
  /** Whether each shard executes the part over its own rows. */
  readonly isOnShard: boolean
}

export const oneNode: Placement = { isOnShard: false }

/** Returns the table to read: the local table of a shard, or the table that contains or reads all rows. */
export function tableAt({ cluster, isOnShard }: Placement, table: TelemetryTable): Sql {
  const name = tableName(table)
  return cluster !== undefined && isOnShard ? sql`${quoteName(cluster.shardDatabase)}.${name}` : name
}

/**
 * Returns a subquery in parentheses, with its tables replaced by `rewrite`. If shards execute the subquery, they
 * execute everything inside it as well.
 */
export function subqueryAt(
  placement: Placement,
  { query, behind }: ShardedSubquery,
  rewrite: (query: Sql, inside: Placement) => Sql,
): Sql {
  const { cluster, isOnShard } = placement
  if (cluster === undefined) return sql`(${rewrite(query, placement)})`
  const onShard = rewrite(query, { cluster, isOnShard: true })
  return behind === 'IN' || isOnShard ? sql`(${onShard})` : sql`cluster(${quoteName(cluster.name)}, view(${onShard}))`
}
