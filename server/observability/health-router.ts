import { type Request, type Response, Router } from 'express'
import type { Prometheus } from './prometheus.ts'
import type { Readiness } from './readiness.ts'

/**
 * What an operator's machines ask, without credentials and ahead of everything else: `/healthz` (this process answers, and
 * nothing more, so that a broken store does not get a working process killed), `/readyz`, `/metrics`.
 */
export function createHealthRouter({ readiness, metrics }: { readiness: Readiness; metrics: Prometheus }): Router {
  const router = Router()
  router.get('/healthz', (_request: Request, response: Response) => {
    response.set('Cache-Control', 'no-store').json({ status: 'ok' })
  })
  router.get('/readyz', async (_request: Request, response: Response) => {
    const report = await readiness.report()
    response.set('Cache-Control', 'no-store')
    if (report.status === 'not_ready') response.status(503).set('Retry-After', '1')
    response.json(report)
  })
  router.get('/metrics', async (_request: Request, response: Response) => {
    response.set('Content-Type', metrics.registry.contentType).send(await metrics.registry.metrics())
  })
  return router
}
