import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { ExitError } from '../../lifecycle/exit-codes.ts'
import type { Input } from './input.ts'
import { readJsonFile, replaceFile } from './state-files.ts'

/** Progress of the import of one file. The server has acknowledged everything before `end`. */
export interface Progress {
  readonly documentStart: number
  readonly end: number
  readonly accepted: number
  readonly rejected: number
}

interface Stored extends Progress {
  readonly fingerprint: string
  readonly url: string
}

export const nothingYet: Progress = { documentStart: 0, end: 0, accepted: 0, rejected: 0 }

export interface Checkpoint {
  readonly path: string
  /**
   * Returns undefined if there is no checkpoint.
   * @throws ExitError when it belongs to another file or another server
   */
  load(): Promise<Progress | undefined>
  /** Replaces the checkpoint atomically, also if the machine loses power. */
  save(progress: Progress): Promise<void>
  remove(): Promise<void>
}

/**
 * Returns the checkpoint of one file: beside the file, or in `stateDir` under a name that includes a hash of the file's
 * path.
 */
export function checkpointOf(input: Input, url: string, stateDir: string | undefined): Checkpoint {
  const path = pathOf(input.path, stateDir)
  // Otherwise a save that has not ended could make the next one fail, or bring back a checkpoint that was removed.
  let last: Promise<void> = Promise.resolve()
  const afterLast = (write: () => Promise<void>) => {
    last = last.catch(() => {}).then(write)
    return last
  }
  return {
    path,
    async load() {
      const stored = await readJsonFile<Stored>(path)
      if (stored === undefined) return undefined
      // Earlier versions stored the endpoint of traces.
      if (stored.url.replace(/\/v1\/traces$/, '') !== url)
        throw new ExitError('usage', `${path} belongs to an import into ${stored.url}; delete it to start over`)
      if (stored.fingerprint !== input.fingerprint) {
        throw new ExitError('usage', `${path} belongs to a file with different content; delete it to start over`)
      }
      return stored
    },
    save(progress) {
      const stored: Stored = { ...progress, fingerprint: input.fingerprint, url }
      return afterLast(() => replaceFile(path, `${JSON.stringify(stored)}\n`))
    },
    remove: () => afterLast(() => rm(path, { force: true })),
  }
}

/** Returns a checkpoint that keeps nothing, for an input that cannot be read again. */
export function noCheckpoint(): Checkpoint {
  return { path: '', load: async () => undefined, save: async () => {}, remove: async () => {} }
}

function pathOf(inputPath: string, stateDir: string | undefined): string {
  if (stateDir === undefined) return `${inputPath}.import-checkpoint`
  const digest = createHash('sha256').update(resolve(inputPath)).digest('hex').slice(0, 12)
  return join(stateDir, `${basename(inputPath)}.${digest}.import-checkpoint`)
}
