import type { RequestListener } from 'node:http'
import type { Config } from '../config/config.ts'
import type { Logger } from '../observability/logging.ts'
import { type GrpcListenOptions, listenGrpc } from './grpc-listener.ts'
import { type Listener, listen } from './listener.ts'
import { createProtocolHints, type Ports } from './protocol-hints.ts'
import { openTlsFiles } from './tls-files.ts'

/** Every port of a server. */
export interface Listeners {
  /** The address of the API and OTLP/HTTP, for example `http://127.0.0.1:4318`. */
  readonly url: string
  /** The address of OTLP/gRPC, for example `http://127.0.0.1:4317`. Undefined if it is off. */
  readonly grpcUrl: string | undefined
  /** Drains all ports at once, as `Listener.drain` does. */
  drain(secondsMax: number): Promise<number>
}

export interface Answers {
  readonly http: RequestListener
  readonly grpc: GrpcListenOptions['answer']
}

/**
 * Starts to listen on the ports of the configuration, with TLS if it has a certificate.
 *
 * @throws StartError when an address or the certificate cannot be used. Nothing listens then.
 */
export async function openListeners(
  answers: Answers,
  { host, port, grpcPort, limits, tls: tlsFiles }: Config,
  logger: Logger,
): Promise<Listeners> {
  const ports: Ports = {}
  const hints = createProtocolHints(ports, logger)
  const tls = tlsFiles === undefined ? undefined : await openTlsFiles(tlsFiles, logger)
  const common = { host, limits, tls, hints }
  const opened: Listener[] = []
  try {
    const http = await listen(answers.http, { ...common, port, setting: '--port or PORT' })
    opened.push(http)
    ports.http = portOf(http)
    if (grpcPort === undefined) return listenersOf(opened, () => tls?.close())
    const setting = '--grpc-port or GRPC_PORT'
    const grpc = await listenGrpc({ ...common, port: grpcPort, setting, answer: answers.grpc })
    opened.push(grpc)
    ports.grpc = portOf(grpc)
    return listenersOf(opened, () => tls?.close())
  } catch (error) {
    await listenersOf(opened, () => tls?.close()).drain(0)
    throw error
  }
}

function portOf({ url }: Listener): number {
  return Number(new URL(url).port)
}

function listenersOf(listeners: readonly Listener[], close: () => Promise<void> | undefined): Listeners {
  const [http, grpc] = listeners
  return {
    url: http?.url ?? '',
    grpcUrl: grpc?.url,
    async drain(secondsMax) {
      const cut = await Promise.all(listeners.map((each) => each.drain(secondsMax)))
      await close()
      return cut.reduce((sum, count) => sum + count, 0)
    },
  }
}
