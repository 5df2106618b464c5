/**
 * Sends queries whose results are read at once. ClickHouse's client pauses before each request, so that it does not
 * use a socket that has just expired, and a page takes up to four queries one after the other. This sends them without
 * a pause: undici closes sockets before ClickHouse does, and a read whose socket expired nevertheless is sent again.
 */
import { randomUUID } from 'node:crypto'
import { errors, Pool } from 'undici'
import { errorOfResponse } from './clickhouse-errors.ts'
import type { Endpoint } from './endpoint.ts'

export interface ReadRequestsOptions {
  readonly endpoint: Endpoint
  readonly database: string
  readonly connectionsMax: number
  readonly timeoutMs: number
}

export interface ReadRequest {
  readonly text: string
  readonly params: Readonly<Record<string, string>>
  readonly format: string
  readonly settings: Readonly<Record<string, string | number>>
  readonly signal?: AbortSignal | undefined
}

export interface ReadResponse {
  readonly queryId: string
  readonly text: string
  /** The header in which ClickHouse reports what a query used. */
  readonly summary: string | string[] | undefined
}

/**
 * A socket that had expired fails at once. After a longer time, the query itself may be the cause. When a computer
 * wakes up, all sockets have expired, so a read may find several of them one after the other.
 */
const expiredMsMax = 200
/** A socket that the other side has closed breaks with these codes where a request is sent before that is noticed. */
const brokenCodes = ['ECONNRESET', 'EPIPE']

export class ReadRequests {
  private readonly pool: Pool
  private readonly path: string
  private readonly database: string
  private readonly headers: Readonly<Record<string, string>>

  constructor({ endpoint, database, connectionsMax, timeoutMs }: ReadRequestsOptions) {
    const { origin, pathname } = new URL(endpoint.url)
    const credentials = Buffer.from(`${endpoint.username}:${endpoint.password}`).toString('base64')
    this.pool = new Pool(origin, { connections: connectionsMax, headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
    this.path = pathname
    this.database = database
    this.headers = { 'user-agent': 'tracefold', ...endpoint.headers, authorization: `Basic ${credentials}` }
  }

  /**
   * Sends a query and reads its result.
   * @throws ClickHouseError for a query that ClickHouse refuses, unavailable if only a load balancer responds
   */
  async send(request: ReadRequest): Promise<ReadResponse> {
    const began = performance.now()
    for (;;) {
      try {
        return await this.sendOnce(request)
      } catch (error) {
        const isExpired = isBroken(error) && performance.now() - began < expiredMsMax
        if (!isExpired || request.signal?.aborted === true) throw error
      }
    }
  }

  /** Breaks the requests that are under way. */
  close(): Promise<void> {
    return this.pool.destroy()
  }

  private async sendOnce({ text: query, params, format, settings, signal }: ReadRequest): Promise<ReadResponse> {
    const queryId = randomUUID()
    const search = new URLSearchParams({ query_id: queryId, database: this.database })
    for (const [name, value] of Object.entries(params)) search.set(`param_${name}`, escapeParam(value))
    for (const [name, value] of Object.entries(settings)) search.set(name, String(value))
    const { statusCode, headers, body } = await this.pool.request({
      method: 'POST',
      path: `${this.path}?${search}`,
      headers: this.headers,
      body: `${query}\nFORMAT ${format}`,
      signal: signal ?? null,
    })
    const text = await textOf(body)
    if (statusCode !== 200) throw errorOfResponse(statusCode, text)
    return { queryId, text, summary: headers['x-clickhouse-summary'] }
  }
}

function isBroken(error: unknown): boolean {
  if (error instanceof errors.SocketError) return true
  return error instanceof Error && 'code' in error && brokenCodes.includes(String(error.code))
}

/** Decodes a body as it arrives, because other requests would wait while a large one is decoded at once. */
async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', "'": "\\'", '\\': '\\\\' }

/** Escapes the text of a parameter, which ClickHouse reads like a field of tab-separated values. */
function escapeParam(text: string): string {
  return text.replace(/[\t\n\r'\\]/g, (character) => escapes[character] ?? character)
}
