import { setMaxListeners } from 'node:events'
import { Readable } from 'node:stream'
import type { ClickHouseSettings } from '@clickhouse/client'
import { insertRows, pingStatement, type StoredSpansRow } from '#sql'
import { mapClickHouseError, mapReadError } from './clickhouse-errors.ts'
import type {
  ClickHouse,
  InsertOptions,
  QueuesOfStore,
  ReadFor,
  ReadOptions,
  ReadQuery,
  ReadResult,
  StoreLogger,
} from './client.ts'
import type { EndpointSource, EngineState } from './endpoint.ts'
import { createFairQueue, type FairQueue, type Turn } from './fair-queue.ts'
import { execute, HttpConnection } from './http-connection.ts'
import { type KnownSpans, SpanKnowledge } from './known-spans.ts'
import {
  backgroundReadTurns,
  insertSettings,
  insertTurns,
  type QueryLimits,
  readSettings,
  readTurns,
} from './query-limits.ts'
import type { ReadRequest } from './read-request.ts'
import { incompleteResult, parseResult, resultFormat, toReadResult, toRows } from './read-result.ts'

export interface ClickHouseOptions {
  readonly source: EndpointSource
  readonly database: string
  readonly limits: QueryLimits
  readonly logger: StoreLogger
}

/** The format of results that are read block by block: one line per row, after a line with the column names. */
const blockFormat = 'JSONCompactEachRowWithNames'

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
  private readonly reads: FairQueue
  private readonly backgroundReads: FairQueue
  private readonly inserts: FairQueue
  private readonly knowledge: SpanKnowledge | undefined

  constructor({ source, database, limits, logger }: ClickHouseOptions) {
    this.database = database
    this.limits = limits
    this.logger = logger
    this.connection = new HttpConnection(source, database, limits)
    this.reads = createFairQueue(readTurns(limits))
    this.backgroundReads = createFairQueue(backgroundReadTurns)
    this.inserts = createFairQueue(insertTurns)
    if (source.isExclusive === true) {
      const [read, options] = [this.read.bind(this), { for: 'system', label: 'what is stored' } as const]
      this.knowledge = new SpanKnowledge(async (query) => (await read<StoredSpansRow>(query, options)).rows[0])
    }
  }

  get known(): KnownSpans | undefined {
    return this.knowledge?.known
  }

  get state(): EngineState {
    return this.connection.state
  }

  get nodes(): readonly ClickHouse[] {
    return [this]
  }

  get queues(): QueuesOfStore {
    const { reads, backgroundReads, inserts } = this
    return { reads: reads.counts, backgroundReads: backgroundReads.counts, inserts: inserts.counts }
  }

  async read<Row>(query: ReadQuery, options: ReadOptions): Promise<ReadResult<Row>> {
    const { signal, label } = options
    const turn = await this.turnOf(options.for, signal)
    try {
      const request = this.requestOf(query, options, turn, resultFormat)
      const { queryId, text, summary } = await this.connection.readRequests().send(request)
      const read = await toReadResult<Row>(text, summary)
      const { rows, ...statistics } = read
      this.logger.debug({ query: label, queryId, ...statistics, rows: rows.length }, 'Query finished')
      return read
    } catch (error) {
      signal?.throwIfAborted()
      throw await mapReadError(error, label, () => this.ping())
    } finally {
      turn.release()
    }
  }

  async *readBlocks<Row>(query: ReadQuery, options: ReadOptions): AsyncIterable<readonly Row[]> {
    const { signal, label } = options
    const turn = await this.turnOf(options.for, signal)
    try {
      const request = this.requestOf(query, options, turn, blockFormat)
      const { queryId, lines } = await this.connection.readRequests().sendForLines(request)
      let names: readonly string[] | undefined
      for await (const block of lines) {
        const data = parseResult(`[${block.trimEnd().replaceAll('\n', ',')}]`) as unknown[][]
        names ??= data.shift() as string[]
        if (data.length > 0) yield toRows<Row>(names, data)
      }
      if (names === undefined) throw incompleteResult()
      this.logger.debug({ query: label, queryId }, 'Query finished')
    } catch (error) {
      signal?.throwIfAborted()
      throw await mapReadError(error, label, () => this.ping())
    } finally {
      turn.release()
    }
  }

  async insert(
    table: string,
    columns: readonly string[],
    rowBinary: Buffer | readonly Buffer[],
    options: InsertOptions,
  ): Promise<void> {
    const send = () =>
      execute(this.connection.client(), {
        query: insertRows(table, columns),
        values: Readable.from(Buffer.isBuffer(rowBinary) ? [rowBinary] : rowBinary, { objectMode: false }),
        clickhouse_settings: insertSettings(options) as ClickHouseSettings,
      })
    const turn = await this.inserts.acquire(options.org)
    try {
      await (this.knowledge === undefined ? send() : this.knowledge.store(table, options.org, send))
    } catch (error) {
      throw mapClickHouseError(error, `an insert into ${table}`)
    } finally {
      turn.release()
    }
  }

  async command(text: string, params: Readonly<Record<string, unknown>> = {}): Promise<void> {
    this.knowledge?.forget()
    try {
      await execute(this.connection.commands(), { query: text, query_params: { ...params } })
    } catch (error) {
      throw mapClickHouseError(error, 'a command')
    } finally {
      this.knowledge?.forget()
    }
  }

  createDatabase(): Promise<void> {
    return this.connection.createDatabase()
  }

  async ping(): Promise<boolean> {
    try {
      const signal = AbortSignal.timeout(pingTimeoutMs)
      await execute(this.connection.client(), { query: pingStatement, abort_signal: signal })
      return true
    } catch {
      return false
    }
  }

  close(): Promise<void> {
    return this.connection.close()
  }

  private requestOf(
    { text, params }: ReadQuery,
    { signal, settings, rowsReadMax, tables }: ReadOptions,
    turn: Turn,
    format: string,
  ): ReadRequest {
    const all = { ...this.settingsOfRead(turn, rowsReadMax), ...settings }
    return { text, params, format, settings: all, tables, signal }
  }

  private turnOf(readFor: ReadFor, signal: AbortSignal | undefined): Promise<Turn> {
    // Each of the reads of one request listens to its signal, and Node.js would warn of a leak at more than ten.
    if (signal !== undefined) setMaxListeners(0, signal)
    if (readFor === 'system') return this.backgroundReads.acquire('', signal)
    if ('isInsert' in readFor) return this.inserts.acquire(readFor.org, signal)
    return (readFor.isBackground ? this.backgroundReads : this.reads).acquire(readFor.org, signal)
  }

  private settingsOfRead({ rank }: Turn, rowsReadMax = Number.POSITIVE_INFINITY): ReturnType<typeof readSettings> {
    const queryRowsMax = Math.min(this.limits.queryRowsMax, rowsReadMax)
    return readSettings({ ...this.limits, queryRowsMax }, { rank, serverMemoryBytes: this.connection.memoryBytesMax })
  }
}
