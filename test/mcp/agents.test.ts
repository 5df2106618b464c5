import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ShopSpan } from '../../examples/demo/shop/message.ts'
import { toExportRequest } from '../../examples/demo/shop/otlp.ts'
import { drawShop } from '../../examples/demo/shop/shop.ts'
import { answerBytesMax } from '../../server/mcp/answer.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { connectAgent } from './agent.ts'

const shop = drawShop({ seed: 7, messageCount: 500, until: new Date() })
const spanCountOfLarge = 1_500
const largeTraceId = 'a'.repeat(32)
const longText = 'SELECT '.repeat(20_000)

let app: TestApp
let grantedId: string
beforeAll(async () => {
  app = await startApp()
  for (let from = 0; from < shop.messages.length; from += 200)
    await app.sendSpans(toExportRequest(shop.messages.slice(from, from + 200).flat()))
  await app.sendSpans(largeMessage(), { org: 'large' })
  const made = await post('/api/v1/integrations', {
    name: 'payments',
    rule_match: 'any',
    matchers: [{ service: 'payment', service_match: 'exact' }],
  })
  grantedId = ((await made.json()) as { id: string }).id
  await post(`/api/v1/integrations/${grantedId}/grants`, { subjects: ['grace'] }, 'PUT')
})
afterAll(() => app.close())

function post(path: string, body: object, method = 'POST'): Promise<Response> {
  return app.send(path, { method, json: body })
}

/** A root with children that have long names, and one step with attributes that exceed every limit. */
function largeMessage(): object {
  const startNs = BigInt(Date.now() - 60_000) * 1_000_000n
  const hex = (at: number) => (at + 1).toString(16).padStart(16, '0')
  const spans = Array.from({ length: spanCountOfLarge }, (_, at) => ({
    traceId: largeTraceId,
    spanId: hex(at),
    parentSpanId: at === 0 ? '' : hex(0),
    name: `step ${at} ${'é'.repeat(50)}`,
    startTimeUnixNano: String(startNs + BigInt(at) * 1_000_000n),
    endTimeUnixNano: String(startNs + BigInt(at + 1) * 1_000_000n),
    attributes:
      at === 1
        ? Array.from({ length: 60 }, (_, n) => ({ key: `sql.${n}`, value: { stringValue: longText.slice(0, 9_000) } }))
        : [],
  }))
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'large' } }] }
  return { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] }
}

const isShipping = ({ step }: ShopSpan) => step.service === 'shipping' && step.name === 'process orders.placed'
const wasAnnounced = ({ step }: ShopSpan) => step.name === 'publish orders.placed'
const withoutShipment = {
  relations: [
    {
      kind: 'not_followed_by',
      from: [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value: 'publish orders.placed' }],
      to: [{ attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'shipping' }],
    },
  ],
}
const ofShipping = {
  rows: [{ attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'shipping' }],
}
type Steps = readonly { readonly service: string; readonly name: string; readonly depth: number; span_id: string }[]

it('a client of the SDK lists the tools with the schemas of the OpenAPI document', async () => {
  const { client } = await connectAgent(app.url, await app.token())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    'search',
    'count',
    'explain',
    'message',
    'breakdown',
    'compare',
    'services',
    'attributes',
    'integrations',
    'alerts',
  ])
  const explain = tools.find(({ name }) => name === 'explain')
  expect(explain?.inputSchema.required).toEqual(['trace_id'])
  expect(Object.keys(explain?.inputSchema.properties ?? {}).sort()).toEqual(
    ['from', 'integration_id', 'relations', 'rows', 'status', 'to', 'trace_id'].sort(),
  )
  expect(JSON.stringify(tools)).not.toContain('#/components')
  expect(Buffer.byteLength(JSON.stringify(tools))).toBeLessThan(100_000)
  expect(client.getServerVersion()?.name).toBe('tracefold')
})

it('three calls find why one order of the demo has no shipment: nobody at shipping took the announcement', async () => {
  const agent = await connectAgent(app.url, await app.token())
  const found = await agent.call('search', { ...withoutShipment, limit: 1 })
  const [order] = found.body.messages as [{ readonly trace_id: string }]
  const why = await agent.call('explain', { trace_id: order.trace_id, ...ofShipping })
  const read = await agent.call('message', { trace_id: order.trace_id })

  expect(found.sentence).toMatch(/^Messages .*publish orders\.placed.*shipping/)
  expect(why.sentence).toContain('The message does not match: no step satisfies')
  expect(why.body).toMatchObject({ matches: false, rows: [{ holds: false, witnesses: { count: 0 } }] })
  const steps = read.body.steps as Steps
  const announced = steps.findIndex(({ name }) => name === 'publish orders.placed')
  const depth = (steps[announced]?.depth ?? 0) + 1
  const end = steps.findIndex((step, at) => at > announced && step.depth < depth)
  const consumers = steps.slice(announced + 1, end < 0 ? undefined : end).filter((step) => step.depth === depth)
  expect(consumers.map(({ service }) => service)).not.toContain('shipping')
  expect(consumers.length).toBeGreaterThan(0)

  const drawn = shop.messages.find((spans) => spans[0]?.traceId === order.trace_id) ?? []
  expect(drawn.some(wasAnnounced)).toBe(true)
  expect(drawn.some(isShipping)).toBe(false)
  expect(steps.map(({ span_id }) => span_id).sort()).toEqual(drawn.map(({ spanId }) => spanId).sort())
})

