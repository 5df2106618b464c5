import { rm } from 'node:fs/promises'
import { createDatabaseBackups, type DatabaseBackups } from '../clickhouse/backup/database-backup.ts'
import type { ClickHouse } from '../clickhouse/client.ts'
import { type ClusterOptions, openCluster } from '../clickhouse/cluster.ts'
import { type EndpointSource, remoteSource } from '../clickhouse/endpoint.ts'
import { backupsFolder, backupWorkFolder } from '../clickhouse/engine/engine-child.ts'
import {
  type EmbeddedEngine,
  type EmbeddedOptions,
  type EngineLoss,
  engineDirectory,
  startEmbeddedEngine,
} from '../clickhouse/engine/supervisor.ts'
import { type ClickHouseOptions, openClickHouse } from '../clickhouse/http-client.ts'
import { type BackfillOptions, backfillValueIndex } from '../clickhouse/migrate/backfill.ts'
import { prepareCluster, visitNodes } from '../clickhouse/migrate/cluster-tables.ts'
import { migrate } from '../clickhouse/migrate/migrate.ts'
import { applyRetention } from '../clickhouse/migrate/retention.ts'
import type { ClickHouseConfig, Config } from '../config/config.ts'
import { createStoredEntries } from '../ingest/records/stored-entries.ts'
import type { Logger } from '../observability/logging.ts'

/** The telemetry store: the embedded engine, a ClickHouse server, or a cluster. */
export interface TelemetryStore {
  readonly clickhouse: ClickHouse
  /** Absent unless this server runs the ClickHouse and can read its files. */
  readonly backups?: DatabaseBackups
  /** Resolves when the store can be migrated. Rejects with the reason of `signal` when it aborts before. */
  start(signal: AbortSignal): Promise<void>
  /**
   * Migrates the tables and sets their retention, unless it keeps that. May be called again after it rejects, as when
   * `signal` aborts.
   */
  migrate(signal: AbortSignal): Promise<void>
  /** Adds the records without entries to the value index, after `migrate`. See `backfillValueIndex`. */
  backfill(options: BackfillCall): Promise<number>
  /** Must not be called before `start` and `migrate` have ended. */
  close(): Promise<void>
}

export interface TelemetryStoreOptions {
  /** ClickHouse servers. Empty for the embedded engine. */
  readonly sources: readonly EndpointSource[]
  readonly onEngineLoss?: ((loss: EngineLoss) => void) | undefined
  readonly keepsRetention?: boolean | undefined
}

export type BackfillCall = Omit<BackfillOptions, 'entries'>

type Retain = (clickhouse: ClickHouse) => Promise<void>

/** Opens the store without waiting for it. */
export function openTelemetryStore(
  { clickhouse: { database, cluster }, dataDir, limits, retentionDays }: Config,
  logger: Logger,
  { sources, onEngineLoss = () => {}, keepsRetention = false }: TelemetryStoreOptions,
): TelemetryStore {
  const options = { database, limits, logger }
  const retain: Retain = async (clickhouse) => {
    if (keepsRetention) return
    const tables = await applyRetention(clickhouse, retentionDays)
    if (tables.length === 0) return
    if (retentionDays === undefined)
      logger.info({ tables }, 'Removed the retention of telemetry, which is kept from now on')
    else logger.info({ tables, retentionDays }, 'Changed the retention of telemetry')
  }
  const [source] = sources
  if (source === undefined) return openEmbeddedStore({ dataDir, logger, onLoss: onEngineLoss }, options, retain)
  if (cluster === undefined) return openServerStore({ ...options, source }, retain)
  return openClusterStore({ ...options, nodes: sources, name: cluster }, retain)
}

/** Returns the sources of the configured ClickHouse nodes; none for the embedded engine. */
export function remoteSources({ urls = [], user, password }: ClickHouseConfig): EndpointSource[] {
  const login = { ...(user === undefined ? {} : { user }), ...(password === undefined ? {} : { password }) }
  return urls.map((url) => remoteSource({ url, ...login }))
}

const interruptedRestore =
  'Deleted what an interrupted restore left behind. Restore again, with --force, if records or telemetry are missing'

/**
 * Opens the embedded engine. The client exists before the engine starts, so that the server can listen and report what
 * it is waiting for.
 */
function openEmbeddedStore(
  embedded: EmbeddedOptions,
  options: Omit<ClickHouseOptions, 'source'>,
  retain: Retain,
): TelemetryStore {
  let engine: EmbeddedEngine | undefined
  const source: EndpointSource = {
    isExclusive: true,
    get state() {
      return engine?.state ?? 'starting'
    },
    endpoint: () => engine?.endpoint(),
  }
  const clickhouse = openClickHouse({ ...options, source })
  const prepare = async (database: ClickHouse, signal?: AbortSignal) => {
    await migrate(database, { exclusive: true, signal })
    await retain(database)
  }
  const directory = engineDirectory(embedded.dataDir)
  const folder = backupsFolder(directory)
  const openDatabase = (database: string) => openClickHouse({ ...options, source, database })
  const backups = createDatabaseBackups({ clickhouse, folder, openDatabase, prepare })
  return {
    clickhouse,
    backups,
    async start(signal) {
      engine = await startEmbeddedEngine(embedded, signal)
      // Its lock is held, so what a backup or restore left here belongs to a process that was killed.
      await rm(backupWorkFolder(directory), { recursive: true, force: true })
    },
    async migrate(signal) {
      await prepare(clickhouse, signal)
      if (await backups.removeInterrupted()) embedded.logger.warn({}, interruptedRestore)
    },
    // Nobody else inserts, because this process has locked the engine's directory.
    backfill: (call) =>
      backfillValueIndex(clickhouse, { settledSeconds: 0, ...call, entries: createStoredEntries(clickhouse) }),
    async close() {
      await clickhouse.close()
      await engine?.stop()
    },
  }
}

function openServerStore(options: ClickHouseOptions, retain: Retain): TelemetryStore {
  const clickhouse = openClickHouse(options)
  return {
    clickhouse,
    start: async () => {},
    async migrate(signal) {
      await migrate(clickhouse, { signal })
      await retain(clickhouse)
    },
    backfill: (call) => backfillValueIndex(clickhouse, { ...call, entries: createStoredEntries(clickhouse) }),
    close: () => clickhouse.close(),
  }
}

function openClusterStore(options: ClusterOptions, retain: Retain): TelemetryStore {
  const clickhouse = openCluster(options)
  return {
    clickhouse,
    start: async () => {},
    migrate: (signal) => prepareCluster(options, retain, signal),
    async backfill(call) {
      let added = 0
      await visitNodes(options, async (local) => {
        added += await backfillValueIndex(local, { ...call, entries: createStoredEntries(clickhouse) })
      })
      return added
    },
    close: () => clickhouse.close(),
  }
}
