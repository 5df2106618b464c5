/** The configuration files of the embedded ClickHouse: pure text, made anew at every start. */
import { createHash } from 'node:crypto'
import { engineGrants } from '#sql'

/** What may never be logged: both are needed to reach the engine, and both are new at every start. */
export interface EngineSecrets {
  readonly password: string
  /** Value of the header without which the engine's HTTP server knows no path at all. */
  readonly gate: string
}

export interface EngineSettings {
  readonly dataPath: string
  readonly usersFile: string
  readonly port: number
  /** Bytes all queries, merges and caches may use together. */
  readonly memoryBytesMax: number
  readonly cores: number
  readonly secrets: EngineSecrets
  /** Elements of the server's configuration beside ours. */
  readonly further: Xml
}

export const engineUser = 'tracefold'
export const gateHeader = 'X-Tracefold-Gate'

const mebibyte = 1024 * 1024

/**
 * Share of the machine's memory the engine may use: the rest is for this server and for the page cache, which the
 * engine reads through.
 */
const memoryShareMax = 0.5
const memoryBytesMin = 1024 * mebibyte

/** @param machineBytes memory of the machine or of the container, whichever is less */
export function engineMemoryBytes(machineBytes: number): number {
  return Math.max(memoryBytesMin, Math.floor(machineBytes * memoryShareMax))
}

/** Elements by name; a list repeats its element. */
export type Xml = { readonly [element: string]: string | number | Xml | readonly Xml[] }

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function renderXml(content: Xml): string {
  const elements = Object.entries(content).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item) => {
      const inner = typeof item === 'object' ? renderXml(item as Xml) : escapeText(String(item))
      return `<${name}>${inner}</${name}>`
    }),
  )
  return elements.join('\n')
}

function document(content: Xml): string {
  return `${renderXml({ clickhouse: content })}\n`
}

/** Background threads enough to merge what a small machine can insert, and few enough to leave a core to queries. */
function backgroundPools(cores: number): Xml {
  return {
    background_pool_size: Math.min(8, Math.max(2, cores)),
    background_fetches_pool_size: 1,
    background_move_pool_size: 1,
    background_common_pool_size: 2,
    background_schedule_pool_size: 8,
    background_message_broker_schedule_pool_size: 4,
    background_buffer_flush_schedule_pool_size: 1,
    background_distributed_schedule_pool_size: 1,
  }
}

/**
 * What every table of this engine has. A row is acknowledged when it has reached the disk: nothing else holds a copy of
 * it. The thresholds count free background threads; their defaults are made for a pool of 32 and refuse every table
 * with fewer.
 */
const mergeTreeDefaults: Xml = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
  min_rows_to_fsync_after_merge: 1,
  number_of_free_entries_in_pool_to_lower_max_size_of_merge: 2,
  number_of_free_entries_in_pool_to_execute_mutation: 2,
  number_of_free_entries_in_pool_to_execute_optimize_entire_partition: 2,
}

/**
 * The server's own configuration. Sections that would create system log tables are left out, which turns those off. The
 * one HTTP handler wants the gate header, so that the password-less user `default`, which the engine needs for its own
 * session and which cannot be renamed, is out of reach of other local users.
 */
export function renderEngineConfig(settings: EngineSettings): string {
  return document({
    users_config: settings.usersFile,
    path: settings.dataPath,
    listen_host: '127.0.0.1',
    http_port: settings.port,
    'log-level': 'information',
    logger: { console: 1 },
    max_server_memory_usage: settings.memoryBytesMax,
    mark_cache_size: Math.floor(settings.memoryBytesMax / 16),
    index_mark_cache_size: Math.floor(settings.memoryBytesMax / 64),
    primary_index_cache_size: Math.floor(settings.memoryBytesMax / 32),
    uncompressed_cache_size: 0,
    index_uncompressed_cache_size: 0,
    mmap_cache_size: 0,
    memory_worker_period_ms: 500,
    ...backgroundPools(settings.cores),
    merge_tree: mergeTreeDefaults,
    http_handlers: {
      rule: {
        headers: { [gateHeader]: settings.secrets.gate },
        handler: { type: 'dynamic_query_handler', query_param_name: 'query' },
      },
    },
    ...settings.further,
  })
}

/** One query over hundreds of rules has thousands of parameters; the defaults are 1,000 of them and 128 KiB a field. */
const largeQueries: Xml = {
  http_max_fields: 100_000,
  http_max_field_value_size: 64 * 1024 ** 2,
  http_max_uri_size: 16 * 1024 ** 2,
}

/** Two users: ours, and the engine's own session, which may do no more than listen and wait for its standard input. */
export function renderEngineUsers(secrets: EngineSecrets): string {
  const networks: Xml = { ip: '127.0.0.1' }
  return document({
    profiles: { default: { log_queries: 0, ...largeQueries } },
    quotas: { default: {} },
    users: {
      default: {
        password: '',
        networks,
        profile: 'default',
        quota: 'default',
        grants: {
          query: engineGrants as never,
        },
      },
      [engineUser]: {
        password_sha256_hex: createHash('sha256').update(secrets.password).digest('hex'),
        networks,
        profile: 'default',
        quota: 'default',
      },
    },
  })
}
