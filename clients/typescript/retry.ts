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

/** POST requests that only read. The body of an export is read after its request can be repeated. */
const readingOperations =
  'search|count|summary|parse|export|histogram|breakdown|compare|explain|skeleton|diff|preview|query'
const reads = new RegExp(`/api/v1/(.+/)?(${readingOperations})$`)

/** Answers of a server that has not carried out the request. */
const overloaded = [429, 503]

/** Answers of a proxy that got none from the server, which may have carried out the request. */
const unanswered = [502, 504]

/**
 * Returns a `fetch` that repeats safe and idempotent requests after 429, 502, 503 and 504, and after a connection
 * that failed; a DELETE or a request with `If-Match` only after 429 and 503. It waits as long as `Retry-After` says, or
 * twice as long each time. An aborted request is not repeated.
 */
export function retryingFetch(
  { attempts = attemptsDefault, waitMsMax = waitMsMaxDefault }: RetryOptions = {},
  send: (request: Request) => Promise<Response> = fetch,
): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts || !isRepeatable(request)
      const response = await send(isLast ? request : request.clone()).catch((error: unknown) => {
        if (isLast || isAnsweredOnce(request) || request.signal.aborted) throw error
        return undefined
      })
      if (response !== undefined && (isLast || !isRepeatableAfter(response, request))) return response
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

function isRepeatableAfter({ status }: Response, request: Request): boolean {
  return overloaded.includes(status) || (unanswered.includes(status) && !isAnsweredOnce(request))
}

/**
 * Reports whether a request that was carried out fails when it is repeated: the record is gone, or has another version.
 * The caller would take its own change for that of another.
 */
function isAnsweredOnce({ method, headers }: Request): boolean {
  return method === 'DELETE' || headers.has('if-match')
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
