import type { ErrorRequestHandler, Request, Response } from 'express'
import { InvalidQuery } from '#sql'
import { invalid, invalidFields, Problem, problem, problemDocument, problemMediaType } from '../../problem/problem.ts'
import { tempoPrefix } from '../contract/document.ts'
import type { Operation } from '../contract/operations.ts'
import { requestContext } from '../request/request-context.ts'
import {
  invalidRequest,
  type ParameterFault,
  parameterFault,
  type SentParameters,
} from '../validation/request-faults.ts'
import { type ResponseCheck, ResponseMismatch } from './response-check.ts'
import { nothingAtPath } from './unknown-paths.ts'

/**
 * Responds to every thrown value with a problem document (RFC 9457). A fault of the server becomes `internal` without
 * details. The error of a fault or an outage is passed on in `response.err` and logged in the request's log line.
 */
export function answerProblems(
  checkResponse: ResponseCheck | undefined,
  operations: readonly Operation[],
): ErrorRequestHandler {
  return (error, request, response, _next) => {
    // The client has disconnected, which is not an error.
    if (response.destroyed || request.socket.destroyed) return
    if (response.headersSent) return breakOff(response, error)
    const known = toProblem(error, { request, response, operations }) ?? internalProblem(error)
    if (known.status >= 500) response.err = error
    else logRefusal(request, known)
    sendProblem(response, checked(known, response, checkResponse))
  }
}

/** Logs why a credential was refused, for the operator whom its owner asks, and the causes of other refusals. */
function logRefusal({ log }: Request, { status, message, extras }: Problem): void {
  if (status === 401) log.info({ reason: message }, 'Refused a credential')
  else if (extras.cause) log.debug({ err: extras.cause }, 'Refused a request')
}

/**
 * Closes the connection. Once a response has started, this is the only way to show the client that it is incomplete.
 */
function breakOff(response: Response, error: unknown): void {
  response.err = error as Error
  response.destroy()
}

function internalProblem(error: unknown): Problem {
  const inTests = error instanceof ResponseMismatch ? ` ${error.message}` : ''
  return problem('internal', `Internal server error. The log has the details under the id in X-Request-Id.${inTests}`)
}

/** Returns the problem, or an internal one when the operation does not declare it. */
function checked(known: Problem, response: Response, checkResponse: ResponseCheck | undefined): Problem {
  const { operation } = requestContext(response)
  if (operation === undefined || checkResponse === undefined) return known
  try {
    checkResponse(operation.id, known.status, problemMediaType, problemDocument(known))
    return known
  } catch (mismatch) {
    response.err = mismatch as Error
    return internalProblem(mismatch)
  }
}

function sendProblem(response: Response, known: Problem): void {
  const { headers = {}, retryAfterSeconds } = known.extras
  response.status(known.status).set({ 'Cache-Control': 'no-store', ...headers })
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(Math.ceil(retryAfterSeconds)))
  // `response.type` would add a charset, which the media type does not define.
  response.setHeader('Content-Type', problemMediaType)
  response.end(JSON.stringify({ ...problemDocument(known), ...shownByGrafana(response, known) }))
}

/** Grafana's data source for Tempo shows users the member `message` of an error, and nothing else of a JSON body. */
function shownByGrafana({ req }: Response, { message }: Problem): object {
  return req.originalUrl.startsWith(tempoPrefix) ? { message } : {}
}

/** An error thrown by a layer in front of the handlers: express-openapi-validator, the body parser or the router. */
interface LayerError extends Error {
  readonly status?: number
  /** The body parser's code for the error. */
  readonly type?: string
  readonly errors?: readonly ParameterFault[]
  readonly headers?: Readonly<Record<string, string>>
  /** The body parser's size limit, in bytes. */
  readonly limit?: number
}

const bodyProblems: Readonly<Record<string, (error: LayerError) => Problem>> = {
  'entity.too.large': ({ limit }) => problem('payload_too_large', `The request body exceeds ${limit} bytes.`),
  'encoding.unsupported': () =>
    problem('unsupported_media_type', 'Unsupported Content-Encoding. Use identity, gzip, deflate or br.'),
  'request.size.invalid': () => invalid('', 'malformed_body', 'does not have the length in Content-Length'),
}

/** A request that has failed. */
interface Failed {
  readonly request: Request
  readonly response: Response
  readonly operations: readonly Operation[]
}

/** Maps an error to a problem. Returns `undefined` for a fault of the server. */
export function toProblem(error: unknown, { request, response, operations }: Failed): Problem | undefined {
  if (error instanceof Problem) return error
  if (!(error instanceof Error)) return undefined
  if (error instanceof InvalidQuery) return invalidFields(error.faults)
  const { type, status, errors, headers } = error as LayerError
  if (type !== undefined && bodyProblems[type]) return bodyProblems[type](error)
  switch (status) {
    case 400:
      if (error instanceof URIError) return malformedPath()
      if (errors === undefined) return malformedBody(request)
      return readFaults(errors, { known: requestContext(response).operation?.queryNames ?? [], query: request.query })
    case 404:
      return nothingAtPath(request.path, operations)
    case 405:
      return methodNotAllowed(headers?.Allow ?? '')
    case 413:
      return problem('payload_too_large', 'The request is too large.')
    case 415:
      return problem('unsupported_media_type', 'The media type or encoding of the request body is not supported.')
    default:
      return undefined
  }
}

/**
 * Reads the faults of parameters that the validator reports. A path that cannot be decoded is one of them, with the
 * path as its pointer.
 */
function readFaults(errors: readonly ParameterFault[], sent: SentParameters): Problem {
  const isOfPath = errors.some(({ path, errorCode }) => errorCode === undefined && !path.startsWith('/query/'))
  return isOfPath ? malformedPath() : invalidRequest(errors.map((fault) => parameterFault(fault, sent)))
}

/** Returns the problem for a body that cannot be decompressed or is truncated. */
function malformedBody({ headers }: Request): Problem {
  const coding = headers['content-encoding']
  const isCompressed = coding !== undefined && coding.toLowerCase() !== 'identity'
  const reason = isCompressed ? ': it is not compressed as the header Content-Encoding says, or is cut off' : ''
  return invalid('', 'malformed_body', `cannot be read${reason}`)
}

function malformedPath(): Problem {
  return invalid('#/path', 'malformed_path', 'is not percent-encoded UTF-8')
}

/** Returns the 405. `allow` lists the methods of the path, comma-separated; GET implies HEAD. */
export function methodNotAllowed(allow: string): Problem {
  const methods = allow.split(', ').flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return problem('method_not_allowed', `This path supports ${methods.join(', ')}.`, {
    headers: { Allow: methods.join(', ') },
  })
}
