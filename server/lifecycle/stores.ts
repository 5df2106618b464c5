import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouse } from '../clickhouse/client.ts'
import type { EndpointSource } from '../clickhouse/endpoint.ts'
import type { Config } from '../config/config.ts'
import { type Metadata, openMetadata } from '../metadata/database.ts'
import type { Logger } from '../observability/logging.ts'
import { Problem } from '../problem/problem.ts'
import { openTelemetry, remoteSources } from './telemetry-store.ts'

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
  /** ClickHouses that somebody else runs, in place of those of the configuration. For tests. */
  readonly sources?: readonly EndpointSource[]
}

const retryWaitMsMin = 250
const retryWaitMsMax = 5_000

export async function openStores(config: Config, logger: Logger, overrides: StoreOverrides = {}): Promise<Stores> {
  const telemetry = openTelemetry(config, logger, overrides.sources ?? remoteSources(config.clickhouse))
  const metadata = await openMetadata(config)
  const pending: Stores['pending'] = { clickhouse: 'starting', metadata: 'starting' }
  const start = async (signal: AbortSignal) => {
    await telemetry.start()
    pending.clickhouse = 'migrating'
    await untilAvailable(() => telemetry.migrate(), logger, signal)
    pending.clickhouse = undefined
  }
  const migrateMetadata = async (signal: AbortSignal) => {
    pending.metadata = 'migrating'
    await untilAvailable(() => metadata.migrate(), logger, signal)
    pending.metadata = undefined
  }
  let preparing: Promise<unknown> = Promise.resolve()
  return {
    clickhouse: telemetry.clickhouse,
    metadata,
    pending,
    async prepare(signal) {
      const parts = [start(signal), migrateMetadata(signal)]
      preparing = Promise.allSettled(parts)
      await Promise.all(parts)
    },
    async close() {
      await preparing
      await telemetry.close()
      await metadata.close()
    },
  }
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
