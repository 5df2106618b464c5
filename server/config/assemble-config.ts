import type { ClickHouseConfig, Config, LimitsConfig } from './config.ts'
import type { SettingValues } from './settings.ts'

/** Returns the configuration that the values of all settings make. */
export function assembleConfig(values: SettingValues): Config {
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
