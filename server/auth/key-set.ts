import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'
import { keySetUnavailable } from './refusals.ts'

export interface KeySetOptions {
  readonly url: string
  readonly fetch?: typeof fetch
  /** Milliseconds on a clock that only goes forward. */
  readonly monotonicMs?: () => number
  /** How long the endpoint may take. */
  readonly timeoutMsMax?: number
  /** How long after a fetch an unknown key id causes no other, so that forged ids cannot flood the endpoint. */
  readonly refetchPauseMs?: number
  /** How long a fetched set is used before it is fetched anew. */
  readonly freshMsMax?: number
  /** How long after a failed fetch the next one is not tried. */
  readonly failurePauseMs?: number
  /** How long a fetched set is used while no new one can be fetched. */
  readonly staleMsMax?: number
}

const bodyBytesMax = 1024 * 1024
const hourMs = 3_600_000

/**
 * Finds the key of a token in the issuer's key set, which is fetched at the first use and not before: the server starts
 * without the issuer. While the set cannot be fetched, a key of the last one serves for an hour; for any other key it
 * throws the problem `unavailable`, because the key may be in the set that cannot be seen.
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

/** The set was there and has no key for this token, or several. Any other error is a fault of the set or its endpoint. */
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

/** After a failure the same failure is answered for a while, so that requests neither wait for a dead endpoint nor flood it. */
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

/** The whole answer, checked to be a key set of a sane size: the endpoint is another's, and may be anything. */
async function fetchWhole(fetchOnce: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  const response = await fetchOnce(url, init)
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`The key set's endpoint answered ${response.status}.`)
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
