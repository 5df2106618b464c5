import { InvalidQuery } from '#sql'

/**
 * The registry of all problems that this server responds with (RFC 9457). Handlers throw `problem(code, …)`, and only
 * the error middleware converts one to a response. A test compares the codes with the OpenAPI document.
 */
const registry = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_cursor: { status: 400, title: 'Invalid cursor' },
  unauthenticated: { status: 401, title: 'Authentication required' },
  forbidden: { status: 403, title: 'Forbidden' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'Not acceptable' },
  request_timeout: { status: 408, title: 'Request not received in time' },
  conflict: { status: 409, title: 'Conflict with stored data' },
  or_under_all: { status: 409, title: 'Rule mode "all" does not allow "or" between conditions on one service' },
  integration_deleted: { status: 409, title: 'Integration has been deleted' },
  version_mismatch: { status: 412, title: 'Record has changed since it was read' },
  payload_too_large: { status: 413, title: 'Request body too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  refused: { status: 422, title: 'Request cannot be carried out' },
  query_too_large: { status: 422, title: 'Query too large' },
  too_many_requests: { status: 429, title: 'Too many concurrent requests' },
  quota_exceeded: { status: 429, title: 'Quota of the organization exceeded' },
  headers_too_large: { status: 431, title: 'URL or headers too large' },
  internal: { status: 500, title: 'Internal server error' },
  unavailable: { status: 503, title: 'Service unavailable' },
  query_timeout: { status: 503, title: 'Query timed out' },
} as const

export type ProblemCode = keyof typeof registry

export const problemCodes = Object.keys(registry) as readonly ProblemCode[]

/** One invalid field of a request. */
export interface FieldFault {
  /** An RFC 6901 pointer into the request body, or `#/query/<name>`. */
  readonly pointer: string
  readonly code: string
  /** A sentence, or what follows the name of the field, such as `must be in the future`. */
  readonly message: string
  /** The number of Unicode code points of the field before the fault, if the field is a text with a syntax. */
  readonly position?: number
}

export interface ProblemExtras {
  readonly errors?: readonly FieldFault[]
  /** Sent as `Retry-After`. */
  readonly retryAfterSeconds?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly cause?: unknown
}

/**
 * An error that is reported to the caller. Any other error is a fault of the server: it is logged once, and the
 * response is 500.
 */
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

/** Creates a problem, for `throw`. `detail` says what is wrong and what is allowed. */
export function problem(code: ProblemCode, detail: string, extras: ProblemExtras = {}): Problem {
  return new Problem(code, detail, extras)
}

export const problemMediaType = 'application/problem+json'

/** Returns the document that is sent for a problem (RFC 9457, section 3). */
export function problemDocument({ code, status, title, message, extras }: Problem): object {
  const base = { type: `urn:tracefold:problem:${code}`, title, status, detail: message, code }
  return extras.errors === undefined ? base : { ...base, errors: extras.errors }
}

/** Throws within an expression: `(await store.find(id)) ?? raise(notFound('api key', id))`. */
export function raise(error: Error): never {
  throw error
}

/** Returns the problem of a record that does not exist or that the caller may not see. */
export function notFound(noun: string, id: string): Problem {
  return problem('not_found', thereIsNo(noun, id))
}

/** Returns the fault of a field that names a record, by id or by name, that does not exist. */
export function unknownAt(pointer: string, noun: string, named: string): FieldFault {
  return { pointer, code: `unknown_${noun}`, message: thereIsNo(noun, named) }
}

function thereIsNo(noun: string, named: string): string {
  return `There is no ${noun} ${JSON.stringify(named)} in your organization.`
}

/** Returns the 400 for one invalid field. */
export function invalid(pointer: string, code: string, message: string): Problem {
  return invalidFields([{ pointer, code, message }])
}

/** Maximum number of faults in one problem. */
export const faultsMax = 50

/** Returns the 400 for several invalid fields. */
export function invalidFields(errors: readonly FieldFault[], extras: Pick<ProblemExtras, 'headers'> = {}): Problem {
  return problem('invalid_request', detailOf(errors), { ...extras, errors: errors.slice(0, faultsMax) })
}

/** Returns the 422 for a well-formed request that cannot be carried out or refers to an unknown record. */
export function refused(pointer: string, code: string, message: string): Problem {
  return refusedFields([{ pointer, code, message }])
}

/** Returns the 422 for several fields. */
export function refusedFields(errors: readonly FieldFault[]): Problem {
  return problem('refused', detailOf(errors), { errors: errors.slice(0, faultsMax) })
}

/** Says where the first fault is and how many there are, because clients often show nothing but the detail. */
function detailOf(errors: readonly FieldFault[]): string {
  const [first] = errors
  if (first === undefined) return 'The request is not valid.'
  return errors.length === 1 ? located(first) : `${errors.length} errors. The first: ${located(first)}`
}

/** A message is either a sentence, or the rest of one that begins with the field: "must be in the future". */
function located({ pointer, message }: FieldFault): string {
  if (!/^[a-z]/.test(message)) return pointer === '' ? message : `${pointer}: ${message}`
  return `${pointer || 'The body'} ${message}${/[.?]$/.test(message) ? '' : '.'}`
}

/** Reports whether the problem is temporary, so that the same request may succeed later. */
export function isTemporary({ status }: Pick<Problem, 'status'>): boolean {
  return status === 429 || status === 503
}

/**
 * Reports whether the problem is that a store cannot be used. One without a cause, such as that of the time in which
 * the server starts, is expected.
 */
export function isStoreOut({ code, cause }: Pick<Problem, 'code' | 'cause'>): boolean {
  return code === 'unavailable' && cause !== undefined
}

/** Adds the faults that `check` throws to `faults` and returns `undefined`, so that all faults are reported at once. */
export function collectFaults<T>(faults: FieldFault[], check: () => T): T | undefined {
  try {
    return check()
  } catch (error) {
    const found = error instanceof InvalidQuery ? error.faults : error instanceof Problem && error.extras.errors
    if (!found) throw error
    faults.push(...found)
    return undefined
  }
}
