import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'

const traceId = 'd'.repeat(32)
const [limited, whole] = ['00000000000000d1', '00000000000000d2']
const times = { startTimeUnixNano: '1772358067000000000', endTimeUnixNano: '1772358067000000001' }
const link = { traceId: 'e'.repeat(32), spanId: 'e'.repeat(16) }

let app: TestApp
beforeAll(async () => {
  app = await startApp()
  const span = {
    traceId,
    spanId: limited,
    name: 'limited',
    ...times,
    droppedAttributesCount: 1,
    droppedEventsCount: 2,
    droppedLinksCount: 4_294_967_295,
    links: [{ ...link, flags: 769, droppedAttributesCount: 3 }, link],
  }
  const spans = [span, { traceId, spanId: whole, parentSpanId: limited, name: 'whole', ...times }]
  await app.sendSpans({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
})
afterAll(() => app.close())

async function read<T>(path: string): Promise<T> {
  const response = await app.send(`/api/v1/messages/${traceId}${path}`)
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

const ofLimited = {
  dropped_attributes_count: 1,
  dropped_events_count: 2,
  dropped_links_count: 4_294_967_295,
  links: [
    { trace_id: link.traceId, span_id: link.spanId, flags: 769, dropped_attributes_count: 3 },
    { trace_id: link.traceId, span_id: link.spanId, flags: 0, dropped_attributes_count: 0 },
  ],
}
const ofWhole = { dropped_attributes_count: 0, dropped_events_count: 0, dropped_links_count: 0, links: [] }

it('a message says how much of each step its sender dropped', async () => {
  expect(await read('')).toMatchObject({ spans: [ofLimited, ofWhole] })
})

it('so does a step, with the flags of its links', async () => {
  expect(await read(`/spans/${limited}`)).toMatchObject(ofLimited)
  expect(await read(`/spans/${whole}`)).toMatchObject(ofWhole)
})
