/**
 * The tables of one node of a cluster: those with the rows of its shard, made by the same migrations as everywhere, and over
 * each of them one that reads and writes all shards. Nothing is run `ON CLUSTER`, which would need a Keeper even where
 * nothing is replicated; every node is migrated for itself.
 */
import { type Cluster, shardingKeys } from '#sql'
import type { ClickHouse } from './client.ts'
import { migrate } from './migrate/migrate.ts'

export interface ClusterNode {
  /** On the database of the tables that are spread over all shards. */
  readonly spread: ClickHouse
  /** On the database of the tables with the rows of this node's shard. */
  readonly shard: ClickHouse
}

interface Shape {
  readonly nodes: string
  readonly isReplicated: number
}

/** @throws Error when the node does not know the cluster, or knows one of another size; whatever `migrate` throws */
export async function prepareNode({ spread, shard }: ClusterNode, cluster: Cluster, nodeCount: number): Promise<void> {
  await shard.createDatabase()
  await spread.createDatabase()
  const { nodes, isReplicated } = await readShape(shard, cluster)
  if (Number(nodes) !== nodeCount) {
    throw new Error(
      `The cluster ${cluster.name} has ${nodes} nodes, and CLICKHOUSE_URL names ${nodeCount}. It must name every node, as each has its own tables.`,
    )
  }
  await refuseTablesOfOneNode(spread, cluster)
  await migrate(shard, isReplicated === 1 ? { adapt: replicated } : {})
  for (const [table, key] of Object.entries(shardingKeys)) {
    await spread.command(
      `CREATE OR REPLACE TABLE ${table} AS ${cluster.shardDatabase}.${table} ENGINE = Distributed('${cluster.name}', '${cluster.shardDatabase}', '${table}', ${key})`,
    )
  }
}

async function readShape(node: ClickHouse, { name }: Cluster): Promise<Shape> {
  const text =
    'SELECT count() AS nodes, max(replica_num) > 1 AS isReplicated FROM system.clusters WHERE cluster = {p0:String}'
  const { rows } = await node.read<Shape>({ text, params: { p0: name } }, { label: 'the cluster' })
  return rows[0] ?? { nodes: '0', isReplicated: 0 }
}

/** Replacing them would drop what they hold. */
async function refuseTablesOfOneNode(spread: ClickHouse, { shardDatabase }: Cluster): Promise<void> {
  const text =
    "SELECT name FROM system.tables WHERE database = {p0:String} AND has({p1:Array(String)}, name) AND engine != 'Distributed'"
  const params = { p0: spread.database, p1: Object.keys(shardingKeys) }
  const { rows } = await spread.read({ text, params }, { label: 'the tables of one node' })
  if (rows.length === 0) return
  throw new Error(
    `The database ${spread.database} holds telemetry of a single node. To keep it as the rows of this node's shard, stop all servers and run RENAME DATABASE ${spread.database} TO ${shardDatabase} there.`,
  )
}

const mergeTree = /^ENGINE = (\w*MergeTree)(?:\((.*)\))?$/m

/** The same table with a copy on each replica of its shard, kept equal by way of Keeper. `{shard}` and `{replica}` are macros of the node. */
export function replicated(statement: string): string {
  return statement.replace(mergeTree, (_, engine: string, options: string | undefined) => {
    const place = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'"
    return `ENGINE = Replicated${engine}(${options === undefined ? place : `${place}, ${options}`})`
  })
}
