import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openLocalKey, signLocalToken } from '../../server/auth/local-tokens.ts'
import { runner } from '../support/fork-typescript.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const readyMsMax = 120_000
const pollMs = 100
const tokenSeconds = 3_600

/** The server that the steps use, as `npm start` runs it. */
export interface Target {
  readonly url: string
  /** Where it receives OTLP/gRPC. */
  readonly grpcUrl: string
  /** A token of an admin of the organization `sdk`. */
  readonly token: string
  /** Returns a token of an admin of another organization. */
  tokenOf(org: string): Promise<string>
  /** Returns everything that the server printed. */
  output(): string
  stop(): Promise<void>
}

/** Starts a server with an embedded engine and data of its own. */
export async function startTarget(dataDir: string): Promise<Target> {
  const child = spawn(process.execPath, [runner, 'server/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      PORT: '0',
      GRPC_PORT: '0',
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const ended = once(child, 'close')
  const listening = new Promise<Pick<Target, 'url' | 'grpcUrl'>>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      output += `${line}\n`
      const { msg, url, grpcUrl } = line.startsWith('{') ? JSON.parse(line) : {}
      if (msg === 'Listening') resolve({ url, grpcUrl })
    })
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  try {
    const noServer = ended.then(() => Promise.reject(new Error(`No server:\n${output}`)))
    const urls = await Promise.race([listening, noServer])
    await untilReady(urls.url)
    const key = await openLocalKey(dataDir)
    const tokenOf = (org: string) =>
      signLocalToken({
        key,
        caller: { org, role: 'admin', subject: 'sdk' },
        secondsToLive: tokenSeconds,
        now: new Date(),
      })
    return { ...urls, token: await tokenOf('sdk'), tokenOf, output: () => output, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + readyMsMax
  while (!(await fetch(`${url}/readyz`).then(({ ok }) => ok))) {
    if (Date.now() > deadline) throw new Error('The server does not become ready.')
    await sleep(pollMs)
  }
}
