import { MemoryShares, type Reservation } from '../../admission/memory-shares.ts'
import type { Quotas } from '../../admission/quotas.ts'
import type { Authenticate } from '../../auth/authenticate.ts'
import { type Caller, roleAllows } from '../../auth/caller.ts'
import type { Config, ReceiveLimits } from '../../config/config.ts'
import { createOutageLog, type OutageLogger, outageQuietMs } from '../../observability/outage-log.ts'
import type { Prometheus } from '../../observability/prometheus.ts'
import { isStoreOut, isTemporary, Problem, problem } from '../../problem/problem.ts'
import { createRowStore, type RowSink, RowsRefused } from '../inserts/row-store.ts'
import type { AcceptedTimes } from '../records/accepted-times.ts'
import type { Outcome } from '../records/outcome.ts'
import type { DecodedBody, Signal } from '../records/signal.ts'
import { MalformedBody, OversizedBody } from '../wire/body-errors.ts'
import { BufferPool } from '../wire/buffer-pool.ts'
import { decodeBody } from './decode-body.ts'
import { DecodeTurns } from './decode-turns.ts'
import { type ExportBody, readBody, SenderGone } from './request-body.ts'
import type { Encoding } from './request-form.ts'

export interface IngestOptions {
  readonly clickhouse: RowSink
  readonly authenticate: Authenticate
  /** The limits of one body, both as sent and decompressed, and of all bodies and rows that are being stored. */
  readonly limits: Pick<Config['limits'], 'ingestBodyBytesMax' | 'ingestInFlightBytesMax'> & ReceiveLimits
  readonly quotas: Pick<Quotas, 'admitTelemetry' | 'countItems' | 'acceptedSeries'>
  /** Returns the times that are accepted now. */
  readonly acceptedTimes: () => AcceptedTimes
  readonly logger: OutageLogger & { error(details: object, message: string): void }
  readonly metrics: Prometheus['ingest']
  /** Whether entries of the value index are stored; true by default. */
  readonly indexesValues?: boolean
}

/** One export request, over any transport. */
export interface ExportRequest {
  /** The `Authorization` header or metadata. */
  readonly authorization: string | undefined
  /** Reads the form of the request. Called for authorized callers only. @throws {Problem} for an unsupported form */
  open(): OpenedExport | Promise<OpenedExport>
}

export interface OpenedExport {
  readonly encoding: Encoding
  /** Distinguishes requests with equal rows. A request without it is identified by its rows alone. */
  readonly idempotencyKey: string | undefined
  readonly body: ExportBody
}

const outageMessages = {
  failure: 'Could not store telemetry, which senders are asked to send again',
  recovery: 'Telemetry is stored again',
}

/** Stores telemetry. All transports share its limits. */
export interface Ingest {
  /**
   * Resolves after ClickHouse has acknowledged every accepted record of the request.
   *
   * @throws {Problem} the reason why nothing, or not everything, is stored
   * @throws {SenderGone} when the sender disconnects before the body is complete
   */
  store(signal: Signal, request: ExportRequest): Promise<Outcome>
}

export function createIngest(options: IngestOptions): Ingest {
  const { limits, metrics, logger } = options
  const budget = new MemoryShares(limits.ingestInFlightBytesMax, (bytes) => metrics.inFlightBytes.set(bytes))
  const buffers = new BufferPool()
  const turns = new DecodeTurns()
  const storeRows = createRowStore(options.clickhouse)
  const outages = createOutageLog(logger, outageMessages, { quietMs: outageQuietMs })

  return {
    async store(signal, request) {
      let memory: Reservation | undefined
      let endTimer: ReturnType<typeof metrics.duration.startTimer> | undefined
      try {
        const { org } = await authorize(request.authorization, options)
        const { encoding, idempotencyKey, body } = await request.open()
        await options.quotas.admitTelemetry(org)
        const acceptsSeries = signal.name === 'metrics' ? await options.quotas.acceptedSeries(org) : undefined
        memory = budget.open(org)
        const bodyBytesMax = limits.ingestBodyBytesMax
        const pieces = await readBody(body, { bytesMax: bodyBytesMax, memory, receive: limits })
        endTimer = metrics.duration.startTimer({ signal: signal.name })
        const bodyBytes = pieces.reduce((total, { length }) => total + length, 0)
        const times = options.acceptedTimes()
        const { indexesValues = true } = options
        const into = { memory, buffers, turns, times, acceptsSeries, indexesValues }
        const decoded = await decodeBody(pieces, { signal, encoding, org, bodyBytesMax, ...into })
        options.quotas.countItems(org, decoded.outcome.accepted + decoded.outcome.rejected)
        await storeRows(org, decoded.batches, idempotencyKey)
        outages.succeeded()
        for (const { bytes } of decoded.batches) buffers.give(bytes)
        countStored(metrics, signal, decoded, bodyBytes)
        endTimer({ outcome: 'stored' })
        return decoded.outcome
      } catch (error) {
        if (error instanceof SenderGone) throw error
        const fault = problemOfExport(error)
        endTimer?.({ outcome: outcomeLabel(fault) })
        if (isOutage(fault)) outages.failed(fault)
        else logFault(logger, signal, fault)
        throw fault
      } finally {
        memory?.release()
      }
    },
  }
}

/** Authorizes the caller before any other check, so that unauthorized senders learn nothing and use few resources. */
async function authorize(
  authorization: string | undefined,
  { authenticate }: Pick<IngestOptions, 'authenticate'>,
): Promise<Caller> {
  const caller = await authenticate(authorization)
  if (roleAllows(caller.role, 'ingest')) return caller
  throw problem(
    'forbidden',
    `The role ${caller.role} cannot send telemetry. The roles ingest, contributor and admin can.`,
  )
}

/** Reports whether a store is out, so that all bodies are refused meanwhile. */
function isOutage(fault: Problem): boolean {
  return isStoreOut(fault) && !(fault.cause instanceof RowsRefused)
}

function logFault(logger: IngestOptions['logger'], signal: Signal, fault: Problem): void {
  if (fault.status >= 500 && fault.cause !== undefined) logger.error({ err: fault.cause }, 'Could not store telemetry')
  // SDKs print the status of a response, but not its message.
  else if (!isTemporary(fault))
    logger.info(
      { signal: signal.name, reason: fault.message },
      fault.status === 401 ? 'Refused a credential' : 'Refused telemetry',
    )
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

/** Returns the problem of a request that failed: `internal`, with the cause, for what is no fault of the sender. */
export function problemOfExport(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof OversizedBody) return problem('payload_too_large', error.message)
  if (error instanceof MalformedBody) {
    const { pointer, message } = error
    return problem('invalid_request', message, { errors: [{ pointer, code: 'malformed', message }] })
  }
  return problem('internal', 'Internal server error.', { cause: error })
}
