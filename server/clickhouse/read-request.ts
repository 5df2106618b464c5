/**
 * Sends queries. ClickHouse's client pauses before each request, so that it does not use a socket that has just
 * expired, and a page takes up to four queries one after the other; it also hides the status of a response, which tells
 * an outage behind a load balancer from a refusal. This sends them without a pause: undici closes sockets before
 * ClickHouse does, and a read whose socket expired nevertheless is sent again.
 */
import { randomUUID } from 'node:crypto'
import { parseError } from '@clickhouse/client'
import { type Dispatcher, errors, FormData, Pool } from 'undici'
import type { Query } from '#sql'
import { errorOfResponse, isSuccess } from './clickhouse-errors.ts'
import type { SentTable } from './client.ts'
import type { Endpoint } from './endpoint.ts'
import { incompleteResult } from './read-result.ts'

/**
 * Milliseconds that an HTTP request gets beyond the time limit of its statement, so that ClickHouse reports a timeout
 * before the socket does.
 */
export const requestMarginMs = 5_000

export interface ReadRequestsOptions {
  readonly endpoint: Endpoint
  readonly database: string
  readonly connectionsMax: number
  /** Milliseconds without a response after which a query without a time limit fails. */
  readonly timeoutMs: number
}

export interface ReadRequest {
  readonly text: string
  readonly params: Query['params']
  readonly format: string
  readonly settings: Readonly<Record<string, string | number>>
  readonly tables?: readonly SentTable[] | undefined
  readonly signal?: AbortSignal | undefined
}

interface OpenResponse {
  readonly queryId: string
  readonly body: AsyncIterable<Uint8Array>
  /** The header in which ClickHouse reports what a query used. */
  readonly summary: string | string[] | undefined
}

export interface ReadResponse extends Pick<OpenResponse, 'queryId' | 'summary'> {
  readonly text: string
}

/** The result of a query that is read as it arrives. Leaving the loop over `lines` closes its socket. */
export interface LinesResponse extends Pick<OpenResponse, 'queryId'> {
  /** Whole lines, as many as have arrived. */
  readonly lines: AsyncIterable<string>
}

/**
 * A socket that had expired fails once the request is written, which takes a part of a second for a large one on a busy
 * machine. After a longer time, the query itself may be the cause. When a computer wakes up, all sockets have expired,
 * so a read may find several of them one after the other.
 */
const expiredMsMax = 1_000
/** A socket that the other side has closed breaks with these codes where a request is sent before that is noticed. */
const brokenCodes = ['ECONNRESET', 'EPIPE']

export class ReadRequests {
  private readonly pool: Pool
  private readonly timeoutMs: number
  private readonly path: string
  private readonly database: string
  private readonly headers: Readonly<Record<string, string>>

  constructor({ endpoint, database, connectionsMax, timeoutMs }: ReadRequestsOptions) {
    const { origin, pathname } = new URL(endpoint.url)
    const credentials = Buffer.from(`${endpoint.username}:${endpoint.password}`).toString('base64')
    this.pool = new Pool(origin, { connections: connectionsMax })
    this.timeoutMs = timeoutMs
    this.path = pathname
    this.database = database
    this.headers = { 'user-agent': 'tracefold', ...endpoint.headers, authorization: `Basic ${credentials}` }
  }

  /**
   * Sends a query and reads its result.
   * @throws ClickHouseError for a query that ClickHouse refuses, unavailable if only a load balancer responds
   */
  send(request: ReadRequest): Promise<ReadResponse> {
    return this.onOpenSocket(request, async () => {
      const { body, ...response } = await this.open(request)
      return { ...response, text: await textOf(body) }
    })
  }

  /**
   * Sends a query whose result has one row per line.
   * @throws like `send`; the lines throw ClickHouseError too, and unavailable for a result that is cut off
   */
  async sendForLines(request: ReadRequest): Promise<LinesResponse> {
    const { queryId, body } = await this.onOpenSocket(request, () => this.open(request))
    return { queryId, lines: linesOf(body) }
  }

  /** Breaks the requests that are under way. */
  close(): Promise<void> {
    return this.pool.destroy()
  }

  private async onOpenSocket<T>({ signal }: ReadRequest, send: () => Promise<T>): Promise<T> {
    const began = performance.now()
    for (;;) {
      try {
        return await send()
      } catch (error) {
        const isExpired = isBroken(error) && performance.now() - began < expiredMsMax
        if (!isExpired || signal?.aborted === true) throw error
      }
    }
  }

