/**
 * Creates the tables of a cluster. Each node has local tables with the rows of its shard, created by the migrations of
 * a single server, and a distributed table over each of them, which reads and writes all shards. No statement uses `ON
 * CLUSTER`, which requires Keeper even without replication; every node is migrated separately.
 */
import {
  type Cluster,
  createDistributedTable,
  currentDistributedTables,
  localTables,
  nodesOfCluster,
  telemetryTableNames,
  toReplicatedEngine,
} from '#sql'
import type { ClickHouse } from '../client.ts'
import { type ClusterOptions, clusterOf } from '../cluster.ts'
import { openClickHouse } from '../http-client.ts'
import { migrate } from './migrate.ts'

/** The two databases of one node of a cluster. */
interface ClusterNode {
  readonly distributed: ClickHouse
  /** The tables with the rows of the node's shard. */
  readonly local: ClickHouse
}

interface ClusterShape {
  readonly nodes: string
  readonly isReplicated: number
}

/** Creates and migrates the tables of every node, then calls `onLocal` with a client of the node's local tables. */
export async function prepareCluster(
  { nodes, name, ...options }: ClusterOptions,
  onLocal: (local: ClickHouse) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const cluster = clusterOf(name, options.database)
  for (const source of nodes) {
    signal?.throwIfAborted()
    const distributed = openClickHouse({ ...options, source })
    const local = openClickHouse({ ...options, source, database: cluster.shardDatabase })
    try {
      await prepareNode({ distributed, local }, cluster, { nodeCount: nodes.length, signal })
      await onLocal(local)
    } finally {
      await Promise.all([distributed.close(), local.close()])
    }
  }
}

/** Calls `visit` with a client of the local tables of each node, one after the other. */
export async function visitNodes(
  { nodes, name, ...options }: ClusterOptions,
  visit: (local: ClickHouse) => Promise<void>,
): Promise<void> {
  const cluster = clusterOf(name, options.database)
  for (const source of nodes) {
    const local = openClickHouse({ ...options, source, database: cluster.shardDatabase })
    try {
      await visit(local)
    } finally {
      await local.close()
    }
  }
}

/**
 * Migrates one node.
 * @throws Error when the node does not know the cluster or has another number of nodes in it; all errors of `migrate`
 */
async function prepareNode(
  { distributed, local }: ClusterNode,
  cluster: Cluster,
  { nodeCount, signal }: { readonly nodeCount: number; readonly signal: AbortSignal | undefined },
): Promise<void> {
  await local.createDatabase()
  await distributed.createDatabase()
  const { nodes, isReplicated } = await readShape(local, cluster)
  if (Number(nodes) !== nodeCount) {
    throw new Error(
      `The cluster ${cluster.name} has ${nodes} nodes, but CLICKHOUSE_URL names ${nodeCount}. ` +
        'It must name every node, because each has its own tables.',
    )
  }
  await refuseLocalTables(distributed, cluster)
  await migrate(local, { adapt: isReplicated === 1 ? toReplicatedEngine : undefined, signal })
  const current = await readCurrentTables(distributed, cluster)
  for (const table of telemetryTableNames)
    if (!current.has(table)) await distributed.command(createDistributedTable(table, cluster))
}

/**
 * Reads the names of the distributed tables that need no replacement. Replacing them at each start would now and then
 * fail a query of another server, for which the table is unknown at that moment.
 */
async function readCurrentTables(distributed: ClickHouse, cluster: Cluster): Promise<ReadonlySet<string>> {
  const query = currentDistributedTables(distributed.database, cluster)
  const { rows } = await distributed.read<{ name: string }>(query, { for: 'system', label: 'the distributed tables' })
  return new Set(rows.map(({ name }) => name))
}

async function readShape(node: ClickHouse, { name }: Cluster): Promise<ClusterShape> {
  const { rows } = await node.read<ClusterShape>(nodesOfCluster(name), { for: 'system', label: 'the cluster' })
  return rows[0] ?? { nodes: '0', isReplicated: 0 }
}

/** Refuses a database that contains the tables of a single server, because replacing them would drop their rows. */
async function refuseLocalTables(distributed: ClickHouse, { shardDatabase }: Cluster): Promise<void> {
  const { database } = distributed
  const { rows } = await distributed.read(localTables(database), {
    for: 'system',
    label: 'the tables of a single server',
  })
  if (rows.length === 0) return
  throw new Error(
    `The database ${database} contains telemetry of a single server. To keep it as the rows of this node's shard, ` +
      `stop all servers and run there: RENAME DATABASE ${database} TO ${shardDatabase}`,
  )
}
