import type { Caller } from '../auth/caller.ts'
import type { QuotasConfig } from '../config/config.ts'
import type { Prometheus } from '../observability/prometheus.ts'
import { problem } from '../problem/problem.ts'
import { TokenBuckets } from './token-buckets.ts'

/** What one organization may use. A quota that is not set allows everything. */
export interface Quotas {
  /** Counts a request. @throws {Problem} `quota_exceeded` with the time to wait */
  admitRequest(org: string): void
  /** @throws {Problem} `quota_exceeded` if the organization has sent more items than its rate allows */
  admitTelemetry(org: string): void
  /** Counts the spans, data points and log records of a body. */
  countItems(org: string, items: number): void
}

export interface QuotasDeps {
  readonly config: QuotasConfig
  readonly now: () => Date
  readonly metrics: Prometheus['quotas']
}

export function createQuotas({ config, now, metrics }: QuotasDeps): Quotas {
  const bucketsOf = (perSecond: number | undefined) =>
    perSecond === undefined ? undefined : new TokenBuckets(perSecond, now)
  const requests = bucketsOf(config.requestsPerSecond)
  const items = bucketsOf(config.itemsPerSecond)

  function check(buckets: TokenBuckets | undefined, org: string, quota: string, limit: string): void {
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
    admitTelemetry(org) {
      const limit = `${config.itemsPerSecond} spans, data points and log records per second`
      check(items, org, 'items', limit)
    },
    countItems: (org, count) => items?.take(org, count),
  }
}

/** Counts every authenticated request, of the API and of OTLP, for the organization of its caller. */
export function limitRequests(
  authenticate: (authorization: string | undefined) => Promise<Caller>,
  quotas: Pick<Quotas, 'admitRequest'>,
): typeof authenticate {
  return async (authorization) => {
    const caller = await authenticate(authorization)
    quotas.admitRequest(caller.org)
    return caller
  }
}
