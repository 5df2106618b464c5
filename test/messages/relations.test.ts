import { expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedApp, type Tenant } from '../support/integration-app.ts'
import type { Relation } from '../support/reference-relations.ts'
import { makeSpan, type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawnTraceId, drawTraces } from '../support/trace-text.ts'

const tenant = sharedApp()

type Page = components['schemas']['MessagePage']

const window = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' }

const named = (value: string) =>
  ({ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value }) as const

const steps = (name: string) => (name === '' ? [] : [named(name)])

function related(kind: Relation['kind'], from: string, to: string, within_ms?: number): Relation {
  return { kind, from: steps(from), to: steps(to), ...(within_ms === undefined ? {} : { within_ms }) }
}

async function stored(spans: readonly SpanModel[]): Promise<Tenant> {
  const it = tenant()
  const perBody = 20_000
  for (let at = 0; at < spans.length; at += perBody)
    await it.app.sendSpans(toOtlpJson(spans.slice(at, at + perBody)), { org: it.org, role: 'ingest' })
  return it
}

/** Returns the numbers of the matched steps of each message, newest message first. */
async function matched(it: Tenant, filter: object): Promise<number[][]> {
  const { status, body } = await it.ask<Page>('POST', '/messages/search', { body: { ...window, ...filter } })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.messages.map(({ matched_step_ids }) => matched_step_ids.map((id) => Number.parseInt(id, 16)))
}

const orders = drawTraces(`
  shop:order      t+0s
    stock:reserve t+1s
      db:update   t+2s !
    mail:invoice  t+240s
  ---
  shop:order      t+0s
    stock:reserve t+1s
    mail:invoice  t+301s
  ---
  shop:order      t+0s
    stock:reserve t+1s
`)

it('finds the broken orders, with the step that was left alone as the matched one', async () => {
  const it = await stored(orders)
  const relations = [related('not_followed_by', 'order', 'invoice', 300_000)]
  const found = await it.ask<Page>('POST', '/messages/search', { body: { ...window, relations } })
  expect(found.body.messages.map(({ trace_id }) => trace_id)).toEqual([drawnTraceId(3), drawnTraceId(2)])
  expect(found.body.messages.map(({ matched_step_ids }) => matched_step_ids)).toEqual([
    ['0000000000000001'],
    ['0000000000000001'],
  ])
  const counted = await it.ask('POST', '/messages/count', { body: { ...window, relations } })
  expect(counted.body).toEqual({ message_count: 2, error_message_count: 0, matched_step_count: 2, error_step_count: 0 })
})

it('joins relations with rows, and the status looks at the steps of both', async () => {
  const it = await stored(orders)
  const relations = [related('contains', 'reserve', 'update')]
  expect(await matched(it, { relations })).toEqual([[2]])
  expect(await matched(it, { relations, rows: [named('invoice')] })).toEqual([[2, 4]])
  expect(await matched(it, { relations, status: 'error' })).toEqual([])
  expect(await matched(it, { relations: [related('called_by', 'update', 'order')], status: 'error' })).toEqual([[3]])
  expect(await matched(it, { relations, rows: [{ ...named('update'), operator: 'neq' }] })).toEqual([])
})

it('reads the ends of a relation outside the slice of the integration', async () => {
  const it = await stored(orders)
  const { id: integration_id } = await it.create({ matchers: [{ service: 'mail' }] })
  expect(await matched(it, { integration_id, relations: [related('contains', 'order', 'update')] })).toEqual([[1]])
  expect(await matched(it, { integration_id, relations: [related('not_followed_by', 'order', 'invoice')] })).toEqual([])
})

it('without conditions, every step is an end', async () => {
  const it = await stored(orders)
  // The steps without a descendant, of the messages in which one has failed.
  expect(
    await matched(it, { relations: [related('not_contains', '', ''), related('contains', '', 'update')] }),
  ).toEqual([[1, 2, 3, 4]])
})

it('a step that was sent again with another start counts once', async () => {
  const [first, ...others] = orders.slice(0, 4)
  const it = await stored(orders.slice(0, 4))
  const again = { ...(first as SpanModel), startNs: drawnStartNs + 30_000_000_000n }
  await it.app.sendSpans(toOtlpJson([again, ...others]), { org: it.org, role: 'ingest' })
  const counts = await it.ask('POST', '/messages/count', {
    body: { ...window, relations: [related('followed_by', 'order', 'invoice')] },
  })
  expect(counts.body).toMatchObject({ message_count: 1, matched_step_count: 1 })
  expect(await matched(it, { relations: [related('followed_by', 'order', 'order')] })).toEqual([])
})

