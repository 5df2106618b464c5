/** Maps errors of ClickHouse, and of the connection to it, to problems. */
import { parseError, ClickHouseError as ServerError } from '@clickhouse/client'
import { Problem, problem } from '../problem/problem.ts'
import { isTlsCode } from '../problem/tls-code.ts'

const retryAfterSeconds = 2

/** The error codes of ClickHouse that the server distinguishes. Codes are stable across versions, unlike texts. */
export const errorCodes = {
  ATTEMPT_TO_READ_AFTER_EOF: '32',
  BAD_ARGUMENTS: '36',
  TABLE_ALREADY_EXISTS: '57',
  CANNOT_WRITE_TO_FILE_DESCRIPTOR: '75',
  TOO_MANY_ROWS: '158',
  TIMEOUT_EXCEEDED: '159',
  TOO_SLOW: '160',
  TOO_MANY_SIMULTANEOUS_QUERIES: '202',
  SOCKET_TIMEOUT: '209',
  NETWORK_ERROR: '210',
  ABORTED: '236',
  MEMORY_LIMIT_EXCEEDED: '241',
  TABLE_IS_READ_ONLY: '242',
  NOT_ENOUGH_SPACE: '243',
  TOO_MANY_PARTS: '252',
  ALL_CONNECTION_TRIES_FAILED: '279',
  TOO_MANY_BYTES: '307',
  QUERY_WAS_CANCELLED: '394',
  TOO_MANY_ROWS_OR_BYTES: '396',
  CANNOT_COMPILE_REGEXP: '427',
  ACCESS_DENIED: '497',
  AUTHENTICATION_FAILED: '516',
  TOO_SLOW_PARSING: '718',
} as const

/**
 * ClickHouse rejected a query that this server generated, which is a bug in the server. The message contains the label
 * of the query and the error code, but no values of the query.
 */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed'
  readonly code: string
  /**
   * The message from ClickHouse. It may quote values, so it is never for logs or responses.
   */
  readonly serverText: string

  constructor(label: string, code: string, type: string, serverText: string) {
    super(`ClickHouse refused ${label}: ${type || 'unknown error'}${code && ` (code ${code})`}.`)
    this.code = code
    this.serverText = serverText
  }
}

/** Returns the problem of a telemetry store that is expected to work again soon. */
export function unavailable(detail = 'The telemetry store cannot be reached. Retry later.', cause?: unknown): Problem {
  return problem('unavailable', detail, { retryAfterSeconds, cause })
}

type ToProblem = (text: string, cause: QueryFailed) => Problem | undefined

/** Maps a refusal that is expected to end. Its cause tells the operator what ClickHouse lacks. */
function unavailableBecause(detail: string): ToProblem {
  return (_, cause) => unavailable(detail, cause)
}

/** Maps a query beyond a limit. Its detail names the setting, so that an operator knows which one to raise. */
function tooLarge(fault: string): () => Problem {
  return () => problem('query_too_large', `The query ${fault}. Narrow its window or conditions.`)
}

const tooManyRows = tooLarge('would read more rows than one query may (QUERY_ROWS_MAX)')
const tooMuchMemory = tooLarge('needs more memory than one query may use (QUERY_MEMORY_MAX)')
const tooMuchReturned = tooLarge('would return more than one response may contain')

/** Maps a query that took too long, by itself or because it paused while others ran. */
const timedOut = () =>
  problem(
    'query_timeout',
    'The query exceeded the time limit (QUERY_SECONDS_MAX). ' +
      'Narrow its window or conditions, or send fewer queries at the same time.',
    { retryAfterSeconds },
  )

/**
 * Maps a connection between two nodes that failed, timed out or broke within a result. Failures of this server's own
 * connection have no ClickHouse error code.
 */
const shardUnavailable = unavailableBecause('A shard of the telemetry store cannot be reached. Retry later.')

const diskFull = unavailableBecause('The disk of the telemetry store is full. Retry later.')

const memoryFull = unavailableBecause('The telemetry store is out of memory. Retry later.')

/** Maps a result that is too large, or temporary files that are (`readSettings`): these stand in for memory. */
const tooManyBytes: ToProblem = (text) => (text.includes('temporary files') ? tooMuchMemory() : tooMuchReturned())

/** Maps an exceeded memory limit. Limits of the server, and of all queries of its user, are unrelated to this query. */
const outOfMemory: ToProblem = (text, cause) =>
  /\(total\)|User memory limit/.test(text) ? memoryFull(text, cause) : tooMuchMemory()

/** Maps a query with more conditions than ClickHouse plans, such as one in many integrations at once. */
const tooManyConditions = () =>
  problem(
    'query_too_large',
    'The query has more conditions than ClickHouse accepts. Use fewer of them, or integrations with fewer matchers.',
  )

