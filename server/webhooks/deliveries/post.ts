import { Client, type Dispatcher } from 'undici'
import { type ConnectorOptions, describeConnectionFault, guardedConnector } from './connection.ts'
import { excerptOf, type ResponseBeginning, secretsInUrl } from './response-excerpt.ts'

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Credentials to remove from the response before it is stored, besides those in the URL. */
  readonly secrets: readonly string[]
}

/** The response to one request, or the reason why no response was received. */
export type PostResult =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter?: string; readonly response: string }
  | { readonly kind: 'unanswered'; readonly error: string }

/** Sends one request. Rejects only if `signal` aborts. */
export type Post = (request: PostRequest, signal: AbortSignal) => Promise<PostResult>

/** Timeout for resolving the host, connecting, sending the request and reading the response together. */
export const postTimeoutMs = 15_000

const responseBytesMax = 65_536

/**
 * Creates the function that sends requests. Each request opens a new connection, so that every address is checked and
 * no request is sent over a connection that the receiver is closing.
 */
export function createPost(options: ConnectorOptions): Post {
  const connect = guardedConnector(options)
  const { timeoutMs } = options
  return async (request, signal) => {
    const client = new Client(new URL(request.url).origin, { connect, pipelining: 0 })
    const timeout = AbortSignal.timeout(timeoutMs)
    const ended = AbortSignal.any([signal, timeout])
    // A request notices that it is aborted only once its connection is open, which may take seconds.
    const abandon = () => void client.destroy(ended.reason)
    ended.addEventListener('abort', abandon)
    try {
      return await exchange(client, request, ended)
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted) return { kind: 'unanswered', error: `no response within ${timeoutMs / 1_000} s` }
      return { kind: 'unanswered', error: describeConnectionFault(error) }
    } finally {
      ended.removeEventListener('abort', abandon)
      await client.destroy()
    }
  }
}

async function exchange(
  client: Client,
  { url, headers, body, secrets }: PostRequest,
  signal: AbortSignal,
): Promise<PostResult> {
  const { pathname, search } = new URL(url)
  const answer = await client.request({ method: 'POST', path: pathname + search, headers, body, signal })
  const retryAfter = [answer.headers['retry-after']].flat()[0]
  const response = excerptOf(await readBeginning(answer.body), [...secrets, ...secretsInUrl(url)])
  return { kind: 'answered', status: answer.statusCode, response, ...(retryAfter !== undefined && { retryAfter }) }
}

/**
 * Reads the beginning of a body. Errors are ignored, because the status alone determines whether a delivery succeeded.
 */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<ResponseBeginning> {
  const chunks: Uint8Array[] = []
  let length = 0
  let isWhole = false
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= responseBytesMax) break
    }
    isWhole = length < responseBytesMax
  } catch {}
  return { bytes: Buffer.concat(chunks), isWhole }
}
