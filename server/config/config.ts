import type { QueryLimits } from '../clickhouse/query-limits.ts'
import { misspelledSettings } from './misspelled-settings.ts'
import { addressesIn, type LogLevel, logLevels, type ValueIndexMode } from './parse-values.ts'
import { type Setting, type SettingName, type SettingValues, settingNames, settings } from './settings.ts'
import { type Env, type Flags, readSettingTexts } from './sources.ts'

export { type Env, type Flags, type LogLevel, logLevels }

export interface ClickHouseConfig {
  /** One server, or every node of the cluster, without credentials. Absent for the embedded ClickHouse. */
  readonly urls?: readonly string[]
  readonly user?: string
  readonly password?: string
  readonly database: string
  /** Name of the cluster over which tables are sharded, as the configuration of its nodes defines it. */
  readonly cluster?: string
}

/**
 * Without an issuer, every field is absent and the server trusts its own key pair. With an issuer, exactly one key
 * source is set.
 */
export interface AuthConfig {
  readonly issuer?: string
  readonly audience?: string
  readonly jwksUrl?: string
  /** PEM. */
  readonly publicKey?: string
  /** The client of the console at the issuer. */
  readonly clientId?: string
  readonly clientSecret?: string
}

/** The time limits of receiving one request. */
export interface ReceiveLimits {
  /** For the URL and the headers, from the first byte or the start of the connection. */
  readonly headersSecondsMax: number
  /** For the body. */
  readonly bodySecondsMax: number
  /** For each further kilobyte of the body. */
  readonly bodyStallSecondsMax: number
}

/** What each organization may use. A quota that is absent allows everything. */
export interface QuotasConfig {
  readonly requestsPerSecond?: number
  /** Spans, data points and log records per second. */
  readonly itemsPerSecond?: number
  /** Stored records of all kinds, such as integrations, alert rules and API keys. */
  readonly recordsMax?: number
  /** Stored telemetry, in bytes on disk. */
  readonly storedBytesMax?: number
  readonly seriesMax?: number
}

export interface LimitsConfig extends QueryLimits, ReceiveLimits {
  /** Size limit of one OTLP body, after decompression. */
  readonly ingestBodyBytesMax: number
  /** Size limit of all OTLP bodies that are being stored. */
  readonly ingestInFlightBytesMax: number
  /** Size limit of all responses that clients have not read yet. */
  readonly responseBytesMax: number
  /** Time after which a client that reads nothing is disconnected. */
  readonly responseStallSecondsMax: number
  readonly drainSecondsMax: number
}

/** Which times of spans, log records and data points are accepted. `retentionDays` limits their age further. */
export interface TimeLimits {
  readonly ageDaysMax: number
  readonly aheadSecondsMax: number
}

export interface Config {
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** The port of OTLP/gRPC; 0 selects a free port. Absent if it is not served. */
  readonly grpcPort?: number
  /** Absent without TLS. Both paths are absolute. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string }
  /** Absolute. */
  readonly dataDir: string
  readonly clickhouse: ClickHouseConfig
  readonly metadataUrl?: string
  readonly auth: AuthConfig
  /** Absent if telemetry is never deleted. */
  readonly retentionDays?: number
  readonly auditDays: number
  readonly secretsKey?: string
  readonly webhookAllowedCidrs: readonly string[]
  /** Without a trailing slash. */
  readonly publicUrl?: string
  /** Origins whose pages may use the API; `*` for all. */
  readonly corsOrigins: readonly string[]
  /** Whether the console and its sign-in are served. */
  readonly console: boolean
  readonly alertPeriodSeconds: number
  /** Free disk space of ClickHouse below which the server is not ready. */
  readonly diskFreeBytesMin: number
  readonly logLevel: LogLevel
  readonly valueIndex: ValueIndexMode
  readonly times: TimeLimits
  readonly limits: LimitsConfig
  readonly quotas: QuotasConfig
}

export interface ConfigOptions {
  /** Path of a JSON file with the same settings. Takes precedence over CONFIG_FILE of the environment. */
  readonly file?: string | undefined
  readonly flags?: Flags | undefined
}

/** The settings are invalid. The message lists every fault, one per line. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The settings are not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

/**
 * Reads flags, environment and file, in this order of precedence.
 * @throws ConfigError, which lists every fault
 */
