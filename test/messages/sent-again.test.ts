import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { makeSpan, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawnTraceId } from '../support/trace-text.ts'

/** A failed call of the shop, and its duration. The shop sends the call again with another start. */
const traceId = drawnTraceId(1)
const root = makeSpan({ traceId, spanId: '00000000000000a1', startNs: drawnStartNs, kind: 'server' })
const call = makeSpan({
  traceId,
  spanId: '00000000000000a2',
  parentId: root.spanId,
  service: 'bank',
  kind: 'client',
  status: 'error',
  startNs: drawnStartNs + 1_000_000n,
  attributes: [['tenant', { stringValue: 't-1' }]],
})
const window = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:05:00Z' }

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
  await app.sendSpans(toOtlpJson([root, call]))
  for (const seconds of [30n, 90n]) {
    await app.sendSpans(toOtlpJson([{ ...call, startNs: call.startNs + seconds * 1_000_000_000n }]))
  }
})
afterAll(() => app.close())

const query = new URLSearchParams(window)

async function ask(path: string, body?: object) {
  const init = body && { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const response = await app.send(`/api/v1${path}`, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text)
}

const rows = [{ attribute_key: 'tenant', operator: 'eq', value: 't-1' }]

it.each<[surface: string, read: () => Promise<unknown>, expected: unknown]>([
  [
    'message counts',
    () => ask('/messages/count', { ...window, rows }),
    { message_count: 1, error_message_count: 1, matched_step_count: 1, error_step_count: 1 },
  ],
  [
    'a search',
    async () => (await ask('/messages/search', { ...window, rows })).messages,
    [expect.objectContaining({ span_count: 2, error_count: 1, matched_step_count: 1 })],
  ],
  ['a message', async () => (await ask(`/messages/${traceId}?${query}`)).spans.length, 2],
  [
    'services',
    async () => (await ask(`/services?${query}`)).items,
    [
      expect.objectContaining({ name: 'bank', span_count: 1, error_count: 1 }),
      expect.objectContaining({ name: 'shop', span_count: 1, error_count: 0 }),
    ],
  ],
  [
    'explained classification rules',
    async () => (await ask(`/services/bank/facet-mappings?${query}&explain=true`)).explain.sampled_span_count,
    1,
  ],
  [
    'attribute keys',
    async () => (await ask(`/attributes?${query}&source=span`)).items,
    [expect.objectContaining({ key: 'tenant', span_count: 1 })],
  ],
  [
    'attribute values',
    async () => (await ask(`/attributes/values?${query}&key=tenant`)).items,
    [expect.objectContaining({ value: 't-1', span_count: 1 })],
  ],
])('a span that is sent again with another start counts once in %s', async (_, read, expected) => {
  expect(await read()).toEqual(expected)
})

it.each(['span_count', 'error_count', 'message_count'])(
  'a span that is sent again with another start counts once in the preview of a rule about %s',
  async (measure) => {
    const rule = { kind: 'trace', service: 'bank', measure, comparator: 'gt', threshold: 100, window_s: 300 }
    const { points } = await ask('/alerting/rules/preview', { ...window, ...rule })
    expect(Math.max(...points.map(({ value }: { value: number }) => value))).toBe(1)
  },
)
