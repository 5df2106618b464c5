import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { syncDirectory } from '../secrets/private-directory.ts'
import { type BackupStorage, type PublishedFile, StoredFileMissing } from './storage.ts'

/**
 * Keeps backups in a local directory. One that does not exist has no backups: it is created by a backup only, so that a
 * mistyped path leaves nothing behind.
 */
export function openDirectoryStorage(directory: string): BackupStorage {
  const pathOf = (name: string) => path.join(directory, ...name.split('/'))
  return {
    address: directory,
    directory,
    async listFolders() {
      const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return []
        throw error
      })
      return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort()
    },
    async listFiles(folder) {
      const entries = await readdir(pathOf(folder), { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => !entry.isDirectory())
        .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
        .sort()
    },
    async read(name) {
      try {
        return (await open(pathOf(name))).createReadStream({ highWaterMark: 2 ** 20 })
      } catch (error) {
        if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
          throw new StoredFileMissing(`There is no ${name}.`)
        throw error
      }
    },
    async write(name, content) {
      const file = pathOf(name)
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
      const draft = `${file}.${randomUUID()}`
      await writeDurably(draft, content)
      await rename(draft, file)
      await syncDirectory(path.dirname(file))
    },
    publish: (_, file) => hashAndSync(file),
    async sync(folder) {
      const entries = await readdir(pathOf(folder), { recursive: true, withFileTypes: true })
      for (const entry of entries) {
        if (entry.isDirectory()) await syncDirectory(path.join(entry.parentPath, entry.name))
      }
      await syncDirectory(pathOf(folder))
      await syncDirectory(directory)
    },
    removeFolder: (folder) => rm(pathOf(folder), { recursive: true, force: true }),
  }
}

async function writeDurably(file: string, content: Buffer): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Reads a file back and writes it through to the disk, because ClickHouse leaves it in the page cache. */
async function hashAndSync(file: string): Promise<PublishedFile> {
  const handle = await open(file)
  try {
    await handle.sync()
    const hash = createHash('sha256')
    let bytes = 0
    for await (const chunk of handle.createReadStream({ highWaterMark: 2 ** 20, autoClose: false })) {
      hash.update(chunk)
      bytes += chunk.length
    }
    return { sha256: hash.digest('hex'), bytes }
  } finally {
    await handle.close()
  }
}
