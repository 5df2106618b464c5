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

/** A request, as `fetch` takes it. */
export interface Sent extends RequestInit {
  /** The caller, unless the headers contain credentials. */
  readonly whom?: Whom
  /** The body, to be sent as JSON. The method is then POST by default. */
  readonly json?: unknown
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
  /** Sends a request to a path. */
  send(path: string, sent?: Sent): Promise<Response>
  /**
   * Sends a request to a path and returns the JSON of the response, or undefined if it has no body.
   * @throws Error unless the status is a success
   */
  ask<Body>(path: string, sent?: Sent): Promise<Body>
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
  /**
   * Stores an ExportLogsServiceRequest (OTLP JSON).
   * @throws Error unless every record was accepted
   */
  sendLogs(request: object): Promise<void>
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
  const logLines = () => lines.map((line) => JSON.parse(line))
  return {
    url: app.url,
    grpcUrl: app.grpcUrl ?? '',
    app,
    config,
    org,
    logLines,
    token,
    client: async (whom) => createApiClient({ baseUrl: app.url, token: await token(whom) }),
    send,
    async ask(path, sent) {
      const response = await send(path, sent)
      const text = await response.text()
      if (response.ok) return text === '' ? undefined : JSON.parse(text)
      throw new Error(`${path}: ${response.status} ${text} ${JSON.stringify([sent?.json, logLines().at(-1)])}`)
    },
    sendSpans: (request, whom) => sendOtlp(send, '/v1/traces', request, whom),
    sendMetrics: (request) => sendOtlp(send, '/v1/metrics', request),
    sendLogs: (request) => sendOtlp(send, '/v1/logs', request),
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
  return async (path, { whom, json, ...init } = {}) => {
    const headers = new Headers(init.headers)
    if (!headers.has('authorization')) headers.set('authorization', `Bearer ${await token(whom)}`)
    if (json === undefined) return fetch(url + path, { ...init, headers })
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return fetch(url + path, { method: 'POST', ...init, headers, body: JSON.stringify(json) })
  }
}

async function sendOtlp(send: TestApp['send'], path: string, request: object, whom: Whom = {}): Promise<void> {
  const response = await send(path, { json: request, whom })
  const answer = await response.text()
  if (answer !== '{}') throw new Error(`not all of the body was accepted: ${response.status} ${answer}`)
}
