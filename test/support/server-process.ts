import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Role } from '../../server/auth/caller.ts'
import { openLocalKey, signLocalToken } from '../../server/auth/local-tokens.ts'
import { type ApiClient, createApiClient } from './client.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pollMs = 50
const startMsMax = 180_000

/** The environment of a child process, without anything that configures a server. */
export const plainEnv = { PATH: process.env.PATH, HOME: process.env.HOME }

export interface ServerProcess {
  readonly url: string
  /** Process id of the embedded engine that was started last. */
  enginePid(): number
  /** Returns everything printed so far. */
  output(): string
  /** Resolves when the process ends for any reason. */
  readonly ended: Promise<Ended>
  end(signal: NodeJS.Signals): Promise<Ended>
}

export interface Ended {
  /** Null after a signal that was not caught. */
  readonly code: number | null
  /** Everything that was printed. */
  readonly output: string
}

export interface ServerProcessOptions {
  readonly dataDir: string
  /** 0, or the port of an earlier process that this one replaces. */
  readonly port?: number
  readonly env?: Readonly<Record<string, string>>
  /** Resolves as soon as the server listens. */
  readonly beforeReady?: boolean
  /** The directory of the program, this repository by default. */
  readonly program?: string
}

/** Runs `npm start` without npm, in a process that does not outlive the test, and resolves when it is ready. */
export async function startServerProcess(options: ServerProcessOptions): Promise<ServerProcess> {
  const { dataDir, port = 0, env = {}, beforeReady = false, program = root } = options
  const child = spawn(process.execPath, [join(program, 'server/launch/run.mjs'), 'server/main.ts'], {
    cwd: program,
    env: { ...plainEnv, DATA_DIR: dataDir, PORT: String(port), GRPC_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const watched = watch(child)
  const ended = once(child, 'close').then(
    ([code]): Ended => ({ code: code as number | null, output: watched.output() }),
  )
  const url = await Promise.race([watched.url, ended.then(({ output }) => Promise.reject(failure(output)))])
  if (!beforeReady) await untilReady(url, watched.output)
  return {
    url,
    enginePid: watched.enginePid,
    output: watched.output,
    ended,
    end(signal) {
      child.kill(signal)
      return ended
    },
  }
}

function watch(child: ChildProcess) {
  let output = ''
  let enginePid = 0
  let found: (url: string) => void
  const url = new Promise<string>((resolve) => {
    found = resolve
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  if (child.stdout === null) throw new Error('the standard output of the server is not a pipe')
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`
    if (!line.startsWith('{')) return
    const { msg, url: listening, pid } = JSON.parse(line) as { msg: string; url?: string; pid?: number }
    if (msg === 'Listening' && listening !== undefined) found(listening)
    if (msg === 'The embedded ClickHouse is ready' && pid !== undefined) enginePid = pid
  })
  return { url, output: () => output, enginePid: () => enginePid }
}

/** Polls `/readyz` until the server is ready. */
export async function untilReady(url: string, output: () => string = () => ''): Promise<void> {
  const deadline = Date.now() + startMsMax
  while (Date.now() < deadline) {
    const ready = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    await sleep(pollMs)
  }
  throw failure(output())
}

function failure(output: string): Error {
  return new Error(`the server did not start:\n${output}`)
}

export async function tokenFor(dataDir: string, role: Role = 'admin'): Promise<string> {
  const caller = { org: 'acme', role, subject: 'tests' }
  return signLocalToken({ key: await openLocalKey(dataDir), caller, secondsToLive: 3_600, now: new Date() })
}

export async function clientFor({ url }: ServerProcess, dataDir: string): Promise<ApiClient> {
  return createApiClient({ baseUrl: url, token: await tokenFor(dataDir) })
}

export interface CommandResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningCommand {
  readonly pid: number
  /** Null unless it is a pipe. */
  readonly stdin: Writable | null
  readonly ended: Promise<CommandResult>
  kill(signal: NodeJS.Signals): void
}

/** Runs the `tracefold` command as installed, in a separate process. */
export function startCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stdin: 'ignore' | 'pipe' = 'ignore',
): RunningCommand {
  const child = spawn(process.execPath, [join(root, 'server/cli/tracefold.mjs'), ...args], {
    cwd: root,
    env: { ...plainEnv, ...env },
    stdio: [stdin, 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.on('data', (chunk: Buffer) => {
      printed[name] += chunk.toString()
    })
  }
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...printed }))
  return { pid: child.pid ?? 0, stdin: child.stdin, ended, kill: (signal) => void child.kill(signal) }
}

export function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  return startCommand(args, env).ended
}
