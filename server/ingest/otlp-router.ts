import { Router } from 'express'
import { createExportEndpoint } from './endpoint/export-endpoint.ts'
import type { Ingest } from './endpoint/ingest.ts'
import { logs } from './logs/logs-signal.ts'
import { metrics } from './metrics/metrics-signal.ts'
import type { Signal } from './records/signal.ts'
import { traces } from './spans/traces-signal.ts'

/** Every kind of telemetry that this server accepts. */
export const signals: readonly Signal[] = [traces, metrics, logs]

/** Routes OTLP/HTTP requests, `POST` to the path of each signal. They bypass the validator of the API. */
export function createOtlpRouter(ingest: Ingest): Router {
  const respond = createExportEndpoint(ingest)
  const router = Router({ caseSensitive: true })
  for (const signal of signals) router.all(signal.path, (request, response) => respond(signal, request, response))
  return router
}
