import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { leastStretch } from '../support/longest-stretch.ts'

/** The longest that an answer may keep all other requests waiting, in milliseconds of CPU time. */
const stretchMsMax = 100
const traceId = '5b8efff798038103d269b633813fc60c'
const spanCount = 10_000
const startNs = BigInt(Date.now() - 600_000) * 1_000_000n

let app: TestApp
beforeAll(async () => {
  app = await startApp({ overrides: { checkResponses: false } })
  await app.sendSpans({ resourceSpans: Array.from({ length: spanCount }, (_, index) => spanOf(index)) })
  await importIntegrations()
}, 120_000)
afterAll(() => app.close())

const hex = (index: number) => (index + 1).toString(16).padStart(16, '0')

/** Returns a span of one large message, with a service and attributes that many others do not have. */
function spanOf(index: number): object {
  const start = startNs + BigInt(index) * 1_000n
  const attributes = Array.from({ length: 10 }, (_, key) => ({
    key: `key.${key}.${index % 500}`,
    value: { stringValue: `value ${index} ${'x'.repeat(100)}` },
  }))
  const span = {
    traceId,
    spanId: hex(index),
    parentSpanId: index === 0 ? '' : hex(Math.max(0, index - 2)),
    name: `step ${index % 1_000}`,
    kind: 2 + (index % 2),
    startTimeUnixNano: `${start}`,
    endTimeUnixNano: `${start + 900n}`,
    attributes,
  }
  const service = { key: 'service.name', value: { stringValue: `service ${index % 1_000}` } }
  return { resource: { attributes: [service] }, scopeSpans: [{ spans: [span] }] }
}

/** Stores 30 MB of integrations in one page of their list. */
async function importIntegrations(): Promise<void> {
  const value = 'x'.repeat(100)
  const matchers = Array.from({ length: 500 }, (_, at) => ({
    service: `service ${at}`,
    attribute_key: `key.${at}`,
    operator: 'equals',
    value,
  }))
  const integrations = Array.from({ length: 200 }, (_, index) => ({ name: `Integration ${index}`, matchers }))
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ format_version: 1, integrations })
  const response = await app.send('/api/v1/config/import', { method: 'POST', headers, body })
  expect(response.status).toBe(200)
}

/** Reads a response and returns the number of its bytes, without keeping them. */
async function sizeOf(path: string): Promise<number> {
  const headers = { authorization: `Bearer ${await app.token()}` }
  const [response] = (await once(get(app.url + path, { headers }), 'response')) as [IncomingMessage]
  let bytes = 0
  for await (const piece of response) bytes += (piece as Buffer).length
  expect(response.statusCode).toBe(200)
  return bytes
}

const window = `from=${new Date(Date.now() - 3_600_000).toISOString()}&to=${new Date().toISOString()}`

it.each([
  ['getMessage', `/api/v1/messages/${traceId}`, 20_000_000],
  ['getMessageSkeleton', `/api/v1/messages/${traceId}/skeleton`, 300_000],
  ['getMessageOtlp', `/api/v1/messages/${traceId}/otlp`, 20_000_000],
  ['listServices', `/api/v1/services?${window}&limit=200`, 20_000],
  ['listAttributeKeys', `/api/v1/attributes?${window}&limit=200`, 10_000],
  ['listIntegrations', '/api/v1/integrations?limit=200', 30_000_000],
  ['exportConfig', '/api/v1/config/export', 25_000_000],
])(
  'the answer of %s does not block the event loop',
  async (_, path, bytesMin) => {
    let bytes = 0
    const stretch = await leastStretch(async () => {
      bytes = await sizeOf(path)
    }, stretchMsMax)
    expect(bytes).toBeGreaterThan(bytesMin)
    expect(stretch).toBeLessThanOrEqual(stretchMsMax)
  },
  120_000,
)
