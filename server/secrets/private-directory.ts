import { mkdirSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'

/**
 * Creates a directory that only its owner may enter, and its parents, unless it exists. `mkdir` with `recursive` never
 * returns below directories such as /proc, which say that a new member does not exist.
 * @throws Error of the file system if that is impossible
 */
export function makePrivateDirectory(directory: string): void {
  const missing: string[] = []
  for (let at = path.resolve(directory); !exists(at); at = path.dirname(at)) missing.unshift(at)
  for (const at of missing) make(at)
}

function exists(directory: string): boolean {
  const found = statSync(directory, { throwIfNoEntry: false })
  if (found === undefined) return false
  if (found.isDirectory()) return true
  throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${directory}'`), {
    code: 'ENOTDIR',
    syscall: 'mkdir',
  })
}

function make(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    // Another process has made it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Makes the names in a directory survive a power loss. */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows opens no directories.
  if (process.platform === 'win32') return
  const handle = await open(directory)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
