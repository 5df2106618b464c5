/**
 * The two files that describe a backup. `manifest.json` says what the backup contains. `SHA256SUMS` lists the checksum
 * of every other file, in the format of the tool `sha256sum`. It is written last: a folder without it is not a backup.
 */
import { createHash } from 'node:crypto'
import type { BackupStorage } from './storage.ts'
import { readText, StoredFileMissing } from './storage.ts'

export interface Manifest {
  readonly format: 1
  /** The name of the folder: time and the tag of the server. Ids sort by time. */
  readonly id: string
  readonly created_at: string
  /** The version of Tracefold that made the backup. */
  readonly version: string
  /** The full backup that contains the telemetry files which are not repeated here; null for a full backup. */
  readonly base: string | null
  /** Null for a backup of the metadata alone. */
  readonly telemetry: {
    readonly database: string
    /** Rows stored when the backup began, by table. Rows that arrived meanwhile may be in the backup. */
    readonly rows_at_start: Readonly<Record<string, number>>
  } | null
  readonly metadata: {
    readonly migrations: readonly string[]
    readonly rows: Readonly<Record<string, number>>
  }
}

/** SHA-256 by the name of the file within its backup. */
export type Checksums = ReadonlyMap<string, string>

/** A backup that is incomplete, damaged or of an unknown format. The message names the file. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged'
}

const manifestName = 'manifest.json'
export const checksumsName = 'SHA256SUMS'

function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Completes a backup. It can be restored from the moment at which this resolves. */
export async function writeManifest(storage: BackupStorage, manifest: Manifest, checksums: Checksums): Promise<void> {
  const content = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)
  await storage.write(`${manifest.id}/${manifestName}`, content)
  const lines = [...checksums, [manifestName, sha256Of(content)] as const]
    .map(([name, sha256]) => `${sha256}  ${name}\n`)
    .sort((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1))
  await storage.write(`${manifest.id}/${checksumsName}`, Buffer.from(lines.join('')))
}

/** Reads the checksums of a backup. @throws BackupDamaged when it is incomplete or a line is malformed */
export async function readChecksums(storage: BackupStorage, id: string): Promise<Checksums> {
  const text = await readText(storage, `${id}/${checksumsName}`).catch((error: unknown) => {
    if (!(error instanceof StoredFileMissing)) throw error
    throw new BackupDamaged(`${storage.address} has no complete backup ${id}: there is no ${id}/${checksumsName}.`)
  })
  const checksums = new Map<string, string>()
  for (const line of text.split('\n').slice(0, -1)) {
    const [, sha256, name] = /^([0-9a-f]{64}) {2}([^\0]+)$/.exec(line) ?? []
    if (sha256 === undefined || name === undefined || name.split('/').includes('..')) {
      throw new BackupDamaged(`${id}/${checksumsName} is damaged: ${JSON.stringify(line.slice(0, 200))}`)
    }
    checksums.set(name, sha256)
  }
  if (!text.endsWith('\n') || !checksums.has(manifestName)) {
    throw new BackupDamaged(`${id}/${checksumsName} is incomplete.`)
  }
  return checksums
}

/** Reads the manifest and compares it with its checksum. @throws BackupDamaged */
export async function readManifest(storage: BackupStorage, id: string, checksums: Checksums): Promise<Manifest> {
  const text = await readText(storage, `${id}/${manifestName}`)
  if (sha256Of(Buffer.from(text)) !== checksums.get(manifestName)) throw mismatch(`${id}/${manifestName}`)
  const manifest = JSON.parse(text) as Manifest
  if (manifest.format !== 1) {
    throw new BackupDamaged(`${id}/${manifestName} has format ${manifest.format}: a newer version made the backup.`)
  }
  const { base } = manifest
  // It becomes part of the paths to which a restore copies files.
  if (base !== null && !(idPattern.test(base) && base < id)) {
    const named = `${id}/${manifestName} names the base ${JSON.stringify(base)}`
    throw new BackupDamaged(`${named}, which is no backup made before it.`)
  }
  return manifest
}

/** Returns the error of a file that does not have its checksum. */
export function mismatch(name: string): BackupDamaged {
  return new BackupDamaged(`${name} is damaged: it does not match its checksum in ${checksumsName}.`)
}

const idPattern = /^\d{8}T\d{6}Z-[0-9a-f]{6}$/

/** Returns the ids of all folders of backups, complete or not, oldest first. Other folders are ignored. */
export async function listBackupFolders(storage: BackupStorage): Promise<string[]> {
  return (await storage.listFolders()).filter((folder) => idPattern.test(folder))
}

/** Returns the ids of the complete backups, oldest first. */
export async function listBackups(storage: BackupStorage): Promise<string[]> {
  const complete: string[] = []
  for (const id of await listBackupFolders(storage)) {
    if (await isComplete(storage, id)) complete.push(id)
  }
  return complete
}

async function isComplete(storage: BackupStorage, id: string): Promise<boolean> {
  try {
    await readText(storage, `${id}/${checksumsName}`)
    return true
  } catch (error) {
    if (error instanceof StoredFileMissing) return false
    throw error
  }
}
