import { type Problem, problem } from '../problem/problem.ts'

const retryAfterSeconds = 5

/** Node's own names for a network that does not work. */
const networkCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/**
 * Postgres' own names for "not now": connection lost (08), access refused (28), no such database (3D), no resources (53),
 * shutting down or starting (57P), read-only after a failover (25006), statement cut off by its time limit (57014), and no
 * such table (42P01), which is how a store looks that is not migrated yet.
 */
const postgresCode = /^(08...|28...|3D000|53...|57P..|57014|25006|42P01)$/

/** The drivers give these no code of their own. */
const uncodedMessage =
  /connection (terminated|timeout)|timeout exceeded|read timeout|not queryable|pool after calling end|^no such table/i

const libsqlCode = /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|PROTOCOL|READONLY)/

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

/** A second record under a key that exists, on either store. */
export function isUniqueViolation(error: unknown): boolean {
  return /^(23505|SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE))$/.test(codeOf(error))
}

/** A record that names one that is not there, or one that is deleted although another names it. */
function isBrokenReference(error: unknown): boolean {
  return /^(23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/.test(codeOf(error))
}

function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (networkCodes.has(code) || postgresCode.test(code) || libsqlCode.test(code)) return true
  return (code === '' || code === 'SQLITE_ERROR') && error instanceof Error && uncodedMessage.test(error.message)
}

/** `unavailable` when the store cannot be used now, `conflict` for a reference that would break; any other error is returned as it is. */
export function storeError(error: unknown): Problem | unknown {
  if (isBrokenReference(error)) return problem('conflict', 'Another record names what would no longer be there.')
  if (!isUnavailable(error)) return error
  return problem('unavailable', 'The metadata store cannot be reached right now.', { retryAfterSeconds, cause: error })
}
