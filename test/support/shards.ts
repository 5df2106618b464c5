/** Embedded engines that make one cluster: each is a shard, and knows the others by the ports of their native protocol. */
import path from 'node:path'
import { freePort } from '../../server/clickhouse/engine/engine-child.ts'
import type { Xml } from '../../server/clickhouse/engine/engine-config.ts'
import { type EmbeddedEngine, startEmbeddedEngine } from '../../server/clickhouse/engine/supervisor.ts'
import { openClickHouse } from '../../server/clickhouse/http-client.ts'
import { queryLimitDefaults } from '../../server/clickhouse/query-limits.ts'

const silentLogger = { debug() {}, info() {}, warn() {}, error() {} }

export const shardsCluster = 'shards'

export interface Shards {
  readonly engines: readonly EmbeddedEngine[]
  /** Starts an engine that was stopped on the data that it left. */
  restart(index: number): Promise<EmbeddedEngine>
}

/** Starts `count` engines below `folder`, each with data of its own. */
export async function startShards(count: number, folder: string): Promise<Shards> {
  const ports = await Promise.all(Array.from({ length: count }, freePort))
  const start = (index: number) => startShard(path.join(folder, `shard-${index}`), ports[index] as number, ports)
  return { engines: await Promise.all(ports.map((_, index) => start(index))), restart: start }
}

async function startShard(dataDir: string, port: number, ports: readonly number[]): Promise<EmbeddedEngine> {
  const engine = await startEmbeddedEngine({ dataDir, logger: silentLogger, further: membership(port, ports) })
  await listenToShards(engine)
  return engine
}

/** Users have another password on each engine; who knows the secret is let in as the user who asks. */
function membership(port: number, ports: readonly number[]): Xml {
  const shard = ports.map((each) => ({ replica: { host: '127.0.0.1', port: each } }))
  return { tcp_port: port, remote_servers: { [shardsCluster]: { secret: 'shards of one test', shard } } }
}

/** An engine listens to HTTP alone until it is told. */
async function listenToShards(engine: EmbeddedEngine): Promise<void> {
  const options = { database: 'default', limits: queryLimitDefaults, logger: silentLogger }
  const clickhouse = openClickHouse({ source: engine, ...options })
  await clickhouse.command('SYSTEM START LISTEN TCP')
  await clickhouse.close()
}
