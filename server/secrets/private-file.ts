import { randomUUID } from 'node:crypto'
import { link, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileFault, StoreFault } from '../problem/store-fault.ts'
import { refuseForeignDirectory } from './foreign-directory.ts'
import { makePrivateDirectory, syncDirectory } from './private-directory.ts'

export interface PrivateFile {
  readonly dataDir: string
  readonly name: string
  /** The purpose of the file, for the error message when other users can read it: `signs tokens`. */
  readonly purpose: string
}

/**
 * Reads a file of the data directory that only its owner may read. On first use, creates it with the result of `make`.
 * If several processes do so concurrently, all get the same content.
 * @throws StoreFault when other users can read the file, or it would be created in a directory of another product
 */
export async function openPrivateFile(file: PrivateFile, make: () => string | Buffer): Promise<string> {
  return (await readPrivateFile(file)) ?? (await create(file, make()))
}

/**
 * Reads the file, or returns undefined if it does not exist.
 * @throws StoreFault when other users can read the file
 */
export async function readPrivateFile({ dataDir, name, purpose }: PrivateFile): Promise<string | undefined> {
  const path = join(dataDir, name)
  try {
    const content = await readFile(path, 'utf8')
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new StoreFault(
        `${path} ${purpose} and can be read by other users. Run chmod 600 on it, or delete it to create a new one.`,
      )
    }
    return content
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw fileFault(path, error)
  }
}

/**
 * Creates the file completely or not at all, and never replaces an existing one. `link` guarantees both, whereas
 * `rename` would replace a file.
 */
async function create(file: PrivateFile, content: string | Buffer): Promise<string> {
  const { dataDir, name } = file
  const path = join(dataDir, name)
  const draft = join(dataDir, `${name}.${randomUUID()}`)
  refuseForeignDirectory(dataDir)
  try {
    makePrivateDirectory(dataDir)
  } catch (error) {
    throw fileFault(dataDir, error)
  }
  try {
    await writeOwn(draft, content)
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await syncDirectory(dataDir)
  } catch (error) {
    throw fileFault(path, error)
  } finally {
    await rm(draft, { force: true }).catch(() => undefined)
  }
  const made = await readPrivateFile(file)
  if (made === undefined) throw new StoreFault(`${path} disappeared while it was created.`)
  return made
}

async function writeOwn(path: string, content: string | Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}
