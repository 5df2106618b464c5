/** Sends OTLP/gRPC requests with the client of grpc-js, which is independent of the code under test. */
import { Client, credentials, type Metadata, Metadata as MetadataOf, type ServiceError } from '@grpc/grpc-js'
import type { Role } from '../../server/auth/caller.ts'
import { decodeExportResponse, decodeStatusDetails, type Plain } from './otlp-protobuf.ts'

export const exportPaths = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
} as const

export type SignalName = keyof typeof exportPaths

export interface GrpcSendOptions {
  readonly signal?: SignalName
  /** Overrides the path of the signal. */
  readonly path?: string
  readonly org?: string
  readonly role?: Role
  /** Overrides the credential of organization and role; empty for none. */
  readonly authorization?: string
  readonly gzip?: boolean
  readonly metadata?: Readonly<Record<string, string>>
}

export interface GrpcAnswer {
  /** 0 for success. */
  readonly code: number
  /** The text of an error. */
  readonly message: string
  /** The response message; undefined for an error. */
  readonly response: Plain | undefined
  /** The details of the `google.rpc.Status` of an error, by the name of their type. */
  readonly details: Plain
}

const gzipAlgorithm = 2

/** Opens a client with a connection of its own. */
export function openGrpcClient(url: string, options: { readonly gzip?: boolean } = {}): Client {
  return new Client(new URL(url).host, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_retries': 0,
    ...(options.gzip ? { 'grpc.default_compression_algorithm': gzipAlgorithm } : {}),
  })
}

/** Sends one request over a connection of its own, and closes it. */
export async function sendGrpc(url: string, body: Buffer, options: GrpcSendOptions = {}): Promise<GrpcAnswer> {
  const client = openGrpcClient(url, { gzip: options.gzip ?? false })
  try {
    return await sendOver(client, body, options)
  } finally {
    client.close()
  }
}

export function sendOver(client: Client, body: Buffer, options: GrpcSendOptions = {}): Promise<GrpcAnswer> {
  const { signal = 'traces', org = 'acme', role = 'ingest' } = options
  const { path = exportPaths[signal], authorization = `Bearer ${org}/${role}`, metadata = {} } = options
  const sent: Metadata = new MetadataOf()
  if (authorization !== '') sent.set('authorization', authorization)
  for (const [name, value] of Object.entries(metadata)) sent.set(name, value)
  const asIs = (bytes: Buffer) => bytes
  return new Promise((resolve) => {
    client.makeUnaryRequest(path, asIs, asIs, body, sent, (error: ServiceError | null, answer?: Buffer) => {
      const response = answer === undefined ? undefined : decodeExportResponse(signal, answer)
      const [status] = error?.metadata.get('grpc-status-details-bin') ?? []
      const details = Buffer.isBuffer(status) ? decodeStatusDetails(status) : {}
      resolve({ code: error?.code ?? 0, message: error?.details ?? '', response, details })
    })
  })
}
