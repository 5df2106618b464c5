import { setTimeout as sleep } from 'node:timers/promises'
import type { Authenticate } from '../auth/authenticate.ts'
import type { DatabaseBackups } from '../clickhouse/backup/database-backup.ts'
import { hasTelemetry } from '../clickhouse/capacity.ts'
import type { ClickHouse } from '../clickhouse/client.ts'
import type { EndpointSource } from '../clickhouse/endpoint.ts'
import { type DirectoryLock, lockDirectory } from '../clickhouse/engine/directory-lock.ts'
import type { EngineLoss } from '../clickhouse/engine/supervisor.ts'
import type { Config } from '../config/config.ts'
import { type Metadata, openMetadata } from '../metadata/database.ts'
import type { Logger } from '../observability/logging.ts'
import { createOutageLog, outageQuietMs } from '../observability/outage-log.ts'
import { isTemporary, Problem, problem } from '../problem/problem.ts'
import { refuseForeignDirectory } from '../secrets/foreign-directory.ts'
import { type BackfillCall, openTelemetryStore, remoteSources } from './telemetry-store.ts'

/** The stores of a server. They are opened without waiting, and usable after `prepare`. */
export interface Stores {
  readonly clickhouse: ClickHouse
  readonly metadata: Metadata
  /** Backups of telemetry. Absent for a remote ClickHouse, whose files only its own server can read. */
  readonly backups: DatabaseBackups | undefined
  /** What `prepare` is waiting for, in words for the readiness probe; undefined when it is done. */
  readonly pending: { clickhouse: string | undefined; metadata: string | undefined }
  /**
   * Locks the data directory, starts the embedded engine, if it is used, and migrates both stores. Waits indefinitely
   * for a store that does not respond. Rejects for any other error, and when `signal` aborts.
   */
  prepare(signal: AbortSignal): Promise<PreparedStores>
  /** Adds the records without entries to the value index, after `prepare`. Returns their number. */
  backfill(call: BackfillCall): Promise<number>
  /** Must not be called while `prepare` runs, unless its signal has aborted. */
  close(): Promise<void>
}

export interface PreparedStores {
  /** Whether the metadata store was new although the telemetry store was not: its records may have been lost. */
  readonly lacksRecords: boolean
}

export interface StoreOverrides {
  /** ClickHouse servers to use instead of the configured ones. For tests. */
  readonly sources?: readonly EndpointSource[]
  /** Called when the embedded engine ended or hung and is restarted. */
  readonly onEngineLoss?: (loss: EngineLoss) => void
  /** Leaves the retention of telemetry as it is, instead of setting the configured one. */
  readonly keepsRetention?: boolean
}

const metadataOutage = {
  failure: 'Could not use the metadata store, so requests that need it are refused',
  recovery: 'The metadata store is available again',
}

const startOutage = {
  failure: 'Could not reach a store; waiting until it responds',
  recovery: 'The store responds',
}

const retryWaitMsMin = 250
const retryWaitMsMax = 5_000

/**
 * Opens both stores without waiting for them. `prepare` migrates them.
 * @throws StoreFault when the data directory belongs to another product
 */
export async function openStores(config: Config, logger: Logger, overrides: StoreOverrides = {}): Promise<Stores> {
  refuseForeignDirectory(config.dataDir)
  const { sources = remoteSources(config.clickhouse), onEngineLoss, keepsRetention } = overrides
  const telemetry = openTelemetryStore(config, logger, { sources, onEngineLoss, keepsRetention })
  const outages = createOutageLog(logger, metadataOutage, { quietMs: outageQuietMs })
  const metadata = await openMetadata({ ...config, outages })
  const pending: Stores['pending'] = { clickhouse: 'starting', metadata: 'starting' }
  let lock: DirectoryLock | undefined
  const prepareTelemetry = async (signal: AbortSignal) => {
    pending.clickhouse = 'migrating'
    await retryUntilAvailable(() => telemetry.migrate(signal), logger, signal)
    pending.clickhouse = undefined
  }
  /** Looks for telemetry while the stores are not ready, so that nothing has been accepted yet. */
  const prepareMetadata = async (telemetryPrepared: Promise<void>, signal: AbortSignal) => {
    pending.metadata = 'migrating'
    const wasNew = await retryUntilAvailable(() => metadata.migrate({ signal }), logger, signal)
    if (wasNew) await telemetryPrepared
    // A ClickHouse that does not say so is reported as its capacity is read, and is no reason not to start.
    const lacksRecords = wasNew && (await hasTelemetry(telemetry.clickhouse, signal).catch(() => false))
    pending.metadata = undefined
    return { lacksRecords }
  }
  // Every file is locked before a migration changes one: another server may be using the directory.
  const prepareBoth = async (signal: AbortSignal) => {
    if (metadata.kind === 'libsql') lock = lockDirectory(config.dataDir)
    await telemetry.start(signal)
    // What ends one ends the other, which would otherwise report that the store is gone once it is closed.
    const failed = new AbortController()
    const either = AbortSignal.any([signal, failed.signal])
    const telemetryPrepared = prepareTelemetry(either)
    const works = [prepareMetadata(telemetryPrepared, either), telemetryPrepared] as const
    for (const work of works) work.catch(() => failed.abort())
    const [prepared] = await Promise.all(works)
    return prepared
  }
  let preparing: Promise<unknown> = Promise.resolve()
  return {
    clickhouse: telemetry.clickhouse,
    metadata,
    backups: telemetry.backups,
    pending,
    async prepare(signal) {
      const prepared = prepareBoth(signal)
      preparing = Promise.allSettled([prepared])
      return prepared
    },
    backfill: (call) => telemetry.backfill(call),
    async close() {
      await preparing
      await telemetry.close()
      await metadata.close()
      lock?.release()
    },
  }
}

/** Waits until a store is available, because orchestrators start containers in any order. */
async function retryUntilAvailable<T>(work: () => Promise<T>, logger: Logger, signal: AbortSignal): Promise<T> {
  const outages = createOutageLog(logger, startOutage)
  for (let waitMs = retryWaitMsMin; ; waitMs = Math.min(2 * waitMs, retryWaitMsMax)) {
    signal.throwIfAborted()
    try {
      const result = await work()
      outages.succeeded()
      return result
    } catch (error) {
      if (!(error instanceof Problem && isTemporary(error))) throw error
      signal.throwIfAborted()
      outages.failed(error)
    }
    await sleep(waitMs, undefined, { signal })
  }
}

/**
 * Refuses credentials until both stores are prepared. Every request that needs a store is authenticated first, so this
 * check is enough.
 */
export function onlyWhenReady(authenticate: Authenticate, pending: Stores['pending']): Authenticate {
  return async (credential) => {
    const waiting = [
      ...(pending.clickhouse === undefined ? [] : [`the telemetry store is ${pending.clickhouse}`]),
      ...(pending.metadata === undefined ? [] : [`the metadata store is ${pending.metadata}`]),
    ]
    if (waiting.length === 0) return authenticate(credential)
    throw problem('unavailable', `The server is starting: ${waiting.join(' and ')}.`, { retryAfterSeconds: 1 })
  }
}
