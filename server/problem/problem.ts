/**
 * The one registry of problems this server answers with (RFC 9457). A handler raises `problem(code, …)`; only the error
 * middleware turns it into a response. Every code is documented in openapi/, which a test checks.
 */
const registry = {
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_cursor: { status: 400, title: 'The cursor does not belong to this query' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  forbidden: { status: 403, title: 'The role of the caller does not allow this' },
  not_found: { status: 404, title: 'There is no such resource' },
  method_not_allowed: { status: 405, title: 'The resource has no such method' },
  not_acceptable: { status: 406, title: 'No offered representation is acceptable' },
  conflict: { status: 409, title: 'The change conflicts with what is stored' },
  or_under_all: { status: 409, title: 'Under all, conditions on one service are joined with and only' },
  integration_deleted: { status: 409, title: 'The integration that this names has been deleted' },
  version_mismatch: { status: 412, title: 'The record has changed since it was read' },
  payload_too_large: { status: 413, title: 'The request body is too large' },
  unsupported_media_type: { status: 415, title: 'The media type of the request body is not supported' },
  refused: { status: 422, title: 'The request is well formed but refused' },
  query_too_large: { status: 422, title: 'The query reads more than a query may' },
  too_many_requests: { status: 429, title: 'Too many requests at once' },
  internal: { status: 500, title: 'The server failed' },
  unavailable: { status: 503, title: 'The service is not available right now' },
  query_timeout: { status: 503, title: 'The query took longer than a query may' },
} as const

export type ProblemCode = keyof typeof registry

/** One fault of an input: where (RFC 6901 pointer into the request body, or `#/query/<name>`), which, and in words. */
export interface FieldFault {
  readonly pointer: string
  readonly code: string
  readonly message: string
}

export interface ProblemExtras {
  readonly errors?: readonly FieldFault[]
  /** Seconds; sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/** A fault that the caller is told about. Everything else that is thrown is the server's own fault: 500, logged once. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly title: string
  readonly extras: ProblemExtras

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail, { cause: extras.cause })
    this.name = 'Problem'
    this.code = code
    this.status = registry[code].status
    this.title = registry[code].title
    this.extras = extras
  }
}

export const problemCodes = Object.keys(registry) as readonly ProblemCode[]

export function problem(code: ProblemCode, detail: string, extras: ProblemExtras = {}): Problem {
  return new Problem(code, detail, extras)
}

/** For use in expressions: `(await store.find(id)) ?? raise(notFound('api key', id))`. */
export function raise(error: Error): never {
  throw error
}

export function notFound(noun: string, id: string): Problem {
  return problem('not_found', thereIsNo(noun, id))
}

/** The fault of a record that names what is not there, by its id or by its name. */
export function unknownAt(pointer: string, noun: string, named: string): FieldFault {
  return { pointer, code: `unknown_${noun}`, message: thereIsNo(noun, named) }
}

function thereIsNo(noun: string, named: string): string {
  return `There is no ${noun} ${JSON.stringify(named)} in your organization.`
}

export function invalid(pointer: string, code: string, message: string): Problem {
  return problem('invalid_request', message, { errors: [{ pointer, code, message }] })
}

/** The 422 for what is well formed but cannot be done, or names what is not there. */
export function refused(pointer: string, code: string, message: string): Problem {
  return refusedFields([{ pointer, code, message }])
}

/** The same for several at once. */
export function refusedFields(errors: readonly FieldFault[]): Problem {
  return problem('refused', errors[0]?.message ?? '', { errors })
}

/** Whether nothing is wrong but the moment: whoever asks the same again later may have it. */
export function isForLater({ status }: Problem): boolean {
  return status === 429 || status === 503
}

/** The 400 for several faults at once. */
export function invalidFields(errors: readonly FieldFault[]): Problem {
  const first = `${errors[0]?.pointer || 'the body'}: ${errors[0]?.message ?? 'is not valid'}`
  return problem('invalid_request', errors.length === 1 ? first : `${errors.length} faults; the first: ${first}`, {
    errors,
  })
}
