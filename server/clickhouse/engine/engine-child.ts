/** One run of the embedded engine: a child process with new secrets on a new loopback port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { engineSession } from '#sql'
import { StoreFault, withFileFault } from '../../problem/store-fault.ts'
import type { StoreLogger } from '../client.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  type EngineSecrets,
  type EngineSettings,
  engineMemoryBytes,
  engineUser,
  gateHeader,
  newEngineSecrets,
  renderEngineConfig,
  renderEngineUsers,
  type Xml,
} from './engine-config.ts'
import { forwardEngineLog } from './engine-log.ts'
import type { Probe } from './watchdog.ts'
import { openWriteGuard, writeGuardEnv } from './write-guard/write-guard.ts'

export interface EngineChild {
  readonly pid: number
  readonly endpoint: Endpoint
  readonly ended: Promise<EngineEnd>
  /** Reports whether the engine serves a request that needs nothing but a thread. */
  readonly responds: Probe
  /** Kills the process without a grace period. */
  kill(): void
  /** Ends the engine by closing its standard input, and kills it after a grace period. Resolves when it has ended. */
  stop(): Promise<void>
}

/** How the process ended. */
export interface EngineEnd {
  /** The last lines of its output. */
  readonly words: string
  /** Whether it refused to start, for the reason in `words`. */
  readonly isRefusal: boolean
  /** Whether it was killed without a message, as the kernel does when memory runs out. */
  readonly isKilled: boolean
  /** The parts that it could not load, with the damage. */
  readonly damagedParts: readonly string[]
}

const exitCodeRefused = 78
const portAttemptsMax = 5
const probeMsMax = 10_000
const readyPollMs = 25
const stopGraceMsMax = 20_000
const lastWordsMax = 5
const damagedPartsMax = 5

/** Returns a free port of the loopback address. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}

function machineBytes(): number {
  const container = process.constrainedMemory()
  return container > 0 ? Math.min(os.totalmem(), container) : os.totalmem()
}

/** Returns the folder for backups of an engine whose files are in `directory`. */
export function backupsFolder(directory: string): string {
  return path.join(directory, 'backups')
}

/** Returns the folder that exists within `backupsFolder` while a backup or restore runs. */
export function backupWorkFolder(directory: string): string {
  return path.join(backupsFolder(directory), 'work')
}

/** Writes the configuration files of one run and returns the path of the main one. */
function writeConfig(
  directory: string,
  run: Omit<EngineSettings, 'dataPath' | 'backupsPath' | 'usersFile' | 'cores'>,
): string {
  const configDirectory = path.join(directory, 'config')
  const dataPath = path.join(directory, 'data')
  rmSync(configDirectory, { recursive: true, force: true })
  mkdirSync(configDirectory, { recursive: true, mode: 0o700 })
  // The engine starts background work on tables only if this folder exists.
  mkdirSync(path.join(dataPath, 'metadata'), { recursive: true, mode: 0o700 })
  const usersFile = path.join(configDirectory, 'users.xml')
  const configFile = path.join(configDirectory, 'config.xml')
  const backupsPath = backupsFolder(directory)
  const settings = { ...run, dataPath, backupsPath, usersFile, cores: os.availableParallelism() }
  writeFileSync(usersFile, renderEngineUsers(run.secrets), { mode: 0o600 })
  writeFileSync(configFile, renderEngineConfig(settings), { mode: 0o600 })
  return configFile
}

/**
 * Starts the engine's process. It is detached, so that Ctrl-C in a terminal reaches only the server, which then shuts
 * the engine down. It does not inherit the server's environment, which contains secrets, and its time zone is UTC. Its
 * working directory is the root, because Node hangs when its working directory is deleted.
 */
function spawnEngine(directory: string, configFile: string): ChildProcess {
  const runner = fileURLToPath(new URL('../../launch/run.mjs', import.meta.url))
  const program = fileURLToPath(new URL('./embedded-engine.ts', import.meta.url))
  const guard = openWriteGuard()
  try {
    return spawn(process.execPath, [runner, program, directory, configFile, engineSession], {
      cwd: path.parse(directory).root,
      detached: true,
      env: { TZ: 'UTC', HOME: directory, ...(guard === undefined ? {} : writeGuardEnv) },
      stdio: ['pipe', 'ignore', 'pipe', 'ipc', guard ?? 'ignore'],
    })
  } finally {
    if (guard !== undefined) closeSync(guard)
  }
}

/**
 * Reports whether the process that listens at `url` is the engine: it serves the page that only the configuration file
 * names. Before that, no credential is sent there, because another process may have taken the port. Uses a separate
 * connection, because an open one would delay the shutdown of the engine.
 */
function proves(url: string, { proofPath, proof }: EngineSecrets, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(`${url}${proofPath}`, { agent: false, signal }, async (response) => {
      const text = await readUpTo(response, proof.length).catch(() => '')
      resolve(response.statusCode === 200 && text === proof)
    })
    request.once('error', () => resolve(false))
  })
}

