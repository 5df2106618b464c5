import type { ServerResponse } from 'node:http'
import type { Problem } from '../../problem/problem.ts'
import type { Outcome } from '../records/outcome.ts'
import type { Signal } from '../records/signal.ts'
import { writeOtlpMessage } from '../wire/json-transcoder.ts'
import { contentTypes, type Encoding } from './request-form.ts'
import {
  badRequestDetails,
  badRequestType,
  retryAfterSecondsOf,
  rpcCodeOf,
  violationsOf,
  writeStatus,
} from './rpc-status.ts'

/** Sends 200, with a partial success if anything was rejected, dropped or changed. */
export function sendOutcome(response: ServerResponse, signal: Signal, encoding: Encoding, outcome: Outcome): void {
  const json = exportResponse(signal, outcome)
  const body = encoding === 'json' ? JSON.stringify(json) : writeOtlpMessage(signal.response, json)
  send(response, 200, encoding, body, {})
}

/** Returns the response message of the signal in the JSON mapping. */
export function exportResponse(signal: Signal, { rejected, message }: Outcome): object {
  if (rejected === 0 && message === '') return {}
  return { partialSuccess: { [signal.rejectedField]: String(rejected), errorMessage: message } }
}

/** Sends a problem as a `google.rpc.Status`. */
export function sendProblem(response: ServerResponse, encoding: Encoding, fault: Problem): void {
  const { extras } = fault
  // OTLP senders drop telemetry that is answered 408, although a slow network is temporary.
  const status = fault.status === 408 ? 503 : fault.status
  const wait = retryAfterSecondsOf(fault)
  const headers = { ...extras.headers, ...(wait === undefined ? {} : { 'Retry-After': String(wait) }) }
  send(response, status, encoding, statusOf(fault, encoding), headers)
}

/** Encodes a problem. Details are `Any` messages: JSON writes their fields inline, protobuf as bytes. */
function statusOf(fault: Problem, encoding: Encoding): string | Buffer {
  const code = rpcCodeOf(fault)
  if (encoding === 'protobuf') return writeStatus(code, fault.message, badRequestDetails(fault))
  const violations = violationsOf(fault)
  const details = violations.length === 0 ? {} : { details: [{ '@type': badRequestType, fieldViolations: violations }] }
  return JSON.stringify({ code, message: fault.message, ...details })
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