it('count, breakdown and compare equal the drawn orders, and begin with the query in words', async () => {
  const agent = await connectAgent(app.url, await app.token())
  const missed = shop.messages.filter((spans) => spans.some(wasAnnounced) && !spans.some(isShipping))
  const counted = await agent.call('count', withoutShipment)
  expect(counted.body.message_count).toBe(missed.length)
  expect(counted.sentence).toMatch(/^Messages .*publish orders\.placed/)

  const grouped = await agent.call('breakdown', { ...withoutShipment, group_by: [{ attribute_key: 'tenant' }] })
  expect(grouped.body.total).toMatchObject({ message_count: missed.length })
  expect(grouped.sentence).toMatch(/^Messages .* Grouped by tenant\.$/)

  const compared = await agent.call('compare', { a: { status: 'error' } })
  expect(compared.sentence).toMatch(/^Compared: \(a\) Messages with status error.* \(b\) /)
  expect((compared.body.pairs as unknown[]).length).toBeGreaterThan(0)
})

it('services, attributes and alerts answer what the API answers', async () => {
  const agent = await connectAgent(app.url, await app.token())
  const services = await agent.call('services')
  const names = new Set(shop.messages.flat().map(({ step }) => step.service))
  expect((services.body.items as { name: string }[]).map(({ name }) => name).sort()).toEqual([...names].sort())
  expect(services.sentence).toBe('Services with spans in the last hour.')

  const keys = await agent.call('attributes', { prefix: 'order.' })
  expect((keys.body.items as { key: string }[]).map(({ key }) => key).sort()).toEqual(['order.id', 'order.total'])
  const values = await agent.call('attributes', { key: 'tenant' })
  expect((values.body.items as unknown[]).length).toBe(4)
  expect(values.sentence).toBe('Values of the attribute "tenant", in the last hour.')
  const part = await agent.call('attributes', { key: 'tenant', span_limit: 10_000 })
  expect(part.body.items).toEqual(values.body.items)
  expect(part.sentence).toBe(`${values.sentence} The spans from "${part.body.from}" on were read.`)

  expect((await agent.call('alerts', { state: 'firing' })).body).toEqual({ items: [], next_cursor: null })
  const integrations = await agent.call('integrations')
  expect(integrations.body.items).toMatchObject([{ id: grantedId, name: 'payments' }])
})

it('a restricted caller is offered no alerts and sees only its slice, as over the API', async () => {
  const token = await app.token({ role: 'restricted', subject: 'grace' })
  const agent = await connectAgent(app.url, token)
  const { tools } = await agent.client.listTools()
  expect(tools.map(({ name }) => name)).not.toContain('alerts')
  await expect(agent.call('alerts')).rejects.toThrow('There is no tool "alerts" for this caller')

  const services = await agent.call('services')
  expect((services.body.items as { name: string }[]).map(({ name }) => name)).toEqual(['payment'])
  expect((await agent.call('count', ofShipping)).body.message_count).toBe(0)
  const paid = shop.messages.find((spans) => spans.some(({ step }) => step.service === 'payment')) ?? []
  const read = await agent.call('message', { trace_id: paid[0]?.traceId })
  const visible = paid.filter(({ step }) => step.service === 'payment').map(({ spanId }) => spanId)
  expect((read.body.steps as Steps).map(({ span_id }) => span_id).sort()).toEqual(visible.sort())
  const hidden = paid.find(({ step }) => step.service !== 'payment')
  const refused = await agent.call('message', { trace_id: hidden?.traceId, span_id: hidden?.spanId })
  expect(refused).toMatchObject({ isError: true })
  expect(refused.text).toMatch(/^Not found \(404 not_found\)/)

  const nobody = await connectAgent(app.url, await app.token({ role: 'restricted', subject: 'nobody' }))
  expect((await nobody.call('services')).body.items).toEqual([])
  expect((await nobody.call('integrations')).body.items).toEqual([])
})

it('a credential that can only send telemetry, or none, cannot connect', async () => {
  await expect(connectAgent(app.url, await app.token({ role: 'ingest' }))).rejects.toThrow('can only send telemetry')
  await expect(connectAgent(app.url, 'nothing')).rejects.toThrow('unauthenticated')
})

it('an expired token, and a key that is deleted while an agent uses it, are refused', async () => {
  const expired = await app.token({ secondsToLive: -60 })
  await expect(connectAgent(app.url, expired)).rejects.toThrow('The token expired at ')

  const admin = await app.client({ role: 'admin' })
  const { data: created } = await admin.POST('/api/v1/api-keys', { body: { name: 'agent', role: 'viewer' } })
  const agent = await connectAgent(app.url, created?.key ?? '')
  expect((await agent.call('services')).isError).toBe(false)
  await admin.DELETE('/api/v1/api-keys/{id}', { params: { path: { id: created?.id ?? '' } } })
  await expect(agent.call('services')).rejects.toThrow('unauthenticated')
})

