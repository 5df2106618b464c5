import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose'
import { createOutageLog, type OutageLog, type OutageLogger } from '../observability/outage-log.ts'
import { keySetUnavailable } from './refusals.ts'

export interface KeySetOptions {
  readonly url: string
  readonly logger: OutageLogger
  /** Returns the milliseconds of a monotonic clock. */
  readonly monotonicMs?: () => number
  /** Timeout of one fetch; 5,000 by default. */
  readonly timeoutMsMax?: number
  /**
   * Minimum time between fetches for unknown key ids, which could otherwise flood the endpoint; 30,000 by default.
   * Other fetches do not count: the issuer may have replaced its key right after one.
   */
  readonly refetchPauseMs?: number
  /** Maximum age of a fetched set before it is fetched again; 600,000 by default. */
  readonly freshMsMax?: number
  /** Minimum time between a failed fetch and the next; 5,000 by default. */
  readonly failurePauseMs?: number
}

/** Maximum age in milliseconds at which a fetched set is used, which is how long a withdrawn key can stay valid. */
const staleMsMax = 3_600_000

const bodyBytesMax = 1024 * 1024

/**
 * Creates a function that finds the key of a token in the issuer's key set. The set is fetched on first use, so the
 * server starts without the issuer. Later it is fetched in the background: a token whose key is known never waits for
 * the endpoint until the set is older than `staleMsMax`. For a key that is not in the set, while the set cannot be
 * fetched, the function throws the problem `unavailable`, because the current set may contain the key.
 */
export function remoteKeySet(options: KeySetOptions): JWTVerifyGetKey {
  const { freshMsMax = 600_000, refetchPauseMs = 30_000 } = options
  const source = new KeySetSource(options)
  return async (header, token) => {
    const known = source.ageMs < staleMsMax ? source.find : undefined
    if (known === undefined) return (await source.refreshed())(header, token)
    if (source.ageMs >= freshMsMax) source.refreshed().catch(() => {})
    try {
      return await known(header, token)
    } catch (error) {
      const isCurrent = source.ageMs < freshMsMax && source.refetchAgeMs < refetchPauseMs
      if (!(error instanceof errors.JWKSNoMatchingKey) || isCurrent) throw error
      return (await source.refetched())(header, token)
    }
  }
}

/** The last fetched key set. Callers share one fetch at a time, and a failed one is not repeated for a while. */
class KeySetSource {
  /** Finds keys in the last fetched set. */
  find: JWTVerifyGetKey | undefined
  private readonly options: KeySetOptions
  private readonly monotonicMs: () => number
  private readonly outages: OutageLog
  private fetchedAtMs = Number.NEGATIVE_INFINITY
  private refetchedAtMs = Number.NEGATIVE_INFINITY
  private failure: { readonly error: unknown; readonly atMs: number } | undefined
  private fetching: Promise<JWTVerifyGetKey> | undefined

  constructor(options: KeySetOptions) {
    this.options = options
    this.outages = createOutageLog(options.logger, {
      failure: 'Could not fetch the key set of the issuer',
      recovery: 'Fetched the key set of the issuer again',
    })
    this.monotonicMs = options.monotonicMs ?? (() => performance.now())
  }

  /** Milliseconds since the last set was requested. */
  get ageMs(): number {
    return this.monotonicMs() - this.fetchedAtMs
  }

  /** Milliseconds since the last set was requested for an unknown key id. */
  get refetchAgeMs(): number {
    return this.monotonicMs() - this.refetchedAtMs
  }

  /** Fetches the set for an unknown key id. */
  async refetched(): Promise<JWTVerifyGetKey> {
    const find = await this.refreshed()
    this.refetchedAtMs = this.fetchedAtMs
    return find
  }

  /**
   * Fetches the set, or waits for the fetch that is in progress.
   * @throws unavailable if the fetch fails, or has failed within the pause
   */
  async refreshed(): Promise<JWTVerifyGetKey> {
    this.fetching ??= this.refresh().finally(() => {
      this.fetching = undefined
    })
    try {
      return await this.fetching
    } catch (error) {
      throw keySetUnavailable(error)
    }
  }

  private async refresh(): Promise<JWTVerifyGetKey> {
    const { url, timeoutMsMax = 5_000, failurePauseMs = 5_000 } = this.options
    const startedAtMs = this.monotonicMs()
    if (this.failure && startedAtMs - this.failure.atMs < failurePauseMs) throw this.failure.error
    try {
      const find = createLocalJWKSet(await fetchKeySet(url, timeoutMsMax))
      this.failure = undefined
      this.outages.succeeded()
      this.find = find
      this.fetchedAtMs = startedAtMs
      return find
    } catch (error) {
      this.outages.failed(error)
      this.failure = { error, atMs: this.monotonicMs() }
      throw error
    }
  }
}

/** Fetches a key set within the time and size limits: the endpoint is not trusted. */
async function fetchKeySet(url: string, timeoutMs: number): Promise<JSONWebKeySet> {
  const response = await fetch(url, {
    headers: { accept: 'application/json, application/jwk-set+json' },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`The key set endpoint responded with status ${response.status}.`)
  }
  return JSON.parse(await readText(response)) as JSONWebKeySet
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > bodyBytesMax) throw new Error(`The key set is larger than ${bodyBytesMax} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
