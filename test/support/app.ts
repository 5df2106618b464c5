import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type App, type AppOverrides, startApp as startServer } from '../../server/app.ts'
import type { Role } from '../../server/auth/caller.ts'
import { openLocalKey, signLocalToken } from '../../server/auth/local-tokens.ts'
import type { Config } from '../../server/config/config.ts'
import { readConfig } from '../../server/config/read-config.ts'
import type { Env } from '../../server/config/sources.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { type ApiClient, createApiClient } from './client.ts'
import { dropDatabase, newDatabaseName, sourcesOfRun } from './engine.ts'
import { shardsCluster } from './shards.ts'

/** The caller of a token; by default an admin of the app's own organization. */
export interface Whom {
  readonly org?: string
  readonly role?: Role
  readonly subject?: string
  /** Negative for an expired token. */
  readonly secondsToLive?: number
}

export interface TestAppOptions {
  /** Settings by their names in the environment. The environment of the test run is ignored. */
  readonly env?: Env
  readonly overrides?: Partial<AppOverrides>
  /** Whether to resolve as soon as the server listens, without waiting for its stores. */
  readonly beforeReady?: boolean
}

export interface TestApp {
  readonly url: string
  /** The address of OTLP/gRPC. */
  readonly grpcUrl: string
  readonly app: App
  readonly config: Config
  /** An organization that no other test uses. */
  readonly org: string
  /** Returns every log line so far. */
  logLines(): Record<string, unknown>[]
  token(whom?: Whom): Promise<string>
  /** Returns the generated client with a token. Every response is validated against the document. */
  client(whom?: Whom): Promise<ApiClient>
  /** Sends a request to a path, with a token unless the headers contain one. */
  send(path: string, init?: RequestInit): Promise<Response>
  /**
   * Stores an ExportTraceServiceRequest (OTLP JSON, as `toOtlpJson` returns it).
   * @throws Error unless every span was accepted
   */
  sendSpans(request: object, whom?: Whom): Promise<void>
  /**
   * Stores an ExportMetricsServiceRequest (OTLP JSON).
   * @throws Error unless every data point was accepted
   */
  sendMetrics(request: object): Promise<void>
  /** Stops the server and drops its database. */
  close(): Promise<void>
}

/**
 * Starts a real server on a free port, with a database of its own on the run's engine, a data directory and an
 * organization.
 */
export async function startApp({
  env = {},
  overrides = {},
  beforeReady = false,
}: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tracefold-app-'))
  const config = readConfig({
    PORT: '0',
    GRPC_PORT: '0',
    DATA_DIR: dataDir,
    CLICKHOUSE_DATABASE: newDatabaseName(),
    // The data of tests has fixed dates, whatever the date of the run.
    SPAN_AGE_DAYS_MAX: '36500',
    SPAN_AHEAD_MAX: '3650d',
    ...clusterOfRun(),
    ...env,
  })
  const lines: string[] = []
  const app = await startServer(config, {
    logger: createLogger({ level: config.logLevel, destination: { write: (line) => void lines.push(line) } }),
    checkResponses: true,
    collectProcessMetrics: false,
    // A database of its own is exclusive to this server, as that of an embedded engine is.
    ...(env.CLICKHOUSE_URL === undefined
      ? { sources: sourcesOfRun({ isExclusive: env.CLICKHOUSE_DATABASE === undefined }) }
      : {}),
    ...overrides,
  })
  if (!beforeReady) await app.ready
  const org = `org-${randomUUID()}`
  const token = createTokens(dataDir, org)
  const send = createSender(app.url, token)
  return {
    url: app.url,
    grpcUrl: app.grpcUrl ?? '',
    app,
    config,
    org,
    logLines: () => lines.map((line) => JSON.parse(line)),
    token,
    client: async (whom) => createApiClient({ baseUrl: app.url, token: await token(whom) }),
    send,
    sendSpans: async (request, whom) => sendOtlp(send, '/v1/traces', request, whom && (await token(whom))),
    sendMetrics: (request) => sendOtlp(send, '/v1/metrics', request),
    async close() {
      await dropDatabase(app.clickhouse).catch(() => {})
      await app.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns the settings of the run's cluster, if it has one. The credentials come with `sources`. */
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

async function sendOtlp(send: TestApp['send'], path: string, request: object, token?: string): Promise<void> {
  const response = await send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(request),
  })
  const answer = await response.text()
  if (answer !== '{}') throw new Error(`not all of the body was accepted: ${response.status} ${answer}`)
}
