/** Turns what ClickHouse and the way to it answer into the server's own errors. */
import { ClickHouseError as ServerError } from '@clickhouse/client'
import { Problem, problem } from '../problem/problem.ts'

const retryAfterSeconds = 2

/** Our fault: a query that ClickHouse does not accept. The message names the query and the code and carries no values of it. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed'
  readonly code: string
  /** ClickHouse's own text. It may quote values, so it is for tests and debuggers, never for logs or answers. */
  readonly serverText: string

  constructor(label: string, code: string, type: string, serverText: string) {
    super(`ClickHouse refused ${label}: ${type || 'unknown error'}${code && ` (code ${code})`}.`)
    this.code = code
    this.serverText = serverText
  }
}

export function unavailable(detail = 'The telemetry store cannot be reached right now.', cause?: unknown): Problem {
  return problem('unavailable', detail, { retryAfterSeconds, cause })
}

type Answer = (text: string) => Problem

const tooMuch: Answer = () =>
  problem('query_too_large', 'The query reads or returns more than a query may. Narrow its window or its conditions.')
const tooLong: Answer = () =>
  problem('query_timeout', 'The query took longer than a query may. Narrow its window or its conditions.', {
    retryAfterSeconds,
  })

/** No connection, one that is silent, one that was lost, one that ended within an answer: between nodes of a cluster, as ours to a node has no code. */
const aShardIsAway: Answer = () => unavailable('A shard of the telemetry store cannot be reached right now.')

/** By ClickHouse's error codes, which are stable across versions where its texts are not. */
const answers: Readonly<Record<string, Answer>> = {
  158: tooMuch,
  307: tooMuch,
  396: tooMuch,
  159: tooLong,
  160: tooLong,
  241: (text) =>
    // The limit of the whole server says nothing about this query.
    text.includes('(total)') ? unavailable('The telemetry store has too little memory free right now.') : tooMuch(text),
  202: () => problem('too_many_requests', 'Too many queries run right now.', { retryAfterSeconds }),
  252: () => unavailable('The telemetry store is behind with merging what was sent.'),
  242: () => unavailable('The table is read-only right now.'),
  394: () => unavailable('The query was ended because the telemetry store is shutting down.'),
  279: aShardIsAway,
  209: aShardIsAway,
  210: aShardIsAway,
  32: aShardIsAway,
  236: () => unavailable('The telemetry store is shutting down.'),
  427: () => problem('invalid_request', 'A regular expression is not one that RE2 accepts.'),
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
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_DESTROYED',
])

function isConnectionError(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code
  if (code !== undefined && connectionCodes.has(code)) return true
  if (error instanceof AggregateError)
    return error.errors.some((inner) => inner instanceof Error && isConnectionError(inner))
  return /socket hang up|timeout error|aborted/i.test(error.message)
}

/** @param label names the query in the message of a plain error */
export function mapClickHouseError(error: unknown, label: string): Error {
  if (error instanceof ServerError) {
    const code = String(error.code)
    return answers[code]?.(error.message) ?? new QueryFailed(label, code, error.type ?? '', error.message)
  }
  if (error instanceof Problem) return error
  if (!(error instanceof Error)) return new Error(`${label} failed.`)
  if (isConnectionError(error)) return unavailable(undefined, error)
  return new QueryFailed(label, '', error.name, error.message)
}
