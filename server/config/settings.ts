import { redacted } from '../secrets/secret-box.ts'
import {
  absolutePath,
  anyText,
  baseAddress,
  byteSize,
  cidrs,
  clickHouseAddresses,
  databaseName,
  duration,
  identifier,
  integer,
  keys256,
  logLevels,
  oneOf,
  origins,
  orOff,
  plainText,
  postgresAddress,
  publicKeyPem,
  redactAddresses,
  valueIndexModes,
  webAddress,
} from './parse-values.ts'
import { type Defaulted, defaulted, type Optional, optional, type Setting } from './setting.ts'

const inFile = { inFile: true } as const
/** A setting that is a secret as a whole, and one whose addresses may contain credentials and parameters. */
const secret = { inFile: true, redact: () => redacted } as const
const addresses = { inFile: true, redact: redactAddresses } as const
const GiB = 2 ** 30
const TiB = 2 ** 40

/** All settings, in the order of docs/settings.md. */
export const settings = {
  HOST: defaulted('address', plainText, '127.0.0.1', 'Address to listen on.', { flag: 'host' }),
  PORT: defaulted('number', integer(0, 65_535), '4318', 'Port to listen on; 0 selects a free port.', { flag: 'port' }),
  GRPC_PORT: defaulted(
    'number',
    orOff(integer(0, 65_535)),
    '4317',
    'Port of OTLP/gRPC; 0 selects a free port, `off` disables it.',
    { flag: 'grpcPort' },
  ),
  TLS_CERT_FILE: optional(
    'file',
    absolutePath,
    'Certificate of this server with its intermediate ones, in PEM. Both ports then speak TLS. ' +
      'Read again when it changes.',
  ),
  TLS_KEY_FILE: optional('file', absolutePath, 'Private key of TLS_CERT_FILE, in PEM and unencrypted.'),
  DATA_DIR: defaulted(
    'directory',
    absolutePath,
    './data',
    "Directory of the embedded ClickHouse, the metadata file and the server's own keys.",
    { flag: 'dataDir' },
  ),
  CLICKHOUSE_URL: optional(
    'URL',
    clickHouseAddresses,
    'ClickHouse server (http or https), version 26.0 or newer, or every node of a cluster, comma-separated. ' +
      'Unset: the embedded ClickHouse under DATA_DIR.',
    addresses,
  ),
  CLICKHOUSE_USER: optional('text', plainText, 'User for CLICKHOUSE_URL.'),
  CLICKHOUSE_PASSWORD: optional('text', anyText, 'Password for CLICKHOUSE_URL.', secret),
  CLICKHOUSE_DATABASE: defaulted(
    'name',
    databaseName,
    'tracefold',
    'Database of the tables; created if it does not exist.',
  ),
  CLICKHOUSE_CLUSTER: optional(
    'name',
    identifier,
    'Name of the cluster in the configuration of the nodes of CLICKHOUSE_URL; tables are sharded over it.',
  ),
  METADATA_URL: optional(
    'URL',
    postgresAddress,
    'Postgres database for keys and records, version 12 or newer. ' +
      'Unset: a file under DATA_DIR, which a single server can use.',
    addresses,
  ),
  AUTH_ISSUER: optional('text', plainText, 'The `iss` of accepted tokens. Unset: only tokens of this server.'),
  AUTH_AUDIENCE: optional('text', plainText, 'The `aud` of accepted tokens; required with AUTH_ISSUER.'),
  AUTH_JWKS_URL: optional('URL', webAddress, 'Key set of the issuer; AUTH_ISSUER requires it or AUTH_PUBLIC_KEY.'),
  AUTH_PUBLIC_KEY: optional('PEM', publicKeyPem, 'Public key of the issuer, instead of AUTH_JWKS_URL.', inFile),
  AUTH_CLIENT_ID: optional(
    'text',
    plainText,
    'OAuth client of the console at AUTH_ISSUER. With AUTH_ISSUER and without this setting, nobody can sign in to ' +
      'the console.',
  ),
  AUTH_CLIENT_SECRET: optional('text', anyText, 'Secret of AUTH_CLIENT_ID, unless it is a public client.', secret),
  RETENTION_DAYS: optional(
    'number',
    integer(1, 36_500),
    'Age in days at which telemetry is deleted. Unset: telemetry is kept.',
  ),
  SPAN_AGE_DAYS_MAX: defaulted(
    'number',
    integer(1, 36_500),
    '3650',
    'Age in days up to which spans, log records and data points are accepted. RETENTION_DAYS lowers it.',
  ),
  SPAN_AHEAD_MAX: defaulted(
    'duration',
    duration(0, 3_650 * 86_400),
    '1d',
    "Time by which spans, log records and data points may be ahead of the server's clock: `30s`, `10m`, `12h` or `1d`.",
  ),
  AUDIT_DAYS: defaulted(
    'number',
    integer(1, 36_500),
    '365',
    'Age in days at which entries of the audit log are deleted.',
  ),
  SECRETS_KEY: optional(
    '32 bytes',
    keys256,
    'Key that encrypts the credentials of webhook channels, in base64 or hexadecimal. In a comma-separated list, ' +
      'the first key encrypts and all keys decrypt. Unset: a file under DATA_DIR, which a single server can use.',
    secret,
  ),
  WEBHOOK_ALLOWED_CIDRS: defaulted(
    'networks',
    (value) => (value === '' ? [] : cidrs(value)),
    '',
    'Non-public networks that webhooks may reach, comma-separated: `10.20.0.0/16`.',
  ),
  PUBLIC_URL: optional(
    'URL',
    baseAddress,
    'Public address of this server, with its path if a proxy serves it below one: for links in notifications, login ' +
      'links, the redirect address at AUTH_ISSUER, and the console. Unset: notifications have no links.',
  ),
  CORS_ORIGINS: defaulted(
    'origins',
    (value) => (value === '' ? [] : origins(value)),
    '',
    'Origins whose web pages may use the API and OTLP from a browser, comma-separated: `https://app.example.com`; ' +
      '`*` for all. Unset: none.',
  ),
  CONSOLE: defaulted('switch', oneOf(['on', 'off']), 'on', 'Whether the console is served at `/`: `on` or `off`.'),
  ALERT_PERIOD_SECONDS: defaulted(
    'number',
    integer(1, 3_600),
    '15',
    'Seconds between two evaluations of an alert rule.',
  ),
  LOG_LEVEL: defaulted('level', oneOf(logLevels), 'info', `Lowest level logged: one of ${logLevels.join(', ')}.`),
  VALUE_INDEX: defaulted(
    'text',
    oneOf(valueIndexModes),
    'auto',
    'Index of where values of spans and log records occur. `auto` stores it and uses it for rare values, ' +
      '`always` for all values, `off` does neither.',
  ),
  QUERY_SECONDS_MAX: defaulted('number', integer(1, 3_600), '30', 'Time limit of a query, in seconds.'),
  QUERY_MEMORY_MAX: defaulted('size', byteSize(2 ** 24, 64 * TiB), '2GiB', 'Memory limit of a query.'),
  QUERY_ROWS_MAX: defaulted(
    'number',
    integer(1, Number.MAX_SAFE_INTEGER),
    '2000000000',
    'Maximum number of rows that a query may read.',
  ),
  QUERIES_CONCURRENT_MAX: defaulted(
    'number',
    integer(1, 10_000),
    '16',
    'Maximum number of concurrent queries of requests, shared fairly between organizations; further ones wait ' +
      'briefly, then return 429.',
  ),
  INGEST_BODY_MAX: defaulted(
    'size',
    byteSize(1, GiB),
    '64MiB',
    'Size limit of an OTLP request body, after decompression.',
  ),
  INGEST_IN_FLIGHT_MAX: defaulted(
    'size',
    byteSize(1, 64 * TiB),
    '256MiB',
    'Size limit of all OTLP bodies that are being stored at one time; further requests return 429.',
  ),
  ORG_REQUESTS_PER_SECOND: optional(
    'number',
    integer(1, 1_000_000),
    'Quota of requests per second of one organization, API and OTLP together; further ones get 429. Unset: no quota.',
  ),
  ORG_ITEMS_PER_SECOND: optional(
    'number',
    integer(1, 1_000_000_000),
    'Quota of spans, data points and log records per second of one organization; further bodies get 429. ' +
      'Unset: no quota.',
  ),
  ORG_RECORDS_MAX: optional(
    'number',
    integer(1, 1_000_000),
    'Quota of stored records of one organization: integrations, alert rules, channels, saved views, facets and API ' +
      'keys together; creating another returns 422. Unset: only the limits of each kind apply.',
  ),
  ORG_STORED_BYTES_MAX: optional(
    'size',
    byteSize(1, 1024 * TiB),
    'Quota of stored telemetry of one organization, in estimated bytes on disk; further bodies get 429 until older ' +
      'telemetry is deleted. Unset: no quota.',
  ),
  ORG_SERIES_MAX: optional(
    'number',
    integer(1, 500_000),
    'Quota of stored metric series of one organization; data points of further series are rejected, and those of ' +
      'stored series are accepted. Unset: no quota.',
  ),
  HEADERS_SECONDS_MAX: defaulted(
    'number',
    integer(1, 3_600),
    '15',
    'Time limit for receiving the URL and the headers of a request, in seconds; later ones get 408.',
  ),
  BODY_SECONDS_MAX: defaulted(
    'number',
    integer(1, 3_600),
    '120',
    'Time limit for receiving the body of a request, in seconds; later ones get 408, OTLP bodies 503.',
  ),
  BODY_STALL_SECONDS_MAX: defaulted(
    'number',
    integer(1, 3_600),
    '10',
    'Time limit for receiving each further kilobyte of a body, in seconds.',
  ),
  RESPONSE_MEMORY_MAX: defaulted(
    'size',
    byteSize(1, 64 * TiB),
    '128MiB',
    'Size limit of all responses that clients have not read yet; further large ones return 429, except after changes.',
  ),
  RESPONSE_STALL_SECONDS_MAX: defaulted(
    'number',
    integer(1, 3_600),
    '30',
    'Time after which a client that reads nothing of its response is disconnected, in seconds.',
  ),
  DISK_FREE_MIN: defaulted(
    'size',
    byteSize(0, 64 * TiB),
    '1GiB',
    'Free disk space of ClickHouse below which `/readyz` fails.',
  ),
  DRAIN_SECONDS_MAX: defaulted(
    'number',
    integer(0, 3_600),
    '15',
    'Time limit for running requests to finish after SIGTERM, in seconds.',
  ),
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof settings

export const settingNames = Object.keys(settings) as readonly SettingName[]

/** The parsed value of each setting; `undefined` for a setting that is unset and has no default. */
export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Defaulted<infer T>
    ? T
    : (typeof settings)[Name] extends Optional<infer T>
      ? T | undefined
      : never
}
