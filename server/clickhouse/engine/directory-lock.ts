/**
 * The lock on a data directory: a file that names the process holding it. A process that is killed with -9 leaves its
 * file behind, so the lock counts only while a process with that id *and* that start time is running; a reused process
 * id does not match. The engine also holds a kernel lock on a separate file, which covers other containers on the same
 * volume.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileFault, StoreFault } from '../../problem/store-fault.ts'
import { makePrivateDirectory } from '../../secrets/private-directory.ts'

export interface DirectoryLock {
  release(): void
}

interface Holder {
  readonly pid: number
  /** The start time of the process, in the system's own format. */
  readonly started: string
}

const attemptsMax = 5

/** Returns undefined if the process does not exist or is a zombie. */
function readStartTime(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
    }
    // The second field is the command in parentheses, which may contain anything, so fields are counted from its end.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`
  } catch {
    return undefined
  }
}

function readHolder(file: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Partial<Holder>
    if (typeof holder.pid !== 'number' || typeof holder.started !== 'string') return undefined
    return { pid: holder.pid, started: holder.started }
  } catch {
    return undefined
  }
}

function lives(holder: Holder | undefined): holder is Holder {
  return holder !== undefined && readStartTime(holder.pid) === holder.started
}

function linkIfAbsent(from: string, to: string): boolean {
  try {
    linkSync(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Moves a stale lock aside. Restores it if a running process took the lock between the check and the move. */
function removeStale(file: string): void {
  const aside = `${file}.${randomUUID()}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  if (lives(readHolder(aside))) linkIfAbsent(aside, file)
  rmSync(aside, { recursive: true })
}

/** Writes the file of a lock. On a full disk it may exist, empty, although this throws. */
function writeDraft(file: string, holder: Holder): void {
  const directory = path.dirname(file)
  try {
    makePrivateDirectory(directory)
    writeFileSync(file, JSON.stringify(holder), { mode: 0o600 })
  } catch (error) {
    throw fileFault(directory, error)
  }
}

/**
 * Locks `directory`, and creates it if it does not exist.
 * @throws StoreFault when a running process, including this one, holds the lock, or when the directory is not writable
 */
export function lockDirectory(directory: string): DirectoryLock {
  const file = path.join(directory, 'lock.json')
  const own = `${file}.${randomUUID()}`
  const holder: Holder = { pid: process.pid, started: readStartTime(process.pid) ?? '' }
  try {
    writeDraft(own, holder)
    for (let attempt = 0; attempt < attemptsMax; attempt++) {
      if (linkIfAbsent(own, file)) return { release: () => rmSync(file, { force: true }) }
      const found = readHolder(file)
      if (lives(found))
        throw new StoreFault(`${directory} is in use by the process ${found.pid}. Stop it, or set another DATA_DIR.`)
      removeStale(file)
    }
    throw new StoreFault(`${directory} is being taken by another process. Set another DATA_DIR.`)
  } finally {
    rmSync(own, { force: true })
  }
}