const problems: Readonly<Record<string, ToProblem>> = {
  [errorCodes.TOO_MANY_ROWS]: tooManyRows,
  [errorCodes.TOO_MANY_BYTES]: tooMuchReturned,
  [errorCodes.TOO_MANY_ROWS_OR_BYTES]: tooManyBytes,
  [errorCodes.MEMORY_LIMIT_EXCEEDED]: outOfMemory,
  [errorCodes.TIMEOUT_EXCEEDED]: timedOut,
  [errorCodes.TOO_SLOW]: timedOut,
  [errorCodes.TOO_MANY_SIMULTANEOUS_QUERIES]: () =>
    problem('too_many_requests', 'Too many concurrent queries. Retry later.', { retryAfterSeconds }),
  [errorCodes.TOO_MANY_PARTS]: unavailableBecause(
    'The telemetry store cannot merge inserted data fast enough. Retry later.',
  ),
  [errorCodes.NOT_ENOUGH_SPACE]: diskFull,
  [errorCodes.CANNOT_WRITE_TO_FILE_DESCRIPTOR]: diskFull,
  [errorCodes.TABLE_IS_READ_ONLY]: unavailableBecause('A table of the telemetry store is read-only. Retry later.'),
  [errorCodes.QUERY_WAS_CANCELLED]: unavailableBecause(
    'The query was cancelled because the telemetry store is shutting down. Retry later.',
  ),
  [errorCodes.ABORTED]: unavailableBecause('The telemetry store is shutting down. Retry later.'),
  // As while a password is changed there before it is changed here.
  [errorCodes.AUTHENTICATION_FAILED]: unavailableBecause(
    'The telemetry store refuses the credentials of the server. Retry later.',
  ),
  // As until an operator grants what a new version needs.
  [errorCodes.ACCESS_DENIED]: unavailableBecause(
    'The telemetry store denies the server a privilege that it needs. Retry later.',
  ),
  [errorCodes.ALL_CONNECTION_TRIES_FAILED]: shardUnavailable,
  [errorCodes.SOCKET_TIMEOUT]: shardUnavailable,
  [errorCodes.NETWORK_ERROR]: shardUnavailable,
  [errorCodes.ATTEMPT_TO_READ_AFTER_EOF]: shardUnavailable,
  [errorCodes.TOO_SLOW_PARSING]: tooManyConditions,
  [errorCodes.BAD_ARGUMENTS]: (text) => (text.includes('Query tree is too big') ? tooManyConditions() : undefined),
  [errorCodes.CANNOT_COMPILE_REGEXP]: (_, cause) =>
    problem(
      'invalid_request',
      'A regular expression is not valid RE2 syntax. Replace it in the conditions or in those of the integration.',
      { cause },
    ),
}

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // This process, or its machine, has as many files and connections open as it may.
  'EMFILE',
  'ENFILE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
])

function isConnectionError(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code
  if (code !== undefined && (connectionCodes.has(code) || isTlsCode(code))) return true
  if (error instanceof AggregateError)
    return error.errors.some((inner) => inner instanceof Error && isConnectionError(inner))
  return /socket hang up|timeout error|aborted/i.test(error.message)
}

/**
 * Reports whether a load balancer may respond with this status while no server behind it does: a page in place of a
 * result, that nothing is there, that there are too many requests, or that something failed. Its other statuses, such
 * as that a request is too large for it, would not go away.
 */
function isOfOutage(status: number): boolean {
  return status === 200 || status === 404 || status === 408 || status === 429 || status >= 500
}

/** Returns the error of a response that is no success of ClickHouse. */
export function errorOfResponse(status: number, text: string): Error {
  const error = parseError(text)
  if (error instanceof ServerError || !isOfOutage(status)) return error
  return unavailable(undefined, new Error(`The response with status ${status} did not come from ClickHouse.`))
}

/** Reports whether ClickHouse has carried out a statement. A load balancer may respond with a page and status 200. */
export function isSuccess(status: number, headers: Readonly<Record<string, unknown>>): boolean {
  if (status !== 200 || headers['x-clickhouse-exception-code'] !== undefined) return false
  return headers['x-clickhouse-query-id'] !== undefined
}

/** Reports whether ClickHouse does not compile one of these regular expressions, given the error of a query. */
export function refusesPattern(error: unknown, patterns: readonly string[]): boolean {
  if (!(error instanceof Problem && error.cause instanceof QueryFailed)) return false
  const { code, serverText } = error.cause
  return code === errorCodes.CANNOT_COMPILE_REGEXP && patterns.some((pattern) => serverText.includes(pattern))
}

/**
 * Maps an error of a query. One that ClickHouse does not answer in time, perhaps while it plans it, took too long,
 * unless ClickHouse does not answer a ping either.
 */
export async function mapReadError(error: unknown, label: string, ping: () => Promise<boolean>): Promise<Error> {
  const isLate = error instanceof Error && (error as NodeJS.ErrnoException).code === 'UND_ERR_HEADERS_TIMEOUT'
  return isLate && (await ping()) ? timedOut() : mapClickHouseError(error, label)
}

/** Maps an error of the ClickHouse client. `label` names the query in the message of a `QueryFailed`. */
export function mapClickHouseError(error: unknown, label: string): Error {
  if (error instanceof ServerError) {
    const code = String(error.code)
    const failed = new QueryFailed(label, code, error.type ?? '', error.message)
    return problems[code]?.(error.message, failed) ?? failed
  }
  if (error instanceof Problem) return error
  if (!(error instanceof Error)) return new Error(`${label} failed.`)
  if (isConnectionError(error)) return unavailable(undefined, error)
  return new QueryFailed(label, '', error.name, error.message)
}
