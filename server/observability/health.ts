import { type Request, type Response, Router } from 'express'
import type { Prometheus } from './prometheus.ts'

/** A condition of readiness. `missing` describes the problem in words, or returns undefined if the condition holds. */
export interface ReadinessCheck {
  readonly name: string
  missing(): Promise<string | undefined>
}

export interface ReadinessReport {
  readonly status: 'ready' | 'not_ready'
  readonly checks: readonly { readonly name: string; readonly ready: boolean; readonly detail?: string }[]
}

export interface Readiness {
  report(): Promise<ReadinessReport>
}

export interface HealthDeps {
  readonly readiness: Readiness
  readonly metrics: Prometheus
  readonly refresh: () => Promise<void>
  /** Sends a body whose media type has been set. */
  readonly send: (response: Response, body: Buffer) => Promise<void>
}

/** Milliseconds until a check counts as failed. Orchestrators give up on a probe after a few seconds. */
const checkTimeoutMs = 2_000

/** Runs all checks at once. Concurrent reports share one run, so probes do not pile up on a slow store. */
export function createReadiness(checks: readonly ReadinessCheck[]): Readiness {
  let running: Promise<ReadinessReport> | undefined
  return {
    report() {
      running ??= runAll(checks).finally(() => {
        running = undefined
      })
      return running
    },
  }
}

async function runAll(checks: readonly ReadinessCheck[]): Promise<ReadinessReport> {
  const results = await Promise.all(
    checks.map(async (check) => {
      const detail = await withinTime(check)
      return { name: check.name, ready: detail === undefined, ...(detail === undefined ? {} : { detail }) }
    }),
  )
  return { status: results.every((result) => result.ready) ? 'ready' : 'not_ready', checks: results }
}

async function withinTime(check: ReadinessCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, checkTimeoutMs, `no response within ${checkTimeoutMs} ms`)
  })
  try {
    return await Promise.race([check.missing(), timeout])
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Serves the operational endpoints, without credentials and before all other routes: `/healthz`, `/readyz` and
 * `/metrics`. `/healthz` reports only that this process responds, so that a broken store does not get a working process
 * killed. `refresh` updates metrics that are read on demand, and never rejects.
 */
export function createHealthRouter({ readiness, metrics, refresh, send }: HealthDeps): Router {
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
    await refresh()
    response.set('Content-Type', metrics.registry.contentType)
    await send(response, Buffer.from(await metrics.registry.metrics()))
  })
  return router
}
