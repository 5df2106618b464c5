import {
  baseAddress,
  byteSize,
  cidrs,
  clickHouseAddresses,
  directory,
  identifier,
  integer,
  keys256,
  logLevels,
  oneOf,
  type ParseText,
  postgresAddress,
  publicKeyPem,
  text,
  webAddress,
} from './parse-values.ts'

/** One setting as the table in docs/settings.md shows it, and how its text is read. */
export interface Setting<T = unknown> {
  readonly type: string
  readonly default: string | undefined
  readonly meaning: string
  /** It may also be given as `<NAME>_FILE`, the path of a file that holds it: a secret, or a text of many lines. */
  readonly inFile?: true
  /** The command-line flag that overrides it. */
  readonly flag?: 'dataDir' | 'port' | 'host'
  readonly parse: ParseText<T>
}

type Optional<T> = Setting<T> & { readonly default: undefined }
type Defaulted<T> = Setting<T> & { readonly default: string }

function optional<T>(type: string, parse: ParseText<T>, meaning: string, more: Partial<Setting<T>> = {}): Optional<T> {
  return { ...more, type, parse, meaning, default: undefined }
}

function defaulted<T>(
  type: string,
  parse: ParseText<T>,
  value: string,
  meaning: string,
  more: Partial<Setting<T>> = {},
): Defaulted<T> {
  return { ...more, type, parse, meaning, default: value }
}

const inFile = { inFile: true } as const
const GiB = 2 ** 30
const TiB = 2 ** 40

/** Every setting there is, in the order of docs/settings.md. */
export const settings = {
  HOST: defaulted('address', text, '127.0.0.1', 'Address to listen on.', { flag: 'host' }),
  PORT: defaulted('number', integer(0, 65_535), '4318', 'Port to listen on; 0 takes a free one.', { flag: 'port' }),
  DATA_DIR: defaulted(
    'directory',
    directory,
    './data',
    "Where the embedded ClickHouse, the metadata file and the server's own keys live.",
    { flag: 'dataDir' },
  ),
  CLICKHOUSE_URL: optional(
    'URL',
    clickHouseAddresses,
    'A ClickHouse server (http or https), or every node of a cluster, comma-separated. Unset: the embedded one, under DATA_DIR.',
    inFile,
  ),
  CLICKHOUSE_USER: optional('text', text, 'User for CLICKHOUSE_URL.'),
  CLICKHOUSE_PASSWORD: optional('text', text, 'Password for CLICKHOUSE_URL.', inFile),
  CLICKHOUSE_DATABASE: defaulted('name', identifier, 'tracefold', 'Database that holds the tables; made when absent.'),
  CLICKHOUSE_CLUSTER: optional(
    'name',
    identifier,
    'What the nodes of CLICKHOUSE_URL call the cluster that they make; tables are then spread over its shards.',
  ),
  METADATA_URL: optional(
    'URL',
    postgresAddress,
    'A Postgres database for keys and records. Unset: a file under DATA_DIR, for one server only.',
    inFile,
  ),
  AUTH_ISSUER: optional(
    'text',
    text,
    'The `iss` of accepted tokens. Unset: the server accepts only tokens that it signs itself (`npm run token`).',
  ),
  AUTH_AUDIENCE: optional('text', text, 'The `aud` of accepted tokens; needed with AUTH_ISSUER.'),
  AUTH_JWKS_URL: optional(
    'URL',
    webAddress,
    "The issuer's key set; needed with AUTH_ISSUER unless AUTH_PUBLIC_KEY is set.",
  ),
  AUTH_PUBLIC_KEY: optional('PEM', publicKeyPem, "The issuer's public key, in place of AUTH_JWKS_URL.", inFile),
  RETENTION_DAYS: optional('number', integer(1, 36_500), 'Age at which telemetry is deleted. Unset: never.'),
  SECRETS_KEY: optional(
    '32 bytes',
    keys256,
    'Key that seals the credentials of webhook channels, in base64 or hexadecimal. Several with commas: the first seals, all open. Unset: a file under DATA_DIR, for one server only.',
    inFile,
  ),
  WEBHOOK_ALLOWED_CIDRS: defaulted(
    'networks',
    (value) => (value === '' ? [] : cidrs(value)),
    '',
    'Networks besides the public ones that webhooks may reach, comma-separated: `10.20.0.0/16`.',
  ),
  PUBLIC_URL: optional(
    'URL',
    baseAddress,
    'Address under which people reach this server; notifications link to their rules under it. Unset: they carry no link.',
  ),
  ALERT_PERIOD_SECONDS: defaulted(
    'number',
    integer(1, 3_600),
    '15',
    'Seconds between two evaluations of an alert rule.',
  ),
  LOG_LEVEL: defaulted('level', oneOf(logLevels), 'info', `One of ${logLevels.join(', ')}.`),
  QUERY_SECONDS_MAX: defaulted('number', integer(1, 3_600), '30', 'Seconds that one query may take.'),
  QUERY_MEMORY_MAX: defaulted('size', byteSize(2 ** 24, 64 * TiB), '2GiB', 'Memory that one query may take.'),
  QUERY_ROWS_MAX: defaulted(
    'number',
    integer(1, Number.MAX_SAFE_INTEGER),
    '2000000000',
    'Rows that one query may read before it is refused.',
  ),
  QUERIES_CONCURRENT_MAX: defaulted('number', integer(1, 10_000), '16', 'Queries at once; more are answered with 429.'),
  INGEST_BODY_MAX: defaulted('size', byteSize(1, GiB), '64MiB', 'Size of one OTLP request body, after decompression.'),
  INGEST_IN_FLIGHT_MAX: defaulted(
    'size',
    byteSize(1, 64 * TiB),
    '256MiB',
    'Size of all OTLP bodies being stored at once; more are answered with 429.',
  ),
  DRAIN_SECONDS_MAX: defaulted(
    'number',
    integer(0, 3_600),
    '15',
    'Seconds that running requests get to end after SIGTERM.',
  ),
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings

export const settingNames = Object.keys(settings) as readonly SettingName[]

/** The parsed value of each setting; `undefined` for one that is unset and has no default. */
export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Defaulted<infer T>
    ? T
    : (typeof settings)[Name] extends Optional<infer T>
      ? T | undefined
      : never
}
