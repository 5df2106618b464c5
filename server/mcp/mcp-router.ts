/**
 * The Model Context Protocol at `/mcp`: streamable HTTP, one message or batch per request. The server keeps nothing of
 * a session; its id only tells the requests of one client from those of another with the same credential. The latest
 * version of the protocol has no sessions.
 */
import { randomUUID } from 'node:crypto'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { Authenticate } from '../auth/authenticate.ts'
import { type Caller, roleAllows } from '../auth/caller.ts'
import type { ReceiveLimits } from '../config/config.ts'
import type { CallOperation } from '../http/call-operation.ts'
import { readDocument } from '../http/contract/document.ts'
import { readJsonBytes } from '../http/request/api-body.ts'
import { originRefused } from '../http/request/cross-origin.ts'
import { parseJsonBody } from '../http/request/json-body.ts'
import { requestContext } from '../http/request/request-context.ts'
import { signalOf } from '../http/response/dispatch.ts'
import { methodNotAllowed } from '../http/response/error-middleware.ts'
import { Problem, problem } from '../problem/problem.ts'
import { errorMessage, RpcError, type RpcMessage, readMessage, resultMessage } from './json-rpc.ts'
import { batchVersion, isStateless, protocolVersions, sessionVersions, versionInHeader } from './protocol-versions.ts'
import { createRunningCalls, type RunningCalls } from './running-calls.ts'
import { createToolCalls, type ToolCalls } from './tool-calls.ts'

/** More messages in a batch would be many requests that count as one. */
const batchMax = 20
/** How long a client may keep what another version of the server could answer otherwise. */
const keptMs = 300_000

const capabilities = { tools: {} }
const instructions =
  'Tracefold stores OpenTelemetry traces and answers exact questions about whole traces. A message is one trace, and ' +
  'a step is one of its spans. Start with services and attributes to learn names, find messages with search, then ' +
  'read one with message, and ask explain why it does or does not satisfy conditions. Windows default to the last ' +
  'hour; pass from and to (RFC 3339) for other times. Every answer begins with what was asked.'

export interface McpDeps {
  readonly authenticate: Authenticate
  readonly limits: ReceiveLimits
  /** Origins whose pages may use the server. */
  readonly corsOrigins: readonly string[]
}

/** Returns a function that creates the router, given the operations of the server. */
export function createMcpRouter({
  authenticate,
  limits,
  corsOrigins,
}: McpDeps): (call: CallOperation) => RequestHandler {
  return (callOperation) => {
    const toolCalls = createToolCalls(callOperation)
    const running = createRunningCalls()
    const read = readJsonBytes(limits)
    const router = Router({ caseSensitive: true })
    router.all('/mcp', nameRequest, checkOrigin(corsOrigins), checkRequest, async (request, response, next) => {
      const caller = await authenticate(request.headers.authorization)
      if (!roleAllows(caller.role, 'restricted')) throw problem('forbidden', 'The role ingest can only send telemetry.')
      read(request, response, (error?: unknown) => {
        if (error !== undefined) return next(error)
        const signal = signalOf(response)
        respond({ request, response, signal, caller, toolCalls, running }).catch(next)
      })
    })
    return router
  }
}

/** Names the request in metrics and in the log, for the time before its message was read. */
const nameRequest: RequestHandler = (_request, response, next) => {
  requestContext(response).entryName = 'mcp'
  next()
}

/**
 * Refuses requests of web pages, which carry an `Origin`, unless the origin is allowed. A page whose name was bound to
 * this server's address by DNS rebinding counts as another origin too.
 */
function checkOrigin(allowed: readonly string[]): RequestHandler {
  return (request, response, next) => {
    response.set('Cache-Control', 'no-store')
    const { origin } = request.headers
    if (origin !== undefined && !allowed.includes('*') && !allowed.includes(origin)) throw originRefused(origin)
    next()
  }
}

/** Checks the method and the headers. A server without streams of its own answers GET with 405. */
const checkRequest: RequestHandler = (request, _response, next) => {
  if (request.method !== 'POST') throw methodNotAllowed('POST')
  if (!request.is('application/json')) throw problem('unsupported_media_type', 'Send application/json.')
  if (!request.accepts('application/json'))
    throw problem('not_acceptable', 'The response is available as application/json. Accept it.')
  next()
}

/** A request, its caller, and what answers it. */
interface Exchange {
  readonly request: Request
  readonly response: Response
  /** Aborts when the client disconnects or cancels the request. */
  readonly signal: AbortSignal
  readonly caller: Caller
  readonly toolCalls: ToolCalls
  readonly running: RunningCalls
}

/**
 * Answers one message, or a batch of them. A body that cannot be read, or whose version is not known, has the status
 * 400, and one that needs no answer, or that was cancelled, 202.
 */
async function respond(exchange: Exchange): Promise<void> {
  const { request, response } = exchange
  try {
    const value = await parseBody(request.body)
    const answer = Array.isArray(value)
      ? await answersOf(checkBatch(request, value), exchange)
      : await answerAlone(readMessage(value), exchange)
    if (answer === undefined) response.status(202).end()
    else response.json(answer)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    response.status(error.status).json(errorMessage(null, error))
  }
}

/** Answers a message that is a whole body. Errors of the stateless version and of versions have a status of HTTP. */
async function answerAlone(message: RpcMessage | undefined, exchange: Exchange): Promise<object | undefined> {
  try {
    if (!isStateless(exchange.request.headers, message)) return await answerOf(message, exchange)
    if (message?.id === undefined) return undefined
    return resultMessage(message.id, await statelessResultOf(message, exchange))
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    exchange.response.status(error.status)
    return errorMessage(message?.id, error)
  }
}

