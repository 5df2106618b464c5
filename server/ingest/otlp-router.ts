import type { IncomingMessage, ServerResponse } from 'node:http'
import { Router } from 'express'
import type { Caller } from '../auth/caller.ts'
import { roleAllows } from '../auth/roles.ts'
import { Problem, problem } from '../http/problem.ts'
import type { Metrics } from '../operations/metrics.ts'
import { type Encoding, encodingOf, isGzip } from './encoding.ts'
import { parseJsonBody } from './json-body.ts'
import { MalformedBody, OversizedBody } from './malformed-body.ts'
import { MemoryBudget, type Reservation } from './memory-budget.ts'
import { answerOutcome, answerProblem, otlpWriter } from './otlp-answer.ts'
import { readBody, SenderGone, tooMuchInFlight } from './request-body.ts'
import type { DecodedBody, Signal } from './signal.ts'
import { type RowSink, storeRows } from './store-rows.ts'
import { traces } from './traces.ts'

/** Every kind of telemetry that is taken. */
const signals: readonly Signal[] = [traces]

/** 100 days are as many partitions as ClickHouse allows one insert to write when nothing else is said. */
const insertLimits = { rowsPerInsertMax: 50_000, bytesPerInsertMax: 32 * 2 ** 20, daysPerInsertMax: 100 } as const
/** A resource is stored with each of its spans, so rows take more than the body that they come from; not more than this. */
const rowBytesPerBodyByteMax = 8

export interface OtlpRouterOptions {
  readonly clickhouse: RowSink
  /** Takes the `Authorization` header; rejects with the Problem that there is with it. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>
  readonly limits: {
    /** Of one body, as sent and decompressed. */
    readonly ingestBodyBytesMax: number
    /** Of all bodies and rows that are being stored. */
    readonly ingestInFlightBytesMax: number
  }
  readonly logger: { error(details: object, message: string): void }
  readonly metrics: Metrics['ingest']
}

/**
 * OTLP/HTTP, outside the API's validator: `POST /v1/traces` in protobuf or JSON. 200 means acknowledged by ClickHouse;
 * every error is a `google.rpc.Status` in the encoding of the request.
 */
export function createOtlpRouter(options: OtlpRouterOptions): Router {
  const memory = new MemoryBudget(options.limits.ingestInFlightBytesMax, (bytes) =>
    options.metrics.inFlightBytes.set(bytes),
  )
  const router = Router({ caseSensitive: true })
  for (const signal of signals) {
    router.all(signal.path, (request, response) => answerExport(signal, request, response, options, memory))
  }
  return router
}

async function answerExport(
  signal: Signal,
  request: IncomingMessage,
  response: ServerResponse,
  options: OtlpRouterOptions,
  memory: MemoryBudget,
): Promise<void> {
  const encoding = encodingOf(request.headers['content-type'])
  const reservation = memory.open()
  try {
    const caller = await admit(request, options)
    const gzip = checkForm(request, encoding)
    const bytesMax = options.limits.ingestBodyBytesMax
    const body = await readBody(request, { gzip, bytesMax, memory: reservation })
    const { outcome } = await storeBody(signal, encoding ?? 'protobuf', body, caller.org, options, reservation)
    answerOutcome(response, signal, encoding ?? 'protobuf', outcome)
  } catch (error) {
    if (error instanceof SenderGone) return
    const fault = problemOf(error)
    if (fault.status >= 500) logFault(options, fault)
    answerProblem(response, encoding ?? 'json', fault)
  } finally {
    reservation.release()
  }
}

/** Who sends is settled before anything else, so that nobody else learns or costs anything. */
async function admit(request: IncomingMessage, { authenticate }: OtlpRouterOptions): Promise<Caller> {
  const caller = await authenticate(request.headers.authorization)
  if (roleAllows(caller.role, 'ingest')) return caller
  throw problem('forbidden', `The role ${caller.role} may not send telemetry; it takes ingest, contributor or admin.`)
}

/** Whether the body is compressed. Throws Problem 405 or 415 for a request that is no OTLP/HTTP. */
function checkForm(request: IncomingMessage, encoding: Encoding | undefined): boolean {
  if (request.method !== 'POST') {
    throw problem('method_not_allowed', 'Telemetry is sent with POST.', { headers: { Allow: 'POST' } })
  }
  if (encoding === undefined) {
    throw problem('unsupported_media_type', 'The body must be application/x-protobuf or application/json.')
  }
  return isGzip(request.headers['content-encoding'])
}

async function storeBody(
  signal: Signal,
  encoding: Encoding,
  body: Buffer,
  org: string,
  { clickhouse, limits, metrics }: OtlpRouterOptions,
  reservation: Reservation,
): Promise<DecodedBody> {
  const labels = { signal: signal.name }
  const endTimer = metrics.duration.startTimer(labels)
  try {
    const protobuf = encoding === 'json' ? protobufOfJson(signal, body) : body
    const rowBytesMax = limits.ingestBodyBytesMax * rowBytesPerBodyByteMax
    const decoded = signal.decode(protobuf, org, { ...insertLimits, rowBytesMax })
    const rowBytes = decoded.batches.reduce((total, batch) => total + batch.bytes.length, 0)
    if (!reservation.grow(rowBytes)) throw tooMuchInFlight()
    reservation.shrink(body.length)
    await storeRows(clickhouse, signal, decoded.batches)
    metrics.bytes.inc(labels, body.length)
    metrics.accepted.inc(labels, decoded.outcome.accepted)
    metrics.rejected.inc(labels, decoded.outcome.rejected)
    metrics.batchSize.observe(labels, decoded.outcome.accepted + decoded.outcome.rejected)
    endTimer({ outcome: 'stored' })
    return decoded
  } catch (error) {
    endTimer({ outcome: outcomeOf(problemOf(error)) })
    throw error
  }
}

/** An empty body carries no telemetry in either encoding. */
function protobufOfJson(signal: Signal, body: Buffer): Buffer {
  return body.length === 0 ? body : otlpWriter.write(signal.requestMessage, parseJsonBody(body))
}

function outcomeOf({ status }: Problem): string {
  if (status === 429 || status === 503) return 'unavailable'
  return status >= 500 ? 'failed' : 'refused'
}

function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof OversizedBody) return problem('payload_too_large', error.message)
  if (error instanceof MalformedBody) {
    const { pointer, message } = error
    return problem('invalid_request', message, { errors: [{ pointer, code: 'malformed', message }] })
  }
  return problem('internal', 'The server failed.', { cause: error })
}

/** A Problem without a cause says all there is to say, and is expected while a store starts. */
function logFault({ logger }: OtlpRouterOptions, fault: Problem): void {
  if (fault.cause !== undefined) logger.error({ err: fault.cause }, 'Telemetry was not stored')
}
