/** Servers with an embedded engine and a data directory of their own, which backups need. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type App, startApp } from '../../server/app.ts'
import { openLocalKey, signLocalToken } from '../../server/auth/local-tokens.ts'
import { readConfig } from '../../server/config/read-config.ts'
import { createLogger } from '../../server/observability/logging.ts'
import type { Ask } from './bench-answers.ts'

export interface EmbeddedApp {
  readonly app: App
  readonly dataDir: string
  readonly ask: Ask
  /** Stores an OTLP request (JSON). @throws Error unless everything was accepted */
  send(org: string, request: object): Promise<void>
  stop(): Promise<void>
}

/** Creates a directory that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tracefold-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return folder
}

export async function startEmbeddedApp(dataDir = temporaryFolder()): Promise<EmbeddedApp> {
  const config = readConfig({
    PORT: '0',
    GRPC_PORT: 'off',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    QUERY_SECONDS_MAX: '300',
  })
  const app = await startApp(config, { logger: createLogger({ level: 'error' }), collectProcessMetrics: false })
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
    async ask({ org, path, body }) {
      const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(`${app.url}/api/v1${path}`, { headers: await headersOf(org), ...sent })
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      return JSON.parse(text)
    },
    async send(org, request) {
      const init = { method: 'POST', headers: await headersOf(org), body: JSON.stringify(request) }
      const response = await fetch(`${app.url}/v1/traces`, init)
      const answer = await response.text()
      if (answer !== '{}') throw new Error(`The spans were not all accepted: ${response.status} ${answer}`)
    },
  }
}
