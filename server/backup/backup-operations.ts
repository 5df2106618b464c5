/** Backups and restores of the stores of one server, one at a time. */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { backupWorkFolder } from '../clickhouse/engine/engine-child.ts'
import { engineDirectory } from '../clickhouse/engine/supervisor.ts'
import type { Config } from '../config/config.ts'
import type { Stores } from '../lifecycle/stores.ts'
import { openPrivateFile } from '../secrets/private-file.ts'
import { openSecretBox } from '../secrets/secret-box.ts'
import { countUnreadableCredentials } from '../webhooks/channels/credentials.ts'
import { type CreatedBackup, createBackup } from './create-backup.ts'
import { openDirectoryStorage } from './directory-storage.ts'
import { type RestoredBackup, restoreBackup } from './restore-backup.ts'
import { openS3Storage, type S3Options } from './s3-storage.ts'
import type { BackupStorage } from './storage.ts'

/** Where backups are kept. */
export interface BackupTarget {
  /** An absolute path, or `s3://bucket/prefix`. */
  readonly address: string
  readonly s3?: S3Options
}

export type BackupRequest =
  | { readonly operation: 'backup'; readonly target: BackupTarget; readonly isFull: boolean }
  | {
      readonly operation: 'restore'
      readonly target: BackupTarget
      readonly backup?: string
      readonly isReplacing: boolean
    }

export type BackupResult =
  | { readonly created: CreatedBackup }
  | { readonly restored: RestoredBackup; readonly unreadableCredentials: number }

export interface BackupProgress {
  readonly signal: AbortSignal
  readonly onProgress: (line: string) => void
}

export type RunBackupRequest = (request: BackupRequest, progress: BackupProgress) => Promise<BackupResult>

/** Another backup or restore of the same server is running. */
export class BackupBusy extends Error {
  override readonly name = 'BackupBusy'
}

export interface BackupOperationsOptions {
  readonly config: Config
  readonly stores: Pick<Stores, 'metadata' | 'backups'>
  readonly now: () => Date
}

export function createBackupOperations(options: BackupOperationsOptions): RunBackupRequest {
  let isRunning = false
  return async (request, progress) => {
    if (isRunning) throw new BackupBusy('Another backup or restore is running.')
    isRunning = true
    try {
      return await runRequest(options, request, progress)
    } finally {
      isRunning = false
    }
  }
}

async function runRequest(
  { config, stores, now }: BackupOperationsOptions,
  request: BackupRequest,
  progress: BackupProgress,
): Promise<BackupResult> {
  const storage = openStorage(request.target, progress.signal)
  const workFolder = backupWorkFolder(engineDirectory(config.dataDir))
  const shared = { ...progress, storage, workFolder, telemetry: stores.backups }
  if (request.operation === 'backup') {
    const { isFull } = request
    const version = readVersion()
    const serverTag = await readServerTag(config)
    return { created: await createBackup({ ...shared, serverTag, metadata: config, isFull, version, now: now() }) }
  }
  const { backup, isReplacing } = request
  const restored = await restoreBackup({ ...shared, metadata: stores.metadata, backup, isReplacing })
  const unreadableCredentials = await countUnreadableCredentials(stores.metadata, await openSecretBox(config))
  return { restored, unreadableCredentials }
}

/** Returns what tells the backups of this server from those of others, which its data directory keeps. */
function readServerTag({ dataDir }: Config): Promise<string> {
  const file = { dataDir, name: 'backup-tag', purpose: 'names the backups of this server' }
  return openPrivateFile(file, () => randomBytes(3).toString('hex'))
}

/** Returns the version of Tracefold. */
function readVersion(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version
}

/**
 * Opens a storage. `signal` cancels its requests.
 * @throws Error when the address of a bucket is not valid or comes without credentials
 */
export function openStorage({ address, s3 }: BackupTarget, signal: AbortSignal): BackupStorage {
  if (!address.startsWith('s3://')) return openDirectoryStorage(address)
  if (s3 === undefined) throw new Error('An S3 address requires AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  return openS3Storage(address, s3, signal)
}
