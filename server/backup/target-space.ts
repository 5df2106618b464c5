/**
 * Notices that the disk of a backup is full. Nothing else would: the embedded engine waits for space instead of
 * failing.
 */
import { realpath, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The size of the file that is written to find out, by which a used-up quota is noticed as well. */
const probeBytes = 64 * 1024
const probeMs = 1_000

/**
 * Calls `work` with a signal that aborts with `signal`, and when a file in `folder` cannot be written because there is
 * no space for it.
 */
export async function whileSpaceLasts<T>(
  folder: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const full = new AbortController()
  const ended = new AbortController()
  const watching = watch(folder, full, ended.signal)
  try {
    return await work(AbortSignal.any([signal, full.signal]))
  } finally {
    ended.abort()
    await watching
  }
}

async function watch(folder: string, full: AbortController, ended: AbortSignal): Promise<void> {
  const probe = path.join(folder, '.space')
  while (!ended.aborted) {
    if (!(await canWrite(probe))) full.abort(new Error(`There is no space left in ${await realpath(folder)}.`))
    await sleep(probeMs, undefined, { signal: ended }).catch(() => undefined)
  }
}

async function canWrite(file: string): Promise<boolean> {
  try {
    await writeFile(file, Buffer.alloc(probeBytes), { mode: 0o600 })
    return true
  } catch (error) {
    return !['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
  } finally {
    // Nothing awaits the watch while the backup is made, so an error here would end the server.
    await rm(file, { force: true }).catch(() => undefined)
  }
}
