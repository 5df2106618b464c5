import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ClickHouseSettings } from '@clickhouse/client'
import { insertRows, pingStatement } from '#sql'
import { mapClickHouseError } from './clickhouse-errors.ts'
import type { ClickHouse, InsertOptions, ReadOptions, ReadQuery, ReadResult, StoreLogger } from './client.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.ts'
import type { EndpointSource, EngineState } from './endpoint.ts'
import { HttpConnection } from './http-connection.ts'
import {
  insertSettings,
  insertsConcurrentMax,
  insertWaitMsMax,
  type QueryLimits,
  queryWaitMsMax,
  readSettings,
} from './query-limits.ts'

export interface ClickHouseOptions {
  readonly source: EndpointSource
  readonly database: string
  readonly limits: QueryLimits
  readonly logger: StoreLogger
}

/** The result format: rows contain values only, and column names are sent once. */
const resultFormat = 'JSONCompact'

interface JsonCompact {
  readonly meta: readonly { readonly name: string }[]
  readonly data: readonly (readonly unknown[])[]
  readonly statistics: { readonly elapsed: number; readonly rows_read: number; readonly bytes_read: number }
}

/**
 * The default size limit of a form field in ClickHouse. A longer query is sent as the body, with its parameters in the
 * URL.
 */
const fieldBytesMax = 128 * 1024

const pingTimeoutMs = 2_000

/** Opens a client of one ClickHouse server over HTTP. It connects when it is first used. */
export function openClickHouse(options: ClickHouseOptions): ClickHouse {
  return new HttpClickHouse(options)
}

class HttpClickHouse implements ClickHouse {
  readonly database: string
  private readonly limits: QueryLimits
  private readonly logger: StoreLogger
  private readonly connection: HttpConnection
  private readonly reads: ConcurrencyLimit
  private readonly inserts: ConcurrencyLimit

  constructor({ source, database, limits, logger }: ClickHouseOptions) {
    this.database = database
    this.limits = limits
    this.logger = logger
    this.connection = new HttpConnection(source, database, limits)
    const concurrentMax = limits.queriesConcurrentMax
    this.reads = createConcurrencyLimit({ concurrentMax, waitingMax: concurrentMax, waitMsMax: queryWaitMsMax })
    this.inserts = createConcurrencyLimit({
      concurrentMax: insertsConcurrentMax,
      waitingMax: Number.POSITIVE_INFINITY,
      waitMsMax: insertWaitMsMax,
    })
  }

  get state(): EngineState {
    return this.connection.state
  }

  async read<Row>(query: ReadQuery, { signal, label, settings, rowsReadMax }: ReadOptions): Promise<ReadResult<Row>> {
    const release = await this.reads.acquire(signal)
    const queryId = randomUUID()
    try {
      const result = await this.connection.client().query({
        query: query.text,
        query_params: { ...query.params },
        format: resultFormat,
        query_id: queryId,
        use_multipart_params_auto: query.text.length < fieldBytesMax,
        clickhouse_settings: { ...this.settingsOfRead(rowsReadMax), ...settings } as ClickHouseSettings,
        ...(signal === undefined ? {} : { abort_signal: signal }),
      })
      const read = toReadResult<Row>(await result.text(), result.response_headers['x-clickhouse-summary'])
      const { rows, ...statistics } = read
      this.logger.debug({ query: label, queryId, ...statistics, rows: rows.length }, 'Query finished')
      return read
    } catch (error) {
      signal?.throwIfAborted()
      throw mapClickHouseError(error, label)
    } finally {
      release()
    }
  }

  async insert(
    table: string,
    columns: readonly string[],
    rowBinary: Buffer | readonly Buffer[],
    options: InsertOptions,
  ): Promise<void> {
    const release = await this.inserts.acquire()
    try {
      const { stream } = await this.connection.client().exec({
        query: insertRows(table, columns),
        values: Readable.from(Buffer.isBuffer(rowBinary) ? [rowBinary] : rowBinary, { objectMode: false }),
        clickhouse_settings: insertSettings(options) as ClickHouseSettings,
      })
      await drain(stream)
    } catch (error) {
      throw mapClickHouseError(error, `an insert into ${table}`)
    } finally {
      release()
    }
  }

  async command(text: string, params: Readonly<Record<string, unknown>> = {}): Promise<void> {
    try {
      await this.connection.client().command({ query: text, query_params: { ...params } })
    } catch (error) {
      throw mapClickHouseError(error, 'a command')
    }
  }

  createDatabase(): Promise<void> {
    return this.connection.createDatabase()
  }

  async ping(): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(pingTimeoutMs)
      const result = await this.connection.client().query({ query: pingStatement, abort_signal: signal })
      await result.text()
      return true
    } catch {
      return false
    }
  }

  close(): Promise<void> {
    return this.connection.close()
  }

  private settingsOfRead(rowsReadMax = Number.POSITIVE_INFINITY): Readonly<Record<string, string | number>> {
    const queryRowsMax = Math.min(this.limits.queryRowsMax, rowsReadMax)
    return readSettings({ ...this.limits, queryRowsMax }, this.connection.memoryBytesMax)
  }
}

/** Reads a result. `summary` is the response header in which ClickHouse reports the memory that a query used. */
function toReadResult<Row>(text: string, summary: string | string[] | undefined): ReadResult<Row> {
  const { meta, data, statistics } = JSON.parse(text) as JsonCompact
  return {
    rows: toRows<Row>(meta, data),
    rowsRead: statistics.rows_read,
    bytesRead: statistics.bytes_read,
    elapsedMs: statistics.elapsed * 1000,
    ...memoryOf(summary),
  }
}

function toRows<Row>(meta: JsonCompact['meta'], data: JsonCompact['data']): Row[] {
  const names = meta.map((column) => column.name)
  return data.map((values) => {
    const row: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) row[name] = values[index]
    return row as Row
  })
}

function memoryOf(summary: string | string[] | undefined): { memoryBytes?: number } {
  if (typeof summary !== 'string') return {}
  const memory = Number((JSON.parse(summary) as { memory_usage?: string }).memory_usage)
  return Number.isFinite(memory) ? { memoryBytes: memory } : {}
}

/** Reads the empty response of an insert to its end, which frees the socket. */
async function drain(stream: Readable): Promise<void> {
  for await (const _ of stream) {
    // Nothing to keep.
  }
}
