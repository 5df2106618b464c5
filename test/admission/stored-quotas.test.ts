/** Quotas of what an organization has stored, read from the real engine. */
import { expect, it, onTestFinished } from 'vitest'
import { startApp } from '../support/app.ts'
import { request, span } from '../support/otlp-json.ts'

async function startLimited(env: Record<string, string>) {
  let ms = Date.now()
  const app = await startApp({ env, overrides: { now: () => new Date(ms) } })
  onTestFinished(() => app.close())
  const post = async (path: string, body: object, org = app.org) => {
    const response = await app.send(path, { json: body, whom: { org } })
    return { status: response.status, retryAfter: response.headers.get('Retry-After'), body: await response.json() }
  }
  const metrics = async () => (await fetch(`${app.url}/metrics`)).text()
  // A reading is repeated after 15 seconds.
  const nextReading = () => {
    ms += 20_000
  }
  return { app, post, metrics, nextReading }
}

const spans = () => request(...Array.from({ length: 200 }, () => span()))

it('telemetry beyond ORG_STORED_BYTES_MAX gets 429 that names it, until storage is free again', async () => {
  const { app, post, metrics, nextReading } = await startLimited({ ORG_STORED_BYTES_MAX: '2KiB' })
  expect((await post('/v1/traces', spans())).status).toBe(200)
  nextReading()
  await expect.poll(async () => (await post('/v1/traces', spans())).status).toBe(429)
  const refused = await post('/v1/logs', { resourceLogs: [] })
  expect(refused).toMatchObject({
    status: 429,
    retryAfter: '60',
    body: { message: expect.stringMatching(/has reached its quota of 0 MiB \(ORG_STORED_BYTES_MAX\)/) },
  })
  expect((await post('/v1/traces', spans(), 'another')).status).toBe(200)
  expect(await metrics()).toMatch(/^tracefold_quota_refusals_total\{quota="stored_bytes"\} [2-9]/m)
  expect(await metrics()).toMatch(/^tracefold_quota_used_ratio\{quota="stored_bytes"\} \d/m)
  for (const table of ['value_index', 'spans', 'trace_intervals'])
    await app.app.clickhouse.command(`TRUNCATE TABLE ${table}`)
  nextReading()
  await expect.poll(async () => (await post('/v1/traces', spans())).status).toBe(200)
})

function points(...hosts: string[]) {
  const timeUnixNano = `${Date.now()}000000`
  const dataPoints = hosts.map((host) => ({
    timeUnixNano,
    asInt: '1',
    attributes: [{ key: 'host', value: { stringValue: host } }],
  }))
  return { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'load', gauge: { dataPoints } }] }] }] }
}

it('beyond ORG_SERIES_MAX, points of new series are rejected and those of stored series are accepted', async () => {
  const { app, post, metrics, nextReading } = await startLimited({ ORG_SERIES_MAX: '2' })
  const send = (...hosts: string[]) => post('/v1/metrics', points(...hosts))
  expect(await send('a', 'b')).toMatchObject({ status: 200, body: {} })
  nextReading()
  await send('a')
  await expect.poll(metrics).toMatch(/^tracefold_quota_used_ratio\{quota="series"\} 1$/m)
  expect(await send('a', 'c', 'b', 'd')).toMatchObject({
    status: 200,
    body: { partialSuccess: { rejectedDataPoints: '2', errorMessage: expect.stringContaining('ORG_SERIES_MAX') } },
  })
  expect((await post('/v1/metrics', points('c'), 'another')).body).toEqual({})
  const query = {
    text: 'SELECT uniqExact(series) AS series FROM metric_series WHERE org = {p0:String}',
    params: { p0: app.org },
  }
  const { rows } = await app.app.clickhouse.read(query, { for: 'system', label: 'series' })
  expect(rows).toEqual([{ series: '2' }])
  expect((await post('/v1/traces', spans())).status).toBe(200)
})

it('every stored series is accepted at the quota, also one whose id ends in zeros', async () => {
  const org = 'series-that-end-in-zeros'
  const hosts = Array.from({ length: 2_000 }, (_, number) => `host-${number}`)
  const { post, metrics, nextReading } = await startLimited({ ORG_SERIES_MAX: '2000' })
  expect((await post('/v1/metrics', points(...hosts), org)).body).toEqual({})
  nextReading()
  await post('/v1/metrics', points('host-0'), org)
  await expect.poll(metrics).toMatch(/^tracefold_quota_used_ratio\{quota="series"\} 1$/m)
  expect((await post('/v1/metrics', points(...hosts), org)).body).toEqual({})
  const { body } = await post('/v1/metrics', points('new'), org)
  expect(body).toMatchObject({ partialSuccess: { rejectedDataPoints: '1' } })
})

it('quotas do not apply while ClickHouse cannot say what is stored, which is logged once', async () => {
  const { app, post, nextReading } = await startLimited({ ORG_SERIES_MAX: '1' })
  await app.app.clickhouse.command('RENAME TABLE metric_series TO hidden_series')
  for (const org of ['one', 'two']) expect((await post('/v1/metrics', points('a'), org)).status).toBe(503)
  await app.app.clickhouse.command('RENAME TABLE hidden_series TO metric_series')
  nextReading()
  expect((await post('/v1/metrics', points('a'), 'one')).status).toBe(200)
  const lines = app.logLines().filter(({ msg }) => /what an organization has stored|What organizations/.test(`${msg}`))
  expect(lines.map(({ msg }) => msg)).toEqual([
    'Could not read what an organization has stored, so its quotas do not apply',
    'What organizations have stored is known again',
  ])
})
