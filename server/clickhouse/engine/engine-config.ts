/** The configuration files of the embedded ClickHouse, as text. They are written at every start. */
import { createHash, randomBytes } from 'node:crypto'
import { engineGrants } from '#sql'

/** Secrets that must never be logged. They change at every start. */
export interface EngineSecrets {
  readonly password: string
  /** Value of the gate header. The engine's HTTP interface serves no query without it. */
  readonly gate: string
  /** Path of a constant page with the text `proof`, by which the engine proves its identity. */
  readonly proofPath: string
  readonly proof: string
}

/** Creates the secrets of one start of the engine. */
export function newEngineSecrets(): EngineSecrets {
  const secret = () => randomBytes(24).toString('hex')
  return { password: secret(), gate: secret(), proofPath: `/${secret()}`, proof: secret() }
}

export interface EngineSettings {
  readonly dataPath: string
  /** The only folder in which `BACKUP` writes and `RESTORE` reads. */
  readonly backupsPath: string
  readonly usersFile: string
  readonly port: number
  /** Memory for all queries, merges and caches together. */
  readonly memoryBytesMax: number
  readonly cores: number
  readonly secrets: EngineSecrets
  /** Elements to add to the configuration. */
  readonly extraConfig: Xml
}

export const engineUser = 'tracefold'
export const gateHeader = 'X-Tracefold-Gate'

const mebibyte = 1024 * 1024

/** Share of the machine's memory that the engine may use. The rest is for this server and for the page cache. */
const memoryShareMax = 0.5
const memoryBytesMin = 1024 * mebibyte

/**
 * Returns the memory limit of the engine. `machineBytes` is the memory of the machine or the container, whichever is
 * smaller.
 */
export function engineMemoryBytes(machineBytes: number): number {
  return Math.max(memoryBytesMin, Math.floor(machineBytes * memoryShareMax))
}

/** XML elements by name. A list repeats its element. */
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

/**
 * Returns the sizes of the background pools: enough threads to merge what a small machine can insert, and few enough to
 * leave a core for queries.
 */
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
 * The maximum number of threads that stay without work. By default there are 1,000, so that the threads of the busiest
 * moment stay, each with its memory and three descriptors.
 */
const idleThreadsMax = 64

/**
 * Settings of every table. A row is acknowledged when it has reached the disk, because no other copy exists. The
 * thresholds count free background threads; their defaults assume a pool of 32 and reject inserts with a smaller one.
 * By default ClickHouse leaves out up to 100 damaged parts of a table when it starts, and answers without their rows.
 * Parts are merged when their sizes sum up to ten times the largest of them instead of five times, as long as they are
 * few and new. Every row is then merged less often, and merging takes up to half of the CPU time of ingest.
 */
const mergeTreeDefaults: Xml = {
  fsync_after_insert: 1,
  fsync_part_directory: 1,
  min_rows_to_fsync_after_merge: 1,
  max_suspicious_broken_parts: 0,
  merge_selector_base: 10,
  number_of_free_entries_in_pool_to_lower_max_size_of_merge: 2,
  number_of_free_entries_in_pool_to_execute_mutation: 2,
  number_of_free_entries_in_pool_to_execute_optimize_entire_partition: 2,
}

/**
 * Renders the main configuration file. It omits the sections that create system log tables, which disables them. The
 * handler of queries requires the gate header: the engine needs the password-less user `default` for its own session
 * and cannot rename it, and the header keeps that user out of reach of other local users. The other handler serves the
 * proof of identity.
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
    max_thread_pool_free_size: idleThreadsMax,
    merge_tree: mergeTreeDefaults,
    backups: { allowed_path: settings.backupsPath },
    // One thread leaves the other cores and the disk to queries and inserts.
    backup_threads: 1,
    restore_threads: settings.cores,
    http_handlers: {
      rule: [
        {
          url: settings.secrets.proofPath,
          handler: { type: 'static', status: 200, response_content: settings.secrets.proof },
        },
        {
          headers: { [gateHeader]: settings.secrets.gate },
          handler: { type: 'dynamic_query_handler', query_param_name: 'query' },
        },
      ],
    },
    ...settings.extraConfig,
  })
}

/**
 * Raises the limits for query parameters. A query over hundreds of rules has thousands of parameters; the defaults
 * allow 1,000 parameters and 128 KiB per field.
 */
const largeQueries: Xml = {
  http_max_fields: 100_000,
  http_max_field_value_size: 64 * 1024 ** 2,
  http_max_uri_size: 16 * 1024 ** 2,
}

/**
 * Renders the users file. It defines two users: the user of the server, and the user of the engine's own session, who
 * may only start the HTTP interface and read standard input.
 */
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