/** Version 2025-03-26 of the protocol requires batches, and later ones forbid them. */
function checkBatch(request: Request, batch: readonly unknown[]): readonly unknown[] {
  const version = versionInHeader(request.headers) ?? batchVersion
  if (version !== batchVersion)
    throw new RpcError('invalidRequest', `Version ${version} of the protocol has no batches. Send one message.`)
  if (batch.length === 0 || batch.length > batchMax)
    throw new RpcError('invalidRequest', `A batch has 1 to ${batchMax} messages.`)
  return batch
}

/** Answers the messages of a batch one after the other. Returns undefined if none needs an answer. */
async function answersOf(batch: readonly unknown[], exchange: Exchange): Promise<readonly object[] | undefined> {
  const answers: object[] = []
  for (const value of batch) {
    const answer = await answerOf(readInBatch(value), exchange)
    if (answer !== undefined) answers.push(answer)
  }
  return answers.length === 0 ? undefined : answers
}

/** Reads a message of a batch, in which none can begin a session. One that cannot be read is answered by itself. */
function readInBatch(value: unknown): RpcMessage | RpcError | undefined {
  try {
    const message = readMessage(value)
    if (message?.method !== 'initialize') return message
    throw new RpcError('invalidRequest', 'Send "initialize" by itself.')
  } catch (error) {
    if (error instanceof RpcError) return error
    throw error
  }
}

/** Returns the answer of a message, or undefined if it needs none or was cancelled. */
async function answerOf(message: RpcMessage | RpcError | undefined, exchange: Exchange): Promise<object | undefined> {
  if (message instanceof RpcError) return errorMessage(null, message)
  const { running } = exchange
  if (message?.id === undefined) {
    if (message?.method === 'notifications/cancelled') running.cancel(clientOf(exchange), message.params.requestId)
    return undefined
  }
  const { id } = message
  const call = running.start(clientOf(exchange), id, exchange.signal)
  try {
    const result = await resultOf(message, { ...exchange, signal: call.signal })
    return call.wasCancelled() ? undefined : resultMessage(id, result)
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return errorMessage(id, error)
  } finally {
    call.end()
  }
}

/** Identifies a client: its credential's organization and subject, and its session, if it sends one. */
function clientOf({ request, caller: { org, subject } }: Exchange): string {
  return JSON.stringify([org, subject, request.get('mcp-session-id')])
}

async function parseBody(body: unknown): Promise<unknown> {
  if (!Buffer.isBuffer(body) || body.length === 0) throw new RpcError('malformed', 'A request body is required.')
  try {
    return await parseJsonBody(body, undefined)
  } catch (error) {
    throw error instanceof Problem ? new RpcError('malformed', error.message) : error
  }
}

async function resultOf(message: RpcMessage, exchange: Exchange): Promise<object> {
  switch (message.method) {
    case 'initialize':
      exchange.response.set('Mcp-Session-Id', randomUUID())
      return initialize(message.params)
    case 'ping':
      return {}
    case 'tools/list':
      return listTools(message, exchange)
    case 'tools/call':
      return callTool(message, exchange)
    default:
      throw unknownMethod(message)
  }
}

/** Returns the result of a request without a session. It says that it is complete, and who answers. */
async function statelessResultOf(message: RpcMessage, exchange: Exchange): Promise<object> {
  const result = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo() } }
  // The credential determines the tools, so a cache for several callers must not keep them.
  const kept = { ttlMs: keptMs, cacheScope: 'private' }
  switch (message.method) {
    case 'server/discover':
      return { ...result, ...kept, supportedVersions: protocolVersions, capabilities, instructions }
    case 'tools/list':
      return { ...result, ...kept, ...listTools(message, exchange) }
    case 'tools/call':
      return { ...result, ...(await callTool(message, exchange)) }
    default:
      throw unknownMethod(message)
  }
}

function listTools({ params }: RpcMessage, { caller, toolCalls }: Exchange): object {
  if (params.cursor !== undefined) throw new RpcError('invalidParams', 'There is only one page of tools.')
  return { tools: toolCalls.list(caller) }
}

function callTool({ params }: RpcMessage, { request, response, signal, caller, toolCalls }: Exchange): Promise<object> {
  requestContext(response).entryName = `mcp ${toolCalls.nameOf(params.name) ?? 'unknown'}`
  return toolCalls.call(params, {
    caller,
    signal,
    requestId: String(request.id),
    onFault: (error) => {
      response.err = error as Error
    },
  })
}

function unknownMethod({ method }: RpcMessage): RpcError {
  return new RpcError('unknownMethod', `This server has no method ${JSON.stringify(method.slice(0, 100))}.`)
}

/** Agrees on the version that the client asks for, otherwise offers the newest that has sessions. */
function initialize({ protocolVersion }: RpcMessage['params']): object {
  if (typeof protocolVersion !== 'string')
    throw new RpcError('invalidParams', 'The member "protocolVersion" must be a string.')
  return {
    protocolVersion: sessionVersions.includes(protocolVersion) ? protocolVersion : sessionVersions[0],
    capabilities,
    serverInfo: serverInfo(),
    instructions,
  }
}

function serverInfo(): object {
  const { title, version } = readDocument().info as Record<'title' | 'version', string>
  return { name: 'tracefold', title, version }
}
