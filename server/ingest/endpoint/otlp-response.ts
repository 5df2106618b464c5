import type { ServerResponse } from 'node:http'
import { isTemporary, type Problem } from '../../problem/problem.ts'
import type { Outcome } from '../records/outcome.ts'
import type { Signal } from '../records/signal.ts'
import { otlpWriter } from '../wire/message-writer.ts'
import { contentTypes, type Encoding } from './request-form.ts'
import { jsonStatus, protobufStatus } from './rpc-status.ts'

/** What a sender is told to wait when nothing says how long. */
const retryAfterSeconds = 1

/** Answers 200: empty when everything is stored as it came, else what is not. */
export function answerOutcome(response: ServerResponse, signal: Signal, encoding: Encoding, outcome: Outcome): void {
  const { rejected, message } = outcome
  const partialSuccess = { [signal.rejectedField]: String(rejected), errorMessage: message }
  const json = rejected === 0 && message === '' ? {} : { partialSuccess }
  answer(
    response,
    200,
    encoding,
    encoding === 'json' ? JSON.stringify(json) : otlpWriter.write(signal.response, json),
    {},
  )
}

/** Answers a problem as `google.rpc.Status`. */
export function answerProblem(response: ServerResponse, encoding: Encoding, fault: Problem): void {
  const { status, extras } = fault
  const wait = extras.retryAfterSeconds ?? (isTemporary(fault) ? retryAfterSeconds : undefined)
  const headers = { ...extras.headers, ...(wait === undefined ? {} : { 'Retry-After': String(wait) }) }
  answer(response, status, encoding, encoding === 'json' ? jsonStatus(fault) : protobufStatus(fault), headers)
}

function answer(
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
