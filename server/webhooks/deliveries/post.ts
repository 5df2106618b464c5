import { type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import type { buildConnector } from 'undici'
import {
  type ConnectorOptions,
  describeConnectionFault,
  guardedConnector,
  TooManyInterimResponses,
} from './connection.ts'
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

type Connect = buildConnector.connector

/** Sends one request. Rejects only if `signal` aborts. */
export type Post = (request: PostRequest, signal: AbortSignal) => Promise<PostResult>

/** Timeout for resolving the host, connecting, sending the request and reading the response together. */
export const postTimeoutMs = 15_000

const responseBytesMax = 65_536

/** Maximum number of interim responses. A flood of them would delay other requests until the timeout. */
const interimResponsesMax = 100

/**
 * Creates the function that sends requests. Each request opens a new connection, so that every address is checked and
 * no request is sent over a connection that the receiver is closing.
 */
export function createPost(options: ConnectorOptions): Post {
  const connect = guardedConnector(options)
  const { timeoutMs } = options
  return async (request, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      return await exchange(connect, request, AbortSignal.any([signal, timeout]))
    } catch (error) {
      signal.throwIfAborted()
      if (timeout.aborted) return { kind: 'unanswered', error: `no response within ${timeoutMs / 1_000} s` }
      return { kind: 'unanswered', error: describeConnectionFault(error) }
    }
  }
}

async function exchange(connect: Connect, request: PostRequest, signal: AbortSignal): Promise<PostResult> {
  signal.throwIfAborted()
  const url = new URL(request.url)
  const socket = await openSocket(connect, url, signal)
  const abandon = () => void socket.destroy(signal.reason)
  signal.addEventListener('abort', abandon)
  try {
    signal.throwIfAborted()
    const answer = await responseTo(request, url, socket)
    const retryAfter = answer.headers['retry-after']
    const response = excerptOf(await readBeginning(answer), [...request.secrets, ...secretsInUrl(request.url)])
    const status = answer.statusCode as number
    return { kind: 'answered', status, response, ...(retryAfter !== undefined && { retryAfter }) }
  } finally {
    signal.removeEventListener('abort', abandon)
    socket.destroy()
  }
}

/** Opens a connection. Rejects as soon as `signal` aborts, and then closes the connection if it opens after all. */
function openSocket(connect: Connect, url: URL, signal: AbortSignal): Promise<Socket> {
  const { protocol, host, port } = url
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return new Promise((resolve, reject) => {
    const abandon = () => reject(signal.reason)
    signal.addEventListener('abort', abandon)
    connect({ protocol, host, hostname, port }, (error, socket) => {
      signal.removeEventListener('abort', abandon)
      if (error !== null) reject(error)
      else if (signal.aborted) socket.destroy()
      else resolve(socket)
    })
  })
}

/**
 * Sends the request and resolves to the final response. Interim responses are skipped, also 100, which some receivers
 * send without being asked, and at which the client of undici would close the connection.
 */
function responseTo({ headers, body }: PostRequest, url: URL, socket: Socket): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const path = url.pathname + url.search
    const sent = { ...headers, host: url.host, connection: 'close' }
    let interimResponses = 0
    const sending = request({ method: 'POST', path, headers: sent, createConnection: () => socket }, resolve)
    sending
      .on('information', () => {
        interimResponses += 1
        if (interimResponses > interimResponsesMax) sending.destroy(new TooManyInterimResponses())
      })
      .on('error', reject)
      // A receiver that switches protocols, which nothing asked it to, gets the connection closed without an error.
      .on('close', () => reject(Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' })))
      .end(body)
  })
}

/**
 * Reads the beginning of a body. Errors are ignored, because the status alone determines whether a delivery succeeded.
 */
async function readBeginning(body: IncomingMessage): Promise<ResponseBeginning> {
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
