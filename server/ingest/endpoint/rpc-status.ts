import { isTemporary, type Problem, type ProblemCode } from '../../problem/problem.ts'
import type { MessageTable } from '../proto/message-table.ts'
import { messageWriter } from '../wire/json-transcoder.ts'

/** The seconds that a sender waits after a temporary problem that does not say how long. */
const retryAfterSeconds = 1

/**
 * Messages of google/rpc/status.proto and google/rpc/error_details.proto, and of any.proto and duration.proto in
 * google/protobuf.
 */
const rpcMessages = {
  Any: { typeUrl: { id: 1, type: 'string' }, value: { id: 2, type: 'bytes' } },
  FieldViolation: { field: { id: 1, type: 'string' }, description: { id: 2, type: 'string' } },
  BadRequest: { fieldViolations: { id: 1, type: 'FieldViolation', repeated: true } },
  Duration: { seconds: { id: 1, type: 'int64' } },
  RetryInfo: { retryDelay: { id: 1, type: 'Duration' } },
  Status: {
    code: { id: 1, type: 'int32' },
    message: { id: 2, type: 'string' },
    details: { id: 3, type: 'Any', repeated: true },
  },
} as const satisfies MessageTable

const writeRpcMessage = messageWriter(rpcMessages)
const typePrefix = 'type.googleapis.com/google.rpc.'
export const badRequestType = `${typePrefix}BadRequest`

/** The numbers of `google.rpc.Code`. All other problems are errors of the server: INTERNAL. */
const rpcCodes: Readonly<Partial<Record<ProblemCode, number>>> = {
  invalid_request: 3,
  payload_too_large: 3,
  request_timeout: 4,
  unsupported_media_type: 3,
  not_found: 5,
  forbidden: 7,
  too_many_requests: 8,
  quota_exceeded: 8,
  method_not_allowed: 12,
  unavailable: 14,
  unauthenticated: 16,
}
const rpcInternal = 13

/** Returns the `google.rpc.Code` of a problem. */
export function rpcCodeOf({ code }: Problem): number {
  return rpcCodes[code] ?? rpcInternal
}

/**
 * Returns the seconds after which the sender may try again, and undefined for a problem that a retry does not solve. A
 * body that arrived too slowly is sent again, because a slow network is temporary.
 */
export function retryAfterSecondsOf(fault: Problem): number | undefined {
  const isRetried = isTemporary(fault) || fault.code === 'request_timeout'
  return fault.extras.retryAfterSeconds ?? (isRetried ? retryAfterSeconds : undefined)
}

/** Returns the violations of a BadRequest in the JSON mapping. */
export function violationsOf({ extras }: Problem): { readonly field: string; readonly description: string }[] {
  return (extras.errors ?? []).map(({ pointer, message }) => ({ field: pointer, description: message }))
}

/** One detail of a `google.rpc.Status`: an Any in the JSON mapping. */
export interface StatusDetail {
  readonly typeUrl: string
  /** In base64. */
  readonly value: string
}

/** Returns the detail that names the invalid fields, if the problem has any. */
export function badRequestDetails(fault: Problem): StatusDetail[] {
  const fieldViolations = violationsOf(fault)
  return fieldViolations.length === 0 ? [] : [detail('BadRequest', { fieldViolations })]
}

/** Returns the detail by which a server of OTLP/gRPC tells the sender to try again, and when. */
export function retryInfo(seconds: number): StatusDetail {
  return detail('RetryInfo', { retryDelay: { seconds: String(Math.ceil(seconds)) } })
}

function detail(message: keyof typeof rpcMessages, value: object): StatusDetail {
  return { typeUrl: typePrefix + message, value: writeRpcMessage(message, value).toString('base64') }
}

/** Writes a `google.rpc.Status` as protobuf. */
export function writeStatus(code: number, message: string, details: readonly StatusDetail[]): Buffer {
  return writeRpcMessage('Status', { code, message, details })
}
