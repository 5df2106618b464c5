import type { Request, RequestHandler, Response } from 'express'
import type { Authenticate, Credential } from '../../auth/authenticate.ts'
import { bearerOfBasic } from '../../auth/basic-password.ts'
import type { Caller, Role } from '../../auth/caller.ts'
import { roleAllows } from '../../auth/caller.ts'
import type { Prometheus } from '../../observability/prometheus.ts'
import { problem } from '../../problem/problem.ts'
import {
  readSessionCookie,
  requireSameOrigin,
  requireShownCaller,
  type ServerAddress,
} from '../../sessions/session-cookie.ts'
import { tempoPrefix } from '../contract/document.ts'
import type { Operation } from '../contract/operations.ts'

/** State shared by the middleware of one request, kept in `response.locals`. */
interface RequestContext {
  operation?: Operation
  /** The name of a request to an entry point outside the document, from a closed list. */
  entryName?: string
  caller?: Caller
}

/** Returns what the server knows of the request of a response. */
export function requestContext(response: Response): RequestContext {
  return response.locals as RequestContext
}

/** Returns the id of the operation, or the name of the request to another entry point; undefined while unknown. */
export function operationName(response: Response): string | undefined {
  const { operation, entryName } = requestContext(response)
  return operation?.id ?? entryName
}

/** Returns the operation that the request matches. Throws if no operation has been matched yet. */
export function matchedOperation(response: Response): Operation {
  const { operation } = requestContext(response)
  if (operation === undefined) throw new Error('The request has not been matched to an operation.')
  return operation
}

/** A request with the properties that express-openapi-validator adds when a path and method of the document match. */
interface MatchedRequest extends Request {
  openapi?: { readonly schema?: { readonly operationId: string }; readonly pathParams: Record<string, unknown> }
}

/** Returns the path and the operation of the document that match the request, if the validator has found them. */
export function matchOf(request: Request): MatchedRequest['openapi'] {
  return (request as MatchedRequest).openapi
}

/** Authenticates the caller and checks its role against the document, before the body is read. */
export function authorize(authenticate: Authenticate, address: ServerAddress): RequestHandler {
  return async (request, response, next) => {
    const { role, path } = matchedOperation(response)
    if (role === undefined) throw new Error('An operation without a role is behind authentication.')
    const caller = await authenticate(credentialOf(request, path, address))
    if (request.headers.authorization === undefined) requireShownCaller(request, caller)
    if (!roleAllows(caller.role, role)) throw insufficientRole(caller.role, role)
    requestContext(response).caller = caller
    next()
  }
}

/**
 * Returns the credential in the header, else the one in the cookie, which only pages of this server may use. The
 * operations for Grafana, all of which are reads, also take it as the password of a user.
 */
function credentialOf(request: Request, path: string, address: ServerAddress): Credential {
  const { authorization: sent } = request.headers
  const authorization = path.startsWith(tempoPrefix) ? bearerOfBasic(sent) : sent
  const sessionSecret = authorization === undefined ? readSessionCookie(request, address) : undefined
  if (sessionSecret === undefined) return authorization
  requireSameOrigin(request)
  return { sessionSecret }
}

function insufficientRole(role: Role, required: Role): Error {
  return problem('forbidden', `This operation requires the role ${required}; the caller has the role ${role}.`, {
    headers: { 'WWW-Authenticate': `Bearer realm="tracefold", error="insufficient_scope", scope="${required}"` },
  })
}

/** Counts and times every request by the name of its operation; requests without one count as `unknown`. */
export function observeRequests(metrics: Prometheus['http'], operations: readonly Operation[]): RequestHandler {
  const outside = new Map<string, Operation>(
    operations
      .filter(({ isHandled }) => !isHandled)
      .map((operation) => [`${operation.method} ${operation.path}`, operation]),
  )
  return (request, response, next) => {
    const stop = metrics.duration.startTimer()
    const methodAndPath = `${request.method} ${request.path}`
    metrics.inFlight.inc()
    response.once('close', () => {
      metrics.inFlight.dec()
      const operation = operationName(response) ?? outside.get(methodAndPath)?.id ?? 'unknown'
      stop({ operation })
      metrics.requests.inc({ operation, status: String(response.statusCode) })
    })
    next()
  }
}
