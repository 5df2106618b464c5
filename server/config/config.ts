import type { QueryLimits } from '../clickhouse/query-limits.ts'
import type { LogLevel, ValueIndexMode } from './parse-values.ts'

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
