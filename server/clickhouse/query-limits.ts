import type { InsertOptions } from './client.ts'
import type { FairQueueOptions } from './fair-queue.ts'

/** The limits of one read. A query that exceeds a limit fails as a whole; a result is never truncated. */
export interface QueryLimits {
  readonly querySecondsMax: number
  readonly queryMemoryBytesMax: number
  /** Rows read from tables, before any condition is applied. */
  readonly queryRowsMax: number
  /** Concurrent reads for requests. As many more of each organization, at least 16, wait in a queue. */
  readonly queriesConcurrentMax: number
}

/**
 * Maximum rows of a result. Results are held in the memory of this server, so they have separate limits. A trace of
 * 100,000 whole spans fits.
 */
const resultRowsMax = 1_000_000
const resultBytesMax = 256 * 1024 ** 2
/** More than the text of a result of `resultBytesMax` takes. ClickHouse allocates what it needs of it. */
const resultTextBytesMax = 4 * resultBytesMax

/**
 * The least length of a line. A query of a metric makes up to 16 reads at once, and a page of the console makes several
 * requests, which a shorter line would refuse although nobody else asks.
 */
const waitingMin = 16

/** Returns the turns of reads for requests. Organizations that have none get further turns, half as many. */
export function readTurns({ queriesConcurrentMax }: Pick<QueryLimits, 'queriesConcurrentMax'>): FairQueueOptions {
  return {
    concurrentMax: queriesConcurrentMax,
    firstTurnsMax: Math.ceil(queriesConcurrentMax / 2),
    waitingPerOrgMax: Math.max(waitingMin, queriesConcurrentMax),
    waitMsMax: 5_000,
    refusalMs: 500,
    sharedMax: Math.max(queriesPerPriority, Math.ceil(queriesConcurrentMax / 4)),
    recentMs: 10_000,
  }
}

/**
 * The turns of reads for background work, mostly alert rules. They are few, because nobody waits for them, and separate
 * from those of requests. Background work is bounded by its callers, so its lines are not.
 */
export const backgroundReadTurns: FairQueueOptions = {
  concurrentMax: 2,
  firstTurnsMax: 2,
  waitingPerOrgMax: Number.POSITIVE_INFINITY,
  waitMsMax: 300_000,
  refusalMs: 0,
  sharedMax: 2,
  recentMs: 0,
}

/** Share of ClickHouse's memory that one query may use. The rest is for other queries and merges. */
const queryMemoryShareMax = 0.8
/** A query writes its groups to temporary files beyond this share of its memory: merging them takes as much again. */
const groupsMemoryShareMax = 0.4
/** The most that a query writes to temporary files, as a multiple of its memory. */
const temporaryFilesMax = 4

/** Number of concurrent queries of one organization that have the same priority. */
const queriesPerPriority = 2
const prioritiesMax = 100

/** The number of rows for which another thread reads: four granules. */
const rowsPerThreadMin = 32_768

type Settings = Readonly<Record<string, string | number>>

/** What the settings of a read depend on besides its limits. */
export interface ReadCircumstances {
  /** The number of turns that the organization of the read holds. */
  readonly rank: number
  /** Memory that ClickHouse may use in total, if known. */
  readonly serverMemoryBytes?: number | undefined
}

/**
 * Returns the settings of a read. `readonly` forbids writes and any change of these limits, including in the SETTINGS
 * clause of the query. ClickHouse completes the result before it sends the first byte, so that errors have an HTTP
 * status and bodies are never broken off. It holds the result in memory, because a file would need free disk space.
 */
