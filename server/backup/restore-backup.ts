import { createReadStream } from 'node:fs'
import type { DatabaseBackups, RestoredDatabase, RestoredRows } from '../clickhouse/backup/database-backup.ts'
import type { Metadata } from '../metadata/database.ts'
import { type RestoredMetadata, requireEmpty, restoreSnapshot, type SnapshotRow } from '../metadata/snapshot.ts'
import { parseJsonLines } from './json-lines.ts'
import { BackupDamaged, type Manifest, readChecksums, readManifest } from './manifest.ts'
import type { BackupStorage } from './storage.ts'
import { newestBackup, verifyBackup } from './verify-backup.ts'
import { type Workspace, withWorkspace } from './workspace.ts'

export interface RestoreOptions {
  readonly storage: BackupStorage
  /** The id of the backup; the newest one by default. */
  readonly backup: string | undefined
  /** Absent for a remote ClickHouse; only metadata is restored then. */
  readonly telemetry: DatabaseBackups | undefined
  readonly metadata: Metadata
  /** An empty folder of this name is created for the time of the restore. */
  readonly workFolder: string
  /** Deletes everything in both stores first. */
  readonly isReplacing: boolean
  readonly signal: AbortSignal
  readonly onProgress: (line: string) => void
}

export interface RestoredBackup {
  readonly manifest: Manifest
  readonly telemetryRows: RestoredRows | undefined
  readonly metadataRows: number
}

/** The stores contain data, which a restore would mix with the backup. */
export class StoreNotEmpty extends Error {
  override readonly name = 'StoreNotEmpty'
}

/** The restore failed in its last step: telemetry is no longer what it was, and not what is in the backup. */
class RestoreIncomplete extends Error {
  override readonly name = 'RestoreIncomplete'

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(
      `The restore failed while it changed telemetry, which is incomplete now: run it again with --force. ${reason}`,
    )
  }
}

/**
 * Verifies a backup completely and restores it. Telemetry is restored beside the live tables and added to them just
 * before the metadata is committed, so that an error before that changes nothing. Inserts may go on meanwhile.
 * @throws BackupDamaged; StoreNotEmpty or MetadataNotEmpty unless `isReplacing`; RestoreIncomplete
 */
export async function restoreBackup(options: RestoreOptions): Promise<RestoredBackup> {
  const { storage, telemetry, signal, onProgress } = options
  const { id } = await findBackup(storage, options.backup, telemetry !== undefined)
  if (!options.isReplacing) await requireEmptyStores(options)
  return withWorkspace(storage, options.workFolder, async (workspace) => {
    onProgress(`Verifying ${id}`)
    const localCopy = async (name: string) => {
      await workspace.fetch(name)
      return workspace.pathOf(name)
    }
    const { manifest } = await verifyBackup(storage, id, { signal, localCopy })
    const restored = telemetry && (await restoreTelemetry(telemetry, workspace, manifest, options))
    try {
      const rows = await restoreRecords(restored, snapshotOf(manifest, workspace), workspace, options)
      return { manifest, ...rows }
    } finally {
      // If ClickHouse is gone, the next start or the next restore deletes it.
      await restored?.drop().catch(() => undefined)
    }
  })
}

/** Restores the metadata, and adds the restored telemetry just before it is committed. */
async function restoreRecords(
  restored: RestoredDatabase | undefined,
  snapshot: RestoredMetadata,
  { scratch }: Workspace,
  { metadata, isReplacing, signal, onProgress }: RestoreOptions,
): Promise<Pick<RestoredBackup, 'telemetryRows' | 'metadataRows'>> {
  onProgress('Restoring the metadata')
  let isAdopting = false
  let telemetryRows: RestoredRows | undefined
  const beforeCommit = async () => {
    signal.throwIfAborted()
    isAdopting = restored !== undefined
    telemetryRows = await restored?.adopt(isReplacing)
  }
  try {
    const options = { workDir: scratch, replacing: isReplacing, beforeCommit }
    return { metadataRows: await restoreSnapshot(metadata, snapshot, options), telemetryRows }
  } catch (error) {
    throw isAdopting ? new RestoreIncomplete(error) : error
  }
}

async function requireEmptyStores({ telemetry, metadata }: RestoreOptions): Promise<void> {
  await requireEmpty(metadata.db)
  const stored = Object.entries((await telemetry?.countRows()) ?? {}).filter(([, rows]) => rows > 0)
  if (stored.length === 0) return
  const tables = stored.map(([table, rows]) => `${table} has ${rows} rows`).join(', ')
  throw new StoreNotEmpty(`The telemetry store is not empty: ${tables}.`)
}

/**
 * Returns what a backup says of itself, of the newest one by default, without reading its other files. The stores are
 * not needed for that, so a command finds a missing backup before it opens them.
 * @throws BackupDamaged when there is no such backup, or the stores cannot take it
 */
export async function findBackup(
  storage: BackupStorage,
  backup: string | undefined,
  takesTelemetry: boolean,
): Promise<Manifest> {
  const id = backup ?? (await newestBackup(storage))
  const manifest = await readManifest(storage, id, await readChecksums(storage, id))
  refuseOtherKind(manifest, takesTelemetry)
  return manifest
}

function refuseOtherKind({ id, telemetry }: Manifest, takesTelemetry: boolean): void {
  if ((telemetry !== null) === takesTelemetry) return
  throw new BackupDamaged(
    telemetry === null
      ? `${id} contains no telemetry: it was made by a server with a remote ClickHouse.`
      : `${id} contains telemetry, which cannot be restored into a remote ClickHouse. Unset CLICKHOUSE_URL.`,
  )
}

async function restoreTelemetry(
  store: DatabaseBackups,
  workspace: Workspace,
  { id, base, telemetry }: Manifest,
  { signal, onProgress }: RestoreOptions,
) {
  onProgress('Restoring telemetry')
  const locationOf = (backup: string) => workspace.enginePathOf(store.folder, `${backup}/telemetry`)
  const from = { path: locationOf(id), base: base === null ? undefined : locationOf(base) }
  return store.restore(telemetry?.database ?? store.database, from, signal)
}

function snapshotOf({ id, metadata }: Manifest, workspace: Workspace): RestoredMetadata {
  const { migrations, rows } = metadata
  const tables = Object.keys(rows).map((name) => ({
    name,
    pages: readRows(workspace.pathOf(`${id}/metadata/${name}.jsonl`)),
  }))
  return { migrations, tables }
}

const pageRows = 200

async function* readRows(path: string): AsyncGenerator<SnapshotRow[], void> {
  let page: SnapshotRow[] = []
  for await (const row of parseJsonLines(createReadStream(path, 'utf8'))) {
    page.push(row as SnapshotRow)
    if (page.length < pageRows) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}
