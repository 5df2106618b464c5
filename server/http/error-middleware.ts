import type { ErrorRequestHandler, Response } from 'express'
import { type Problem, problem } from '../problem/problem.ts'
import { requestContext } from './request-context.ts'
import { type ResponseCheck, ResponseMismatch } from './response-check.ts'
import { toProblem } from './to-problem.ts'

/**
 * Turns whatever was thrown into a problem document (RFC 9457). The server's own faults are told as `internal` and nothing
 * else; the error itself goes to the request's one log line, by way of `response.err`.
 */
export function answerProblems(checkResponse: ResponseCheck | undefined): ErrorRequestHandler {
  return (error, request, response, _next) => {
    // The client has left: there is nobody to tell, and its leaving is no fault.
    if (response.destroyed || request.socket.destroyed) return
    if (response.headersSent) return breakOff(response, error)
    const known = toProblem(error, request.body) ?? internalProblem(error)
    if (known.status >= 500) response.err = error
    else if (known.extras.cause) request.log.debug({ err: known.extras.cause }, 'request refused')
    sendProblem(response, checked(known, response, checkResponse))
  }
}

/** An answer that has begun cannot turn into a problem; only a broken connection tells the client that it is not whole. */
function breakOff(response: Response, error: unknown): void {
  response.err = error as Error
  response.destroy()
}

function internalProblem(error: unknown): Problem {
  const inTests = error instanceof ResponseMismatch ? ` ${error.message}` : ''
  return problem('internal', `The server failed. The fault is logged under the id in X-Request-Id.${inTests}`)
}

/** The problem itself, or the fault that its operation does not declare it so. */
function checked(told: Problem, response: Response, checkResponse: ResponseCheck | undefined): Problem {
  const { operation } = requestContext(response)
  if (operation === undefined || checkResponse === undefined) return told
  try {
    checkResponse(operation.id, told.status, problemMediaType, problemDocument(told))
    return told
  } catch (mismatch) {
    response.err = mismatch as Error
    return internalProblem(mismatch)
  }
}

const problemMediaType = 'application/problem+json'

function problemDocument({ code, status, title, message, extras }: Problem): object {
  const base = { type: `urn:tracefold:problem:${code}`, title, status, detail: message, code }
  return extras.errors === undefined ? base : { ...base, errors: extras.errors }
}

function sendProblem(response: Response, told: Problem): void {
  const { headers = {}, retryAfterSeconds } = told.extras
  response.status(told.status).set(headers)
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(Math.ceil(retryAfterSeconds)))
  // Not through `response.type`, which would add a charset that the media type does not define.
  response.setHeader('Content-Type', problemMediaType)
  response.end(JSON.stringify(problemDocument(told)))
}
