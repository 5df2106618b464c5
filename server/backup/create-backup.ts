import { accessSync, constants, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { DatabaseBackups } from '../clickhouse/backup/database-backup.ts'
import type { MetadataOptions } from '../metadata/database.ts'
import { type SnapshotTable, takeSnapshot } from '../metadata/snapshot.ts'
import { makePrivateDirectory } from '../secrets/private-directory.ts'
import {
  listBackupFolders,
  listBackups,
  type Manifest,
  readChecksums,
  readManifest,
  writeManifest,
} from './manifest.ts'
import type { BackupStorage } from './storage.ts'
import { whileSpaceLasts } from './target-space.ts'
import { type Workspace, withWorkspace } from './workspace.ts'

export interface BackupOptions {
  readonly storage: BackupStorage
  /** Ends the ids of the backups of this server: six hexadecimal digits. */
  readonly serverTag: string
  /** Absent for a remote ClickHouse; the backup then contains the metadata alone. */
  readonly telemetry: DatabaseBackups | undefined
  readonly metadata: MetadataOptions
  /** An empty folder of this name is created for the time of the backup. */
  readonly workFolder: string
  /** Repeats every file, instead of only those that the newest full backup does not contain. */
  readonly isFull: boolean
  readonly version: string
  readonly now: Date
  readonly signal: AbortSignal
  readonly onProgress: (line: string) => void
}

export interface CreatedBackup {
  readonly manifest: Manifest
  readonly files: number
  /** The size of the files of this backup, without its base. */
  readonly bytes: number
}

/**
 * Makes a backup. Metadata is read before telemetry, so that all telemetry to which records refer is in the backup.
 * Folders of backups of this server that did not complete are removed first, and this one is removed if it fails.
 */
export async function createBackup(options: BackupOptions): Promise<CreatedBackup> {
  const { storage, telemetry, now } = options
  if (storage.directory !== undefined) requireWritable(storage.directory)
  const earlier = await listBackups(storage)
  // Another server that uses the storage by mistake may be writing a backup, and deletes its own when it wants to.
  const isOwn = (backup: string) => backup.endsWith(`-${options.serverTag}`)
  await removeIncomplete(storage, earlier, isOwn)
  const base = options.isFull || telemetry === undefined ? undefined : await newestFull(storage, earlier.filter(isOwn))
  const id = nextId(earlier, options)
  return withWorkspace(storage, options.workFolder, async (workspace) => {
    try {
      await mkdir(workspace.pathOf(id), { mode: 0o700 })
      options.onProgress('Reading the metadata')
      const metadata = await writeSnapshot(options.metadata, workspace.pathOf(`${id}/metadata`))
      const rows = await telemetry?.countRows()
      if (telemetry !== undefined) await backUpTelemetry(telemetry, workspace, { id, base }, options)
      options.onProgress('Computing checksums')
      const { checksums, bytes } = await publish(workspace, id, options)
      const manifest: Manifest = {
        format: 1,
        id,
        created_at: now.toISOString(),
        version: options.version,
        base: base ?? null,
        telemetry: telemetry && rows ? { database: telemetry.database, rows_at_start: rows } : null,
        metadata,
      }
      options.signal.throwIfAborted()
      await writeManifest(storage, manifest, checksums)
      return { manifest, files: checksums.size + 2, bytes }
    } catch (error) {
      // What a storage that fails keeps is never restored, and the next backup deletes it.
      await storage.removeFolder(id).catch(() => undefined)
      throw error
    }
  })
}

/**
 * Creates the directory of the backups if it does not exist.
 * @throws Error that says who has to be able to write there
 */
function requireWritable(directory: string): void {
  try {
    makePrivateDirectory(directory)
    accessSync(directory, constants.W_OK)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(
      `Could not write to ${directory}: ${reason}. If a server runs, it writes the backup: its user, and its systemd ` +
        'unit or container, must allow that.',
    )
  }
}

/**
 * Returns an id that follows those of all other backups, because the newest one is found by its id. Two backups may be
 * made in one second, and clocks are set back.
 */
function nextId(earlier: readonly string[], { now, serverTag }: Pick<BackupOptions, 'now' | 'serverTag'>): string {
  const newest = earlier.at(-1) ?? '19700101T000000Z'
  const newestTime = newest.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z.*$/, '$1-$2-$3T$4:$5:$6Z')
  const at = new Date(Math.max(now.getTime(), Date.parse(newestTime) + 1_000))
  return `${at.toISOString().replace(/[-:]|\.\d+/g, '')}-${serverTag}`
}

async function removeIncomplete(
  storage: BackupStorage,
  backups: readonly string[],
  isOwn: (id: string) => boolean,
): Promise<void> {
  const complete = new Set(backups)
  for (const id of await listBackupFolders(storage)) if (isOwn(id) && !complete.has(id)) await storage.removeFolder(id)
}

/** Returns the newest backup that repeats no other one and contains telemetry. */
async function newestFull(storage: BackupStorage, backups: readonly string[]): Promise<string | undefined> {
  for (const id of backups.toReversed()) {
    const { base, telemetry } = await readManifest(storage, id, await readChecksums(storage, id))
    if (base === null && telemetry !== null) return id
  }
  return undefined
}

async function backUpTelemetry(
  telemetry: DatabaseBackups,
  workspace: Workspace,
  { id, base }: { readonly id: string; readonly base: string | undefined },
  { signal, onProgress }: BackupOptions,
): Promise<void> {
  onProgress(base === undefined ? 'Copying telemetry' : `Copying the telemetry that is not in ${base}`)
  // ClickHouse reads only the list of files of the base.
  if (base !== undefined) await workspace.fetch(`${base}/telemetry/.backup`)
  const to = { path: workspace.enginePathOf(telemetry.folder, `${id}/telemetry`) }
  const from = base && { base: workspace.enginePathOf(telemetry.folder, `${base}/telemetry`) }
  const folder = workspace.pathOf(id)
  await whileSpaceLasts(folder, signal, (lasting) => telemetry.backUp({ ...to, ...from }, lasting))
}

/** Writes each table as JSON lines and returns the number of its rows. */
async function writeSnapshot(metadata: MetadataOptions, folder: string): Promise<Manifest['metadata']> {
  await mkdir(folder, { mode: 0o700 })
  const rows: Record<string, number> = {}
  const writeTable = async ({ name, pages }: SnapshotTable) => {
    rows[name] = 0
    const lines = async function* () {
      for await (const page of pages) {
        rows[name] = (rows[name] ?? 0) + page.length
        yield page.map((row) => `${JSON.stringify(row)}\n`).join('')
      }
    }
    await pipeline(lines, createWriteStream(path.join(folder, `${name}.jsonl`), { mode: 0o600 }))
  }
  const migrations = await takeSnapshot(metadata, writeTable)
  return { migrations, rows }
}

async function publish(workspace: Workspace, id: string, { storage, signal }: BackupOptions) {
  const checksums = new Map<string, string>()
  let bytes = 0
  for (const name of await workspace.listFiles(id)) {
    signal.throwIfAborted()
    const published = await storage.publish(name, workspace.pathOf(name))
    checksums.set(name.slice(id.length + 1), published.sha256)
    bytes += published.bytes
  }
  await storage.sync(id)
  return { checksums, bytes }
}
