import type { InsertOptions } from './client.ts'

/** What one read may cost. Over a limit the query fails as a whole: an answer is never cut short. */
export interface QueryLimits {
  readonly querySecondsMax: number
  readonly queryMemoryBytesMax: number
  /** Rows read from tables, before any condition. */
  readonly queryRowsMax: number
  /** Reads at once; a short queue of the same length waits, more are refused. */
  readonly queriesConcurrentMax: number
}

export const queryLimitDefaults: QueryLimits = {
  querySecondsMax: 30,
  queryMemoryBytesMax: 2 * 1024 ** 3,
  queryRowsMax: 10_000_000_000,
  queriesConcurrentMax: 16,
}

/** Results are held in memory here, so they have limits of their own. A trace of 100,000 whole spans fits. */
const resultRowsMax = 1_000_000
const resultBytesMax = 256 * 1024 ** 2

/** How long a read may wait for its turn. */
export const queryWaitMsMax = 5_000

/** How long a stored body may take to be acknowledged. */
export const insertSecondsMax = 60

/** Of the memory of the whole server, so that one query cannot take what all others and the merges need. */
const queryMemoryShareMax = 0.8

type Settings = Readonly<Record<string, string | number>>

/**
 * Settings of every read. `readonly` forbids writing and any later change of these limits, in the query's own SETTINGS as well.
 * The whole result is made before the first byte is sent, so an error is an HTTP status and never the end of a broken body.
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
    // Numbers in texts are compared as the doubles nearest to them, and equal keys never lie in two partitions.
    precise_float_parsing: 1,
    do_not_merge_across_partitions_select_final: 1,
    // The text of a query grows with the conditions of an integration, of which there may be hundreds.
    max_query_size: 16 * 1024 ** 2,
    max_ast_elements: 1_000_000,
    max_expanded_ast_elements: 4_000_000,
    // Looks at every comparison for each other one: of a query of many conditions it takes most of the time, and finds nothing.
    optimize_and_compare_chain: 0,
  }
}

/** More rows than this are worth a part of their own at once; fewer wait a moment in ClickHouse for those of other bodies. */
const gatheredRowsMax = 1_000

/** Inserts at once; what more there is waits, within the memory that may be in flight. */
export const insertsConcurrentMax = 16
export const insertWaitMsMax = 30_000

/**
 * Settings of every insert: acknowledged when the rows are stored, on every shard, and not stored again when the body comes again
 * with its token. The embedded engine has no queue to gather small bodies in and stores each by itself; so does a cluster,
 * where bodies that were gathered would lose their tokens on the way to the shards.
 */
export function insertSettings({ dedupToken, rows, isSpread = false }: InsertOptions): Settings {
  return {
    async_insert: rows <= gatheredRowsMax && !isSpread ? 1 : 0,
    wait_for_async_insert: 1,
    wait_for_async_insert_timeout: insertSecondsMax,
    async_insert_deduplicate: 1,
    insert_deduplicate: 1,
    insert_deduplication_token: dedupToken,
    distributed_foreground_insert: 1,
    max_execution_time: insertSecondsMax,
  }
}
