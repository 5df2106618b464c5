import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem } from '../../problem/problem.ts'
import type { Signal } from '../records/signal.ts'
import type { Ingest, OpenedExport } from './ingest.ts'
import { sendOutcome, sendProblem } from './otlp-response.ts'
import { SenderGone } from './request-body.ts'
import { encodingOf, formOf, idempotencyKeyOf } from './request-form.ts'

/** Responds to one export request. */
type ExportEndpoint = (signal: Signal, request: IncomingMessage, response: ServerResponse) => Promise<void>

/**
 * Creates the endpoint of OTLP/HTTP, which takes protobuf and JSON. It responds 200 after ClickHouse has acknowledged
 * the rows, and with a `google.rpc.Status` in the encoding of the request for every error.
 */
export function createExportEndpoint(ingest: Ingest): ExportEndpoint {
  return async (signal, request, response) => {
    const encoding = encodingOf(request.headers['content-type']) ?? 'json'
    try {
      const { authorization } = request.headers
      const outcome = await ingest.store(signal, { authorization, open: () => openExport(request) })
      sendOutcome(response, signal, encoding, outcome)
    } catch (error) {
      if (error instanceof SenderGone) return
      if (!(error instanceof Problem)) throw error
      sendProblem(response, encoding, error)
    }
  }
}

function openExport(request: IncomingMessage): OpenedExport {
  const { encoding, compression } = formOf(request)
  const length = request.headers['content-length']
  const announcedBytes = length === undefined ? undefined : Number(length)
  const idempotencyKey = idempotencyKeyOf(request.headers)
  return {
    encoding,
    idempotencyKey,
    body: { stream: request, compression, announcedBytes, isComplete: () => request.complete },
  }
}
