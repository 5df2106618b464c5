/** One run of the embedded engine: a child process with new secrets on a new loopback port. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { engineSession, pingStatement } from '#sql'
import type { StoreLogger } from '../client.ts'
import type { Endpoint } from '../endpoint.ts'
import {
  type EngineSecrets,
  type EngineSettings,
  engineMemoryBytes,
  engineUser,
  gateHeader,
  renderEngineConfig,
  renderEngineUsers,
  type Xml,
} from './engine-config.ts'
import { forwardEngineLog } from './engine-log.ts'

export interface EngineChild {
  readonly pid: number
  readonly endpoint: Endpoint
  /** Resolves when the process has ended, with the last lines of its output. */
  readonly ended: Promise<string>
  /** Ends the engine by closing its standard input, and kills it after a grace period. Resolves when it has ended. */
  stop(): Promise<void>
}

const readyPollMs = 25
const stopGraceMsMax = 20_000
const lastWordsMax = 5

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

/** Writes the configuration files of one run and returns the path of the main one. */
function writeConfig(directory: string, run: Omit<EngineSettings, 'dataPath' | 'usersFile' | 'cores'>): string {
  const configDirectory = path.join(directory, 'config')
  const dataPath = path.join(directory, 'data')
  rmSync(configDirectory, { recursive: true, force: true })
  mkdirSync(configDirectory, { recursive: true, mode: 0o700 })
  // The engine starts background work on tables only if this folder exists.
  mkdirSync(path.join(dataPath, 'metadata'), { recursive: true, mode: 0o700 })
  const usersFile = path.join(configDirectory, 'users.xml')
  const configFile = path.join(configDirectory, 'config.xml')
  const settings = { ...run, dataPath, usersFile, cores: os.availableParallelism() }
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
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  const program = fileURLToPath(new URL('./embedded-engine.ts', import.meta.url))
  return spawn(process.execPath, ['--import', loader, program, directory, configFile, engineSession], {
    cwd: path.parse(directory).root,
    detached: true,
    env: { TZ: 'UTC', HOME: directory },
    stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
  })
}

/** Sends a query over a separate connection, because an open connection would delay the shutdown of the engine. */
function answers({ url, username, password, headers }: Endpoint): Promise<boolean> {
  return new Promise((resolve) => {
    const credentials = { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password }
    const request = get(
      `${url}/?query=${encodeURIComponent(pingStatement)}`,
      { agent: false, headers: { ...headers, ...credentials } },
      (response) => {
        response.resume()
        resolve(response.statusCode === 200)
      },
    )
    request.once('error', () => resolve(false))
  })
}

/**
 * Resolves when the engine responds, and rejects if it ends first. There is no deadline, because loading many tables
 * can take long.
 */
async function untilReady(endpoint: Endpoint, ended: Promise<string>): Promise<void> {
  let lastWords: string | undefined
  ended.then((words) => {
    lastWords = words
  })
  while (!(await answers(endpoint))) {
    if (lastWords !== undefined) throw new Error(lastWords)
    await sleep(readyPollMs)
  }
}

export interface EngineChildOptions {
  readonly directory: string
  readonly logger: StoreLogger
  readonly memoryBytesMax?: number
  /** Elements to add to the engine's configuration. */
  readonly extraConfig?: Xml
}

/**
 * Starts an engine and resolves when it responds to queries.
 * @throws Error with the engine's last lines of output when it ends instead
 */
export async function startEngineChild({
  directory,
  logger,
  memoryBytesMax = engineMemoryBytes(machineBytes()),
  extraConfig = {},
}: EngineChildOptions): Promise<EngineChild> {
  const secrets = { password: randomBytes(24).toString('hex'), gate: randomBytes(24).toString('hex') }
  const port = await freePort()
  const child = spawnEngine(directory, writeConfig(directory, { port, secrets, memoryBytesMax, extraConfig }))
  const ended = watchEnd(child, logger, secrets)
  const endpoint: Endpoint = {
    url: `http://127.0.0.1:${port}`,
    username: engineUser,
    password: secrets.password,
    headers: { [gateHeader]: secrets.gate },
    memoryBytesMax,
  }
  await untilReady(endpoint, ended)
  return { pid: child.pid ?? 0, endpoint, ended, stop: () => stopChild(child, ended) }
}

function watchEnd(child: ChildProcess, logger: StoreLogger, secrets: EngineSecrets): Promise<string> {
  const lastWords: string[] = []
  if (child.stderr !== null) {
    void forwardEngineLog(child.stderr, logger, [secrets.password, secrets.gate], (line) => {
      lastWords.push(line)
      if (lastWords.length > lastWordsMax) lastWords.shift()
    })
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', (code, signal) => resolve(lastWords.join('\n') || `It ended with ${signal ?? `code ${code}`}.`))
  })
}

async function stopChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.stdin?.end()
  const timer = setTimeout(() => child.kill('SIGKILL'), stopGraceMsMax)
  await ended
  clearTimeout(timer)
}
