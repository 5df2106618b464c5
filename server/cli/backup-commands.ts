/** The commands that make, verify and restore backups. */
import { statSync } from 'node:fs'
import path from 'node:path'
import {
  type BackupProgress,
  type BackupRequest,
  type BackupResult,
  type BackupTarget,
  createBackupOperations,
  openStorage,
} from '../backup/backup-operations.ts'
import { askServer, ControlError } from '../backup/control-socket.ts'
import { findBackup } from '../backup/restore-backup.ts'
import { parseS3Address } from '../backup/s3-storage.ts'
import { newestBackup, verifyBackup } from '../backup/verify-backup.ts'
import type { Config } from '../config/config.ts'
import { type Exit, ExitError } from '../lifecycle/exit-codes.ts'
import { openStores } from '../lifecycle/stores.ts'
import { libsqlStore } from '../metadata/dialects.ts'
import { createLogger } from '../observability/logging.ts'
import { configOf, type ServerFlags } from './config-commands.ts'

/** The options of every command on backups: those of a bucket come from the environment, as for the AWS tools. */
export interface StorageFlags extends ServerFlags {
  readonly endpoint?: string
  readonly region?: string
  readonly accessKeyId?: string
  readonly secretAccessKey?: string
  readonly sessionToken?: string
}

export interface BackupStreams {
  readonly stdout: NodeJS.WritableStream
  readonly stderr: NodeJS.WritableStream
  readonly signal: AbortSignal
}

/** Makes a backup through the running server, or by opening the stores if no server runs. */
export async function backUp(
  address: string,
  { full = false, ...flags }: StorageFlags & { readonly full?: boolean },
  streams: BackupStreams,
): Promise<void> {
  const request: BackupRequest = { operation: 'backup', target: targetOf(address, flags), isFull: full }
  const result = await runOnStores(configOf(flags), request, streams)
  if (!('created' in result)) return
  const { manifest, files, bytes } = result.created
  const kind = manifest.base === null ? 'full' : `needs ${manifest.base}`
  const content = manifest.telemetry === null ? ', metadata only because ClickHouse is remote' : ''
  streams.stdout.write(`Created ${manifest.id}: ${files} files, ${bytes} bytes, ${kind}${content}\n`)
}

/** Restores a backup through the running server, or by opening the stores if no server runs. */
export async function restore(
  address: string,
  { backup, force = false, ...flags }: StorageFlags & { readonly backup?: string; readonly force?: boolean },
  streams: BackupStreams,
): Promise<void> {
  const named = backup === undefined ? {} : { backup }
  const target = targetOf(address, flags)
  const request: BackupRequest = { operation: 'restore', target, isReplacing: force, ...named }
  const result = await runOnStores(configOf(flags), request, streams)
  if (!('restored' in result)) return
  const { manifest, telemetryRows, metadataRows } = result.restored
  const rows = Object.entries({ ...telemetryRows, records: metadataRows }).map(([name, count]) => `${name} ${count}`)
  streams.stdout.write(`Restored ${manifest.id}: ${rows.join(', ')}\n`)
  if (result.unreadableCredentials > 0) {
    streams.stderr.write(
      `Credentials of channels that cannot be decrypted: ${result.unreadableCredentials}. The key of the backed-up ` +
        'server is not here. Restore it (tracefold keys restore, or SECRETS_KEY), or set the credentials again.\n',
    )
  }
}

/** Compares every file of a backup with its checksum, without opening the stores. */
export async function verify(
  address: string,
  { backup, ...flags }: StorageFlags & { readonly backup?: string },
  { stdout, signal }: BackupStreams,
): Promise<void> {
  await exiting(signal, async () => {
    const storage = openStorage(targetOf(address, flags), signal)
    const id = backup ?? (await newestBackup(storage))
    const { files, manifest } = await verifyBackup(storage, id, { signal })
    const base = manifest.base === null ? '' : `, with those of ${manifest.base}`
    stdout.write(`${id} is complete: ${files} files match their checksums${base}\n`)
  })
}

