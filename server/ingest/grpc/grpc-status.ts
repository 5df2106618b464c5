import { isTemporary, type Problem } from '../../problem/problem.ts'
import { badRequestDetails, retryAfterSecondsOf, retryInfo, rpcCodeOf, writeStatus } from '../endpoint/rpc-status.ts'

/** The numbers of `google.rpc.Code` that are used here by name. */
export const grpcCodes = { ok: 0, resourceExhausted: 8, unimplemented: 12, internal: 13, unavailable: 14 } as const

/** Clients limit the size of metadata, some of them to 8 KiB. The message is contained twice. */
const messageCharactersMax = 1_000

/** The end of a response: a code, and the metadata that explain it. */
export interface GrpcStatus {
  readonly code: number
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Returns the status of a problem. A sender of OTLP/gRPC tries again after UNAVAILABLE, and after RESOURCE_EXHAUSTED
 * only if there is a RetryInfo; both have one here. Every other code that is used makes it drop the telemetry.
 */
export function grpcStatusOf(fault: Problem): GrpcStatus {
  const code = codeOf(fault)
  const message = fault.message.slice(0, messageCharactersMax)
  const waitSeconds = retryAfterSecondsOf(fault)
  const details = [
    ...badRequestDetails(fault).slice(0, 1),
    ...(waitSeconds === undefined ? [] : [retryInfo(waitSeconds)]),
  ]
  const headers = { 'grpc-status': String(code), 'grpc-message': percentEncoded(message) }
  if (details.length === 0) return { code, headers }
  const status = writeStatus(code, message, details).toString('base64').replaceAll('=', '')
  return { code, headers: { ...headers, 'grpc-status-details-bin': status } }
}

/** An overloaded server is UNAVAILABLE (OTLP, "OTLP/gRPC Throttling"); a quota is an exhausted resource. */
function codeOf(fault: Problem): number {
  if (fault.code === 'quota_exceeded') return grpcCodes.resourceExhausted
  if (isTemporary(fault) || fault.code === 'request_timeout') return grpcCodes.unavailable
  if (fault.code === 'unsupported_media_type') return grpcCodes.unimplemented
  return rpcCodeOf(fault)
}

/** Encodes a text for `grpc-message`: UTF-8 in which every byte but printable ASCII without `%` is percent-encoded. */
function percentEncoded(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) =>
      byte >= 0x20 && byte <= 0x7e && byte !== 0x25
        ? String.fromCharCode(byte)
        : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    )
    .join('')
}
