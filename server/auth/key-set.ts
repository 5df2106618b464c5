import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { keySetUnavailable } from './refusals.ts'

export interface KeySetOptions {
  readonly url: string
  readonly fetch?: typeof fetch
  /** Returns the milliseconds of a monotonic clock. */
  readonly monotonicMs?: () => number
  /** Timeout of one fetch; 5,000 by default. */
  readonly timeoutMsMax?: number
  /** Minimum time between fetches for unknown key ids, which could otherwise flood the endpoint; 30,000 by default. */
  readonly refetchPauseMs?: number
  /** Maximum age of a fetched set before it is fetched again; 600,000 by default. */
  readonly freshMsMax?: number
  /** Minimum time between a failed fetch and the next; 5,000 by default. */
  readonly failurePauseMs?: number
  /** Maximum age of a fetched set while fetching fails; 3,600,000 by default. */
  readonly staleMsMax?: number
}

const bodyBytesMax = 1024 * 1024
const hourMs = 3_600_000

/**
 * Creates a function that finds the key of a token in the issuer's key set. The set is fetched on first use, so the
 * server starts without the issuer. While the set cannot be fetched, the last one stays valid for `staleMsMax`. For a
 * key outside it the function throws the problem `unavailable`, because the current set may contain the key.
 */
export function remoteKeySet(options: KeySetOptions): JWTVerifyGetKey {
  const monotonicMs = options.monotonicMs ?? (() => performance.now())
  const source = pausingFetch(options, monotonicMs)
  const remote = createRemoteJWKSet(new URL(options.url), {
    timeoutDuration: options.timeoutMsMax ?? 5_000,
    cooldownDuration: options.refetchPauseMs ?? 30_000,
    cacheMaxAge: options.freshMsMax ?? 600_000,
    [customFetch]: source.fetch,
  })
  return async (header, token) => {
    try {
      return await remote(header, token)
    } catch (error) {
      if (isAboutToken(error)) throw error
      const last = remote.jwks()
      const usable = last && monotonicMs() - source.succeededAtMs() < (options.staleMsMax ?? hourMs)
      if (!usable) throw keySetUnavailable(error)
      return createLocalJWKSet(last)(header, token).catch((staleError: unknown) => {
        throw staleError instanceof errors.JWKSMultipleMatchingKeys ? staleError : keySetUnavailable(error)
      })
    }
  }
}

/** Reports whether the set was available and the token is at fault. Other errors concern the set or its endpoint. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys ||
    error instanceof errors.JOSENotSupported
  )
}

interface PausingFetch {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  readonly succeededAtMs: () => number
}

/** Repeats a failure for a while without fetching, so that requests neither wait for a dead endpoint nor flood it. */
function pausingFetch(options: KeySetOptions, monotonicMs: () => number): PausingFetch {
  const pauseMs = options.failurePauseMs ?? 5_000
  let failure: { readonly error: unknown; readonly atMs: number } | undefined
  let succeededAtMs = Number.NEGATIVE_INFINITY
  return {
    succeededAtMs: () => succeededAtMs,
    async fetch(url, init) {
      if (failure && monotonicMs() - failure.atMs < pauseMs) throw failure.error
      try {
        const response = await fetchWhole(options.fetch ?? fetch, url, init)
        failure = undefined
        succeededAtMs = monotonicMs()
        return response
      } catch (error) {
        failure = { error, atMs: monotonicMs() }
        throw error
      }
    },
  }
}

/** Fetches the complete response and checks that it is a key set within the size limit: the endpoint is not trusted. */
async function fetchWhole(fetchOnce: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  const response = await fetchOnce(url, init)
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`The key set endpoint responded with status ${response.status}.`)
  }
  const text = await readText(response)
  createLocalJWKSet(JSON.parse(text))
  return new Response(text)
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
