import type { InsertOptions } from './client.ts'

/** What one read may cost. A query that exceeds a limit fails as a whole; a result is never truncated. */
export interface QueryLimits {
  readonly querySecondsMax: number
  readonly queryMemoryBytesMax: number
  /** Rows read from tables, before any condition is applied. */
  readonly queryRowsMax: number
  /** Concurrent reads. A queue of the same length waits; further reads are refused. */
  readonly queriesConcurrentMax: number
}

export const queryLimitDefaults: QueryLimits = {
  querySecondsMax: 30,
  queryMemoryBytesMax: 2 * 1024 ** 3,
  queryRowsMax: 10_000_000_000,
  queriesConcurrentMax: 16,
}

/**
 * Results are held in the memory of this server, so they have limits of their own. A trace of 100,000 whole spans fits.
 */
const resultRowsMax = 1_000_000
const resultBytesMax = 256 * 1024 ** 2

/** How long a read may wait in the queue. */
export const queryWaitMsMax = 5_000

/** Share of ClickHouse's memory that one query may use, so that it cannot take what other queries and merges need. */
const queryMemoryShareMax = 0.8

type Settings = Readonly<Record<string, string | number>>

/**
 * Returns the settings of a read. `readonly` forbids writing and any change of these limits, also in the query's own
 * SETTINGS. ClickHouse completes the result before it sends the first byte, so an error is an HTTP status and never a
 * broken body.
 */
export function readSettings(limits: QueryLimits, serverMemoryBytes = Number.POSITIVE_INFINITY): Settings {
  return {
    readonly: 1,
    max_execution_time: limits.querySecondsMax,
    timeout_overflow_mode: 'throw',
    max_memory_usage: Math.floor(Math.min(limits.queryMemoryBytesMax, serverMemoryBytes * queryMemoryShareMax)),
    max_rows_to_read: String(limits.queryRowsMax),
    read_overflow_mode: 'throw',
    max_result_rows: resultRowsMax,
    max_result_bytes: resultBytesMax,
    result_overflow_mode: 'throw',
    wait_end_of_query: 1,
    cancel_http_readonly_queries_on_client_close: 1,
    output_format_json_quote_64bit_integers: 1,
    output_format_json_quote_denormals: 1,
    // A number in a text is compared as the nearest double, exactly as the reference does.
    precise_float_parsing: 1,
    // Rows with equal keys are always in the same partition.
    do_not_merge_across_partitions_select_final: 1,
    // The query text grows with the conditions of an integration, of which there may be hundreds.
    max_query_size: 16 * 1024 ** 2,
    max_ast_elements: 1_000_000,
    max_expanded_ast_elements: 4_000_000,
    // Compares every condition with every other one, which takes most of the time of a query with many conditions and
    // gains nothing.
    optimize_and_compare_chain: 0,
  }
}

/** Time in which an insert has to be acknowledged. */
export const insertSecondsMax = 60

/** Concurrent inserts. Further ones wait, within the limit on OTLP bytes in flight. */
export const insertsConcurrentMax = 16
export const insertWaitMsMax = 30_000

/**
 * Larger inserts are stored as a part immediately; ClickHouse gathers smaller ones from several bodies into one part.
 */
const gatheredRowsMax = 1_000

/**
 * Returns the settings of an insert. It is acknowledged when the rows are stored, on every shard, and rows are not
 * stored again when the body is sent again with its token. The embedded engine has no queue to gather small inserts and
 * stores each on its own. On a cluster small inserts are not gathered either: they would lose their tokens on the way
 * to the shards.
 */
export function insertSettings({ dedupToken, rows, isSharded = false }: InsertOptions): Settings {
  return {
    async_insert: rows <= gatheredRowsMax && !isSharded ? 1 : 0,
    wait_for_async_insert: 1,
    wait_for_async_insert_timeout: insertSecondsMax,
    async_insert_deduplicate: 1,
    insert_deduplicate: 1,
    insert_deduplication_token: dedupToken,
    distributed_foreground_insert: 1,
    max_execution_time: insertSecondsMax,
  }
}
