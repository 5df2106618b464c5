import type { Cluster } from '#sql'
import { type ClickHouse, type ClickHouseOptions, openClickHouse } from './client.ts'
import { oneOfMany } from './cluster-client.ts'
import { prepareNode } from './cluster-tables.ts'
import type { EndpointSource } from './endpoint.ts'

export interface ClusterOptions extends Omit<ClickHouseOptions, 'source'> {
  /** Every node: each replica of each shard. */
  readonly nodes: readonly EndpointSource[]
  /** What the nodes call the cluster. */
  readonly name: string
}

/** On the database of the tables that read and write all shards. */
export function openCluster({ nodes, name, ...options }: ClusterOptions): ClickHouse {
  const clients = nodes.map((source) => openClickHouse({ ...options, source }))
  return oneOfMany(clients, clusterOf(name, options.database))
}

/** Makes the tables of every node. `onShard` is called with each, on the database of the tables with its shard's rows. */
export async function prepareCluster(
  { nodes, name, ...options }: ClusterOptions,
  onShard: (shard: ClickHouse) => Promise<void>,
): Promise<void> {
  const cluster = clusterOf(name, options.database)
  for (const source of nodes) {
    const spread = openClickHouse({ ...options, source })
    const shard = openClickHouse({ ...options, source, database: cluster.shardDatabase })
    try {
      await prepareNode({ spread, shard }, cluster, nodes.length)
      await onShard(shard)
    } finally {
      await Promise.all([spread.close(), shard.close()])
    }
  }
}

function clusterOf(name: string, database: string): Cluster {
  return { name, shardDatabase: `${database}_shard` }
}