it('an answer that is too large says what is left out, and following it reads every step once', async () => {
  const agent = await connectAgent(app.url, await app.token({ org: 'large' }))
  const seen: string[] = []
  for (let skip = 0; skip < spanCountOfLarge; ) {
    const { body, note, text } = await agent.call('message', { trace_id: largeTraceId, skip })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(answerBytesMax)
    const steps = body.steps as Steps
    seen.push(...steps.map(({ span_id }) => span_id))
    skip += steps.length
    const left = spanCountOfLarge - skip
    if (left > 0) expect(note).toContain(`Left out to stay under 32768 bytes: ${left} of `)
    if (left > 0) expect(note).toContain(`Ask again with skip ${skip} `)
    else expect(note).toBe('')
  }
  expect(seen.length).toBe(spanCountOfLarge)
  expect(new Set(seen).size).toBe(spanCountOfLarge)
})

it('a step with large attributes is shortened below the limit, and says by how much', async () => {
  const agent = await connectAgent(app.url, await app.token({ org: 'large' }))
  const { text, note, body } = await agent.call('message', { trace_id: largeTraceId, span_id: '2'.padStart(16, '0') })
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(answerBytesMax)
  expect(note).toContain('GET /api/v1/messages/{trace_id}/spans/{span_id} of the API returns the step whole.')
  expect((body.attributes as unknown[]).length).toBe(60)
  expect(text).toMatch(/SELECT .*… \(\d+ more characters\)/)
})

it('the pages of a search whose first answer was cut contain every message once', async () => {
  const agent = await connectAgent(app.url, await app.token())
  const all = await agent.call('search', { limit: 200 })
  expect(Buffer.byteLength(all.text)).toBeLessThanOrEqual(answerBytesMax)
  expect(all.body).not.toHaveProperty('next_cursor')
  const shown = (all.body.messages as unknown[]).length
  expect(all.note).toContain(`${200 - shown} of 200 messages`)
  expect(all.note).toContain(`Ask again with limit ${shown}`)
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page = await agent.call('search', { limit: 50, cursor })
    seen.push(...(page.body.messages as { trace_id: string }[]).map(({ trace_id }) => trace_id))
    cursor = page.body.next_cursor as string | null
    expect(page.body).toHaveProperty('next_cursor')
  } while (cursor !== null)
  expect(seen.length).toBe(new Set(seen).size)
  expect(seen.length).toBe(shop.messages.length)
})

const longSteps = { attribute_source: 'intrinsic', attribute_key: 'duration_ms', operator: 'gt', value: 5 }

it('a fault in the arguments is an error of the tool that points at the argument', async () => {
  const agent = await connectAgent(app.url, await app.token())
  const faults: readonly (readonly [name: string, args: Record<string, unknown>, text: string])[] = [
    ['search', { rows: [{ attribute_key: 'a', operator: 'equals', value: 1 }] }, '/rows/0/operator: '],
    ['search', { row: [] }, '/row: '],
    ['explain', {}, '/trace_id: is required (required)'],
    ['explain', { trace_id: 'x' }, '/trace_id: '],
    ['explain', { trace_id: '..' }, '/trace_id: '],
    ['explain', { trace_id: 'a/b?c#d' }, '/trace_id: '],
    ['explain', { trace_id: '' }, '/trace_id: '],
    ['explain', { trace_id: '\ud800' }, '/trace_id: '],
    ['message', { trace_id: ['a'] }, '/trace_id: must be a string'],
    ['message', { trace_id: largeTraceId, skip: -1 }, '/skip: '],
    ['message', { trace_id: largeTraceId }, '404 not_found'],
    ['services', { from: 'yesterday' }, '/from: '],
    ['services', { limit: 0 }, '/limit: '],
    ['services', { constructor: 1 }, '/constructor: '],
    ['search', { cursor: 'forged' }, '400 invalid_cursor'],
    ['breakdown', {}, '/group_by: is required'],
    ['compare', { a: { rows: [{}] } }, '/a/rows/0/'],
    ['search', { rows: [{ ...longSteps, attribute_key: 'duration' }] }, '/rows/0/attribute_key: An intrinsic must be'],
    ['count', { rows: [{ attribute_key: 'a', operator: 'matches', value: '(' }] }, '/rows/0/value: '],
    ['compare', { a: { rows: [{ ...longSteps, value: '5 ms' }] } }, '/a/rows/0/value: This operator compares numbers'],
  ]
  for (const [name, args, text] of faults) {
    const answer = await agent.call(name, args)
    expect(answer.isError, JSON.stringify(args)).toBe(true)
    expect(answer.text, JSON.stringify(args)).toContain(text)
    expect(answer.text).not.toContain('#/')
  }
})
