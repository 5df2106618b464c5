import type { Request, Response } from 'express'
import type { Caller } from '../auth/caller.ts'
import type { Operation } from './operations.ts'

/** What the layers of one request tell each other, kept in `response.locals`. */
interface RequestState {
  operation?: Operation
  caller?: Caller
  /** Whether any byte of a body was sent. */
  hasBody?: boolean
}

export function requestState(response: Response): RequestState {
  return response.locals as RequestState
}

/** The operation that the request is for. Throws where no operation has been found yet. */
export function matchedOperation(response: Response): Operation {
  const { operation } = requestState(response)
  if (operation === undefined) throw new Error('no operation is matched yet')
  return operation
}

/** What express-openapi-validator leaves on a request that fits a path and method of the document. */
interface MatchedRequest extends Request {
  openapi?: { readonly schema?: { readonly operationId: string }; readonly pathParams: Record<string, unknown> }
}

export function matchOf(request: Request): MatchedRequest['openapi'] {
  return (request as MatchedRequest).openapi
}
