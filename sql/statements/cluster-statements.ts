/** Statements about the tables of a cluster (docs/decisions/0004-cluster.md). */
import type { Cluster } from '../compile/placement.ts'
import { list, type Query, render, sql, text } from '../fragment.ts'
import { quoteName, shardingKeyOf, tableName } from '../identifier.ts'
import { type TelemetryTable, telemetryTableNames } from '../schema/tables.ts'

/** Reads the number of `nodes` of a cluster in the configuration of a node, and `isReplicated`, which is 0 or 1. */
export function nodesOfCluster(name: string): Query {
  return render(sql`
    SELECT count() AS nodes, max(replica_num) > 1 AS isReplicated
    FROM system.clusters
    WHERE cluster = ${text(name)}
  `)
}

/** Reads the names of the telemetry tables in a database that store rows themselves. */
export function localTables(database: string): Query {
  return render(sql`
    SELECT name
    FROM system.tables
    WHERE database = ${text(database)}
      AND name IN (${list(telemetryTableNames.map((table) => sql`${text(table)}`))})
      AND engine != 'Distributed'
  `)
}

/**
 * Reads the names of the distributed tables of a database that `createDistributedTable` would replace by equal ones:
 * with the same engine, and the columns of the local tables.
 */
export function currentDistributedTables(database: string, { name, shardDatabase }: Cluster): Query {
  const engines = telemetryTableNames.map((table) => {
    const key = render(shardingKeyOf(table)).text
    return sql`${text(`Distributed('${name}', '${shardDatabase}', '${table}', ${key})`)}`
  })
  const columns = sql`groupArray((name, type, default_kind, default_expression))`
  const isOfEngine = sql`database = ${text(database)} AND engine_full IN (${list(engines)})`
  return render(sql`
    SELECT table AS name
    FROM (
      SELECT table, database, ${columns} AS columns
      FROM (
        SELECT * FROM system.columns
        WHERE database IN (${text(database)}, ${text(shardDatabase)})
        ORDER BY database, table, position
      )
      GROUP BY database, table
    )
    WHERE table IN (SELECT name FROM system.tables WHERE ${isOfEngine})
    GROUP BY table
    HAVING count() = 2 AND uniqExact(columns) = 1
  `)
}

/**
 * Creates or replaces the distributed table over the local tables of the shards. Replacing it adds columns that the
 * local tables have gained.
 */
export function createDistributedTable(table: TelemetryTable, { name, shardDatabase }: Cluster): string {
  const [cluster, database] = [quoteName(name), quoteName(shardDatabase)]
  return render(sql`
    CREATE OR REPLACE TABLE ${tableName(table)} AS ${database}.${tableName(table)}
    ENGINE = Distributed(${cluster}, ${database}, ${tableName(table)}, ${shardingKeyOf(table)})
  `).text
}

const mergeTree = /^ENGINE = (\w*MergeTree)(?:\((.*)\))?$/m

/**
 * Rewrites a statement of a migration so that the table is replicated within its shard, through Keeper. `{shard}` and
 * `{replica}` are macros of the node.
 */
export function toReplicatedEngine(statement: string): string {
  return statement.replace(mergeTree, (_, engine: string, options: string | undefined) => {
    const path = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'"
    return `ENGINE = Replicated${engine}(${options === undefined ? path : `${path}, ${options}`})`
  })
}
