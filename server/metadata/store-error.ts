import { type Problem, problem } from '../problem/problem.ts'
import { isTlsCode } from '../problem/tls-code.ts'

const retryAfterSeconds = 5

/** Node's error codes for a failing network, and for as many open connections as this process or machine may have. */
const networkCodes = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'EMFILE',
  'ENFILE',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/**
 * SQLSTATE codes of a Postgres that may recover: connection exception (08), invalid authorization (28), invalid catalog
 * name (3D000), insufficient resources (53), shutdown and startup (57P), read-only transaction after a failover
 * (25006), statement timeout (57014), lock timeout (55P03), which only migrations have, insufficient privilege (42501),
 * and undefined table (42P01), which a store without migrations returns.
 */
const postgresCode = /^(08...|28...|3D000|53...|57P..|57014|55P03|25006|42501|42P01)$/

/** Messages of driver errors that have no code. */
const uncodedMessage =
  /connection (terminated|timeout)|timeout exceeded|read timeout|not queryable|pool after calling end|^no such table/i

/** The codes of a full disk, in either store. */
const diskFullCode = /^(53100|SQLITE_FULL)$/

const libsqlCode = /^SQLITE_(BUSY|CANTOPEN|FULL|IOERR|LOCKED|PROTOCOL|READONLY)/

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Reports whether SQLite found the file locked by another connection. */
export function isBusy(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_BUSY')
}

/** Reports whether Postgres ended a transaction because it and another one waited for each other's locks. */
export function isDeadlock(error: unknown): boolean {
  return codeOf(error) === '40P01'
}

/** Reports whether Postgres lets nothing be written on the connection. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === '25006'
}

/** Reports whether the content of the file is not that of a database. */
export function isDamaged(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))
}

/** Reports whether the error is a violated unique constraint, in either store. */
export function isUniqueViolation(error: unknown): boolean {
  return /^(23505|SQLITE_CONSTRAINT_(PRIMARYKEY|UNIQUE))$/.test(codeOf(error))
}

/**
 * Reports whether the error is a violated foreign key: a reference to a missing row, or the deletion of a referenced
 * one.
 */
function isBrokenReference(error: unknown): boolean {
  return /^(23503|SQLITE_CONSTRAINT_FOREIGNKEY)$/.test(codeOf(error))
}

function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  if (networkCodes.has(code) || postgresCode.test(code) || libsqlCode.test(code) || isTlsCode(code)) return true
  return (code === '' || code === 'SQLITE_ERROR') && error instanceof Error && uncodedMessage.test(error.message)
}

/**
 * Maps an error of a store: to the problem `unavailable` if the store cannot be used at present, to `conflict` for a
 * violated foreign key. Returns any other error unchanged.
 */
export function storeError(error: unknown): Problem | unknown {
  if (isBrokenReference(error))
    return problem('conflict', 'The change would leave a reference to a record that does not exist.')
  if (!isUnavailable(error)) return error
  const detail = diskFullCode.test(codeOf(error))
    ? 'The disk of the metadata store is full. Retry later.'
    : 'The metadata store is unavailable. Retry later.'
  return problem('unavailable', detail, { retryAfterSeconds, cause: error })
}
