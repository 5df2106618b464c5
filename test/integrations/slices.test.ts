import { beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { type MatcherInput, matcher, sharedApp, storeOrders, type Tenant } from '../support/integration-app.ts'
import { drawnTraceId } from '../support/trace-text.ts'

const newTenant = sharedApp()
let tenant: Tenant

beforeAll(async () => {
  tenant = newTenant()
  await storeOrders(tenant)
})

const stats = (trace_count: number, error_trace_count: number, span_count: number, error_span_count: number) => ({
  trace_count,
  error_trace_count,
  span_count,
  error_span_count,
})

const statsOf = async (matchers: MatcherInput[], rule_match: 'any' | 'all' = 'any') => {
  const { id } = await tenant.create({ matchers, rule_match })
  return (await tenant.ask('GET', `/integrations/${id}/stats`)).body
}

it('stats count the traces, spans and errors of the slice', async () => {
  expect(await statsOf([{ service: 'shop' }, { service: 'bank' }])).toEqual({
    ...stats(2, 1, 4, 2),
    services: ['bank', 'shop'],
  })
  expect(await statsOf([])).toEqual({ ...stats(0, 0, 0, 0), services: [] })
})

it('all selects the traces in which every rule is satisfied', async () => {
  const rules: MatcherInput[] = [{ service: 'shop' }, { service: 'bank' }]
  expect(await statsOf(rules, 'all')).toEqual({ ...stats(1, 1, 3, 2), services: ['bank', 'shop'] })
})

it('a service and the pattern with the same text are different rules', async () => {
  const pattern = matcher('sh?p', { service_match: 'pattern', value: 't-2' })
  const exact = matcher('sh?p')
  for (const matchers of [
    [pattern, exact],
    [exact, pattern],
  ])
    expect(await statsOf(matchers)).toEqual({ ...stats(1, 0, 1, 0), services: ['shop'] })
})

it('descendants of an anchor belong to the slice when their service does', async () => {
  const rule = matcher('shop', { include_descendants: true })
  expect(await statsOf([rule])).toEqual({ ...stats(1, 1, 2, 1), services: ['shop'] })
  const bare = matcher('bank', { operator: 'exists' })
  expect(await statsOf([rule, bare])).toEqual({ ...stats(1, 1, 3, 2), services: ['bank', 'shop'] })
})

it('a window without spans returns nothing, and an empty window is refused', async () => {
  const { id } = await tenant.create({ matchers: [{ service: 'shop' }] })
  const at = (path: string, from: string, to: string) =>
    tenant.ask('GET', `/integrations/${id}/${path}?from=${from}&to=${to}`)
  const [day, next] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
  expect((await at('stats', day, next)).body).toEqual({ ...stats(0, 0, 0, 0), services: [] })
  expect((await at('flow-graph', day, next)).body).toEqual({ nodes: [], edges: [] })
  expect((await at('stats', next, day)).refusal).toEqual(['invalid_request', '#/query/from'])
  expect((await at('flow-graph', next, next)).refusal).toEqual(['invalid_request', '#/query/from'])
})

it('the flow graph connects services of the slice across the spans between them', async () => {
  const matchers = [{ service: 'web' }, { service: 'bank' }, matcher('shop', { attribute_key: 'none' })]
  const { id } = await tenant.create({ matchers })
  const { body } = await tenant.ask<components['schemas']['FlowGraph']>('GET', `/integrations/${id}/flow-graph`)
  expect(body).toEqual({
    nodes: [
      { service: 'bank', span_count: 1, error_count: 1, facets: ['core', 'worker'] },
      { service: 'web', span_count: 3, error_count: 0, facets: ['core', 'worker'] },
    ],
    edges: [{ from: 'web', to: 'bank', call_count: 1, error_count: 1, p50_ms: 40, p95_ms: 40 }],
  })
})

it('a preview counts all rules and each rule, with child spans where requested, and describes each rule', async () => {
  const matchers = [
    matcher('shop', { match_group: 'orders', include_descendants: true }),
    matcher('shop', { match_group: 'orders', operator: 'exists' }),
    { service: 'bank' },
  ]
  const preview = await tenant.ask('POST', '/integrations/preview', { body: { rule_match: 'all', matchers } })
  expect(preview.body).toEqual({
    ...stats(1, 1, 3, 2),
    services: ['bank', 'shop'],
    flags: [],
    rules: [
      {
        match_group: 'orders',
        summary: 'Spans of service "shop" where tenant equals "t-1" and tenant exists (including child spans).',
        ...stats(1, 1, 3, 2),
      },
      { match_group: null, summary: 'Spans of service "bank".', ...stats(1, 1, 1, 1) },
    ],
  })
})

it('a preview takes a group of any name for that group only', async () => {
  const matchers = [{ service: 'shop' }, { service: 'bank', match_group: '#1' }]
  const { status, body } = await tenant.ask('POST', '/integrations/preview', { body: { matchers } })
  expect(status).toBe(200)
  expect(body).toMatchObject({ rules: [{ match_group: null }, { match_group: '#1' }] })
})

it('a search and a count with an integration select its slice, and the summary names it', async () => {
  const { id, name } = await tenant.create({ name: 'Bank', matchers: [{ service: 'bank' }] })
  const body = { integration_id: id }
  expect((await tenant.ask('POST', '/messages/count', { body })).body).toEqual({
    message_count: 1,
    error_message_count: 1,
    matched_step_count: 1,
    error_step_count: 1,
  })
  const found = await tenant.ask('POST', '/messages/search', { body })
  expect(found.body).toMatchObject({ messages: [{ trace_id: drawnTraceId(1), span_count: 4, matched_step_count: 1 }] })
  expect(found.body).toMatchObject({ summary: expect.stringContaining(`of integration "${name}"`) })
})

it('a restricted caller sees the union of its granted slices, and no other span of a message', async () => {
  const whom = { role: 'restricted', subject: 'eve' } as const
  const ask = (path: string, body: object) => tenant.ask('POST', path, { body, whom })
  const granted = await tenant.create({ matchers: [{ service: 'bank' }] })
  const second = await tenant.create({ matchers: [matcher('shop', { value: 't-2' })] })
  const nothing = { message_count: 0, error_message_count: 0, matched_step_count: 0, error_step_count: 0 }
  expect((await ask('/messages/count', {})).body).toEqual(nothing)
  for (const { id } of [granted, second]) {
    await tenant.ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['eve'] } })
  }
  const counts = { message_count: 2, error_message_count: 1, matched_step_count: 2, error_step_count: 1 }
  expect((await ask('/messages/count', {})).body).toEqual(counts)
  expect((await ask('/messages/search', {})).body).toMatchObject({
    messages: [
      { trace_id: drawnTraceId(2), root: { service: 'shop', name: 'order' }, span_count: 1, duration_ns: '30000000' },
      { trace_id: drawnTraceId(1), root: { service: 'bank', name: 'pay' }, span_count: 1, duration_ns: '40000000' },
    ],
  })
  const every = { matchers: [{ service: '*', service_match: 'pattern' }] }
  expect((await ask('/integrations/preview', every)).body).toMatchObject({
    ...stats(2, 1, 2, 1),
    services: ['bank', 'shop'],
  })
  const hidden = await tenant.ask('GET', `/messages/${drawnTraceId(3)}`, { whom })
  expect(hidden.refusal).toEqual(['not_found'])
})
