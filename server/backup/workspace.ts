/**
 * The folder through which ClickHouse reaches the files of backups. It contains a link to a local storage, or copies of
 * the files of a bucket.
 */
import { createWriteStream } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { openDirectoryStorage } from './directory-storage.ts'
import type { BackupStorage } from './storage.ts'

export interface Workspace {
  /** The local path of a file or folder of a backup. */
  pathOf(name: string): string
  /** The path of a folder relative to the folder that ClickHouse may use. */
  enginePathOf(engineFolder: string, name: string): string
  /** Copies a file of a bucket to its local path. Does nothing for a local storage. */
  fetch(name: string): Promise<void>
  listFiles(folder: string): Promise<string[]>
  /** A private folder for other temporary files. */
  readonly scratch: string
}

/** Calls `work` with an empty workspace in `folder`, which is deleted afterwards. */
export async function withWorkspace<T>(
  storage: BackupStorage,
  folder: string,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const target = path.join(folder, 'target')
  const scratch = path.join(folder, 'scratch')
  // A killed process may have left its workspace behind. A link in it is removed without the directory it points to.
  await rm(folder, { recursive: true, force: true })
  try {
    await mkdir(scratch, { recursive: true, mode: 0o700 })
    if (storage.directory === undefined) await mkdir(target, { mode: 0o700 })
    else await symlink(storage.directory, target)
    const local = openDirectoryStorage(target)
    const pathOf = (name: string) => path.join(target, ...name.split('/'))
    return await work({
      pathOf,
      enginePathOf: (engineFolder, name) => path.relative(engineFolder, pathOf(name)),
      async fetch(name) {
        if (storage.directory !== undefined) return
        await mkdir(path.dirname(pathOf(name)), { recursive: true, mode: 0o700 })
        await pipeline(await storage.read(name), createWriteStream(pathOf(name), { mode: 0o600 }))
      },
      listFiles: local.listFiles,
      scratch,
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