it('cycles, and spans that are their own parent, end the walk', async () => {
  const it = await stored(
    drawTraces(`
      a  ^b
      b  ^c
      c  ^a
      d  ^d
      e  ^missing
    `),
  )
  expect(await matched(it, { relations: [related('contains', '', 'a')] })).toEqual([[1, 2, 3]])
  expect(await matched(it, { relations: [related('called_by', '', 'd')] })).toEqual([[4]])
  expect(await matched(it, { relations: [related('not_called_by', '', '')] })).toEqual([[5]])
})

it('the starts of a relation are compared in nanoseconds, also far apart', async () => {
  const span = (spanId: string, name: string, startNs: bigint) =>
    makeSpan({ traceId: drawnTraceId(1), spanId: spanId.padStart(16, '0'), name, startNs })
  const it = await stored([span('1', 'a', drawnStartNs + 1n), span('2', 'b', drawnStartNs + 1_000_002n)])
  expect(await matched(it, { relations: [related('followed_by', 'a', 'b', 1)] })).toEqual([])
  expect(await matched(it, { relations: [related('followed_by', 'a', 'b', 2)] })).toEqual([[1]])
  expect(await matched(it, { relations: [related('followed_by', 'b', 'a')] })).toEqual([])
  expect(await matched(it, { relations: [related('followed_by', 'a', 'b', 3_155_760_000_000)] })).toEqual([[1]])
})

it('answers exactly for one trace of 100,000 spans: a chain, and a fan', async () => {
  const size = 50_000
  const traceId = drawnTraceId(1)
  const idOf = (position: number) => (position + 1).toString(16).padStart(16, '0')
  const spans = Array.from({ length: 2 * size }, (_, position) =>
    makeSpan({
      traceId,
      spanId: idOf(position),
      parentId: position === 0 ? '' : idOf(position < size ? position - 1 : 0),
      name: position === size - 1 ? 'end of chain' : position < size ? 'link' : 'fan',
      startNs: drawnStartNs + BigInt(position) * 1_000n,
    }),
  )
  const it = await stored(spans)
  const count = async (...relations: Relation[]) => {
    const { body } = await it.ask<components['schemas']['MessageCount']>('POST', '/messages/count', {
      body: { ...window, relations },
    })
    return body.matched_step_count
  }
  expect(await count(related('contains', 'link', 'end of chain'))).toBe(size - 1)
  expect(await count(related('contains', '', 'fan'))).toBe(1)
  expect(await count(related('not_contains', '', ''))).toBe(size + 1)
  expect(await count(related('called_by', '', 'link'))).toBe(2 * size - 1)
  expect(await count(related('followed_by', 'link', 'fan'))).toBe(size - 1)
  // The last link starts 2 µs before the first span of the fan, and the others 1 µs earlier each.
  expect(await count(related('followed_by', 'link', 'fan', 1))).toBe(999)
  expect(await count(related('not_followed_by', 'fan', 'fan', 0))).toBe(size)
})

const condition = named('a')
const valid = { kind: 'contains', from: [condition], to: [] }

it.each([
  ['more than five', Array(6).fill(valid), '/relations'],
  ['an unknown kind', [valid, { ...valid, kind: 'precedes' }], '/relations/1/kind'],
  ['a kind that is a property of every object', [{ ...valid, kind: 'toString' }], '/relations/0/kind'],
  ['no `to`', [{ kind: 'contains', from: [] }], '/relations/0/to'],
  ['51 conditions', [{ ...valid, from: Array(51).fill(condition) }], '/relations/0/from'],
  [
    'child spans',
    [{ ...valid, to: [{ ...condition, includeDescendants: true }] }],
    '/relations/0/to/0/includeDescendants',
  ],
  ['a source of messages', [{ ...valid, to: [{ ...condition, attribute_source: 'message' }] }], '/relations/0/to/0'],
  ['an unknown operator', [{ ...valid, from: [condition, { ...condition, operator: 'is' }] }], '/relations/0/from/1'],
  [
    'an unknown intrinsic',
    [{ ...valid, to: [{ ...condition, attribute_key: 'n' }] }],
    '/relations/0/to/0/attribute_key',
  ],
  [
    'an invalid pattern',
    [{ ...valid, to: [{ ...condition, operator: 'matches', value: '(' }] }],
    '/relations/0/to/0/value',
  ],
  ['a time limit in the tree', [{ ...valid, within_ms: 5 }], '/relations/0/within_ms'],
  ['a negative time limit', [{ ...valid, kind: 'followed_by', within_ms: -1 }], '/relations/0/within_ms'],
  ['a broken time limit', [{ ...valid, kind: 'followed_by', within_ms: 0.5 }], '/relations/0/within_ms'],
  [
    'too long a time limit',
    [{ ...valid, kind: 'followed_by', within_ms: 3_155_760_000_001 }],
    '/relations/0/within_ms',
  ],
])('refuses relations with %s, with a pointer to the fault', async (_, relations, pointer) => {
  const it = tenant()
  for (const path of ['/messages/search', '/messages/count', '/messages/summary', '/saved-views']) {
    const body = { ...(path === '/saved-views' && { name: 'v' }), relations }
    const { status, refusal } = await it.ask('POST', path, { body })
    expect(status).toBe(400)
    expect(refusal.slice(1).some((at) => at?.startsWith(pointer))).toBe(true)
  }
})

