import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The program that runs TypeScript. */
export const runner = fileURLToPath(new URL('../../server/launch/run.mjs', import.meta.url))

/** Starts a TypeScript file in a child process, as `fork` starts JavaScript. */
export function forkTypeScript(path: string, args: readonly string[], options: ForkOptions = {}): ChildProcess {
  return fork(runner, [path, ...args], options)
}
