import type { RequestHandler } from 'express'
import type { Caller, Role } from '../auth/caller.ts'
import { roleAllows } from '../auth/roles.ts'
import { problem } from '../problem/problem.ts'
import { matchedOperation, requestState } from './request-state.ts'

/** Answers the caller of an `Authorization` header; throws the problem (401, 503) when there is none. */
export type Authenticate = (authorization: string | undefined) => Promise<Caller>

/** Lets a request on when its caller is known and has the role that the document asks for, before its body is read. */
export function authorize(authenticate: Authenticate): RequestHandler {
  return async (request, response, next) => {
    const { role } = matchedOperation(response)
    if (role === undefined) throw new Error('an operation that is open to all stands behind authentication')
    const caller = await authenticate(request.headers.authorization)
    if (!roleAllows(caller.role, role)) throw insufficientRole(caller.role, role)
    requestState(response).caller = caller
    next()
  }
}

function insufficientRole(role: Role, required: Role): Error {
  return problem('forbidden', `This needs the role ${required}; the caller has the role ${role}.`, {
    headers: { 'WWW-Authenticate': `Bearer realm="tracefold", error="insufficient_scope", scope="${required}"` },
  })
}
