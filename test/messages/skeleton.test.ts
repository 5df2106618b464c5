import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { makeSpan, type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, trace } from '../support/trace-text.ts'

type Skeleton = components['schemas']['MessageSkeleton']
type SpanDetail = components['schemas']['SpanDetail']

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

const traceId = '5b8efff798038103d269b633813fc60c'
const hex = (index: number) => index.toString(16).padStart(16, '0')

async function ask<Answer>(org: string, path: string, body?: object): Promise<{ status: number; json: Answer }> {
  const response = await app.send(`/api/v1/messages/${path}`, { json: body, whom: { org } })
  return { status: response.status, json: (await response.json()) as Answer }
}

async function store(org: string, spans: readonly SpanModel[]): Promise<void> {
  await app.sendSpans(toOtlpJson(spans), { org })
}

it('orphans are roots, a cycle begins at its first span, and a span that was sent twice occurs once', async () => {
  const spans = trace`
    one    ^three t+20ms
      two         t+10ms
        three     t+30ms
          below   t+0ms
    root          t+40ms
    orphan ^missing t+5ms
    self   ^self  t+50ms
  `.map((span) => ({ ...span, org: 'shapes' }))
  await store('shapes', spans)
  await store('shapes', spans.slice(0, 3))
  const { json } = await ask<Skeleton>('shapes', `${spans[0]?.traceId}/skeleton`)
  const names = json.names.positions.map((position) => json.names.dictionary[position])
  expect(names).toEqual(['orphan', 'root', 'two', 'three', 'below', 'one', 'self'])
  expect(json.parents).toEqual([-1, -1, -1, 2, 3, 3, -1])
  expect(json.depths).toEqual([0, 0, 0, 1, 2, 2, 0])
})

it('a chain of 20,000 spans has its depths and parents', async () => {
  const count = 20_000
  const spans = Array.from({ length: count }, (_, index) =>
    makeSpan({
      traceId,
      spanId: hex(index + 1),
      parentId: index === 0 ? '' : hex(index),
      startNs: drawnStartNs + BigInt(count - index),
      durationNs: 2n ** 60n + 1n,
      org: 'chain',
    }),
  )
  for (let at = 0; at < count; at += 5_000) await store('chain', spans.slice(at, at + 5_000))
  const { json } = await ask<Skeleton>('chain', `${traceId}/skeleton`, { status: 'error' })
  expect(json.depths).toEqual(spans.map((_, index) => index))
  expect(json.parents).toEqual(spans.map((_, index) => index - 1))
  expect(json.duration_ns[0]).toBe(String(2n ** 60n + 1n))
  expect(json.start_offset_ns.slice(0, 2)).toEqual([count - 1, count - 2])
  expect(new Set(json.matched)).toEqual(new Set([0]))
})

it('a text that looks like a link is not one, and spans of all link counts are counted beyond the list', async () => {
  const target = makeSpan({ org: 'links', traceId, spanId: hex(1), startNs: drawnStartNs })
  const link = { traceId, spanId: hex(1), attributes: [] }
  const fake = `{"t":"${traceId}","s":"${hex(1)}"`
  const linking = Array.from({ length: 120 }, (_, index) =>
    makeSpan({
      org: 'links',
      traceId: 'f'.repeat(32),
      spanId: hex(index + 1),
      startNs: drawnStartNs + BigInt(index),
      links: [link, link],
    }),
  )
  const other = makeSpan({
    org: 'links',
    traceId: 'e'.repeat(32),
    spanId: hex(1),
    startNs: drawnStartNs,
    links: [{ traceId, spanId: hex(2), attributes: [[fake, { stringValue: fake }]] }],
  })
  await store('links', [target, ...linking, other])
  await store('other-org', [{ ...(linking[0] as SpanModel), org: 'other-org' }])
  const { json } = await ask<SpanDetail>('links', `${traceId}/spans/${hex(1)}`)
  expect(json.linked_from.span_count).toBe(120)
  expect(json.linked_from.spans.map(({ span_id }) => span_id)).toEqual(
    Array.from({ length: 100 }, (_, index) => hex(120 - index)),
  )
})

it('a message or span that does not exist is not found, also under an id of another organization', async () => {
  await store('somewhere', [makeSpan({ org: 'somewhere', traceId, spanId: hex(1), startNs: drawnStartNs })])
  for (const path of ['skeleton', `spans/${hex(1)}`]) {
    expect(await ask('nowhere', `${traceId}/${path}`)).toMatchObject({ status: 404, json: { code: 'not_found' } })
  }
  expect(await ask('somewhere', `${traceId}/spans/${hex(2)}`)).toMatchObject({ status: 404 })
  expect((await ask('somewhere', `${traceId}/spans/${hex(1)}`)).status).toBe(200)
})

it.each([
  ['is not JSON', '{', '#/query/filter'],
  ['has an unknown member', '{"row":[]}', '#/query/filter/row'],
  ['has an invalid operator', '{"rows":[{"attribute_key":"a","operator":"is"}]}', '#/query/filter/rows/0/operator'],
  [
    'compares with no number',
    '{"rows":[{"attribute_key":"a","operator":"gt","value":"x"}]}',
    '#/query/filter/rows/0/value',
  ],
])('a filter that %s is refused at its pointer', async (_, filter, pointer) => {
  const { status, json } = await ask<{ errors: { pointer: string }[] }>(
    'somewhere',
    `${traceId}/skeleton?${new URLSearchParams({ filter })}`,
  )
  expect(status).toBe(400)
  expect(json.errors.map((each) => each.pointer)).toContain(pointer)
})

it.each([
  { row: [] },
  { status: 'bad' },
  { rows: [{ attribute_key: 'a', operator: 'EQ', value: '1' }], from: 'yesterday' },
  { rows: [{ attribute_key: 'a', operator: 'eq', value: null }], integration_id: 'Checkout' },
])('a filter in the query is refused in the words for one in a body: %j', async (filter) => {
  type Refused = { errors: { pointer: string; code: string; message: string }[] }
  const inBody = await ask<Refused>('somewhere', `${traceId}/skeleton`, filter)
  const query = new URLSearchParams({ filter: JSON.stringify(filter) })
  const { status, json } = await ask<Refused>('somewhere', `${traceId}/skeleton?${query}`)
  const located = inBody.json.errors.map((fault) => ({ ...fault, pointer: `#/query/filter${fault.pointer}` }))
  expect([status, json.errors]).toEqual([400, located])
})
