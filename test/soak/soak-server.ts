import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runner } from '../support/fork-typescript.ts'
import { unusedPort } from '../support/unused-port.ts'
import { clockFileVariable } from './shifted-server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readyMsMax = 120_000
const pollMs = 100
const lastWordsMax = 4_000
const firstCharactersMax = 1_500

/** A time during which the server was not expected to respond, in milliseconds of `performance.now()`. */
export interface Outage {
  readonly from: number
  readonly to: number
}

/** What the processes of the server use at one moment. */
export interface Usage {
  readonly serverMb: number
  readonly engineMb: number
  readonly descriptors: number
}

/** The server as `npm start` runs it, in a process that this one may kill. */
export class SoakServer {
  readonly outages: Outage[] = []
  /** How often the server logged each error, and its first line: when it was, and the causes of the error. */
  readonly errors = new Map<string, { times: number; readonly first: string }>()
  kills = 0
  url = ''
  private readonly dataDir: string
  private readonly env: Readonly<Record<string, string>>
  private readonly clockFile: string
  private child: ChildProcess | undefined
  private enginePid = 0
  private port = 0
  /** The end of what the process wrote to standard error. */
  private lastWords = ''

  constructor(dataDir: string, env: Readonly<Record<string, string>>) {
    this.dataDir = dataDir
    this.env = env
    this.clockFile = `${dataDir}-clock`
  }

  async start(): Promise<void> {
    this.port ||= await unusedPort()
    this.url = `http://127.0.0.1:${this.port}`
    this.child = spawn(process.execPath, [runner, 'test/soak/shifted-server.ts'], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        DATA_DIR: this.dataDir,
        PORT: String(this.port),
        GRPC_PORT: 'off',
        [clockFileVariable]: this.clockFile,
        ...this.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.lastWords = ''
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.lastWords = `${this.lastWords}${chunk}`.slice(-lastWordsMax)
    })
    if (this.child.stdout !== null) createInterface(this.child.stdout).on('line', (line) => this.noteLine(line))
    await this.untilReady()
  }

  /** Kills a process with SIGKILL and resolves when the server is ready again. */
  async kill(which: 'server' | 'engine'): Promise<void> {
    const from = performance.now()
    this.kills += 1
    if (which === 'server') {
      await this.end('SIGKILL')
      await this.start()
    } else {
      process.kill(this.enginePid, 'SIGKILL')
      await sleep(pollMs)
      await this.untilReady()
    }
    this.outages.push({ from, to: performance.now() })
  }

  /** Ends the server and returns its exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null
    const closed = once(child, 'close')
    child.kill(signal)
    await closed
    return child.exitCode
  }

  /** Shifts the clock of the server. */
  shiftClock(ms: number): void {
    writeFileSync(this.clockFile, String(ms))
  }

  usage(): Usage {
    const serverPid = this.child?.pid ?? 0
    return {
      serverMb: memoryMb(serverPid),
      engineMb: memoryMb(this.enginePid),
      descriptors: descriptors(serverPid) + descriptors(this.enginePid),
    }
  }

  async untilReady(): Promise<void> {
    const deadline = performance.now() + readyMsMax
    while (performance.now() < deadline) {
      const ready = await fetch(`${this.url}/readyz`).catch(() => undefined)
      await ready?.arrayBuffer()
      if (ready?.ok) return
      if (this.child?.exitCode != null)
        throw new Error(`The server ended with code ${this.child.exitCode}:\n${this.lastWords}`)
      await sleep(pollMs)
    }
    throw new Error(`The server was not ready within ${readyMsMax} ms.`)
  }

  private noteLine(line: string): void {
    if (!line.startsWith('{')) return
    const { level, time, msg, pid, err } = JSON.parse(line)
    if (msg === 'The embedded ClickHouse is ready') this.enginePid = pid
    if (level !== 'error' && level !== 'fatal') return
    const text = err?.message === undefined ? msg : `${msg}: ${String(err.message).slice(0, 160)}`
    const first = `${new Date(time).toISOString()} ${String(err?.stack ?? '')}`.slice(0, firstCharactersMax)
    const known = this.errors.get(text) ?? { times: 0, first }
    known.times += 1
    this.errors.set(text, known)
  }
}

function memoryMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1e3
  } catch {
    return 0
  }
}

function descriptors(pid: number): number {
  try {
    return readdirSync(join('/proc', String(pid), 'fd')).length
  } catch {
    return 0
  }
}