function targetOf(address: string, flags: StorageFlags): BackupTarget {
  // The path would be that of the working directory.
  if (address === '') throw new ExitError('usage', 'The target is empty; name a directory or an s3:// address')
  if (!address.startsWith('s3://')) {
    if (/^[a-z][a-z0-9+.-]*:\/\//i.test(address))
      throw new ExitError('usage', `${address} is neither a directory nor an s3:// address`)
    return { address: path.resolve(address) }
  }
  const { endpoint, region, accessKeyId, secretAccessKey, sessionToken } = flags
  if (!accessKeyId || !secretAccessKey)
    throw new ExitError('usage', 'An s3:// address requires AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.')
  const service = { ...(endpoint && { endpoint }), ...(region && { region }), ...(sessionToken && { sessionToken }) }
  try {
    parseS3Address(address, service)
  } catch (error) {
    throw new ExitError('usage', error instanceof Error ? error.message : String(error))
  }
  return { address, s3: { ...service, accessKeyId, secretAccessKey } }
}

function runOnStores(config: Config, request: BackupRequest, { stderr, signal }: BackupStreams): Promise<BackupResult> {
  const progress = { signal, onProgress: (line: string) => void stderr.write(`${line}\n`) }
  return exiting(
    signal,
    async () => (await askRunning(config, request, progress)) ?? (await runAlone(config, request, progress)),
  )
}

/** Asks a server that runs. It completes a restore that has begun to replace data, also when nobody waits for it. */
async function askRunning({ dataDir }: Config, request: BackupRequest, progress: BackupProgress) {
  try {
    return await askServer(dataDir, request, progress)
  } catch (error) {
    if (!progress.signal.aborted || request.operation === 'backup') throw error
    throw new ExitError('interrupted', 'Interrupted. The log of the server says whether the restore is complete.')
  }
}

/** Opens the stores for one request. The embedded engine refuses if a server uses it. */
async function runAlone(config: Config, request: BackupRequest, progress: BackupProgress): Promise<BackupResult> {
  if (request.operation === 'backup') requireData(config)
  else {
    const storage = openStorage(request.target, progress.signal)
    await findBackup(storage, request.backup, config.clickhouse.urls === undefined)
  }
  const logger = createLogger({ level: 'warn', destination: process.stderr })
  // The settings of a backup may lack the retention, and servers may be using a remote ClickHouse meanwhile.
  const stores = await openStores(config, logger, { keepsRetention: request.operation === 'backup' })
  const stopping = new AbortController()
  try {
    progress.onProgress('No server is running; opening the stores')
    await stores.prepare(AbortSignal.any([progress.signal, stopping.signal]))
    return await createBackupOperations({ config, stores, now: () => new Date() })(request, progress)
  } finally {
    stopping.abort()
    await stores.close()
  }
}

/**
 * Refuses to back up a directory that no server has used: it would be created, and the backup be empty.
 * @throws Error when it cannot be looked into, which says nothing about what is there
 */
function requireData({ dataDir, metadataUrl }: Config): void {
  if (metadataUrl !== undefined || statSync(libsqlStore(dataDir).location, { throwIfNoEntry: false })) return
  throw new ExitError('usage', `${dataDir} contains no data of a server. Set DATA_DIR to the directory of the server.`)
}

const exits: Readonly<Record<string, Exit>> = {
  BackupDamaged: 'damaged',
  StoredFileMissing: 'damaged',
  MetadataNotEmpty: 'refused',
  StoreNotEmpty: 'refused',
  BackupBusy: 'refused',
  StoreFault: 'store',
}

/** Turns every error into one line, because each concerns files or servers that the operator can look at. */
async function exiting<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ExitError) throw error
    const name = error instanceof ControlError ? error.errorName : error.name
    if (signal.aborted && name !== 'RestoreIncomplete')
      throw new ExitError('interrupted', 'Interrupted; nothing was backed up or restored.')
    const hint = /NotEmpty$/.test(name) ? ' Use an empty data directory, or --force to delete what is there.' : ''
    throw new ExitError(exits[name] ?? 'failed', `${error.message}${hint}`)
  }
}