  private async open({ text, params, format, settings, tables = [], signal }: ReadRequest): Promise<OpenResponse> {
    const queryId = randomUUID()
    const search = new URLSearchParams({ query_id: queryId, database: this.database })
    for (const [name, value] of Object.entries(settings)) search.set(name, String(value))
    const timeoutMs = this.timeoutOf(settings)
    const { statusCode, headers, body } = await this.pool.request({
      method: 'POST',
      headers: this.headers,
      ...this.pathAndBody(`${text}\nFORMAT ${format}`, params, tables, search),
      signal: signal ?? null,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    if (!isSuccess(statusCode, headers)) throw errorOfResponse(statusCode, await textOf(body))
    return { queryId, body, summary: headers['x-clickhouse-summary'] }
  }

  private timeoutOf({ max_execution_time: seconds }: ReadRequest['settings']): number {
    return Number(seconds) > 0 ? Number(seconds) * 1000 + requestMarginMs : this.timeoutMs
  }

  private pathAndBody(
    query: string,
    params: Query['params'],
    tables: readonly SentTable[],
    search: URLSearchParams,
  ): Pick<Dispatcher.RequestOptions, 'path' | 'body'> {
    const fields = Object.entries(params).map(([name, value]): Field => [`param_${name}`, escapeParam(value)])
    if (tables.length === 0 && !isSentAsForm(query, fields)) {
      for (const [name, value] of fields) search.set(name, value)
      return { path: `${this.path}?${search}`, body: query }
    }
    const form = new FormData()
    const queryIn = tables.length > 0 && isSentInUrl(query) ? search : form
    queryIn.set('query', query)
    for (const [name, value] of fields) form.set(name, value)
    for (const { name, structure, rowBinary } of tables) {
      search.set(`${name}_structure`, structure)
      search.set(`${name}_format`, 'RowBinary')
      form.set(name, new Blob([rowBinary]), name)
    }
    return { path: `${this.path}?${search}`, body: form }
  }
}

/** Name and value of a parameter. */
type Field = [name: string, value: string]

/** The default size limit of a form field in ClickHouse, which the embedded one raises. */
const fieldBytesMax = 128 * 1024

/** Parameters of up to this size are sent in the URL. ClickHouse reads longer ones faster from a form. */
const shortUrlBytesMax = 16 * 1024

/** Less than the default size limit of a URL in ClickHouse, which leaves room for settings. */
const urlParamsBytesMax = 1_000_000

/**
 * Reports whether parameters that are too long for a common URL are sent in a form, together with the query. A query
 * that is too long for a form field of a server with default limits is sent as the body instead, with its parameters in
 * the URL, unless they are too long for that.
 */
function isSentAsForm(query: string, fields: Field[]): boolean {
  const urlBytes = new URLSearchParams(fields).toString().length
  if (urlBytes <= shortUrlBytesMax) return false
  return query.length < fieldBytesMax || urlBytes > urlParamsBytesMax
}

/**
 * Reports whether a query beside tables, which only a form can hold, is sent in the URL: if it is too long for a form
 * field of a server with default limits, and not for its URL.
 */
function isSentInUrl(query: string): boolean {
  return query.length >= fieldBytesMax && new URLSearchParams({ query }).toString().length <= urlParamsBytesMax
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

/** Begins the line after which ClickHouse writes the error of a query that fails after its first rows. */
const failureMark = '__exception__'

/**
 * @throws ClickHouseError for a query that fails after its first lines, unavailable for a text that does not end with a
 * line
 */
async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let begun = ''
  let hasFailed = false
  try {
    for await (const chunk of body) {
      const text = begun + decoder.decode(chunk, { stream: true })
      hasFailed ||= text.startsWith(failureMark) || text.includes(`\n${failureMark}`)
      const end = hasFailed ? 0 : text.lastIndexOf('\n') + 1
      if (end > 0) yield text.slice(0, end)
      begun = text.slice(end)
    }
  } catch (error) {
    // ClickHouse breaks the connection after the error.
    throw hasFailed ? parseError(begun) : error
  }
  if (begun !== '') throw hasFailed ? parseError(begun) : incompleteResult()
}

const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r', "'": "\\'", '\\': '\\\\' }

/** Escapes the text of a parameter, which ClickHouse reads like a field of tab-separated values. */
function escapeParam(value: string | number): string {
  return String(value).replace(/[\t\n\r'\\]/g, (character) => escapes[character] ?? character)
}
