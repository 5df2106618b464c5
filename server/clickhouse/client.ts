/** The one way to the telemetry: reads with limits, inserts with acknowledgement, and commands, over HTTP to one ClickHouse. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseLogLevel, type ClickHouseSettings, createClient } from '@clickhouse/client'
import type { Cluster } from '#sql'
import type { Endpoint, EndpointSource, EngineState } from './endpoint.ts'
import type { Logger } from './engine-log.ts'
import { mapClickHouseError, unavailable } from './errors.ts'
import { answerFormat, toReadResult } from './json-answer.ts'
import {
  insertSecondsMax,
  insertSettings,
  insertsConcurrentMax,
  insertWaitMsMax,
  type QueryLimits,
  queryWaitMsMax,
  readSettings,
} from './query-limits.ts'
import { createTurns, type Turns } from './turns.ts'

/** Text with `{p0:Type}` placeholders, and the values bound to them. */
export interface Query {
  readonly text: string
  readonly params: Readonly<Record<string, unknown>>
  /** The same question as it is asked where tables are spread over a cluster; absent where it makes no difference. */
  readonly onCluster?: (cluster: Cluster) => Query
}

export interface ReadOptions {
  /** Ends the query in ClickHouse when it aborts; the read then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Names the query in logs and errors. */
  readonly label: string
  readonly settings?: Readonly<Record<string, string | number>>
  /** Rows that it may read. More than every query may read it never may. */
  readonly rowsReadMax?: number
}

export interface ReadResult<Row> {
  /** Objects by column name. 64-bit and wider integers are strings. */
  readonly rows: Row[]
  readonly rowsRead: number
  readonly bytesRead: number
  readonly elapsedMs: number
  /** Peak of the query, when the server tells. */
  readonly memoryBytes?: number
}

export interface InsertOptions {
  /** The same for the same rows: a body sent again with its token stores nothing. */
  readonly dedupToken: string
  /** How many rows `rowBinary` holds. */
  readonly rows: number
  /** Into a table that is spread over a cluster. */
  readonly isSpread?: boolean
}

export interface ClickHouse {
  readonly state: EngineState
  readonly database: string
  read<Row>(query: Query, options: ReadOptions): Promise<ReadResult<Row>>
  /** Resolves when ClickHouse has acknowledged the rows. `rowBinary` is FORMAT RowBinary of `columns`, in that order. */
  insert(
    table: string,
    columns: readonly string[],
    rowBinary: Buffer | readonly Buffer[],
    options: InsertOptions,
  ): Promise<void>
  /** For migrations and retention: no limits, one statement. */
  command(text: string, params?: Readonly<Record<string, unknown>>): Promise<void>
  /** Makes the client's own database when absent. Every other call needs it. */
  createDatabase(): Promise<void>
  ping(): Promise<boolean>
  close(): Promise<void>
}

export interface ClickHouseOptions {
  readonly source: EndpointSource
  readonly database: string
  readonly limits: QueryLimits
  readonly logger: Logger
}

/** Sockets for commands and pings, so that neither waits for reads or inserts. */
const otherConnectionsMax = 8

/** A ClickHouse of somebody else takes form fields up to this size; a longer text goes into the body, its parameters into the URL. */
const fieldBytesMax = 128 * 1024

/** The HTTP request may last this much longer than the query, so that the answer is ClickHouse's and not the socket's. */
const requestMarginMs = 5_000
const pingTimeoutMs = 2_000

/** A table or column name from our own code, quoted all the same. */
function quoteName(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}

class HttpClickHouse implements ClickHouse {
  readonly database: string
  private readonly options: ClickHouseOptions
  private readonly readTurns: Turns
  private readonly insertTurns: Turns
  private connected: { readonly endpoint: Endpoint; readonly client: ClickHouseClient } | undefined
  private closed = false

  constructor(options: ClickHouseOptions) {
    this.options = options
    this.database = options.database
    const concurrentMax = options.limits.queriesConcurrentMax
    this.readTurns = createTurns({ concurrentMax, waitingMax: concurrentMax, waitMsMax: queryWaitMsMax })
    this.insertTurns = createTurns({
      concurrentMax: insertsConcurrentMax,
      waitingMax: Number.POSITIVE_INFINITY,
      waitMsMax: insertWaitMsMax,
    })
  }

  get state(): EngineState {
    return this.closed ? 'stopped' : this.options.source.state
  }

