import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { LimitsConfig, ReceiveLimits } from '../../config/config.ts'
import type { Readiness } from '../../observability/health.ts'
import type { ReceivedRequest } from '../../observability/plain-http.ts'
import type { Prometheus } from '../../observability/prometheus.ts'
import { problem } from '../../problem/problem.ts'
import { compressions, isCompression } from '../endpoint/body-compression.ts'
import { type Ingest, type OpenedExport, problemOfExport } from '../endpoint/ingest.ts'
import { exportResponse } from '../endpoint/otlp-response.ts'
import { SenderGone } from '../endpoint/request-body.ts'
import { idempotencyKeyOf } from '../endpoint/request-form.ts'
import type { Signal } from '../records/signal.ts'
import { writeOtlpMessage } from '../wire/json-transcoder.ts'
import { checkHealth, healthCheckPath } from './grpc-health.ts'
import { framed, openMessage } from './grpc-message.ts'
import { type GrpcStatus, grpcCodes, grpcStatusOf } from './grpc-status.ts'

export interface GrpcEndpointOptions {
  readonly ingest: Ingest
  readonly signals: readonly Signal[]
  /** Answers health checks. */
  readonly readiness: Readiness
  readonly limits: Pick<LimitsConfig, 'responseStallSecondsMax'> & ReceiveLimits
  readonly logger: {
    info(details: object, message: string): void
    error(details: object, message: string): void
  }
  readonly metrics: Prometheus['grpc']
  readonly warnOfPlainCredential: (request: ReceivedRequest) => void
}

/** Responds to one request. Resolves when the response has been handed to the stream. */
export type GrpcEndpoint = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => Promise<void>

const contentType = 'application/grpc'
const acceptedEncodings = { 'grpc-accept-encoding': ['identity', ...compressions].join(',') }

/**
 * Creates the endpoint of OTLP/gRPC: the method `Export` of one service per signal, and health checks. It is a small
 * server of unary methods over HTTP/2, so that a body reaches the decoder as OTLP/HTTP bodies do: authorized before it
 * is read, and within the same limits of time and memory while it is read.
 */