export function readSettings(limits: QueryLimits, { rank, serverMemoryBytes }: ReadCircumstances): Settings {
  const serverMemoryMax = (serverMemoryBytes ?? Number.POSITIVE_INFINITY) * queryMemoryShareMax
  const memoryMax = Math.floor(Math.min(limits.queryMemoryBytesMax, serverMemoryMax))
  return {
    readonly: 1,
    // A query pauses while one with a lower number runs. The first query of an organization does not wait for the many
    // of another, so that a few cores serve everyone.
    priority: Math.min(Math.ceil(rank / queriesPerPriority), prioritiesMax),
    max_execution_time: limits.querySecondsMax,
    timeout_overflow_mode: 'throw',
    max_memory_usage: memoryMax,
    max_bytes_before_external_group_by: Math.floor(memoryMax * groupsMemoryShareMax),
    max_temporary_data_on_disk_size_for_query: memoryMax * temporaryFilesMax,
    max_rows_to_read: String(limits.queryRowsMax),
    read_overflow_mode: 'throw',
    max_result_rows: resultRowsMax,
    max_result_bytes: resultBytesMax,
    result_overflow_mode: 'throw',
    wait_end_of_query: 1,
    http_response_buffer_size: resultTextBytesMax,
    cancel_http_readonly_queries_on_client_close: 1,
    output_format_json_quote_64bit_integers: 1,
    output_format_json_quote_denormals: 1,
    // Numbers in texts are parsed to the nearest double, exactly as in the reference of the tests.
    precise_float_parsing: 1,
    // Rows with equal keys are always in the same partition.
    do_not_merge_across_partitions_select_final: 1,
    // Otherwise ClickHouse also reads every granule whose keys overlap with those that a skip index selects, in search
    // of rows that replace others. Such rows have the same trace id, and the row stored first counts, so the indexes on
    // trace ids and on the time of storage select the row that counts whenever they select another one.
    use_skip_indexes_if_final_exact_mode: 0,
    // A server remembers which granules no row of a condition is in. Versions up to 26.5 got some of that wrong, and
    // the tests could not tell, because the embedded engine remembers nothing.
    use_query_condition_cache: 0,
    // A few dozen granules all over the table, as of the traces of a page, are read by several threads. By default a
    // thread reads at least twenty granules.
    merge_tree_min_rows_for_concurrent_read: rowsPerThreadMin,
    merge_tree_min_bytes_for_concurrent_read: 1,
    // The query text grows with the number of conditions of an integration, which can be hundreds.
    max_query_size: 16 * 1024 ** 2,
    max_ast_elements: 1_000_000,
    max_expanded_ast_elements: 4_000_000,
    // The optimization compares every condition with every other one. With many conditions this takes most of the time
    // of the query and gains nothing.
    optimize_and_compare_chain: 0,
  }
}

/**
 * Settings of queries that read many attributes. By default, ClickHouse limits a block to a megabyte, which is few rows
 * of many columns, and spends most of the time on blocks. A block of this size still bounds the memory for long values.
 */
export const largeBlocks = { preferred_block_size_bytes: 32 * 1024 ** 2 } as const

/** Seconds in which an insert must be acknowledged. */
export const insertSecondsMax = 60

/** The turns of inserts. Further inserts wait; the limit on OTLP bytes in flight bounds their number. */
export const insertTurns: FairQueueOptions = {
  concurrentMax: 16,
  firstTurnsMax: 8,
  waitingPerOrgMax: Number.POSITIVE_INFINITY,
  waitMsMax: 30_000,
  refusalMs: 0,
  sharedMax: 16,
  recentMs: 0,
}

/** Returns the number of reads and inserts that may run at one time. */
export function concurrentMax(limits: Pick<QueryLimits, 'queriesConcurrentMax'>): number {
  const turns = [readTurns(limits), backgroundReadTurns, insertTurns]
  return turns.reduce((sum, each) => sum + each.concurrentMax + each.firstTurnsMax, 0)
}

/**
 * Maximum rows of an insert that ClickHouse combines with others into one part. A larger insert becomes a part
 * immediately.
 */
const gatheredRowsMax = 1_000

/**
 * Returns the settings of an insert. It is acknowledged when the rows are stored on every shard, and a body that is
 * sent again with its token is not stored again. The embedded engine has no queue for small inserts and stores each one
 * separately. On a cluster small inserts are not combined either, because they would lose their tokens on the way to
 * the shards.
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
