/** Loads write-guard.c into the process of the engine, which would otherwise ignore failed writes. */
import { existsSync, openSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The environment of a process whose descriptor 4, after the standard streams and the channel of Node, is the library.
 * It names the descriptor, because a path in LD_PRELOAD must not have spaces or colons.
 */
export const writeGuardEnv = { LD_PRELOAD: '/proc/self/fd/4' }

/** Opens the library for this platform, undefined if it has not been built. The caller closes the descriptor. */
export function openWriteGuard(): number | undefined {
  const file = fileURLToPath(new URL(`./${process.platform}-${process.arch}.so`, import.meta.url))
  return existsSync(file) ? openSync(file, 'r') : undefined
}

/** Reports whether the library is in the memory of this process. */
export function hasWriteGuard(): boolean {
  const maps = '/proc/self/maps'
  return existsSync(maps) && readFileSync(maps, 'latin1').includes(`/${process.platform}-${process.arch}.so`)
}
