import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type App, type AppOverrides, startApp as startServer } from '../../server/app.ts'
import type { Role } from '../../server/auth/caller.ts'
import { openLocalKey, signLocalToken } from '../../server/auth/local-tokens.ts'
import { type Config, type Env, readConfig } from '../../server/config/config.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { type ApiClient, createApiClient } from './client.ts'
import { dropDatabase, newDatabaseName, sourcesOfRun } from './engine.ts'
import { shardsCluster } from './shards.ts'

/** Who a token is for; an admin of the app's own organization when a test does not say. */
export interface Whom {
  readonly org?: string
  readonly role?: Role
  readonly subject?: string
  /** Negative for a token that has expired already. */
  readonly secondsToLive?: number
}

export interface TestAppOptions {
  /** Settings in the names of the environment; the server's own environment plays no part. */
  readonly env?: Env
  readonly overrides?: Partial<AppOverrides>
  /** Answer as soon as the server listens, without waiting for its stores. */
  readonly beforeReady?: boolean
}

export interface TestApp {
  readonly url: string
  readonly app: App
  readonly config: Config
  /** An organization that no other test uses. */
  readonly org: string
  /** Every log line so far. */
  logLines(): Record<string, unknown>[]
  token(whom?: Whom): Promise<string>
  /** The generated client, with a token; every answer is held against the document. */
  client(whom?: Whom): Promise<ApiClient>
  /** Sends anything to a path, with a token unless the headers carry another one. */
  send(path: string, init?: RequestInit): Promise<Response>
  /** Stores an ExportTraceServiceRequest (OTLP JSON, as `toOtlpJson` makes it); throws unless every span was accepted. */
  sendSpans(request: object, whom?: Whom): Promise<void>
  /** Ends the server and drops its database. */
  close(): Promise<void>
}

/** The real server: on a free port, with its own database on the run's engine, its own data directory and its own organization. */
export async function startApp({
  env = {},
  overrides = {},
  beforeReady = false,
}: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tracefold-app-'))
  const config = readConfig({
    ...{ PORT: '0', DATA_DIR: dataDir, CLICKHOUSE_DATABASE: newDatabaseName(), ...clusterOfRun() },
    ...env,
  })
  const lines: string[] = []
  const app = await startServer(config, {
    logger: createLogger({ level: config.logLevel, destination: { write: (line) => void lines.push(line) } }),
    checkResponses: true,
    collectProcessMetrics: false,
    ...(env.CLICKHOUSE_URL === undefined ? { sources: sourcesOfRun() } : {}),
    ...overrides,
  })
  if (!beforeReady) await app.ready
  const org = `org-${randomUUID()}`
  const token = createTokens(dataDir, org)
  const send = createSender(app.url, token)
  return {
    url: app.url,
    app,
    config,
    org,
    logLines: () => lines.map((line) => JSON.parse(line)),
    token,
    client: async (whom) => createApiClient({ baseUrl: app.url, token: await token(whom) }),
    send,
    sendSpans: (request, whom) => sendSpans(send, request, whom === undefined ? undefined : token(whom)),
    async close() {
      await dropDatabase(app.clickhouse).catch(() => {})
      await app.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The settings of a cluster, if the run has one. Its addresses alone would let nobody in: `sources` bring the rest. */
function clusterOfRun(): Env {
  const urls = inject('shards').map(({ url }) => url)
  return urls.length > 0 ? { CLICKHOUSE_URL: urls.join(','), CLICKHOUSE_CLUSTER: shardsCluster } : {}
}

function createTokens(dataDir: string, ownOrg: string): TestApp['token'] {
  return async ({ org = ownOrg, role = 'admin', subject = 'ada', secondsToLive = 3_600 } = {}) => {
    const key = await openLocalKey(dataDir)
    return signLocalToken({ key, caller: { org, role, subject }, secondsToLive, now: new Date() })
  }
}

function createSender(url: string, token: TestApp['token']): TestApp['send'] {
  return async (path, init = {}) => {
    const headers = new Headers(init.headers)
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${await token()}`)
    return fetch(url + path, { ...init, headers })
  }
}

async function sendSpans(send: TestApp['send'], request: object, token: Promise<string> | undefined): Promise<void> {
  const response = await send('/v1/traces', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${await token}` }) },
    body: JSON.stringify(request),
  })
  const answer = await response.text()
  if (answer !== '{}') throw new Error(`the spans were not all accepted: ${response.status} ${answer}`)
}
