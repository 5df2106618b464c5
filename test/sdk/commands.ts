import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { RunOptions } from './step.ts'

/** The end of the output of a failed command that is reported. */
const reportedMax = 4_000

/** Returns the folder for downloads, which belongs to the user and is outside the repository. */
export function cacheFolder(): string {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'tracefold-sdk')
  mkdirSync(folder, { recursive: true })
  return folder
}

export function isInstalled(command: string): boolean {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.some((folder) => existsSync(join(folder, command)))
}

/** Returns a function that runs commands in a folder. See `StepContext`. */
export function runIn(folder: string) {
  return (command: string, args: readonly string[], { cwd = folder, env = {} }: RunOptions = {}): Promise<string> =>
    new Promise((resolve, reject) => {
      const stdio = ['ignore', 'pipe', 'pipe'] as const
      const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: [...stdio] })
      let output = ''
      const append = (chunk: Buffer) => {
        output += chunk.toString()
      }
      child.stdout.on('data', append)
      child.stderr.on('data', append)
      child.once('error', reject)
      child.once('close', (code, signal) => {
        if (code === 0) return resolve(output)
        const line = [command, ...args].join(' ')
        reject(new Error(`${line} ended with ${signal ?? code}:\n${output.slice(-reportedMax)}`))
      })
    })
}

/**
 * Returns the interpreter of a virtual environment in the cache with these packages, `name==version`, and makes it
 * first if an earlier run has not.
 */
export function pythonWith(cache: string, packages: readonly string[]): string {
  const folder = join(cache, `python-${packages.join('-').replaceAll(/[^\w.]+/g, '-')}`)
  const python = join(folder, 'bin', 'python')
  const marker = join(folder, 'installed')
  if (!existsSync(marker)) {
    mustRun('python3', ['-m', 'venv', '--clear', folder])
    mustRun(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages])
    mkdirSync(marker)
  }
  return python
}

function mustRun(command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
}

/** Returns the environment that keeps the modules and build results of Go in the cache. */
export function goEnv(cache: string): Record<string, string> {
  const folder = join(cache, 'go')
  return {
    GOPATH: folder,
    GOCACHE: join(folder, 'build'),
    GOBIN: join(folder, 'bin'),
    // Downloads stay writable, so that the cache can be deleted; go.sum is written on the way.
    GOFLAGS: '-mod=mod -modcacherw',
  }
}
