import type { IncomingMessage, ServerResponse } from 'node:http'
import { Router } from 'express'
import { type Caller, roleAllows } from '../auth/caller.ts'
import type { Prometheus } from '../observability/prometheus.ts'
import { isTemporary, Problem, problem } from '../problem/problem.ts'
import { decodeBody, heldBytes } from './endpoint/decode-body.ts'
import { MemoryBudget, type Reservation } from './endpoint/memory-budget.ts'
import { answerOutcome, answerProblem } from './endpoint/otlp-response.ts'
import { readBody, SenderGone, tooMuchInFlight } from './endpoint/request-body.ts'
import { type Encoding, encodingOf, isGzip } from './endpoint/request-form.ts'
import { createInsertGroups, type RowSink, type StoreBatch } from './inserts/insert-groups.ts'
import { storeRows } from './inserts/store-rows.ts'
import { logs } from './logs/logs-signal.ts'
import { metrics } from './metrics/metrics-signal.ts'
import type { DecodedBody, Signal } from './records/signal.ts'
import { traces } from './spans/traces-signal.ts'
import { MalformedBody, OversizedBody } from './wire/body-errors.ts'
import { BufferPool } from './wire/buffer-pool.ts'

/** Every kind of telemetry that is taken. */
const signals: readonly Signal[] = [traces, metrics, logs]

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
  readonly metrics: Prometheus['ingest']
}

interface ExportParts extends OtlpRouterOptions {
  readonly store: StoreBatch
  readonly buffers: BufferPool
}

/**
 * OTLP/HTTP, outside the API's validator: `POST` to the path of each signal, in protobuf or JSON. 200 means acknowledged by ClickHouse;
 * every error is a `google.rpc.Status` in the encoding of the request.
 */
export function createOtlpRouter(options: OtlpRouterOptions): Router {
  const memory = new MemoryBudget(options.limits.ingestInFlightBytesMax, (bytes) =>
    options.metrics.inFlightBytes.set(bytes),
  )
  const parts = { ...options, store: createInsertGroups(options.clickhouse), buffers: new BufferPool() }
  const router = Router({ caseSensitive: true })
  for (const signal of signals) {
    router.all(signal.path, (request, response) => answerExport(signal, request, response, parts, memory.open()))
  }
  return router
}

async function answerExport(
  signal: Signal,
  request: IncomingMessage,
  response: ServerResponse,
  options: ExportParts,
  memory: Reservation,
): Promise<void> {
  const { limits, metrics, store, buffers } = options
  let endTimer: ReturnType<typeof metrics.duration.startTimer> | undefined
  try {
    const { org } = await admit(request, options)
    const { encoding, gzip } = formOf(request)
    const body = await readBody(request, { gzip, bytesMax: limits.ingestBodyBytesMax, memory, buffers })
    endTimer = metrics.duration.startTimer({ signal: signal.name })
    const decoded = decodeBody(signal, encoding, body, org, limits.ingestBodyBytesMax, buffers)
    if (!memory.grow(heldBytes(decoded))) throw tooMuchInFlight()
    const bodyBytes = body.length
    // Nothing refers to the body from here on.
    memory.shrink(bodyBytes)
    buffers.give(body)
    await storeRows(store, decoded.batches)
    for (const { bytes } of decoded.batches) buffers.give(bytes)
    countStored(metrics, signal, decoded, bodyBytes)
    endTimer({ outcome: 'stored' })
    answerOutcome(response, signal, encoding, decoded.outcome)
  } catch (error) {
    if (error instanceof SenderGone) return
    const fault = problemOf(error)
    endTimer?.({ outcome: outcomeLabel(fault) })
    // A Problem without a cause says all there is to say, and is expected while a store starts.
    if (fault.status >= 500 && fault.cause !== undefined) {
      options.logger.error({ err: fault.cause }, 'Telemetry was not stored')
    }
    answerProblem(response, encodingOf(request.headers['content-type']) ?? 'json', fault)
  } finally {
    memory.release()
  }
}

/** Who sends is settled before anything else, so that nobody else learns or costs anything. */
async function admit(request: IncomingMessage, { authenticate }: OtlpRouterOptions): Promise<Caller> {
  const caller = await authenticate(request.headers.authorization)
  if (roleAllows(caller.role, 'ingest')) return caller
  throw problem('forbidden', `The role ${caller.role} may not send telemetry; it takes ingest, contributor or admin.`)
}

/** Throws Problem 405 or 415 for a request that is no OTLP/HTTP. */
function formOf(request: IncomingMessage): { readonly encoding: Encoding; readonly gzip: boolean } {
  if (request.method !== 'POST') {
    throw problem('method_not_allowed', 'Telemetry is sent with POST.', { headers: { Allow: 'POST' } })
  }
  const encoding = encodingOf(request.headers['content-type'])
  if (encoding === undefined) {
    throw problem('unsupported_media_type', 'The body must be application/x-protobuf or application/json.')
  }
  return { encoding, gzip: isGzip(request.headers['content-encoding']) }
}

function countStored(metrics: Prometheus['ingest'], signal: Signal, { outcome }: DecodedBody, bodyBytes: number): void {
  const labels = { signal: signal.name }
  metrics.bytes.inc(labels, bodyBytes)
  metrics.accepted.inc(labels, outcome.accepted)
  metrics.rejected.inc(labels, outcome.rejected)
  metrics.batchSize.observe(labels, outcome.accepted + outcome.rejected)
}

function outcomeLabel(fault: Problem): string {
  if (isTemporary(fault)) return 'unavailable'
  return fault.status >= 500 ? 'failed' : 'refused'
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
