import { execFileSync } from 'node:child_process'

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
