import type { Request, RequestHandler, Response } from 'express'
import { problem } from '../../problem/problem.ts'
import type { HandlerRequest, Handlers } from '../contract/handlers.ts'
import type { ByteStream } from '../contract/json-stream.ts'
import { matchedOperation, matchOf, requestContext } from '../request/request-context.ts'
import type { ResponseCheck } from './response-check.ts'
import type { Reserve, ResponseMemory } from './response-memory.ts'
import { sendJson, sendStream } from './send-response.ts'

/** The result of a handler of any operation. */
interface AnyResult {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly stream?: ByteStream
}

type AnyHandler = (request: HandlerRequest) => Promise<AnyResult> | AnyResult

/** Returns the handlers by the ids of their operations, as handlers of any operation. */
export function handlersById(handlers: Handlers): Readonly<Record<string, AnyHandler | undefined>> {
  return handlers as unknown as Readonly<Record<string, AnyHandler>>
}

/** Calls the handler of the matched operation and sends its result. */
export function dispatch(
  handlers: Handlers,
  checkResponse: ResponseCheck | undefined,
  memory: ResponseMemory,
): RequestHandler {
  const byId = handlersById(handlers)
  return async (request, response) => {
    const { id, isWrite } = matchedOperation(response)
    const handler = byId[id]
    if (handler === undefined) throw new Error(`The operation ${id} has no handler.`)
    const sent = handlerRequest(request, response)
    const reserve = memory.reserveFor(sent.caller.org, isWrite)
    const { stream, ...result } = await handler(sent)
    if (stream !== undefined) {
      const { mediaType } = sent
      response.status(result.status).set(result.headers ?? {})
      const about = { id, status: result.status, mediaType }
      const pieces = checkResponse === undefined ? stream.pieces : checkedPieces(about, stream, checkResponse)
      return sendStream(response, { ...stream, pieces, mediaType }, reserve, sent.signal)
    }
    checkResponse?.(id, result.status, result.body === undefined ? undefined : 'application/json', result.body)
    await send(response, result, reserve, sent.signal)
  }
}

function handlerRequest(request: Request, response: Response): HandlerRequest & { readonly mediaType: string } {
  const { caller } = requestContext(response)
  if (caller === undefined) throw new Error('The request has not been authenticated.')
  const { id, headerNames, responseTypes } = matchedOperation(response)
  const sent = headerNames.flatMap((name) => (request.get(name) === undefined ? [] : [[name, request.get(name)]]))
  return {
    caller,
    path: matchOf(request)?.pathParams ?? {},
    query: request.query,
    headers: Object.fromEntries(sent),
    body: request.body,
    mediaType: preferredType(request, response, responseTypes),
    signal: signalOf(response),
    requestId: String(request.id),
    operation: id,
  } as HandlerRequest & { readonly mediaType: string }
}

/**
 * Returns the media type of the response that the client prefers, of those that the operation offers.
 * @throws Problem 406 if it accepts none of several
 */
function preferredType(request: Request, response: Response, types: readonly string[]): string {
  const [only = 'application/json', ...others] = types
  if (others.length === 0) return only
  response.vary('Accept')
  // Generated Java accepts only the type of problems, as the only JSON of the operation, and reads any other.
  if (request.get('accept')?.trim() === 'application/problem+json') return only
  const available = types.map(withParameters)
  const accepted = request.accepts(available)
  if (accepted !== false) return types[available.indexOf(accepted)] ?? only
  throw problem('not_acceptable', `The response is available as ${available.join(' and ')}. Accept one of them.`)
}

/**
 * Returns a media type with the parameters that a client may name: texts are sent in UTF-8, and CSV with its header. A
 * type with other parameters is not what is sent (RFC 9110, section 12.5.1).
 */
function withParameters(type: string): string {
  if (type === 'text/csv') return `${type}; charset=utf-8; header=present`
  return type.endsWith('protobuf') ? type : `${type}; charset=utf-8`
}

/** Returns a signal that aborts when the client disconnects before the response is complete, or already has. */
export function signalOf(response: Response): AbortSignal {
  if (response.destroyed) return AbortSignal.abort()
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Checks a body after its last piece. A mismatch closes the connection. */
async function* checkedPieces(
  { id, status, mediaType }: { readonly id: string; readonly status: number; readonly mediaType: string },
  { pieces }: ByteStream,
  checkResponse: ResponseCheck,
): AsyncGenerator<Buffer> {
  const sent: Buffer[] = []
  for await (const piece of pieces) {
    sent.push(piece)
    yield piece
  }
  const text = Buffer.concat(sent).toString('utf8')
  checkResponse(id, status, mediaType, mediaType === 'application/json' ? JSON.parse(text) : text)
}

async function send(
  response: Response,
  { status, headers, body }: AnyResult,
  reserve: Reserve,
  signal: AbortSignal,
): Promise<void> {
  response.status(status)
  const version = versionOf(body)
  if (version !== undefined) response.set('ETag', `"${version}"`)
  if (headers !== undefined) response.set(headers)
  if (body === undefined) response.end()
  else await sendJson(response, body, reserve, signal)
}

/** Returns the `version` of an editable record, which is also its entity tag. */
function versionOf(body: unknown): number | undefined {
  const version = typeof body === 'object' && body !== null && 'version' in body ? body.version : undefined
  return typeof version === 'number' ? version : undefined
}