export function readConfig(env: Env, { file = env.CONFIG_FILE, flags = {} }: ConfigOptions = {}): Config {
  const { texts, faults: sourceFaults } = readSettingTexts(env, file, flags)
  const { values, faults: valueFaults } = parseTexts(texts)
  const faults = [...sourceFaults, ...valueFaults, ...faultsAcross(texts, values)]
  if (faults.length > 0) throw new ConfigError(faults)
  return freeze(assemble(values))
}

/** Reads the settings of the running process. */
export function readProcessConfig(options: ConfigOptions = {}): Config {
  return readConfig(process.env, options)
}

/** Returns a warning for each variable of the process that is probably a misspelled setting. */
export function misspelledProcessSettings(): readonly string[] {
  return misspelledSettings(process.env)
}

/** Returns the effective settings of the running process, to be printed. */
export function effectiveProcessSettings(options: ConfigOptions = {}): ReturnType<typeof effectiveSettings> {
  return effectiveSettings(process.env, options)
}

function parseTexts(texts: ReadonlyMap<SettingName, string>): { values: SettingValues; faults: string[] } {
  const faults: string[] = []
  const values: Partial<Record<SettingName, unknown>> = {}
  for (const name of settingNames) {
    const text = texts.get(name) ?? settings[name].default
    try {
      if (text !== undefined) values[name] = settings[name].parse(text)
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  // The values are used only if there is no fault; every name then has a value of the type that its parser returns.
  return { values: values as SettingValues, faults }
}

/**
 * Lists faults that concern several settings. A setting without effect is a fault, because an operator may rely on it.
 */
function faultsAcross(texts: ReadonlyMap<SettingName, string>, { PORT, GRPC_PORT }: Partial<SettingValues>): string[] {
  // 0 selects a free port for each.
  const faults = PORT && PORT === GRPC_PORT ? [`PORT and GRPC_PORT are both ${PORT}`] : []
  const needs = (name: SettingName, needed: SettingName) => {
    if (texts.has(name) && !texts.has(needed)) faults.push(`${name} has no effect without ${needed}`)
  }
  needs('CLICKHOUSE_USER', 'CLICKHOUSE_URL')
  needs('CLICKHOUSE_PASSWORD', 'CLICKHOUSE_URL')
  needs('CLICKHOUSE_CLUSTER', 'CLICKHOUSE_URL')
  if (addressesIn(texts.get('CLICKHOUSE_URL') ?? '').length > 1 && !texts.has('CLICKHOUSE_CLUSTER'))
    faults.push('CLICKHOUSE_URL names several nodes, which requires CLICKHOUSE_CLUSTER')
  needs('TLS_CERT_FILE', 'TLS_KEY_FILE')
  needs('TLS_KEY_FILE', 'TLS_CERT_FILE')
  needs('AUTH_AUDIENCE', 'AUTH_ISSUER')
  needs('AUTH_JWKS_URL', 'AUTH_ISSUER')
  needs('AUTH_PUBLIC_KEY', 'AUTH_ISSUER')
  needs('AUTH_CLIENT_ID', 'AUTH_ISSUER')
  needs('AUTH_CLIENT_SECRET', 'AUTH_CLIENT_ID')
  if (!texts.has('AUTH_ISSUER')) return faults
  if (!texts.has('AUTH_AUDIENCE')) faults.push('AUTH_ISSUER requires AUTH_AUDIENCE')
  const keySources = Number(texts.has('AUTH_JWKS_URL')) + Number(texts.has('AUTH_PUBLIC_KEY'))
  if (texts.has('AUTH_CLIENT_ID') && !/^https?:\/\//.test(texts.get('AUTH_ISSUER') ?? ''))
    faults.push('AUTH_ISSUER must be a URL that starts with http:// or https:// with AUTH_CLIENT_ID')
  if (keySources !== 1) faults.push('AUTH_ISSUER requires exactly one of AUTH_JWKS_URL and AUTH_PUBLIC_KEY')
  return faults
}

function assemble(values: SettingValues): Config {
  return {
    host: values.HOST,
    port: values.PORT,
    ...present('grpcPort', values.GRPC_PORT),
    ...present('tls', assembleTls(values)),
    dataDir: values.DATA_DIR,
    clickhouse: assembleClickHouse(values),
    ...present('metadataUrl', values.METADATA_URL),
    auth: {
      ...present('issuer', values.AUTH_ISSUER),
      ...present('audience', values.AUTH_AUDIENCE),
      ...present('jwksUrl', values.AUTH_JWKS_URL),
      ...present('publicKey', values.AUTH_PUBLIC_KEY),
      ...present('clientId', values.AUTH_CLIENT_ID),
      ...present('clientSecret', values.AUTH_CLIENT_SECRET),
    },
    ...present('retentionDays', values.RETENTION_DAYS),
    auditDays: values.AUDIT_DAYS,
    ...present('secretsKey', values.SECRETS_KEY),
    webhookAllowedCidrs: values.WEBHOOK_ALLOWED_CIDRS,
    ...present('publicUrl', values.PUBLIC_URL),
    corsOrigins: values.CORS_ORIGINS,
    console: values.CONSOLE === 'on',
    alertPeriodSeconds: values.ALERT_PERIOD_SECONDS,
    diskFreeBytesMin: values.DISK_FREE_MIN,
    logLevel: values.LOG_LEVEL,
    valueIndex: values.VALUE_INDEX,
    times: {
      ageDaysMax: values.SPAN_AGE_DAYS_MAX,
      aheadSecondsMax: values.SPAN_AHEAD_MAX,
    },
    limits: assembleLimits(values),
    quotas: {
      ...present('requestsPerSecond', values.ORG_REQUESTS_PER_SECOND),
      ...present('itemsPerSecond', values.ORG_ITEMS_PER_SECOND),
      ...present('recordsMax', values.ORG_RECORDS_MAX),
      ...present('storedBytesMax', values.ORG_STORED_BYTES_MAX),
      ...present('seriesMax', values.ORG_SERIES_MAX),
    },
  }
}

/** Either setting without the other is a fault. */
function assembleTls({ TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile }: SettingValues): Config['tls'] | undefined {
  return certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile }
}

/** Separate settings take precedence over the credentials in the address. */
function assembleClickHouse(values: SettingValues): ClickHouseConfig {
  return {
    ...values.CLICKHOUSE_URL,
    ...present('user', values.CLICKHOUSE_USER),
    ...present('password', values.CLICKHOUSE_PASSWORD),
    database: values.CLICKHOUSE_DATABASE,
    ...present('cluster', values.CLICKHOUSE_CLUSTER),
  }
}

function assembleLimits(values: SettingValues): LimitsConfig {
  return {
    querySecondsMax: values.QUERY_SECONDS_MAX,
    queryMemoryBytesMax: values.QUERY_MEMORY_MAX,
    queryRowsMax: values.QUERY_ROWS_MAX,
    queriesConcurrentMax: values.QUERIES_CONCURRENT_MAX,
    ingestBodyBytesMax: values.INGEST_BODY_MAX,
    ingestInFlightBytesMax: values.INGEST_IN_FLIGHT_MAX,
    headersSecondsMax: values.HEADERS_SECONDS_MAX,
    bodySecondsMax: values.BODY_SECONDS_MAX,
    bodyStallSecondsMax: values.BODY_STALL_SECONDS_MAX,
    responseBytesMax: values.RESPONSE_MEMORY_MAX,
    responseStallSecondsMax: values.RESPONSE_STALL_SECONDS_MAX,
    drainSecondsMax: values.DRAIN_SECONDS_MAX,
  }
}

function present<Key extends string, T>(key: Key, value: T | undefined): { [K in Key]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]: T })
}

function freeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) freeze(member)
  return Object.freeze(value)
}

/**
 * Returns the effective text of every setting under the name that it has in the environment and in the settings file;
 * null for one that is unset. Secrets are redacted, including a password in an address.
 * @throws ConfigError, which lists every fault
 */
export function effectiveSettings(
  env: Env,
  { file = env.CONFIG_FILE, flags = {} }: ConfigOptions = {},
): Readonly<Record<string, string | null>> {
  readConfig(env, { file, flags })
  const { texts } = readSettingTexts(env, file, flags)
  return Object.fromEntries(
    settingNames.map((name) => {
      const { default: value, redact }: Setting = settings[name]
      const text = texts.get(name) ?? value
      return [name, text === undefined ? null : (redact?.(text) ?? text)]
    }),
  )
}