export function createGrpcEndpoint(options: GrpcEndpointOptions): GrpcEndpoint {
  const { ingest, signals, readiness, limits, logger, metrics } = options
  const signalsByPath = new Map(signals.map((signal) => [pathOf(signal), signal]))
  const exportPaths = [...signalsByPath.keys()]
  const services = exportPaths.map((path) => path.split('/')[1] ?? '')

  async function answer(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<Uint8Array> {
    const open = () => openRequest(stream, headers, limits)
    const { ':path': path = '', authorization } = headers
    if (path === healthCheckPath) return checkHealth((await open()).body, { readiness, services, limits })
    const signal = signalsByPath.get(path)
    if (signal === undefined)
      throw problem('method_not_allowed', `There is no such method. Send to ${exportPaths.join(', ')}.`)
    const outcome = await ingest.store(signal, { authorization, open })
    return writeOtlpMessage(signal.response, exportResponse(signal, outcome))
  }

  async function respond(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<GrpcStatus | undefined> {
    try {
      return sendMessage(stream, await answer(stream, headers))
    } catch (error) {
      if (error instanceof SenderGone) return undefined
      const fault = problemOfExport(error)
      if (fault.code === 'internal' && fault !== error)
        logger.error({ err: error }, 'Could not respond to a gRPC request')
      return sendStatus(stream, grpcStatusOf(fault))
    }
  }

  async function respondMeasured(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
    const signal = signalsByPath.get(headers[':path'] ?? '')
    const endTimer = metrics.duration.startTimer({ signal: signal?.name ?? 'unknown' })
    const status = await respond(stream, headers)
    const code = status === undefined ? 'cancelled' : String(status.code)
    const seconds = endTimer({ code })
    const path = signal === undefined ? 'unknown' : headers[':path']
    logger.info({ grpc: { path, code }, responseTime: Math.round(seconds * 1_000) }, 'gRPC request completed')
  }

  return async (stream, headers) => {
    // A stream that fails is closed; there is nobody to respond to.
    stream.on('error', () => {})
    if (stream.session !== undefined) options.warnOfPlainCredential({ headers, socket: stream.session.socket })
    if (!isGrpc(headers)) return refuseForm(stream, headers)
    // As over HTTP, health checks are neither logged nor measured.
    if (headers[':path'] === healthCheckPath) await respond(stream, headers)
    else await respondMeasured(stream, headers)
    disconnectStalled(stream, limits.responseStallSecondsMax)
  }
}

/** `collector.trace.v1.ExportTraceServiceRequest` is the request of `…/collector.trace.v1.TraceService/Export`. */
function pathOf({ request }: Signal): string {
  return `/opentelemetry.proto.${request.replace('.Export', '.').slice(0, -'Request'.length)}/Export`
}

function isGrpc(headers: IncomingHttpHeaders): boolean {
  return headers[':method'] === 'POST' && /^application\/grpc(\+proto)?\s*(;|$)/i.test(headers['content-type'] ?? '')
}

/** Responds to a request that is not gRPC, or in another encoding than protobuf, as the gRPC protocol demands. */
function refuseForm(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
  const isPost = headers[':method'] === 'POST'
  const status = isPost ? { ':status': 415 } : { ':status': 405, allow: 'POST' }
  endWith(stream, { ...status, 'content-type': 'text/plain' }, 'This port serves OTLP/gRPC in protobuf.\n')
}

/** Opens the only message of a request: an export or a health check. @throws Problem `unsupported_media_type` */
function openRequest(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  { bodyStallSecondsMax }: ReceiveLimits,
): Promise<OpenedExport> {
  const encoding = headers['grpc-encoding']?.toString() ?? 'identity'
  const compression = encoding === 'identity' ? undefined : encoding
  if (compression !== undefined && !isCompression(compression))
    throw problem('unsupported_media_type', 'grpc-encoding must be gzip, deflate, identity or absent.')
  const idempotencyKey = idempotencyKeyOf(headers)
  return openMessage(stream, { compression, secondsMax: bodyStallSecondsMax }).then((body) => ({
    encoding: 'protobuf',
    idempotencyKey,
    body,
  }))
}

function sendMessage(stream: ServerHttp2Stream, message: Uint8Array): GrpcStatus {
  const status = { code: grpcCodes.ok, headers: { 'grpc-status': '0' } }
  if (stream.destroyed || stream.closed) return status
  stream.respond({ ':status': 200, 'content-type': contentType, ...acceptedEncodings }, { waitForTrailers: true })
  stream.once('wantTrailers', () => stream.sendTrailers(status.headers))
  stream.end(framed(message))
  return status
}

/** Sends a response that consists of trailers only. */
function sendStatus(stream: ServerHttp2Stream, status: GrpcStatus): GrpcStatus {
  endWith(stream, { ':status': 200, 'content-type': contentType, ...acceptedEncodings, ...status.headers })
  return status
}

/** Responds, and asks the client not to send the rest of a request whose fate is decided. */
function endWith(stream: ServerHttp2Stream, headers: Record<string, string | number>, text?: string): void {
  if (stream.destroyed || stream.closed) return
  stream.respond(headers, { endStream: text === undefined })
  if (text !== undefined) stream.end(text)
  // Some versions of Node.js, such as 22 and 26, drop what has not been sent when a stream is closed. What was written
  // is sent before the callbacks of `setImmediate`.
  if (!stream.readableEnded) setImmediate(() => stream.close(constants.NGHTTP2_NO_ERROR))
}

/** Closes a stream whose client does not read the response. */
function disconnectStalled(stream: ServerHttp2Stream, secondsMax: number): void {
  if (stream.destroyed) return
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), secondsMax * 1_000)
  stream.once('close', () => clearTimeout(timer))
}