  async read<Row>(query: Query, { signal, label, settings, rowsReadMax }: ReadOptions): Promise<ReadResult<Row>> {
    const endTurn = await this.readTurns.take(signal)
    const queryId = randomUUID()
    try {
      const result = await this.client().query({
        query: query.text,
        query_params: { ...query.params },
        format: answerFormat,
        query_id: queryId,
        use_multipart_params_auto: query.text.length < fieldBytesMax,
        clickhouse_settings: { ...this.readSettings(rowsReadMax), ...settings } as ClickHouseSettings,
        ...(signal === undefined ? {} : { abort_signal: signal }),
      })
      const read = toReadResult<Row>(await result.text(), result.response_headers['x-clickhouse-summary'])
      const { rows, ...statistics } = read
      this.options.logger.debug({ query: label, queryId, ...statistics, rows: rows.length }, 'Query done')
      return read
    } catch (error) {
      signal?.throwIfAborted()
      throw mapClickHouseError(error, label)
    } finally {
      endTurn()
    }
  }

  async insert(
    table: string,
    columns: readonly string[],
    rowBinary: Buffer | readonly Buffer[],
    options: InsertOptions,
  ): Promise<void> {
    const endTurn = await this.insertTurns.take()
    try {
      const { stream } = await this.client().exec({
        query: `INSERT INTO ${quoteName(table)} (${columns.map(quoteName).join(', ')}) FORMAT RowBinary`,
        values: Readable.from(Buffer.isBuffer(rowBinary) ? [rowBinary] : rowBinary, { objectMode: false }),
        clickhouse_settings: insertSettings(options) as ClickHouseSettings,
      })
      await drain(stream)
    } catch (error) {
      throw mapClickHouseError(error, `an insert into ${table}`)
    } finally {
      endTurn()
    }
  }

  async command(text: string, params: Readonly<Record<string, unknown>> = {}): Promise<void> {
    try {
      await this.client().command({ query: text, query_params: { ...params } })
    } catch (error) {
      throw mapClickHouseError(error, 'a command')
    }
  }

  async createDatabase(): Promise<void> {
    const endpoint = this.options.source.endpoint()
    if (endpoint === undefined) throw unavailable('The telemetry store is starting. Try again in a moment.')
    const client = this.connect(endpoint, 'default')
    try {
      await client.command({ query: `CREATE DATABASE IF NOT EXISTS ${quoteName(this.database)}` })
    } catch (error) {
      throw mapClickHouseError(error, 'CREATE DATABASE')
    } finally {
      await client.close()
    }
  }

  async ping(): Promise<boolean> {
    try {
      const result = await this.client().query({ query: 'SELECT 1', abort_signal: AbortSignal.timeout(pingTimeoutMs) })
      await result.text()
      return true
    } catch {
      return false
    }
  }

  async close(): Promise<void> {
    this.closed = true
    await this.connected?.client.close()
    this.connected = undefined
  }

  private readSettings(rowsReadMax = Number.POSITIVE_INFINITY): Readonly<Record<string, string | number>> {
    const { limits, source } = this.options
    const queryRowsMax = Math.min(limits.queryRowsMax, rowsReadMax)
    return readSettings({ ...limits, queryRowsMax }, source.endpoint()?.memoryBytesMax)
  }

  private client(): ClickHouseClient {
    const endpoint = this.closed ? undefined : this.options.source.endpoint()
    if (endpoint === undefined) throw unavailable('The telemetry store is starting. Try again in a moment.')
    if (this.connected?.endpoint !== endpoint) {
      void this.connected?.client.close()
      this.connected = { endpoint, client: this.connect(endpoint, this.database) }
    }
    return this.connected.client
  }

  private connect({ url, username, password, headers }: Endpoint, database: string): ClickHouseClient {
    const { limits } = this.options
    return createClient({
      url,
      username,
      password,
      database,
      application: 'tracefold',
      http_headers: { ...headers },
      max_open_connections: limits.queriesConcurrentMax + insertsConcurrentMax + otherConnectionsMax,
      request_timeout: Math.max(limits.querySecondsMax, insertSecondsMax) * 1000 + requestMarginMs,
      // Parameters may hold thousands of ids, which an URL does not.
      use_multipart_params_auto: true,
      compression: { request: false, response: false },
      // Its own log lines hold parameters.
      log: { level: ClickHouseLogLevel.OFF },
    })
  }
}

async function drain(stream: Readable): Promise<void> {
  for await (const _ of stream) {
    // The answer to an insert is empty; reading it to its end is what frees the socket.
  }
}

export function openClickHouse(options: ClickHouseOptions): ClickHouse {
  return new HttpClickHouse(options)
}
