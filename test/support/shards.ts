/**
 * Embedded engines that form one cluster. Each is a shard and knows the others by relays of the ports of their native
 * protocol.
 */
import path from 'node:path'
import type { Xml } from '../../server/clickhouse/engine/engine-config.ts'
import {
  type EmbeddedEngine,
  type EmbeddedOptions,
  startEmbeddedEngine,
} from '../../server/clickhouse/engine/supervisor.ts'
import { openClickHouse } from '../../server/clickhouse/http-client.ts'
import { queryLimits } from './query-limits.ts'
import { openShardRelay } from './shard-relay.ts'
import { silentLogger } from './silent-logger.ts'
import { unusedPort } from './unused-port.ts'

/** The name of the cluster, which docker-compose.cluster.yml uses as well. */
export const shardsCluster = 'main'

export interface Shards {
  readonly engines: readonly EmbeddedEngine[]
  /** Restarts a stopped engine on its data. */
  restart(index: number): Promise<EmbeddedEngine>
}

/**
 * Starts `count` engines in `folder`, each with a data directory of its own. `onLoss` is called when one of them ends
 * by itself. It is started again, but the others can no longer reach it.
 */
export async function startShards(count: number, folder: string, onLoss: () => void = () => {}): Promise<Shards> {
  const ports = await Promise.all(Array.from({ length: count }, unusedPort))
  const relays = await Promise.all(ports.map(openShardRelay))
  const start = (index: number) =>
    startShard({
      dataDir: path.join(folder, `shard-${index}`),
      logger: silentLogger,
      onLoss,
      extraConfig: membership(ports[index] as number, relays.with(index, ports[index] as number)),
    })
  return { engines: await Promise.all(ports.map((_, index) => start(index))), restart: start }
}

async function startShard(options: EmbeddedOptions): Promise<EmbeddedEngine> {
  const engine = await startEmbeddedEngine(options)
  await listenToShards(engine)
  return engine
}

/**
 * Returns the cluster configuration of the engine that listens at `port`. `ports` has this one, by which the engine
 * recognizes itself, and the relays of the others. Passwords differ from engine to engine; a shared secret admits the
 * other engines.
 */
function membership(port: number, ports: readonly number[]): Xml {
  const shard = ports.map((each) => ({ replica: { host: '127.0.0.1', port: each } }))
  return { tcp_port: port, remote_servers: { [shardsCluster]: { secret: 'shards of one test', shard } } }
}

/** Starts the native protocol, because an engine only listens to HTTP by default. */
async function listenToShards(engine: EmbeddedEngine): Promise<void> {
  const options = { database: 'default', limits: queryLimits, logger: silentLogger }
  const clickhouse = openClickHouse({ source: engine, ...options })
  await clickhouse.command('SYSTEM START LISTEN TCP')
  await clickhouse.close()
}
