import { Client, type Dispatcher } from 'undici'
import type { AddressPolicy } from '../channels/receiver-address.ts'
import { guardedConnector, type ResolveHost } from './connection.ts'
import { describeConnectionFault } from './connection-fault.ts'
import { excerptOf } from './response-excerpt.ts'

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What must not be kept of an answer. */
  readonly secrets: readonly string[]
}

/** What came of one request: an answer, or the reason why there is none. */
export type PostResult =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter?: string; readonly response: string }
  | { readonly kind: 'unanswered'; readonly error: string }

/** Rejects only when `signal` aborts. */
export type Post = (request: PostRequest, signal: AbortSignal) => Promise<PostResult>

export interface PostOptions {
  readonly allows: AddressPolicy
  readonly resolve: ResolveHost
  /** For all of it: looking up, connecting, sending, and the whole answer. */
  readonly timeoutMs: number
}

export const postTimeoutMsDefault = 15_000
const answerBytesMax = 65_536

/** Each request has a connection of its own, so that each one's address is checked, and none meets a connection just closed. */
export function createPost({ allows, resolve, timeoutMs }: PostOptions): Post {
  const connect = guardedConnector({ allows, resolve, timeoutMs })
  return async (request, signal) => {
    const client = new Client(new URL(request.url).origin, { connect, pipelining: 0 })
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      return await exchange(client, request, AbortSignal.any([signal, timeout]))
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted) return { kind: 'unanswered', error: `no answer within ${timeoutMs / 1_000} s` }
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

/** The status decides about a delivery, so an answer whose body breaks off or does not end is an answer all the same. */
async function readBeginning(body: Dispatcher.ResponseData['body']): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const chunks: Uint8Array[] = []
  let length = 0
  let isWhole = false
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= answerBytesMax) break
    }
    isWhole = length < answerBytesMax
  } catch {}
  return { bytes: Buffer.concat(chunks), isWhole }
}
