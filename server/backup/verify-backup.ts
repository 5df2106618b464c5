import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import {
  BackupDamaged,
  checksumsName,
  listBackups,
  type Manifest,
  mismatch,
  readChecksums,
  readManifest,
} from './manifest.ts'
import type { BackupStorage } from './storage.ts'

export interface VerifiedBackup {
  readonly manifest: Manifest
  /** The files of the backup and of its base. */
  readonly files: number
}

/** Returns the newest complete backup. @throws BackupDamaged when the storage has no complete backup */
export async function newestBackup(storage: BackupStorage): Promise<string> {
  const newest = (await listBackups(storage)).at(-1)
  if (newest === undefined) throw new BackupDamaged(`${storage.address} contains no complete backup.`)
  return newest
}

/**
 * Compares every file of a backup and of its base with the checksums. `localCopy` provides a file at a local path
 * first, for a restore; without it files are read where they are.
 * @throws BackupDamaged, which names the file
 */
export async function verifyBackup(
  storage: BackupStorage,
  id: string,
  { signal, localCopy }: { signal: AbortSignal; localCopy?: (name: string) => Promise<string> },
): Promise<VerifiedBackup> {
  const checksums = await readChecksums(storage, id)
  const manifest = await readManifest(storage, id, checksums)
  const present = new Set(await storage.listFiles(id))
  for (const [name, sha256] of checksums) {
    signal.throwIfAborted()
    const file = `${id}/${name}`
    if (!present.delete(file)) throw new BackupDamaged(`${file} is listed in ${checksumsName} but missing.`)
    const content = localCopy === undefined ? await storage.read(file) : createReadStream(await localCopy(file))
    if ((await hash(content)) !== sha256) throw mismatch(file)
  }
  present.delete(`${id}/${checksumsName}`)
  for (const file of present) throw new BackupDamaged(`${file} does not belong to the backup.`)
  if (manifest.base === null) return { manifest, files: checksums.size + 1 }
  const { files } = await verifyBackup(storage, manifest.base, localCopy ? { signal, localCopy } : { signal })
  return { manifest, files: files + checksums.size + 1 }
}

async function hash(content: AsyncIterable<Uint8Array>): Promise<string> {
  const sha256 = createHash('sha256')
  for await (const chunk of content) sha256.update(chunk)
  return sha256.digest('hex')
}
