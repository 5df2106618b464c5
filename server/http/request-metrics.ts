import type { RequestHandler } from 'express'
import type { Prometheus } from '../observability/prometheus.ts'
import type { Operation } from './operations.ts'
import { requestState } from './request-state.ts'

/** Counts and times every request under the id of its operation; what fits none is `unknown`, however it was spelled. */
export function observeRequests(metrics: Prometheus['http'], operations: readonly Operation[]): RequestHandler {
  const outside = new Map<string, Operation>(
    operations
      .filter(({ isHandled }) => !isHandled)
      .map((operation) => [`${operation.method} ${operation.path}`, operation]),
  )
  return (request, response, next) => {
    const stop = metrics.duration.startTimer()
    const named = `${request.method} ${request.path}`
    metrics.inFlight.inc()
    response.once('close', () => {
      metrics.inFlight.dec()
      const operation = requestState(response).operation ?? outside.get(named)
      stop({ operation: operation?.id ?? 'unknown', status: String(response.statusCode) })
    })
    next()
  }
}