it('the faults of rows and of relations are reported together', async () => {
  const rows = [{ attribute_source: 'intrinsic', attribute_key: 'n', operator: 'exists' }]
  const relations = [{ ...valid, within_ms: 5 }]
  const { refusal } = await tenant().ask('POST', '/messages/count', { body: { rows, relations } })
  expect(refusal.slice(1)).toEqual(['/rows/0/attribute_key', '/relations/0/within_ms'])
})

it.each<[Relation, string]>([
  [
    related('not_followed_by', 'order "x"', 'invoice', 300_000),
    'a step with (name equals "order \\"x\\"") is not followed within 5 minutes by a step with (name equals "invoice")',
  ],
  [
    related('followed_by', 'a', '', 1_500),
    'a step with (name equals "a") is followed within 1500 milliseconds by a step',
  ],
  [related('followed_by', '', '', 0), 'a step is followed within 0 milliseconds by a step'],
  [related('contains', '', 'a'), 'a step contains a step with (name equals "a")'],
  [related('not_contains', '', ''), 'a step does not contain a step'],
  [
    { kind: 'called_by', from: [named('a'), { ...named('b'), operator: 'neq' }], to: [] },
    'a step with (name equals "a" and name is not "b") is called by a step',
  ],
  [related('not_called_by', '', 'a'), 'a step is not called by a step with (name equals "a")'],
])('describes %j', async (relation, sentence) => {
  const rows = [{ attribute_key: 'tenant', operator: 'exists' }]
  const { body } = await tenant().ask<{ summary: string }>('POST', '/messages/summary', {
    body: { ...window, rows, relations: [relation] },
  })
  expect(body.summary).toBe(
    `Messages where tenant is present and ${sentence}, from 2026-01-01T00:00:00Z to 2026-01-01T01:00:00Z.`,
  )
})

it('saved views store relations, find what the search finds, and lose them on request', async () => {
  const it = await stored(orders)
  const relations = [related('not_followed_by', 'order', 'invoice', 300_000)]
  const body = { name: 'Broken orders', relations, window: { kind: 'absolute', ...window } }
  const { body: view } = await it.ask<components['schemas']['SavedView']>('POST', '/saved-views', { body })
  expect(view).toMatchObject({ rows: [], relations })
  expect(view.summary).toContain('is not followed within 5 minutes by')
  const found = await it.ask<Page>('POST', `/saved-views/${view.id}/search`, { body: {} })
  expect(found.body.messages.map(({ trace_id }) => trace_id)).toEqual([drawnTraceId(3), drawnTraceId(2)])
  const exported = await it.ask<{ saved_views: object[] }>('GET', '/config/export')
  expect(exported.body.saved_views).toMatchObject([{ name: 'Broken orders', relations }])
  const elsewhere = tenant()
  const imported = await elsewhere.ask('POST', '/config/import', { body: exported.body })
  expect(imported.status).toBe(200)
  const copy = await elsewhere.ask<{ items: object[] }>('GET', '/saved-views')
  expect(copy.body.items).toMatchObject([{ name: 'Broken orders', relations }])
  const changed = await it.ask('PUT', `/saved-views/${view.id}`, { body: { relations: [] } })
  expect(changed.body).toMatchObject({ relations: [], summary: expect.not.stringContaining('followed') })
})
