import type { Cluster, Query } from '#sql'
import type { EngineState } from './endpoint.ts'
import type { QueueCounts } from './fair-queue.ts'
import type { KnownSpans } from './known-spans.ts'

/** A query that may read sharded tables. */
export interface ReadQuery extends Query {
  /** Returns the variant of the query for tables that are sharded over a cluster. Absent if the query is the same. */
  readonly onCluster?: (cluster: Cluster) => Query
}

/**
 * Whom a read is for. Reads for requests and reads for background work have separate turns, so that neither starves the
 * other, and organizations share the turns fairly. A read that is a part of an insert takes a turn of an insert.
 * `system` is background work of the server itself, which reads no telemetry of an organization.
 */
export type ReadFor =
  | { readonly org: string; readonly isBackground: boolean }
  | { readonly org: string; readonly isInsert: true }
  | 'system'

export interface ReadOptions {
  readonly for: ReadFor
  /** Cancels the query in ClickHouse when it aborts. The read then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
  /** Names the query in logs, metrics and errors. */
  readonly label: string
  readonly settings?: Readonly<Record<string, string | number>>
  /** Lowers the limit on rows read for this query. It cannot raise the general limit. */
  readonly rowsReadMax?: number
  /** Tables that are sent with the query, which exist for it alone. On a cluster, every shard gets them. */
  readonly tables?: readonly SentTable[]
}

/** A table whose rows are sent with a query (an external table of ClickHouse). */
export interface SentTable {
  readonly name: string
  /** Names and types of its columns: `side UInt8, trace_id UInt128`. */
  readonly structure: string
  /** Its rows as FORMAT RowBinary. */
  readonly rowBinary: Buffer
}

export interface ReadResult<Row> {
  /** Objects by column name. Integers of 64 bits and more are strings. */
  readonly rows: Row[]
  readonly rowsRead: number
  readonly bytesRead: number
  readonly elapsedMs: number
  /** Peak memory of the query. Absent when ClickHouse does not report it. */
  readonly memoryBytes?: number
}

export interface InsertOptions {
  /** The organization whose turn the insert takes. Organizations share the turns fairly. */
  readonly org: string
  /** Deduplication token. A body that is sent again with the same token is not stored again. */
  readonly dedupToken: string
  /** Number of rows in `rowBinary`. */
  readonly rows: number
  /** Whether the table is sharded over a cluster. */
  readonly isSharded?: boolean
}

/** The lines in front of the telemetry store. */
export interface QueuesOfStore {
  readonly reads: QueueCounts
  readonly backgroundReads: QueueCounts
  readonly inserts: QueueCounts
}

/** A connection to the telemetry store: one ClickHouse server, or the nodes of a cluster. */
export interface ClickHouse {
  readonly state: EngineState
  readonly database: string
  readonly queues: QueuesOfStore
  /** What is known of the stored spans without a query. Undefined where others may write, and at first. */
  readonly known?: KnownSpans | undefined
  /** The client of each server: of the only one, or of each node of a cluster. */
  readonly nodes: readonly ClickHouse[]
  read<Row>(query: ReadQuery, options: ReadOptions): Promise<ReadResult<Row>>
  /**
   * Reads a result block by block, for results that should not be held as a whole. The query occupies one of the
   * concurrent reads until the last block, so it must not wait for a client in between. Leaving the loop cancels it.
   */
  readBlocks<Row>(query: ReadQuery, options: ReadOptions): AsyncIterable<readonly Row[]>
  /**
   * Resolves when ClickHouse has acknowledged the rows. `rowBinary` is FORMAT RowBinary of `columns`, in that order.
   */
  insert(
    table: string,
    columns: readonly string[],
    rowBinary: Buffer | readonly Buffer[],
    options: InsertOptions,
  ): Promise<void>
  /** Runs one statement without limits, for migrations and retention. */
  command(text: string, params?: Readonly<Record<string, unknown>>): Promise<void>
  /** Creates `database` if it does not exist. Call it before any other method. */
  createDatabase(): Promise<void>
  ping(): Promise<boolean>
  close(): Promise<void>
}

/** The logger methods that the telemetry store uses. */
export interface StoreLogger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
