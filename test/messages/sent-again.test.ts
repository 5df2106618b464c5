import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { makeSpan, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawnTraceId } from '../support/trace-text.ts'

/** A failed call of the shop, which the shop sends again with other starts, and then with other content. */
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
const window = { from: '2025-12-31T23:55:00Z', to: '2026-01-01T00:05:00Z' }

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
  await app.sendSpans(toOtlpJson([root, call]))
  for (const seconds of [30n, 90n]) {
    await app.sendSpans(toOtlpJson([{ ...call, startNs: call.startNs + seconds * 1_000_000_000n }]))
  }
  const attributes = [['tenant', { stringValue: 't-2' }]] as const
  const changed = makeSpan({ ...call, service: 'ledger', name: 'changed', status: 'ok', attributes })
  for (const seconds of [-45n, 60n])
    await app.sendSpans(toOtlpJson([{ ...changed, startNs: call.startNs + seconds * 1_000_000_000n }]))
})
afterAll(() => app.close())

const query = new URLSearchParams(window)

async function ask(path: string, body?: object) {
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of several operations.
  return app.ask<any>(`/api/v1${path}`, { json: body })
}

const rows = [{ attribute_key: 'tenant', operator: 'eq', value: 't-1' }]
const changedRows = [{ attribute_key: 'tenant', operator: 'eq', value: 't-2' }]

/** Returns the stats of an integration with one rule. */
async function statsOf(matcher: object) {
  const matchers = [{ match_group: 'a', service_match: 'exact', ...matcher }]
  const { id } = await ask('/integrations', { name: JSON.stringify(matcher), rule_match: 'any', matchers })
  return ask(`/integrations/${id}/stats?${query}`)
}

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
  [
    'a search for what was sent later',
    () => ask('/messages/search', { ...window, rows: changedRows }),
    expect.objectContaining({ messages: [] }),
  ],
  [
    'the counts of a message that what was sent later would refute',
    () => ask('/messages/count', { ...window, rows: [...rows, { ...changedRows[0], operator: 'neq' }] }),
    expect.objectContaining({ message_count: 1 }),
  ],
  [
    'the stats of an integration',
    () => statsOf({ service: 'bank', attribute_key: 'tenant', operator: 'exists' }),
    { trace_count: 1, error_trace_count: 1, span_count: 1, error_span_count: 1, services: ['bank'] },
  ],
  [
    'the stats of an integration with what was sent later',
    () => statsOf({ service: 'ledger' }),
    { trace_count: 0, error_trace_count: 0, span_count: 0, error_span_count: 0, services: [] },
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

it('a window without the row that was stored first does not contain the span', async () => {
  const later = { from: '2026-01-01T00:00:20Z', to: '2026-01-01T00:05:00Z' }
  expect(await ask('/messages/count', { ...later, rows: [] })).toMatchObject({ message_count: 0 })
  expect((await ask(`/services?${new URLSearchParams(later)}`)).items).toEqual([])
})
