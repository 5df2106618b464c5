import { expect, it } from 'vitest'
import { createPrometheus } from '../../server/observability/prometheus.ts'
import { createApiClient } from '../support/client.ts'
import { document } from '../support/documented-operations.ts'
import { sharedStubApp, startStubApp } from '../support/stub-app.ts'

const stub = sharedStubApp({
  handlers: {
    searchMessages: () => ({ status: 200, body: { messages: [], next_cursor: null, summary: 'Messages.' } }),
    listAttributeValues: () => ({ status: 200, body: { items: [], next_cursor: null, from: '2026-03-01T09:00:00Z' } }),
  },
})

it('the document is served without authentication', async () => {
  const app = stub()
  const response = await fetch(`${app.url}/openapi.json`)
  expect(await response.json()).toEqual(document)
})

it('the reference loads nothing from other servers and runs no inline scripts', async () => {
  const app = stub()
  const response = await fetch(`${app.url}/docs`)
  const page = await response.text()
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  expect(page).not.toMatch(/https?:/)
  expect(page).not.toMatch(/<script>|<style|\son\w+=/)
  const assets = [...page.matchAll(/(?:src|href)="(docs[^"]+)"/g)].map(([, path]) => path)
  expect(assets).toHaveLength(4)
  for (const path of assets) {
    const asset = await fetch(`${app.url}/${path}`)
    expect([asset.status, asset.headers.get('x-content-type-options')], path).toEqual([200, 'nosniff'])
    await asset.arrayBuffer()
  }
})

it.each(['/docs', '/docs/'])('the reference at %s refers to paths below that of the server', async (path) => {
  const page = await (await fetch(stub().url + path)).text()
  const [, base = ''] = /<base href="([^"]+)"/.exec(page) ?? []
  expect(new URL(base, `https://telemetry.example/tracefold${path}`).pathname).toBe('/tracefold/')
  expect(page).not.toMatch(/(?:src|href)="\//)
  expect(await (await fetch(`${stub().url}/docs/start.js`)).text()).toContain("url: 'openapi.json'")
})

it('the document names the path of PUBLIC_URL as its server', async () => {
  const app = await startStubApp({ publicUrl: 'https://telemetry.example/tracefold' })
  expect(await (await fetch(`${app.url}/openapi.json`)).json()).toMatchObject({ servers: [{ url: '/tracefold' }] })
})

it('only the listed files of the reference are served', async () => {
  const app = stub()
  for (const path of ['/docs/package.json', '/docs/..%2fpackage.json', '/docs/%2e%2e/express/package.json']) {
    expect((await fetch(app.url + path)).status, path).toBe(404)
  }
})

it('the generated client works with the server', async () => {
  const app = stub()
  const client = createApiClient({ baseUrl: app.url, token: 'admin' })
  const found = await client.POST('/api/v1/messages/search', {
    body: { rows: [{ attribute_key: 'customer.id', operator: 'eq', value: '77', includeDescendants: true }] },
  })
  expect(found.data).toEqual({ messages: [], next_cursor: null, summary: 'Messages.' })
  const values = await client.GET('/api/v1/attributes/values', { params: { query: { key: 'a/b', limit: 3 } } })
  expect(values.data?.items).toEqual([])
  const refused = await client.GET('/api/v1/messages/{trace_id}', { params: { path: { trace_id: 'x' } } })
  expect(refused.error?.errors?.[0]?.pointer).toBe('#/path/trace_id')
})

it('the generated client rejects a response that does not match the document', async () => {
  const app = await startStubApp({
    checkResponses: false,
    handlers: { getCaller: (() => ({ status: 200, body: {} })) as never },
  })
  const client = createApiClient({ baseUrl: app.url, token: 'admin' })
  await expect(client.GET('/api/v1/me')).rejects.toThrow('getCaller')
})

it('requests are counted under their operation id', async () => {
  const metrics = createPrometheus({ collectProcess: false })
  const app = await startStubApp({ metrics: metrics.http })
  for (const path of ['/api/v1/me', '/openapi.json', '/api/v1/nothing', '/x'])
    await (await app.send('GET', path)).text()
  const { values } = await metrics.http.requests.get()
  expect(values.map(({ labels, value }) => [labels.operation, labels.status, value])).toEqual([
    ['getCaller', '200', 1],
    ['getOpenapiDocument', '200', 1],
    ['unknown', '404', 2],
  ])
})
