import type { Problem, ProblemCode } from '../../problem/problem.ts'
import type { MessageTable } from '../proto/message-table.ts'
import { MessageWriter } from '../wire/message-writer.ts'

/** From google/rpc/status.proto, google/rpc/error_details.proto and google/protobuf/any.proto. */
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

const badRequestType = 'type.googleapis.com/google.rpc.BadRequest'

/** Numbers of google.rpc.Code; a problem that is not here is the server's own fault, INTERNAL. */
const rpcCodes: Readonly<Partial<Record<ProblemCode, number>>> = {
  invalid_request: 3,
  payload_too_large: 3,
  unsupported_media_type: 3,
  not_found: 5,
  forbidden: 7,
  too_many_requests: 8,
  method_not_allowed: 12,
  unavailable: 14,
  unauthenticated: 16,
}
const rpcInternal = 13

const writer = new MessageWriter(rpcMessages)

interface Violation {
  readonly field: string
  readonly description: string
}

/** The JSON of the `google.rpc.Status` that OTLP has for errors. */
export function jsonStatus(fault: Problem): string {
  const fieldViolations = violationsOf(fault)
  const details = fieldViolations.length === 0 ? {} : { details: [{ '@type': badRequestType, fieldViolations }] }
  return JSON.stringify({ code: rpcCodes[fault.code] ?? rpcInternal, message: fault.message, ...details })
}

/** The same in protobuf. */
export function protobufStatus(fault: Problem): Buffer {
  const fieldViolations = violationsOf(fault)
  const value = writer.write('BadRequest', { fieldViolations }).toString('base64')
  const details = fieldViolations.length === 0 ? {} : { details: [{ typeUrl: badRequestType, value }] }
  return writer.write('Status', { code: rpcCodes[fault.code] ?? rpcInternal, message: fault.message, ...details })
}

function violationsOf(fault: Problem): readonly Violation[] {
  return (fault.extras.errors ?? []).map(({ pointer, message }) => ({ field: pointer, description: message }))
}
