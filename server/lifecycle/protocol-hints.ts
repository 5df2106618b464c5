import type { Logger } from '../observability/logging.ts'

/** What a client speaks to a port that serves something else. */
export type WrongProtocol = 'http2-to-http' | 'http1-to-grpc' | 'tls-to-plain' | 'plain-to-tls'

/** The ports of a server. Undefined for one that it does not listen on. */
export interface Ports {
  http?: number | undefined
  grpc?: number | undefined
}

export interface ProtocolHints {
  /** Returns what the client should do instead. */
  textOf(wrong: WrongProtocol): string
  /** Logs the text, unless it was logged recently: such a client tries again and again. */
  log(wrong: WrongProtocol, remoteAddress: string | undefined): void
}

const silentMs = 10 * 60_000

/** Creates the hints of one server. `ports` is read when a hint is needed. */
export function createProtocolHints(
  ports: Ports,
  logger: Pick<Logger, 'warn'>,
  nowMs: () => number = () => performance.now(),
): ProtocolHints {
  const loggedAt = new Map<WrongProtocol, number>()
  const textOf = (wrong: WrongProtocol) => texts[wrong](ports)
  return {
    textOf,
    log(wrong, remoteAddress) {
      const now = nowMs()
      if (now - (loggedAt.get(wrong) ?? Number.NEGATIVE_INFINITY) < silentMs) return
      loggedAt.set(wrong, now)
      logger.warn({ remoteAddress }, textOf(wrong))
    },
  }
}

const texts: Readonly<Record<WrongProtocol, (ports: Ports) => string>> = {
  'http2-to-http': ({ http, grpc }) =>
    `Received HTTP/2 on port ${http}, which serves OTLP/HTTP and the API over HTTP/1.1. ` +
    (grpc === undefined ? 'OTLP/gRPC is off: set GRPC_PORT.' : `OTLP/gRPC is served on port ${grpc}.`),
  'http1-to-grpc': ({ http, grpc }) =>
    `Received HTTP/1.1 on port ${grpc}, which serves OTLP/gRPC. ` +
    `OTLP/HTTP and the API are served on port ${http}; for it, set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf.`,
  'tls-to-plain': () =>
    'Received TLS on a port without TLS. Use an http:// address, or set TLS_CERT_FILE and TLS_KEY_FILE.',
  'plain-to-tls': () => 'Received an unencrypted request on a port with TLS. Use an https:// address.',
}
