import { execFileSync } from 'node:child_process'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The file system with the data directory. */
export interface Volume {
  readonly dataDir: string
  /** Fills the file system to its last byte and returns a function that frees the space. */
  fill(): () => void
  remove(): void
}

/** Enough for the telemetry of an hour, with its merges. The file takes only the space that is written. */
const volumeBytes = 6 * 1024 ** 3
/** What is left for the writes that find the last free byte. */
const remainderBytes = 16 * 1024 ** 2
const fillerChunk = Buffer.alloc(1024 ** 2, 'x')

/**
 * Creates a file system of its own in a file, so that the run can fill it. Where this user cannot mount one, the data
 * directory is a plain directory, which cannot be filled.
 */
export function createVolume(): Volume & { readonly canFill: boolean } {
  const directory = mkdtempSync(join(tmpdir(), 'tracefold-soak-'))
  const mountPoint = join(directory, 'volume')
  mkdirSync(mountPoint)
  const canFill = mount(join(directory, 'volume.ext4'), mountPoint)
  const dataDir = join(mountPoint, 'data')
  return {
    dataDir,
    canFill,
    fill: () => fill(join(mountPoint, 'filler')),
    remove() {
      if (canFill) execFileSync('umount', ['--lazy', mountPoint])
      rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    },
  }
}

function mount(image: string, mountPoint: string): boolean {
  try {
    closeSync(openSync(image, 'w', 0o600))
    truncateSync(image, volumeBytes)
    execFileSync('mkfs.ext4', ['-q', '-m', '0', image], { stdio: 'ignore' })
    execFileSync('mount', ['-o', 'loop', image, mountPoint], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function fill(path: string): () => void {
  const { bavail, bsize } = statfsSync(dirname(path))
  const bytes = bavail * bsize - remainderBytes
  if (bytes > 0) execFileSync('fallocate', ['--length', String(bytes), path])
  const file = openSync(path, 'a', 0o600)
  try {
    for (let chunk = fillerChunk; chunk.length > 0; ) {
      try {
        writeSync(file, chunk)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
        chunk = chunk.subarray(0, Math.floor(chunk.length / 2))
      }
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return () => rmSync(path)
}
