/** The OTLP endpoint without the other features, over real HTTP, on a database of the run's engine. */
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import express from 'express'
import { keyOfPath, readAttributeList } from '#sql'
import type { Credential } from '../../server/auth/authenticate.ts'
import type { Caller, Role } from '../../server/auth/caller.ts'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { createIngest, type IngestOptions } from '../../server/ingest/endpoint/ingest.ts'
import { createGrpcEndpoint } from '../../server/ingest/grpc/grpc-endpoint.ts'
import type { RowSink } from '../../server/ingest/inserts/row-store.ts'
import { createOtlpRouter, signals } from '../../server/ingest/otlp-router.ts'
import { AcceptedTimes } from '../../server/ingest/records/accepted-times.ts'
import { listenGrpc } from '../../server/lifecycle/grpc-listener.ts'
import { createReadiness } from '../../server/observability/health.ts'
import { createPrometheus } from '../../server/observability/prometheus.ts'
import { problem } from '../../server/problem/problem.ts'
import { freshDatabase } from './engine.ts'
import { collectHints } from './hints.ts'
import { decodeStatus, decodeTracesResponse } from './otlp-protobuf.ts'

export interface OtlpServer {
  readonly url: string
  /** The address of OTLP/gRPC. */
  readonly grpcUrl: string
  readonly drainGrpc: (secondsMax: number) => Promise<number>
  readonly hints: ReturnType<typeof collectHints>
  readonly clickhouse: ClickHouse
  readonly metrics: ReturnType<typeof createPrometheus>
  readonly errors: unknown[]
  close(): Promise<void>
}

/** Accepts the data of tests, which has fixed dates, whatever the date of the run. */
export const allTimes = { times: { ageDaysMax: 36_500, aheadSecondsMax: 3_650 * 86_400 } }

export interface OtlpServerOptions {
  readonly bodyBytesMax?: number
  readonly inFlightBytesMax?: number
  readonly headersSecondsMax?: number
  readonly bodySecondsMax?: number
  readonly bodyStallSecondsMax?: number
  readonly responseStallSecondsMax?: number
  readonly quotas?: Partial<IngestOptions['quotas']>
  /** The settings of the accepted times. Defaults to `allTimes`. */
  readonly acceptedTimes?: ConstructorParameters<typeof AcceptedTimes>[0]
  readonly now?: () => Date
  /** The database of another server. Defaults to a new one. */
  readonly clickhouse?: ClickHouse
  /** Wraps or replaces the inserts of the ClickHouse client. */
  readonly sink?: (clickhouse: ClickHouse) => Pick<RowSink, 'insert'>
}

/** Accepts credentials of the form `Bearer <org>/<role>`. */
async function authenticate(credential: Credential): Promise<Caller> {
  const [, org, role] = /^Bearer (\w+)\/(\w+)$/.exec(String(credential)) ?? []
  if (org === undefined) {
    throw problem('unauthenticated', 'Send a token.', { headers: { 'WWW-Authenticate': 'Bearer realm="test"' } })
  }
  return { org, role: role as Role, subject: 'test' }
}

export async function startOtlpServer(options: OtlpServerOptions = {}): Promise<OtlpServer> {
  const clickhouse = options.clickhouse ?? (await freshDatabase())
  const read: RowSink['read'] = (...query) => clickhouse.read(...query)
  const metrics = createPrometheus({ collectProcess: false })
  const errors: unknown[] = []
  const limits = {
    ingestBodyBytesMax: options.bodyBytesMax ?? 64 * 2 ** 20,
    ingestInFlightBytesMax: options.inFlightBytesMax ?? 256 * 2 ** 20,
    headersSecondsMax: options.headersSecondsMax ?? 15,
    bodySecondsMax: options.bodySecondsMax ?? 120,
    bodyStallSecondsMax: options.bodyStallSecondsMax ?? 10,
    responseStallSecondsMax: options.responseStallSecondsMax ?? 30,
  }
  const ingest = createIngest({
    clickhouse: options.sink === undefined ? clickhouse : { ...options.sink(clickhouse), read },
    authenticate,
    limits,
    quotas: {
      admitTelemetry: async () => {},
      acceptedSeries: async () => undefined,
      countItems() {},
      ...options.quotas,
    },
    acceptedTimes: () => new AcceptedTimes(options.acceptedTimes ?? allTimes, options.now?.() ?? new Date()),
    logger: { info() {}, warn() {}, error: (details) => errors.push(details) },
    metrics: metrics.ingest,
  })
  const app = express()
  app.use(createOtlpRouter(ingest))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const hints = collectHints()
  const answer = createGrpcEndpoint({
    signals,
    ingest,
    readiness: createReadiness([]),
    limits,
    logger: { info() {}, error: (details) => errors.push(details) },
    metrics: metrics.grpc,
    warnOfPlainCredential() {},
  })
  const grpc = await listenGrpc({ host: '127.0.0.1', port: 0, setting: 'GRPC_PORT', limits, hints, answer })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    grpcUrl: grpc.url,
    drainGrpc: grpc.drain,
    hints,
    clickhouse,
    metrics,
    errors,
    async close() {
      server.closeAllConnections()
      await grpc.drain(0)
      await new Promise((resolve) => server.close(resolve))
      if (options.clickhouse === undefined) await clickhouse.close()
    },
  }
}

