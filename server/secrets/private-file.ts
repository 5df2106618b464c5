import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

export interface PrivateFile {
  readonly dataDir: string
  readonly name: string
  /** What it does, for the text of the error when others can read it: `signs tokens`. */
  readonly purpose: string
}

/**
 * Reads a file of a data directory that only its owner may read, and makes it at the first use. Any number of programs
 * may do so at once: all get the same one. Throws when the file can be read by others.
 */
export async function openPrivateFile(file: PrivateFile, make: () => string | Buffer): Promise<string> {
  return (await readPrivateFile(file)) ?? (await create(file, make()))
}

/** Undefined when there is none. Throws when the file can be read by others. */
export async function readPrivateFile({ dataDir, name, purpose }: PrivateFile): Promise<string | undefined> {
  const path = join(dataDir, name)
  try {
    const { mode } = await stat(path)
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new Error(`${path} ${purpose} and is open to other users. Close it (chmod 600) or delete it for a new one.`)
    }
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** The file appears whole or not at all, and never replaces another: a link does both, where a rename would replace. */
async function create(file: PrivateFile, content: string | Buffer): Promise<string> {
  const { dataDir, name } = file
  const path = join(dataDir, name)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const draft = join(dataDir, `${name}.${randomUUID()}`)
  try {
    await writeOwn(draft, content)
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  const made = await readPrivateFile(file)
  if (made === undefined) throw new Error(`${path} vanished while it was made.`)
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
