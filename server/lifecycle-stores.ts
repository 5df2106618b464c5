import { setTimeout as sleep } from 'node:timers/promises'
import { type ClickHouse, openClickHouse } from './clickhouse/client.ts'
import { type EmbeddedEngine, startEmbeddedEngine } from './clickhouse/embedded.ts'
import { type EndpointSource, remoteSource } from './clickhouse/endpoint.ts'
import { migrate } from './clickhouse/migrate.ts'
import { applyRetention } from './clickhouse/retention.ts'
import type { Config } from './config.ts'
import { Problem } from './http/problem.ts'
import type { Logger } from './logging.ts'
import { type Metadata, openMetadata } from './metadata/database.ts'

/** Where the data is: opened without waiting, made ready by `prepare`. */
export interface Stores {
  readonly clickhouse: ClickHouse
  readonly metadata: Metadata
  /** What `prepare` is still at, in words for the readiness probe; undefined when it is done. */
  readonly pending: { clickhouse: string | undefined; metadata: string | undefined }
  /**
   * Starts the embedded engine when there is one and migrates both stores. Waits as long as it takes for a store that
   * does not answer; rejects for everything that waiting does not mend, and when `signal` aborts.
   */
  prepare(signal: AbortSignal): Promise<void>
  /** After `prepare` has ended or its signal has aborted. */
  close(): Promise<void>
}

export interface StoreOverrides {
  /** A ClickHouse that somebody else runs, in place of the embedded one. For tests. */
  readonly source?: EndpointSource
}

/** Where telemetry lies, and when a row of it is. */
const retainedTables = [
  { table: 'spans', time: 'toDateTime(start)' },
  { table: 'metric_points', time: 'toDateTime(time)' },
  { table: 'metric_series', time: 'toDateTime(last_seen)' },
  { table: 'log_records', time: 'toDateTime(time)' },
] as const

const retryWaitMsMin = 250
const retryWaitMsMax = 5_000

export async function openStores(config: Config, logger: Logger, overrides: StoreOverrides = {}): Promise<Stores> {
  const embedded = overrides.source === undefined && config.clickhouse.url === undefined
  let engine: EmbeddedEngine | undefined
  const source = overrides.source ?? sourceOf(config, () => engine)
  const clickhouse = openClickHouse({ source, database: config.clickhouse.database, limits: config.limits, logger })
  const metadata = await openMetadata(config)
  const pending: Stores['pending'] = { clickhouse: 'starting', metadata: 'starting' }
  const start = async (signal: AbortSignal) => {
    if (embedded) {
      engine = await startEmbeddedEngine({ dataDir: config.dataDir, logger })
    }
    pending.clickhouse = 'migrating'
    await untilAvailable(() => migrate(clickhouse, { exclusive: embedded }), logger, signal)
    await untilAvailable(() => retain(clickhouse, config, logger), logger, signal)
    pending.clickhouse = undefined
  }
  const migrateMetadata = async (signal: AbortSignal) => {
    pending.metadata = 'migrating'
    await untilAvailable(() => metadata.migrate(), logger, signal)
    pending.metadata = undefined
  }
  let preparing: Promise<unknown> = Promise.resolve()
  return {
    clickhouse,
    metadata,
    pending,
    async prepare(signal) {
      const parts = [start(signal), migrateMetadata(signal)]
      preparing = Promise.allSettled(parts)
      await Promise.all(parts)
    },
    async close() {
      await preparing
      await clickhouse.close()
      await engine?.stop()
      await metadata.close()
    },
  }
}

/** The embedded engine starts after the client is made, so that the server can listen and tell what it waits for meanwhile. */
function sourceOf({ clickhouse: { url, ...login } }: Config, engine: () => EmbeddedEngine | undefined): EndpointSource {
  if (url !== undefined) return remoteSource({ url, ...login })
  return {
    get state() {
      return engine()?.state ?? 'starting'
    },
    endpoint: () => engine()?.endpoint(),
  }
}

async function retain(clickhouse: ClickHouse, { retentionDays }: Config, logger: Logger): Promise<void> {
  const changed = await applyRetention(clickhouse, retainedTables, retentionDays)
  if (changed.length > 0) logger.info({ tables: changed, retentionDays }, 'The retention of telemetry was changed')
}

/** A store that is not there yet is waited for: orchestrators start things in any order, and restart them in another. */
async function untilAvailable(work: () => Promise<void>, logger: Logger, signal: AbortSignal): Promise<void> {
  for (let waitMs = retryWaitMsMin; ; waitMs = Math.min(2 * waitMs, retryWaitMsMax)) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'unavailable')) throw error
      logger.warn({ err: error, waitMs }, 'A store does not answer yet; it is asked again')
    }
    await sleep(waitMs, undefined, { signal })
  }
}
