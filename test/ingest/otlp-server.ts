/** The OTLP endpoint alone, over real HTTP, on a database of the run's engine. */
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import express from 'express'
import type { Caller, Role } from '../../server/auth/caller.ts'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { problem } from '../../server/http/problem.ts'
import { createOtlpRouter } from '../../server/ingest/otlp-router.ts'
import type { RowSink } from '../../server/ingest/store-rows.ts'
import { createMetrics } from '../../server/operations/metrics.ts'
import { freshDatabase } from '../support/engine.ts'
import { decodeStatus, decodeTracesResponse } from './otlp-protobuf.ts'

export interface OtlpServer {
  readonly url: string
  readonly clickhouse: ClickHouse
  readonly metrics: ReturnType<typeof createMetrics>
  readonly errors: unknown[]
  close(): Promise<void>
}

export interface OtlpServerOptions {
  readonly bodyBytesMax?: number
  readonly inFlightBytesMax?: number
  /** In place of ClickHouse, around it. */
  readonly sink?: (clickhouse: ClickHouse) => RowSink
}

/** A credential is `Bearer <org>/<role>`, for these tests only. */
async function authenticate(authorization: string | undefined): Promise<Caller> {
  const [, org, role] = /^Bearer (\w+)\/(\w+)$/.exec(authorization ?? '') ?? []
  if (org === undefined) {
    throw problem('unauthenticated', 'Send a token.', { headers: { 'WWW-Authenticate': 'Bearer realm="test"' } })
  }
  return { org, role: role as Role, subject: 'test' }
}

export async function startOtlpServer(options: OtlpServerOptions = {}): Promise<OtlpServer> {
  const clickhouse = await freshDatabase()
  const metrics = createMetrics({ collectProcess: false })
  const errors: unknown[] = []
  const app = express()
  app.use(
    createOtlpRouter({
      clickhouse: options.sink?.(clickhouse) ?? clickhouse,
      authenticate,
      limits: {
        ingestBodyBytesMax: options.bodyBytesMax ?? 64 * 2 ** 20,
        ingestInFlightBytesMax: options.inFlightBytesMax ?? 256 * 2 ** 20,
      },
      logger: { error: (details) => errors.push(details) },
      metrics: metrics.ingest,
    }),
  )
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clickhouse,
    metrics,
    errors,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await clickhouse.close()
    },
  }
}

export interface SendOptions {
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
  { org = 'acme', role = 'ingest', gzip = false, headers = {} }: SendOptions = {},
): Promise<Answer> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  const response = await fetch(`${url}/v1/traces`, {
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

/** The rows of `spans`, without duplicates, with ids in hexadecimal and attributes by their JSON paths. */
export async function storedSpans(clickhouse: ClickHouse, org = 'acme'): Promise<Record<string, unknown>[]> {
  const { rows } = await clickhouse.read<Record<string, unknown>>(
    {
      text: `SELECT org, lower(hex(trace_id)) AS trace_id, lower(hex(span_id)) AS span_id, lower(hex(parent_id)) AS parent_id,
          toUnixTimestamp64Nano(start) AS start, duration_ns, kind, status, flags, service, name, status_message, trace_state,
          scope_name, scope_version, scope_attributes, resource_attributes, toJSONString(attributes) AS attributes,
          events, links, dropped_attributes_count, dropped_events_count, dropped_links_count
        FROM spans FINAL WHERE org = {p0:String} ORDER BY start, span_id`,
      params: { p0: org },
    },
    { label: 'stored spans' },
  )
  return rows
}