async function readUpTo(stream: Readable, charactersMax: number): Promise<string> {
  let text = ''
  for await (const chunk of stream) {
    text += chunk
    if (text.length > charactersMax) break
  }
  return text
}

/**
 * Resolves when the engine responds, and rejects if it ends first. There is no deadline, because loading many tables
 * can take long.
 */
async function untilReady(proven: Probe, ended: Promise<EngineEnd>): Promise<void> {
  let end: EngineEnd | undefined
  ended.then((found) => {
    end = found
  })
  while (!(await proven(AbortSignal.timeout(probeMsMax)))) {
    if (end !== undefined) throw new EndedAtStart(end)
    await sleep(readyPollMs)
  }
}

class EndedAtStart extends Error {
  readonly end: EngineEnd

  constructor(end: EngineEnd) {
    super(end.words)
    this.end = end
  }

  get isPortTaken(): boolean {
    return this.end.words.includes('Address already in use')
  }
}

export interface EngineChildOptions {
  readonly directory: string
  readonly logger: StoreLogger
  readonly memoryBytesMax?: number
  /** Elements to add to the engine's configuration. */
  readonly extraConfig?: Xml
  /** Kills the engine if it aborts while the engine starts, which can take long. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Starts an engine and resolves when it responds to queries. Tries other ports if another process takes the port first.
 * @throws StoreFault with the engine's last lines of output when it ends instead; the reason of `signal` when it aborts
 */
export async function startEngineChild(options: EngineChildOptions): Promise<EngineChild> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(options, await freePort())
    } catch (error) {
      if (!(error instanceof EndedAtStart)) throw error
      options.signal?.throwIfAborted()
      if (!error.isPortTaken || attempt === portAttemptsMax) throw startFault(options.directory, error.end)
    }
  }
}

function startFault(directory: string, { words, isRefusal, isKilled, damagedParts }: EngineEnd): StoreFault {
  if (isRefusal) return new StoreFault(words)
  if (isKilled)
    return new StoreFault(
      `The embedded ClickHouse was killed while it opened ${directory}, which the kernel does when memory runs out. ` +
        'Its files are as they were: start again, with more memory if that recurs.',
    )
  if (words.includes('broken parts to remove'))
    return new StoreFault(
      `The embedded ClickHouse cannot open ${directory}: these parts of its tables are damaged: ` +
        `${damagedParts.slice(0, damagedPartsMax).join(', ')}. The log names all of them. Restore a backup into an ` +
        'empty directory; docs/operating.md says how to go on without one, and what that loses.',
    )
  return new StoreFault(
    `The embedded ClickHouse cannot open ${directory}: ${words} ` +
      'Restore the directory from a backup, or move it away to start with an empty one.',
  )
}

async function startOnce(options: EngineChildOptions, port: number): Promise<EngineChild> {
  const { directory, logger, memoryBytesMax = engineMemoryBytes(machineBytes()), extraConfig = {}, signal } = options
  signal?.throwIfAborted()
  const secrets = newEngineSecrets()
  const run = { port, secrets, memoryBytesMax, extraConfig }
  const child = spawnEngine(
    directory,
    withFileFault(directory, () => writeConfig(directory, run)),
  )
  const ended = watchEnd(child, logger, secrets)
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${port}`,
    username: engineUser,
    password: secrets.password,
    headers: { [gateHeader]: secrets.gate },
    memoryBytesMax,
  }
  const responds: Probe = (signal) => proves(endpoint.url, secrets, signal)
  const kill = () => void child.kill('SIGKILL')
  signal?.addEventListener('abort', kill)
  await untilReady(responds, ended).finally(() => signal?.removeEventListener('abort', kill))
  return {
    pid: child.pid ?? 0,
    endpoint,
    ended,
    responds,
    kill,
    stop: () => stopChild(child, ended),
  }
}

function watchEnd(child: ChildProcess, logger: StoreLogger, secrets: EngineSecrets): Promise<EngineEnd> {
  const lastWords: string[] = []
  const damagedParts: string[] = []
  if (child.stderr !== null) {
    const keepLast = (line: string) => {
      lastWords.push(line)
      if (lastWords.length > lastWordsMax) lastWords.shift()
    }
    void forwardEngineLog(child.stderr, logger, Object.values(secrets), keepLast, (damage) => damagedParts.push(damage))
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ words: error.message, isRefusal: false, isKilled: false, damagedParts }))
    child.once('close', (code, signal) =>
      resolve({
        words: lastWords.join('\n') || `It ended with ${signal ?? `code ${code}`}.`,
        isRefusal: code === exitCodeRefused,
        isKilled: signal === 'SIGKILL' && lastWords.length === 0,
        damagedParts,
      }),
    )
  })
}

async function stopChild(child: ChildProcess, ended: Promise<EngineEnd>): Promise<void> {
  child.stdin?.end()
  const timer = setTimeout(() => child.kill('SIGKILL'), stopGraceMsMax)
  await ended
  clearTimeout(timer)
}
