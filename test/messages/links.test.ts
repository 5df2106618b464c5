/** What the API says of the links of a step. Some senders know no ids of what they link to, and send none or zeros. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { startApp, type TestApp } from '../support/app.ts'

type SpanLink = components['schemas']['SpanLink']

const traceId = 'd'.repeat(32)
const spanId = '00000000000000d1'
const [whole, zeros] = [
  { traceId: 'e'.repeat(32), spanId: 'e'.repeat(16) },
  { traceId: '0'.repeat(32), spanId: '0'.repeat(16) },
]
const about = [{ key: 'queue', value: { stringValue: 'orders' } }]

let app: TestApp
beforeAll(async () => {
  app = await startApp()
  const times = { startTimeUnixNano: '1772358067000000000', endTimeUnixNano: '1772358067000000001' }
  const links = [whole, { attributes: about }, { ...zeros, attributes: about }, { traceId: whole.traceId }]
  await app.sendSpans({
    resourceSpans: [{ scopeSpans: [{ spans: [{ traceId, spanId, name: 's', ...times, links }] }] }],
  })
})
afterAll(() => app.close())

it.each(['', `/spans/${spanId}`])('a link without an id has null in its place: %s', async (path) => {
  const response = await app.send(`/api/v1/messages/${traceId}${path}`)
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const body = JSON.parse(text) as { readonly links: SpanLink[]; readonly spans?: { readonly links: SpanLink[] }[] }
  const links = body.spans?.[0]?.links ?? body.links
  expect(links.map(({ trace_id, span_id, attributes }) => [trace_id, span_id, attributes.length])).toEqual([
    [whole.traceId, whole.spanId, 0],
    [null, null, 1],
    [null, null, 1],
    [whole.traceId, null, 0],
  ])
})

it('and is exported as it was sent', async () => {
  const response = await app.send(`/api/v1/messages/${traceId}/otlp`)
  const { resourceSpans } = (await response.json()) as { resourceSpans: { scopeSpans: { spans: object[] }[] }[] }
  expect(resourceSpans[0]?.scopeSpans[0]?.spans[0]).toMatchObject({
    links: [whole, { traceId: '', spanId: '' }, zeros, { traceId: whole.traceId, spanId: '' }],
  })
})
