import type { Authenticate } from '../auth/authenticate.ts'
import type { ClickHouse } from '../clickhouse/client.ts'
import { readSeriesUsage, readStoredBytes, type SeriesUsage } from '../clickhouse/usage.ts'
import type { QuotasConfig } from '../config/config.ts'
import { inMebibytes } from '../config/parse-values.ts'
import { createOutageLog, type OutageLogger } from '../observability/outage-log.ts'
import type { Prometheus } from '../observability/prometheus.ts'
import { problem } from '../problem/problem.ts'
import { TokenBuckets } from './token-buckets.ts'
import { UsageReadings } from './usage-readings.ts'

/** Storage becomes free only when telemetry expires. */
const storedBytesRetrySeconds = 60

/** What one organization may use. A quota that is not set allows everything. */
export interface Quotas {
  /** Counts a request. @throws {Problem} `quota_exceeded` with the time to wait */
  admitRequest(org: string): void
  /** @throws {Problem} `quota_exceeded` if the organization has sent more items, or stored more bytes, than it may */
  admitTelemetry(org: string): Promise<void>
  /**
   * Returns a test of the ids of metric series, which is true for those that the organization has stored, or undefined
   * unless it has reached its quota of series.
   */
  acceptedSeries(org: string): Promise<((id: Buffer) => boolean) | undefined>
  /** Updates the metrics. */
  report(): void
  /** Counts the spans, data points and log records of a body. */
  countItems(org: string, items: number): void
}

export interface QuotasDeps {
  readonly config: QuotasConfig
  readonly clickhouse: ClickHouse
  readonly logger: OutageLogger
  readonly now: () => Date
  readonly metrics: Prometheus['quotas']
}

export function createQuotas({ config, clickhouse, logger, now, metrics }: QuotasDeps): Quotas {
  const bucketsOf = (perSecond: number | undefined) =>
    perSecond === undefined ? undefined : new TokenBuckets(perSecond, now)
  const requests = bucketsOf(config.requestsPerSecond)
  const items = bucketsOf(config.itemsPerSecond)

  const { storedBytesMax, seriesMax } = config
  const { storedBytes, series } = readingsOf({ clickhouse, logger, now, seriesMax: seriesMax ?? 0 })

  async function checkStoredBytes(org: string): Promise<void> {
    if (storedBytesMax === undefined) return
    const { amount = 0 } = (await storedBytes.of(org)) ?? {}
    if (amount < storedBytesMax) return
    metrics.refusals.inc({ quota: 'stored_bytes' })
    throw problem(
      'quota_exceeded',
      `Your organization has stored about ${inMebibytes(amount)} and has reached its quota of ` +
        `${inMebibytes(storedBytesMax)} (ORG_STORED_BYTES_MAX). Older telemetry is deleted after RETENTION_DAYS.`,
      { retryAfterSeconds: storedBytesRetrySeconds },
    )
  }

  function check(buckets: TokenBuckets | undefined, org: string, quota: 'requests' | 'items', limit: string): void {
    const retryAfterSeconds = buckets?.waitSeconds(org) ?? 0
    if (retryAfterSeconds === 0) return
    metrics.refusals.inc({ quota })
    throw problem('quota_exceeded', `Your organization exceeds its quota of ${limit}. Retry later.`, {
      retryAfterSeconds,
    })
  }

  return {
    admitRequest(org) {
      check(requests, org, 'requests', `${config.requestsPerSecond} requests per second`)
      requests?.take(org, 1)
    },
    async admitTelemetry(org) {
      const limit = `${config.itemsPerSecond} spans, data points and log records per second`
      check(items, org, 'items', limit)
      await checkStoredBytes(org)
    },
    async acceptedSeries(org) {
      if (seriesMax === undefined) return undefined
      const known = (await series.of(org))?.known
      return known && ((id) => known.has(id.toString('hex')))
    },
    report() {
      if (storedBytesMax !== undefined)
        metrics.used.set({ quota: 'stored_bytes' }, storedBytes.largest / storedBytesMax)
      if (seriesMax !== undefined) metrics.used.set({ quota: 'series' }, series.largest / seriesMax)
    },
    countItems: (org, count) => items?.take(org, count),
  }
}

/** Creates the readings of what organizations have stored. Both report an outage of ClickHouse together. */
function readingsOf(deps: Pick<QuotasDeps, 'clickhouse' | 'logger' | 'now'> & { readonly seriesMax: number }) {
  const { clickhouse, logger, now, seriesMax } = deps
  const outages = createOutageLog(logger, {
    failure: 'Could not read what an organization has stored, so its quotas do not apply',
    recovery: 'What organizations have stored is known again',
  })
  const storedBytes = new UsageReadings({
    read: async (org) => ({ amount: await readStoredBytes(clickhouse, org) }),
    now,
    outages,
  })
  const series = new UsageReadings<SeriesUsage>({
    read: (org) => readSeriesUsage(clickhouse, org, seriesMax),
    now,
    outages,
  })
  return { storedBytes, series }
}

/** Counts every authenticated request, of the API and of OTLP, for the organization of its caller. */
export function limitRequests(authenticate: Authenticate, quotas: Pick<Quotas, 'admitRequest'>): Authenticate {
  return async (credential) => {
    const caller = await authenticate(credential)
    quotas.admitRequest(caller.org)
    return caller
  }
}
