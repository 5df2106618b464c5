import { type ClickHouse, type ClickHouseOptions, openClickHouse } from '../clickhouse/client.ts'
import { type ClusterOptions, openCluster, prepareCluster } from '../clickhouse/cluster.ts'
import { type EndpointSource, remoteSource } from '../clickhouse/endpoint.ts'
import { type EmbeddedEngine, startEmbeddedEngine } from '../clickhouse/engine/embedded.ts'
import { migrate } from '../clickhouse/migrate/migrate.ts'
import { applyRetention } from '../clickhouse/migrate/retention.ts'
import type { ClickHouseConfig, Config } from '../config/config.ts'
import type { Logger } from '../observability/logging.ts'

/** Where telemetry is kept: an engine of this server, a ClickHouse of somebody else, or a cluster of them. */
export interface Telemetry {
  readonly clickhouse: ClickHouse
  /** Resolves when there is something to migrate. */
  start(): Promise<void>
  /** May be tried again after it was rejected. */
  migrate(): Promise<void>
  /** When nothing above is running. */
  close(): Promise<void>
}

/** Where telemetry lies, and when a row of it is. */
const retainedTables = [
  { table: 'spans', time: 'toDateTime(start)' },
  { table: 'metric_points', time: 'toDateTime(time)' },
  { table: 'metric_series', time: 'toDateTime(last_seen)' },
  { table: 'log_records', time: 'toDateTime(time)' },
] as const

type Retain = (clickhouse: ClickHouse) => Promise<void>

/** @param sources ClickHouses that somebody else runs; none: the embedded one */
export function openTelemetry(
  { clickhouse: { database, cluster }, dataDir, limits, retentionDays }: Config,
  logger: Logger,
  sources: readonly EndpointSource[],
): Telemetry {
  const options = { database, limits, logger }
  const retain: Retain = async (clickhouse) => {
    const tables = await applyRetention(clickhouse, retainedTables, retentionDays)
    if (tables.length > 0) logger.info({ tables, retentionDays }, 'The retention of telemetry was changed')
  }
  const [source] = sources
  if (source === undefined) return inEmbeddedEngine(dataDir, options, retain)
  if (cluster === undefined) return onServer({ ...options, source }, retain)
  return onCluster({ ...options, nodes: sources, name: cluster }, retain)
}

export function remoteSources({ urls = [], user, password }: ClickHouseConfig): EndpointSource[] {
  const login = { ...(user === undefined ? {} : { user }), ...(password === undefined ? {} : { password }) }
  return urls.map((url) => remoteSource({ url, ...login }))
}

/** The engine starts after the client is made, so that the server can listen and tell what it waits for meanwhile. */
function inEmbeddedEngine(dataDir: string, options: Omit<ClickHouseOptions, 'source'>, retain: Retain): Telemetry {
  let engine: EmbeddedEngine | undefined
  const source: EndpointSource = {
    get state() {
      return engine?.state ?? 'starting'
    },
    endpoint: () => engine?.endpoint(),
  }
  const clickhouse = openClickHouse({ ...options, source })
  return {
    clickhouse,
    async start() {
      engine = await startEmbeddedEngine({ dataDir, logger: options.logger })
    },
    async migrate() {
      await migrate(clickhouse, { exclusive: true })
      await retain(clickhouse)
    },
    async close() {
      await clickhouse.close()
      await engine?.stop()
    },
  }
}

function onServer(options: ClickHouseOptions, retain: Retain): Telemetry {
  const clickhouse = openClickHouse(options)
  return {
    clickhouse,
    start: async () => {},
    async migrate() {
      await migrate(clickhouse)
      await retain(clickhouse)
    },
    close: () => clickhouse.close(),
  }
}

function onCluster(options: ClusterOptions, retain: Retain): Telemetry {
  const clickhouse = openCluster(options)
  return {
    clickhouse,
    start: async () => {},
    migrate: () => prepareCluster(options, retain),
    close: () => clickhouse.close(),
  }
}
