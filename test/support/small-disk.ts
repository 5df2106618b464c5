import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/**
 * Mounts a small file system in memory on a folder. Returns the function that unmounts it, or undefined where mounting
 * is not allowed.
 */
export function mountSmallDisk(folder: string, mebibytes: number): (() => void) | undefined {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  return () => void execFileSync('umount', ['--lazy', folder])
}

/** Writes until the disk is full, and returns the function that frees it. */
export function fillDisk(folder: string): () => void {
  const path = join(folder, 'fill')
  const file = openSync(path, 'w')
  const block = Buffer.alloc(2 ** 16)
  try {
    for (;;) writeSync(file, block)
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
  } finally {
    closeSync(file)
  }
  return () => rmSync(path)
}
