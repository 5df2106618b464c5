/** Calls of operations from within the server, for entry points whose calls are not HTTP requests of their own. */
import type { Request, RequestHandler, Response } from 'express'
import type { Caller } from '../auth/caller.ts'
import { roleAllows } from '../auth/caller.ts'
import { invalid, problem } from '../problem/problem.ts'
import type { HandledOperationId, HandlerRequest, Handlers } from './contract/handlers.ts'
import type { ByteStream } from './contract/json-stream.ts'
import type { Operation } from './contract/operations.ts'
import { requestContext } from './request/request-context.ts'
import { handlersById } from './response/dispatch.ts'
import { toProblem } from './response/error-middleware.ts'
import type { ResponseCheck } from './response/response-check.ts'
import type { Reserve, ResponseMemory } from './response/response-memory.ts'
import { nothingAtPath } from './response/unknown-paths.ts'
import { runHandler, type Validator } from './validation/validator.ts'

/** One call on behalf of an authenticated caller. */
export interface OperationCall {
  readonly id: HandledOperationId
  readonly caller: Caller
  /** Parameters of the path by name, as they are before they are encoded. */
  readonly path?: Readonly<Record<string, string>>
  /** Parameters of the query by name, as decoded texts. */
  readonly query?: Readonly<Record<string, string>>
  /** The parsed JSON body. Ignored by operations without one. */
  readonly body?: unknown
  /** Aborts the queries of the call. */
  readonly signal: AbortSignal
  readonly requestId: string
}

/**
 * Calls an operation as an HTTP request would: its role, its parameters and its body are checked against the document.
 * Resolves to the JSON of the response.
 * @throws Problem for everything that a request would be refused for, and for a response of more than 8 MiB
 */
export type CallOperation = (call: OperationCall) => Promise<unknown>

interface CallDeps {
  readonly handlers: Handlers
  readonly operations: readonly Operation[]
  readonly validator: Validator
  readonly checkResponse: ResponseCheck | undefined
  readonly memory: ResponseMemory
}

/** Maximum size of a streamed response, which is parsed as a whole. */
const streamBytesMax = 8 * 1024 * 1024

export function createOperationCalls({
  handlers,
  operations,
  validator,
  checkResponse,
  memory,
}: CallDeps): CallOperation {
  const operationsById = new Map(operations.map((operation) => [operation.id as string, operation]))
  const byId = handlersById(handlers)
  return async (call) => {
    const operation = operationsById.get(call.id)
    const handler = byId[call.id]
    if (operation?.role === undefined || handler === undefined) throw new Error(`There is no operation ${call.id}.`)
    if (!roleAllows(call.caller.role, operation.role))
      throw problem('forbidden', `${call.id} requires the role ${operation.role}; yours is ${call.caller.role}.`)
    const sent = asSent(operation, call)
    const { caller, signal, requestId, id } = call
    try {
      const { path, query, body } = await checkedRequest(validator, operation, sent)
      const request = { caller, path, query, headers: {}, body, signal, requestId, operation: id } as HandlerRequest
      const { status, stream, ...result } = await handler(request)
      const answered = stream === undefined ? result.body : await readStream(stream, memory.reserveFor(caller.org))
      checkResponse?.(id, status, answered === undefined ? undefined : 'application/json', answered)
      return answered
    } catch (error) {
      throw toProblem(error, { ...sent, operations: [operation] }) ?? error
    }
  }
}

interface SentCall {
  readonly request: Request
  readonly response: Response
}

/** Returns the parts of a call in the form of a request, for the handlers of the validator, which read one. */
function asSent(operation: Operation, call: OperationCall): SentCall {
  const url = urlOf(operation, call.path ?? {})
  const hasBody = operation.requestTypes.length > 0
  const request = {
    method: operation.method,
    path: url,
    originalUrl: url,
    baseUrl: '',
    headers: hasBody ? { 'content-type': 'application/json' } : {},
    query: { ...call.query },
    params: {},
    body: hasBody ? (call.body ?? {}) : undefined,
    app: { enabled: (setting: string) => setting === 'case sensitive routing', param: () => undefined },
  } as unknown as Request
  return { request, response: { locals: {} } as Response }
}

async function checkedRequest(validator: Validator, operation: Operation, { request, response }: SentCall) {
  await runAll(validator.match, request, response)
  if (requestContext(response).operation?.id !== operation.id) throw nothingAtPath(request.path, [operation])
  await runAll([...validator.check, validator.checkBody], request, response)
  return { path: request.params, query: request.query, body: request.body }
}

async function runAll(handlers: readonly RequestHandler[], request: Request, response: Response): Promise<void> {
  for (const handler of handlers) await runHandler(handler, request, response)
}

function urlOf({ path }: Operation, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    if (value === '') throw invalid(`#/path/${name}`, 'required', 'is required')
    try {
      return encodeURIComponent(value)
    } catch {
      throw invalid(`#/path/${name}`, 'format', 'must be valid Unicode')
    }
  })
}

async function readStream({ pieces, heldBytes }: ByteStream, reserve: Reserve): Promise<unknown> {
  const free = reserve(heldBytes + streamBytesMax)
  try {
    const read: Buffer[] = []
    let bytes = 0
    for await (const piece of pieces) {
      bytes += piece.length
      if (bytes > streamBytesMax) throw problem('query_too_large', `The response exceeds ${streamBytesMax} bytes.`)
      read.push(piece)
    }
    return JSON.parse(Buffer.concat(read).toString('utf8'))
  } finally {
    free()
  }
}
