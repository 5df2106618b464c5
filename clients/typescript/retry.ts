/** When a request is sent again. */
export interface RetryOptions {
  /** How often a request is sent at most; 1 disables retries. Defaults to 4. */
  readonly attempts?: number
  /** The longest `Retry-After` that is waited for, in milliseconds. Longer ones end the retries. Defaults to 30 s. */
  readonly waitMsMax?: number
}

const attemptsDefault = 4
const waitMsMaxDefault = 30_000
const firstWaitMs = 250

/** A repeated PUT or DELETE has the effect of one; only a POST could create something twice. */
const idempotentMethods = ['GET', 'HEAD', 'PUT', 'DELETE']

/** POST requests that only read. */
const reads =
  /\/api\/v1\/(?:.+\/)?(?:search|count|summary|parse|histogram|breakdown|compare|explain|diff|preview|query)$/

const overloaded = [429, 502, 503, 504]

/**
 * Returns a `fetch` that repeats safe and idempotent requests after 429, 502, 503 and 504, and after a connection
 * that failed. It waits as long as `Retry-After` says, or twice as long each time. An aborted request is not repeated.
 */
export function retryingFetch(
  { attempts = attemptsDefault, waitMsMax = waitMsMaxDefault }: RetryOptions = {},
  send: (request: Request) => Promise<Response> = fetch,
): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts || !isRepeatable(request)
      const response = await send(isLast ? request : request.clone()).catch((error: unknown) => {
        if (isLast || request.signal.aborted) throw error
        return undefined
      })
      if (response !== undefined && (isLast || !overloaded.includes(response.status))) return response
      const waitMs = retryAfterMs(response?.headers.get('retry-after') ?? null) ?? firstWaitMs * 2 ** (attempt - 1)
      if (response !== undefined && waitMs > waitMsMax) return response
      await response?.body?.cancel()
      await wait(waitMs, request.signal)
    }
  }
}

function isRepeatable({ method, url }: Request): boolean {
  return idempotentMethods.includes(method) || (method === 'POST' && reads.test(new URL(url).pathname))
}

/** Reads a `Retry-After` of seconds or of a date as milliseconds. Returns undefined for any other text. */
export function retryAfterMs(text: string | null): number | undefined {
  if (text === null) return undefined
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
