import { afterEach, expect, inject, it, onTestFinished } from 'vitest'
import type { Endpoint } from '../../server/clickhouse/endpoint.ts'
import { createReadiness } from '../../server/observability/health.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { createApiClient } from '../support/client.ts'
import { request, span } from '../support/otlp-json.ts'

let app: TestApp | undefined
afterEach(async () => {
  await app?.close()
  app = undefined
})

/** An engine that starts when the test says so. */
function switchableEngine() {
  const engine = { endpoint: undefined as Endpoint | undefined }
  return { engine, source: { state: 'starting' as const, endpoint: () => engine.endpoint } }
}

async function readiness({ url }: TestApp) {
  const response = await fetch(`${url}/readyz`)
  const { status, checks } = (await response.json()) as {
    status: string
    checks: { name: string; ready: boolean; detail?: string }[]
  }
  const missing = Object.fromEntries(checks.filter(({ ready }) => !ready).map(({ name, detail }) => [name, detail]))
  return { code: response.status, status, missing }
}

it('is not ready, with reasons, until ClickHouse responds and the migrations are done', async () => {
  const { engine, source } = switchableEngine()
  const started = await startApp({ overrides: { sources: [source] }, beforeReady: true })
  app = started
  expect(await readiness(app)).toEqual({
    code: 503,
    status: 'not_ready',
    missing: { clickhouse: 'it does not answer', migrations: 'migrating' },
  })
  engine.endpoint = inject('engine')
  await app.app.ready
  // A busy machine may take longer than a check waits.
  await expect.poll(() => readiness(started)).toEqual({ code: 200, status: 'ready', missing: {} })
})

it('until then the process is healthy, and everything else returns 503 with Retry-After', async () => {
  const { engine, source } = switchableEngine()
  app = await startApp({ overrides: { sources: [source] }, beforeReady: true })
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  const api = await app.send('/api/v1/me')
  expect([api.status, api.headers.get('retry-after')]).toEqual([503, '1'])
  const otlp = await app.send('/v1/traces', { json: {} })
  expect([otlp.status, otlp.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await otlp.json()).toMatchObject({ message: expect.stringContaining('starting') })
  engine.endpoint = inject('engine')
  await app.app.ready
  expect((await app.send('/api/v1/me')).status).toBe(200)
})

it('is not ready while ClickHouse is unavailable, and the process remains healthy', async () => {
  const { engine, source } = switchableEngine()
  engine.endpoint = inject('engine')
  const started = await startApp({ overrides: { sources: [source] } })
  app = started
  engine.endpoint = undefined
  expect((await readiness(app)).missing).toEqual({ clickhouse: 'it does not answer' })
  expect((await fetch(`${app.url}/healthz`)).status).toBe(200)
  engine.endpoint = inject('engine')
  await expect.poll(async () => (await readiness(started)).status).toBe('ready')
})

it('a check that throws or hangs fails with the reason', async () => {
  const { checks, status } = await createReadiness([
    { name: 'broken', missing: () => Promise.reject(new Error('no route')) },
    { name: 'hanging', missing: () => new Promise(() => {}) },
    { name: 'fine', missing: async () => undefined },
  ]).report()
  expect(status).toBe('not_ready')
  expect(checks).toEqual([
    { name: 'broken', ready: false, detail: 'no route' },
    { name: 'hanging', ready: false, detail: 'no response within 2000 ms' },
    { name: 'fine', ready: true },
  ])
})

it('concurrent probes share one run of the checks', async () => {
  let requests = 0
  const ready = createReadiness([
    {
      name: 'counted',
      missing: async () => {
        requests++
        return undefined
      },
    },
  ])
  await Promise.all([ready.report(), ready.report(), ready.report()])
  await ready.report()
  expect(requests).toBe(2)
})

it('operator endpoints need no credentials and match the document, ready or not', async () => {
  const { engine, source } = switchableEngine()
  app = await startApp({ overrides: { sources: [source] }, beforeReady: true })
  const anyone = createApiClient({ baseUrl: app.url })
  expect((await anyone.GET('/readyz')).error).toMatchObject({ status: 'not_ready' })
  engine.endpoint = inject('engine')
  await app.app.ready
  await expect.poll(async () => (await anyone.GET('/readyz')).data).toMatchObject({ status: 'ready' })
  expect((await anyone.GET('/healthz')).data).toEqual({ status: 'ok' })
  expect((await anyone.GET('/metrics', { parseAs: 'text' })).data).toContain('# HELP tracefold_')
})

it('a change whose response contains telemetry is not made while ClickHouse is unavailable', async () => {
  const { engine, source } = switchableEngine()
  engine.endpoint = inject('engine')
  app = await startApp({ overrides: { sources: [source] } })
  const path = '/api/v1/services/shop/facet-overrides'
  const init = {
    method: 'PUT',
    headers: { 'if-match': '"0"' },
    json: { include: ['worker'], exclude: [] },
  }
  const until = engine.endpoint
  engine.endpoint = undefined
  expect((await app.send(path, init)).status).toBe(503)
  engine.endpoint = until
  expect(await (await app.send(path)).json()).toMatchObject({ include: [], version: 0 })
  expect((await app.send(path, init)).status).toBe(200)
})

it('a server whose metadata store is new beside telemetry warns that records may be lost', async () => {
  const warnings = ({ logLines }: TestApp) =>
    logLines().flatMap(({ msg }) => (String(msg).includes('the metadata store was new') ? [msg] : []))
  const first = await startApp()
  app = first
  expect(warnings(first)).toEqual([])
  await first.sendSpans(request(span()))
  const { database } = first.config.clickhouse
  const second = await startApp({ env: { CLICKHOUSE_DATABASE: database } })
  onTestFinished(() => second.close())
  expect(warnings(second)).toEqual([expect.stringContaining('alert rules, channels and API keys begin empty')])
})
