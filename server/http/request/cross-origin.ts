import type { Request, RequestHandler, Response } from 'express'
import { problem } from '../../problem/problem.ts'

/** Paths that pages of other origins may use: the API, OTLP, MCP and the OpenAPI document. */
const sharedPaths = /^\/(api\/v1\/|(v1\/(traces|metrics|logs)|mcp|openapi\.json)\/?$)/

const methods = 'GET, HEAD, POST, PUT, DELETE'
/** Response headers that pages may read, besides those that browsers always show. */
const exposedHeaders = 'Allow, ETag, Location, Mcp-Session-Id, Retry-After, WWW-Authenticate, X-Request-Id'
/** Request headers that a preflight allows if it names none. */
const headersByDefault = 'Authorization, Content-Type, Idempotency-Key, If-Match, X-Request-Id'
/** Seconds for which browsers remember a preflight; Chromium keeps it no longer. */
const preflightSeconds = 7_200

/**
 * Lets pages of the given origins use the API from a browser (CORS). `*` stands for every origin. Credentials of the
 * browser, such as cookies, are never allowed: a page sends its token itself, in `Authorization`. A preflight from
 * another origin is refused with 403, which names the setting; its other requests get no CORS headers, so that the
 * browser withholds the response.
 */
export function shareWithOrigins(origins: readonly string[]): RequestHandler {
  const isOpen = origins.includes('*')
  return (request, response, next) => {
    if (origins.length === 0 || !sharedPaths.test(request.path)) return next()
    if (!isOpen) response.vary('Origin')
    const { origin } = request.headers
    if (origin === undefined) return next()
    const isPreflight = request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (!isOpen && !origins.includes(origin)) {
      if (isPreflight) throw originRefused(origin)
      return next()
    }
    response.set('Access-Control-Allow-Origin', isOpen ? '*' : origin)
    if (isPreflight) return answerPreflight(request, response)
    response.set('Access-Control-Expose-Headers', exposedHeaders)
    next()
  }
}

/** Every header may be sent: the server ignores those that it does not know. */
function answerPreflight(request: Request, response: Response): void {
  const requested = request.headers['access-control-request-headers']
  response.vary('Access-Control-Request-Headers').set({
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': requested ?? headersByDefault,
    'Access-Control-Max-Age': String(preflightSeconds),
  })
  response.status(204).end()
}

/** Returns the 403 for a page of an origin that the setting does not list. */
export function originRefused(origin: string): Error {
  const shown = JSON.stringify(origin.slice(0, 200))
  return problem(
    'forbidden',
    `Pages of the origin ${shown} may not use this server. CORS_ORIGINS lists those that may.`,
  )
}
