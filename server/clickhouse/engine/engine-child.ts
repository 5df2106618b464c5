/** One run of the embedded engine: a child process with fresh secrets on a fresh loopback port. */
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
  /** Resolves when the process is gone, with what it said last, for a log or an error. */
  readonly ended: Promise<string>
  /** Ends it: its standard input is closed, and after the grace it is killed. Resolves when it is gone. */
  stop(): Promise<void>
}

const readyPollMs = 25
const stopGraceMsMax = 20_000
const lastWordsMax = 5

/** A port of the loopback address that nobody listens on. */
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

/** Writes the configuration of one run and returns the path of its main file. */
function writeConfig(directory: string, run: Omit<EngineSettings, 'dataPath' | 'usersFile' | 'cores'>): string {
  const configDirectory = path.join(directory, 'config')
  const dataPath = path.join(directory, 'data')
  rmSync(configDirectory, { recursive: true, force: true })
  mkdirSync(configDirectory, { recursive: true, mode: 0o700 })
  // The engine starts its background work on tables only when it finds this folder.
  mkdirSync(path.join(dataPath, 'metadata'), { recursive: true, mode: 0o700 })
  const usersFile = path.join(configDirectory, 'users.xml')
  const configFile = path.join(configDirectory, 'config.xml')
  const settings = { ...run, dataPath, usersFile, cores: os.availableParallelism() }
  writeFileSync(usersFile, renderEngineUsers(run.secrets), { mode: 0o600 })
  writeFileSync(configFile, renderEngineConfig(settings), { mode: 0o600 })
  return configFile
}

/**
 * Detached, so that Ctrl-C in a terminal reaches only the server, which then ends the engine in order. The environment
 * of the server, with its secrets, is not passed on; the time zone is UTC whatever the machine's is. Node hangs when
 * the folder it starts in vanishes, so that is one that does not.
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

/** On a connection of its own: one left open would hold up the engine's end. */
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
 * Resolves when the engine answers; rejects when it ends before. Loading many tables may take long, so there is no
 * deadline.
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
  /** Elements of the engine's configuration beside ours. */
  readonly further?: Xml
}

/** Resolves when the engine answers queries. @throws Error with the engine's last words when it ends instead */
export async function startEngineChild({
  directory,
  logger,
  memoryBytesMax = engineMemoryBytes(machineBytes()),
  further = {},
}: EngineChildOptions): Promise<EngineChild> {
  const secrets = { password: randomBytes(24).toString('hex'), gate: randomBytes(24).toString('hex') }
  const port = await freePort()
  const child = spawnEngine(directory, writeConfig(directory, { port, secrets, memoryBytesMax, further }))
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
