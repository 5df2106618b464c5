/** Servers with an embedded engine and a data directory of their own, which backups need. */
import { onTestFinished } from 'vitest'
import { type App, startApp } from '../../server/app.ts'
import { openLocalKey, signLocalToken } from '../../server/auth/local-tokens.ts'
import { readConfig } from '../../server/config/read-config.ts'
import type { Env } from '../../server/config/sources.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { Ask } from './bench-answers.ts'

export interface EmbeddedApp {
  readonly app: App
  readonly dataDir: string
  readonly ask: Ask
  /** Stores an OTLP request (JSON), of spans unless `path` says otherwise. @throws Error unless all was accepted */
  send(org: string, request: object, path?: string): Promise<void>
  /** Process id of the embedded engine that was started last. */
  enginePid(): number
  stop(): Promise<void>
}

export async function startEmbeddedApp(dataDir = temporaryFolder(), env: Env = {}): Promise<EmbeddedApp> {
  const config = readConfig({
    ...env,
    PORT: '0',
    GRPC_PORT: 'off',
    DATA_DIR: dataDir,
    QUERY_SECONDS_MAX: '300',
  })
  const output = openOutput()
  const logger = createLogger({ level: 'info', destination: output })
  const app = await startApp(config, { logger, collectProcessMetrics: false })
  let stopped: Promise<unknown> | undefined
  const stop = async () => {
    stopped ??= app.stop()
    await stopped
  }
  onTestFinished(stop)
  await app.ready
  const headersOf = async (org: string) => {
    const key = await openLocalKey(dataDir)
    const caller = { org, role: 'admin', subject: 'tests' } as const
    const token = await signLocalToken({ key, caller, secondsToLive: 36_000, now: new Date() })
    return { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  }
  return {
    app,
    dataDir,
    stop,
    enginePid: output.enginePid,
    async ask({ org, path, body }) {
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(`${app.url}/api/v1${path}`, { headers: await headersOf(org), ...sent })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      return JSON.parse(text)
    },
    async send(org, request, path = '/v1/traces') {
      const init = { method: 'POST', headers: await headersOf(org), body: JSON.stringify(request) }
      const response = await fetch(`${app.url}${path}`, init)
      const answer = await response.text()
      if (answer !== '{}') throw new Error(`Not all was accepted: ${response.status} ${answer}`)
    },
  }
}

/** Returns a destination of log lines that prints errors and remembers the engine. */
function openOutput() {
  let enginePid = 0
  return {
    enginePid: () => enginePid,
    write(line: string) {
      const { level, msg, pid } = JSON.parse(line) as { level: string; msg: string; pid?: number }
      if (level === 'error') process.stdout.write(line)
      if (msg === 'The embedded ClickHouse is ready' && pid !== undefined) enginePid = pid
    },
  }
}