export interface SendOptions {
  /** Defaults to `/v1/traces`. */
  readonly path?: '/v1/traces' | '/v1/metrics' | '/v1/logs'
  readonly org?: string
  readonly role?: Role
  readonly gzip?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The decoded ExportTraceServiceResponse, or Status when the status is not 200. */
  readonly message: Record<string, unknown>
}

export async function send(
  { url }: Pick<OtlpServer, 'url'>,
  body: Buffer | object,
  { path = '/v1/traces', org = 'acme', role = 'ingest', gzip = false, headers = {} }: SendOptions = {},
): Promise<Answer> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${org}/${role}`,
      'Content-Type': Buffer.isBuffer(body) ? 'application/x-protobuf' : 'application/json',
      ...(gzip ? { 'Content-Encoding': 'gzip' } : {}),
      ...headers,
    },
    body: gzip ? gzipSync(bytes) : bytes,
  })
  const answered = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, message: decodeAnswer(response, answered) }
}

function decodeAnswer(response: Response, bytes: Buffer): Record<string, unknown> {
  if (response.headers.get('Content-Type') === 'application/json') return JSON.parse(bytes.toString())
  return response.status === 200 ? decodeTracesResponse(bytes) : decodeStatus(bytes)
}

export interface StoredSpan extends Record<string, unknown> {
  readonly service: string
  readonly name: string
  /** Tagged texts by key. */
  readonly attributes: Readonly<Record<string, string>>
  readonly resource_attributes: Readonly<Record<string, string>>
  readonly scope_attributes: Readonly<Record<string, string>>
  readonly events: unknown
  readonly links: unknown
}

const storedColumns = `org, leftPad(lower(hex(trace_id)), 32, '0') AS trace_id,
  leftPad(lower(hex(span_id)), 16, '0') AS span_id,
  leftPad(lower(hex(parent_id)), 16, '0') AS parent_id, toUnixTimestamp64Nano(start) AS start,
  duration_ns, kind, status, flags, service, name, status_message, trace_state,
  scope_name, scope_version, scope_attributes, resource_attributes,
  toJSONString(attributes) AS attributes, events, links,
  dropped_attributes_count, dropped_events_count, dropped_links_count`

/** Returns the stored spans of an organization, oldest first. */
export async function storedSpans(clickhouse: ClickHouse, org = 'acme'): Promise<StoredSpan[]> {
  const text = `SELECT ${storedColumns} FROM spans FINAL WHERE org = {p0:String} ORDER BY spans.start, spans.span_id`
  const query = { text, params: { p0: org } }
  const { rows } = await clickhouse.read<Record<string, string>>(query, { for: 'system', label: 'stored spans' })
  return rows.map((row) => ({
    ...row,
    service: String(row.service),
    name: String(row.name),
    attributes: attributesOfPaths(String(row.attributes)),
    resource_attributes: Object.fromEntries(readAttributeList(String(row.resource_attributes))),
    scope_attributes: Object.fromEntries(readAttributeList(String(row.scope_attributes))),
    events: row.events === '' ? [] : JSON.parse(String(row.events)),
    links: row.links === '' ? [] : JSON.parse(String(row.links)),
  }))
}

/** A typed path exists in every row and is empty if the span does not carry the key. */
function attributesOfPaths(json: string): Record<string, string> {
  const carried = Object.entries(JSON.parse(json) as Record<string, string>).filter(([, value]) => value !== '')
  return Object.fromEntries(carried.map(([path, value]) => [keyOfPath(path), value]))
}

/** Returns the number of rows of a table, including duplicates. */
export async function countRows(clickhouse: ClickHouse, org = 'acme', table = 'spans'): Promise<number> {
  const query = { text: `SELECT count() AS rows FROM ${table} WHERE org = {p0:String}`, params: { p0: org } }
  const { rows } = await clickhouse.read<{ rows: string }>(query, { for: 'system', label: 'rows' })
  return Number(rows[0]?.rows)
}
