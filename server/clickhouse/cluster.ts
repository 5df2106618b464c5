import type { Cluster } from '#sql'
import { Problem } from '../problem/problem.ts'
import type { ClickHouse, QueuesOfStore, ReadOptions, ReadQuery, ReadResult } from './client.ts'
import { type EndpointSource, shardDatabaseOf } from './endpoint.ts'
import { type ClickHouseOptions, openClickHouse } from './http-client.ts'

export interface ClusterOptions extends Omit<ClickHouseOptions, 'source'> {
  /** Every node: each replica of each shard. */
  readonly nodes: readonly EndpointSource[]
  /** Name of the cluster in the configuration of its nodes. */
  readonly name: string
}

/**
 * Settings of every read on a cluster. The query fails unless every shard responds, and the right side of IN is
 * computed once, over all shards. A working shard reports progress several times a second, so a shard that is silent
 * for `receive_timeout` seconds counts as unavailable even if its machine still accepts connections.
 */
const clusterReadSettings = {
  skip_unavailable_shards: 0,
  distributed_product_mode: 'global',
  handshake_timeout_ms: 3_000,
  receive_timeout: 15,
} as const

/**
 * Milliseconds after which a request without a response makes the client ask whether the node still responds. An insert
 * into a silent node fails only after a minute, and others would follow it there meanwhile.
 */
const silentMsMin = 5_000

/** Opens a client of the distributed tables of a cluster, which read and write all shards. */
export function openCluster({ nodes, name, ...options }: ClusterOptions): ClickHouse {
  const clients = nodes.map((source) => openClickHouse({ ...options, source }))
  return new ClusterClickHouse(clients, clusterOf(name, options.database))
}

/** Returns the cluster of a database. The local tables of each shard are in the database with the suffix `_shard`. */
export function clusterOf(name: string, database: string): Cluster {
  return { name, shardDatabase: shardDatabaseOf(database) }
}

/**
 * Sends reads and inserts to one node until it is unavailable, and then to the next one that responds. The request that
 * fails gets the problem `unavailable` and is retried by its sender, as OTLP exporters do. Commands go to every node.
 */
class ClusterClickHouse implements ClickHouse {
  readonly nodes: readonly ClickHouse[]
  private readonly cluster: Cluster
  private position = 0
  private moving: Promise<void> | undefined

  constructor(nodes: readonly ClickHouse[], cluster: Cluster) {
    this.nodes = nodes
    this.cluster = cluster
  }

  get state() {
    return this.current.state
  }

  get database() {
    return this.current.database
  }

  get queues(): QueuesOfStore {
    const sumOf = (queue: keyof QueuesOfStore) => ({
      held: this.nodes.reduce((sum, { queues }) => sum + queues[queue].held, 0),
      waiting: this.nodes.reduce((sum, { queues }) => sum + queues[queue].waiting, 0),
    })
    return { reads: sumOf('reads'), backgroundReads: sumOf('backgroundReads'), inserts: sumOf('inserts') }
  }

  read<Row>(query: ReadQuery, options: ReadOptions): Promise<ReadResult<Row>> {
    return this.ask((node) => node.read<Row>(...this.onShards(query, options)))
  }

  async *readBlocks<Row>(query: ReadQuery, options: ReadOptions): AsyncIterable<readonly Row[]> {
    const { position } = this
    try {
      yield* this.current.readBlocks<Row>(...this.onShards(query, options))
    } catch (error) {
      this.leaveIfUnavailable(error, position)
      throw error
    }
  }

  insert(...[table, columns, rowBinary, options]: Parameters<ClickHouse['insert']>): Promise<void> {
    return this.ask((node) => node.insert(table, columns, rowBinary, { ...options, isSharded: true }))
  }

  async command(text: string, params?: Readonly<Record<string, unknown>>): Promise<void> {
    for (const node of this.nodes) await node.command(text, params)
  }

  async createDatabase(): Promise<void> {
    for (const node of this.nodes) await node.createDatabase()
  }

  /** Resolves with the first node that responds: another one may accept connections and never answer. */
  ping(): Promise<boolean> {
    const pings = this.nodes.map(async (node) => (await node.ping()) || Promise.reject())
    return Promise.any(pings).catch(() => false)
  }

  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()))
  }

  private get current(): ClickHouse {
    return this.nodes[this.position % this.nodes.length] as ClickHouse
  }

  private onShards(query: ReadQuery, options: ReadOptions): [ReadQuery, ReadOptions] {
    const settings = { ...clusterReadSettings, ...options.settings }
    return [query.onCluster?.(this.cluster) ?? query, { ...options, settings }]
  }

  private async ask<Answer>(request: (node: ClickHouse) => Promise<Answer>): Promise<Answer> {
    const { position, current } = this
    const silent = setTimeout(() => void this.leaveIfSilent(current, position), silentMsMin)
    try {
      return await request(current)
    } catch (error) {
      this.leaveIfUnavailable(error, position)
      throw error
    } finally {
      clearTimeout(silent)
    }
  }

  private async leaveIfSilent(node: ClickHouse, position: number): Promise<void> {
    if (!(await node.ping())) this.leave(position)
  }

  private leaveIfUnavailable(error: unknown, position: number): void {
    if (error instanceof Problem && error.code === 'unavailable') this.leave(position)
  }

  /** Searches for another node in the background, unless a search is running or has ended since the request started. */
  private leave(position: number): void {
    if (this.moving !== undefined || this.position !== position) return
    this.moving = this.moveOnFrom(position).finally(() => {
      this.moving = undefined
    })
  }

  /** Moves to the next node that responds, which may be the same one. */
  private async moveOnFrom(position: number): Promise<void> {
    const { nodes } = this
    for (let next = position + 1; next <= position + nodes.length; next++) {
      if (!(await nodes[next % nodes.length]?.ping())) continue
      this.position = next
      return
    }
  }
}
