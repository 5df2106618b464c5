import { Client, type Dispatcher } from 'undici'
import { redacted } from '../../secrets/secret-box.ts'
import { type ConnectorOptions, describeConnectionFault, guardedConnector } from './connection.ts'

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Credentials to remove from the response before it is stored. */
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
const excerptBytesMax = 4_096
/** Minimum length of a redacted secret. Shorter secrets would remove single letters from every response. */
const secretCharsMin = 4

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
    try {
      return await exchange(client, request, AbortSignal.any([signal, timeout]))
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted) return { kind: 'unanswered', error: `no response within ${timeoutMs / 1_000} s` }
      return { kind: 'unanswered', error: describeConnectionFault(error) }
    } finally {
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
  const { bytes, isWhole } = await readBeginning(answer.body)
  const response = excerptOf(bytes, isWhole, secrets)
  return { kind: 'answered', status: answer.statusCode, response, ...(retryAfter !== undefined && { retryAfter }) }
}

/**
 * Reads the beginning of a body. Errors are ignored, because the status alone determines whether a delivery succeeded.
 */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
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

/**
 * Returns the beginning of a response for the delivery log: as text, without control characters, and with the channel's
 * credentials redacted in case the receiver echoes them. `isWhole` is false if the response was not read completely.
 */
function excerptOf(response: Uint8Array, isWhole: boolean, secrets: readonly string[]): string {
  const text = new TextDecoder('utf-8').decode(response).replaceAll(/[^\P{Cc}\t\r\n]/gu, '\uFFFD')
  const spellings = secrets.flatMap(spellingsOf).sort((a, b) => b.length - a.length)
  const clean = spellings.reduce((rest, spelling) => rest.replaceAll(spelling, redacted), text)
  // The end of a truncated response may hold the beginning of a secret, so it is cut off.
  const kept = isWhole ? clean : clean.slice(0, Math.max(0, clean.length - (spellings[0]?.length ?? 0)))
  return cutToBytes(kept, excerptBytesMax)
}

/**
 * Returns the spellings of a secret: with and without its scheme (`Bearer`) or prefix, as plain text, in JSON, in a URL
 * and in HTML.
 */
function spellingsOf(secret: string): string[] {
  const variants = [secret, secret.replace(/^\S+\s+/, ''), secret.replace(/^whsec_/, '')]
  return [...new Set(variants)]
    .filter((variant) => variant.length >= secretCharsMin)
    .flatMap((variant) => [
      variant,
      JSON.stringify(variant).slice(1, -1),
      encodeURIComponent(variant),
      variant.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ])
}

/** Truncates a text to a number of bytes without splitting a character. */
function cutToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text)
  return bytes.length <= bytesMax ? text : new TextDecoder().decode(bytes.subarray(0, bytesMax), { stream: true })
}
