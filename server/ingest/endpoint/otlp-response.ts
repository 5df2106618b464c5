import type { ServerResponse } from 'node:http'
import { isTemporary, type Problem, type ProblemCode } from '../../problem/problem.ts'
import type { MessageTable } from '../proto/message-table.ts'
import type { Outcome } from '../records/outcome.ts'
import type { Signal } from '../records/signal.ts'
import { messageWriter, writeOtlpMessage } from '../wire/json-transcoder.ts'
import { contentTypes, type Encoding } from './request-form.ts'

/** The `Retry-After` of temporary problems that do not set their own. */
const retryAfterSeconds = 1

/** Messages of google/rpc/status.proto, google/rpc/error_details.proto and google/protobuf/any.proto. */
const rpcMessages = {
  Any: { typeUrl: { id: 1, type: 'string' }, value: { id: 2, type: 'bytes' } },
  FieldViolation: { field: { id: 1, type: 'string' }, description: { id: 2, type: 'string' } },
  BadRequest: { fieldViolations: { id: 1, type: 'FieldViolation', repeated: true } },
  Status: {
    code: { id: 1, type: 'int32' },
    message: { id: 2, type: 'string' },
    details: { id: 3, type: 'Any', repeated: true },
  },
} as const satisfies MessageTable

const writeRpcMessage = messageWriter(rpcMessages)
const badRequestType = 'type.googleapis.com/google.rpc.BadRequest'

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

/** Sends 200, with a partial success if anything was rejected, dropped or changed. */
export function sendOutcome(response: ServerResponse, signal: Signal, encoding: Encoding, outcome: Outcome): void {
  const { rejected, message } = outcome
  const partialSuccess = { [signal.rejectedField]: String(rejected), errorMessage: message }
  const json = rejected === 0 && message === '' ? {} : { partialSuccess }
  const body = encoding === 'json' ? JSON.stringify(json) : writeOtlpMessage(signal.response, json)
  send(response, 200, encoding, body, {})
}

/** Sends a problem as a `google.rpc.Status`. */
export function sendProblem(response: ServerResponse, encoding: Encoding, fault: Problem): void {
  const { extras } = fault
  // OTLP senders drop telemetry that is answered 408, although a slow network is temporary.
  const status = fault.status === 408 ? 503 : fault.status
  const wait = extras.retryAfterSeconds ?? (isTemporary({ status }) ? retryAfterSeconds : undefined)
  const headers = { ...extras.headers, ...(wait === undefined ? {} : { 'Retry-After': String(wait) }) }
  send(response, status, encoding, statusOf(fault, encoding), headers)
}

/** Encodes a problem. Details are `Any` messages: JSON writes their fields inline, protobuf as bytes. */
function statusOf(fault: Problem, encoding: Encoding): string | Buffer {
  const code = rpcCodes[fault.code] ?? rpcInternal
  const { message } = fault
  const violations = (fault.extras.errors ?? []).map((error) => ({ field: error.pointer, description: error.message }))
  if (encoding === 'json') {
    const detail = { '@type': badRequestType, fieldViolations: violations }
    return JSON.stringify(violations.length === 0 ? { code, message } : { code, message, details: [detail] })
  }
  const value = writeRpcMessage('BadRequest', { fieldViolations: violations }).toString('base64')
  const details = violations.length === 0 ? [] : [{ typeUrl: badRequestType, value }]
  return writeRpcMessage('Status', { code, message, details })
}

function send(
  response: ServerResponse,
  status: number,
  encoding: Encoding,
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
): void {
  const length = String(Buffer.byteLength(body))
  response.writeHead(status, { ...headers, 'Content-Type': contentTypes[encoding], 'Content-Length': length })
  response.end(body)
}
