import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp, type Whom } from '../support/app.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { makeSpan, type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
})
afterAll(() => app.close())

const window = { from: toRfc3339(drawnStartNs), to: toRfc3339(drawnStartNs + 86_400_000_000_000n) }
const failed = { ...window, status: 'error' }

async function ask(whom: Whom, method: string, path: string, body: object) {
  const response = await app.send(`/api/v1${path}`, { method, json: body, whom })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

function compare(whom: Whom, body: object) {
  return ask(whom, 'POST', '/messages/compare', body)
}

const string = (stringValue: string) => ({ stringValue })

/** Stores messages of one span in a new organization, which it returns. */
async function store(count: number, change: (index: number) => Partial<SpanModel>): Promise<string> {
  const org = `compare-${randomUUID()}`
  const spans = Array.from({ length: count }, (_, index) =>
    makeSpan({
      org,
      traceId: (index + 1).toString(16).padStart(32, '0'),
      spanId: '0000000000000001',
      startNs: drawnStartNs + BigInt(index),
      resourceAttributes: [['service.name', string('shop')]],
      ...change(index),
    }),
  )
  await app.sendSpans(toOtlpJson(spans), { org })
  return org
}

it('differences are ordered by size, then by the code points of key and value', async () => {
  const org = await store(4, (index) => ({
    status: index < 2 ? 'error' : 'ok',
    attributes: [
      ['😀', string(index < 2 ? 'a' : 'b')],
      ['\uffee', string(index < 2 ? '' : 'b')],
      ['half', { intValue: String(index % 2) }],
    ],
  }))
  const { body } = await compare({ org }, { a: failed })
  const [both, none, half] = [
    { message_count: 2, share: 1 },
    { message_count: 0, share: 0 },
    { message_count: 1, share: 0.5 },
  ]
  expect(body.pairs).toEqual([
    { key: '\uffee', value: '', a: both, b: none },
    { key: '\uffee', value: 'b', a: none, b: both },
    { key: '😀', value: 'a', a: both, b: none },
    { key: '😀', value: 'b', a: none, b: both },
    { key: 'half', value: '0', a: half, b: half },
    { key: 'half', value: '1', a: half, b: half },
    { key: 'service.name', value: 'shop', a: both, b: both },
  ])
  expect(body.summary).toEqual({
    a: `Messages with status error, from ${window.from} to ${window.to}.`,
    b: `Other messages, from ${window.from} to ${window.to}.`,
  })
})

it('a step that carries a key itself hides the value of its resource', async () => {
  const org = await store(2, (index) => ({
    resourceAttributes: [
      ['service.name', string('shop')],
      ['region', string('resource')],
    ],
    attributes: index === 0 ? [['region', string('span')]] : [],
  }))
  const { body } = await compare({ org }, { a: window, b: window })
  expect(body.pairs.slice(0, 2).map(({ value, a }: { value: string; a: object }) => [value, a])).toEqual([
    ['resource', { message_count: 1, share: 0.5 }],
    ['span', { message_count: 1, share: 0.5 }],
  ])
})

it.each([
  [1_000, 0],
  [1_001, 1],
])('a key with %i values on a side is listed separately %i times', async (values, separately) => {
  const org = await store(values, (index) => ({
    status: 'error',
    attributes: [
      ['string', string(`v${index}`)],
      ['http.route', string(`v${index}`)],
    ],
    resourceAttributes: [
      ['service.name', string('shop')],
      ['host', string(`v${index}`)],
    ],
  }))
  const { body } = await compare({ org }, { a: failed })
  const all = { a: { message_count: values, share: 1 }, b: { message_count: 0, share: 0 } }
  const keys = ['host', 'http.route', 'string'].map((key) => ({ key, ...all }))
  expect(body.high_cardinality_keys).toEqual(separately === 0 ? [] : keys)
  expect(body.high_cardinality_key_count).toBe(3 * separately)
  expect(body.pairs).toHaveLength(separately === 0 ? 50 : 1)
})

it('the newest 100,000 messages of a side are compared', async () => {
  const org = `compare-${randomUUID()}`
  await app.app.clickhouse.command(
    `INSERT INTO spans (org, trace_id, span_id, start, service, status, attributes)
    SELECT {org:String}, number + 1, 1, fromUnixTimestamp64Nano({start:Int64} + toInt64(number), 'UTC'), 'shop',
      if(number % 2 = 1 OR number < 2, 2, 1), if(number < 2, '{"oldest":"syes"}', '{"oldest":"sno"}')
    FROM numbers(200003)
    SETTINGS input_format_try_infer_dates = 0`,
    { org, start: String(drawnStartNs) },
  )
  const all = { message_count: 100_000, total_message_count: 200_003 }
  const { body } = await compare({ org }, { a: window, b: failed })
  expect(body.compared).toEqual({ a: all, b: { message_count: 100_000, total_message_count: 100_002 } })
  expect(body.pairs).toEqual([
    { key: 'oldest', value: 'no', a: { message_count: 100_000, share: 1 }, b: { message_count: 100_000, share: 1 } },
  ])
  const rest = await compare({ org }, { a: failed })
  expect(rest.body.compared.b).toEqual({ message_count: 100_000, total_message_count: 100_001 })
})

it('of a thousand keys with equal differences, only those of the first results are read', async () => {
  const keys = Array.from({ length: 1_000 }, (_, index) => `key.${String(index).padStart(4, '0')}`)
  // More messages than are compared at once.
  const org = await store(1_100, (index) => ({
    status: index === 0 ? 'error' : 'ok',
    attributes: index === 0 ? keys.toReversed().map((key) => [key, string('x')] as const) : [],
  }))
  const { clickhouse } = app.app
  const { read } = clickhouse
  let queries = 0
  clickhouse.read = (...options) => {
    queries++
    return read.apply(clickhouse, options) as never
  }
  const { body } = await compare({ org }, { a: failed })
  clickhouse.read = read
  expect(body.pairs.map(({ key }: { key: string }) => key)).toEqual(keys.slice(0, 50))
  expect(queries).toBeLessThan(10)
})

it('a key that can differ no more than the last result is a result if it sorts before that', async () => {
  const keys = Array.from({ length: 70 }, (_, index) => `z.${String(index).padStart(2, '0')}`)
  // The keys could differ by 1,100 messages, and differ by 1,000. The first key can only differ by 1,000.
  const org = await store(1_101, (index) => ({
    status: index === 0 ? 'error' : 'ok',
    attributes: [
      ...(index <= 100 ? keys.map((key) => [key, string('x')] as const) : []),
      ...(index > 0 && index <= 1_000 ? [['a', string('x')] as const] : []),
    ],
  }))
  const { body } = await compare({ org }, { a: failed })
  expect(body.pairs.map(({ key }: { key: string }) => key)).toEqual(['a', ...keys.slice(0, 49)])
})

it.each(['a', 'b'] as const)(
  'keys with other values in each of very few messages on side %s are left out',
  async (side) => {
    const common = Array.from({ length: 40 }, (_, index) => `common.${String(index).padStart(2, '0')}`)
    const org = await store(2_303, (index) => {
      const isFailed = index < 3
      return {
        status: isFailed ? 'error' : 'ok',
        attributes: [
          ...common.map((key) => [key, string(isFailed || index % 2 === 0 ? 'x' : 'y')] as const),
          ...(isFailed
            ? [['equal', string('v')] as const, ['different', string(`${index}`)] as const]
            : [['others', string('w')] as const]),
          // Less than half of the others, which have more values than a comparison lists.
          ...(index < 1_013 ? [['many', string(`${index}`)] as const] : []),
        ],
      }
    })
    const others = { ...window, status: 'ok' }
    const { body } = await compare({ org }, side === 'a' ? { a: failed, b: others } : { a: others, b: failed })
    const [first, second, ...rest] = body.pairs
    const count = (message_count: number, share: number) => ({ message_count, share })
    const of = (few: object, many: object) => (side === 'a' ? { a: few, b: many } : { a: many, b: few })
    expect(first).toEqual({ key: 'equal', value: 'v', ...of(count(3, 1), count(0, 0)) })
    expect(second).toEqual({ key: 'others', value: 'w', ...of(count(0, 0), count(2_300, 1)) })
    expect(rest.map(({ key, value }: { key: string; value: string }) => `${key} ${value}`)).toEqual(
      common.flatMap((key) => [`${key} x`, `${key} y`]).slice(0, 48),
    )
    expect(body.high_cardinality_keys).toEqual([{ key: 'many', ...of(count(3, 1), count(1_010, 1_010 / 2_300)) }])
  },
)

it('few messages are compared with keys and values of any characters', async () => {
  const texts = ['', '%', 'a.b', 'a%2Eb', '\u0000', '\u0001\u0002\u0003\u0004A', '"\\/\n', '👩‍👩‍👧']
  const org = await store(3, (index) => ({
    status: index === 0 ? 'error' : 'ok',
    attributes: texts.map((text) => [text, string(index === 0 ? text : `${text} or not`)] as const),
    resourceAttributes: [
      ['service.name', string('shop')],
      ...texts.map((text) => [`resource ${text}`, string(`${text}${index}`)] as const),
    ],
  }))
  const { body } = await compare({ org }, { a: failed, b: window })
  const found = body.pairs.map(({ key, value, a, b }: { key: string; value: string; a: SideCount; b: SideCount }) => [
    key,
    value,
    a.message_count,
    b.message_count,
  ])
  const wanted = texts.flatMap((text) => [
    [text, text, 1, 1],
    [text, `${text} or not`, 0, 2],
    [`resource ${text}`, `${text}0`, 1, 1],
    [`resource ${text}`, `${text}1`, 0, 1],
    [`resource ${text}`, `${text}2`, 0, 1],
  ])
  expect(found.toSorted()).toEqual([...wanted, ['service.name', 'shop', 1, 3]].toSorted())
})

it('a restricted caller compares steps below one that is not visible and started before all that are', async () => {
  const entry = 'the entry'
  const step = (number: string, service: string, offsetNs: bigint, note: string) => ({
    traceId: 'a'.repeat(32),
    spanId: number.padStart(16, '0'),
    startNs: drawnStartNs + offsetNs,
    service,
    attributes: [['note', string(note)]] as const,
    resourceAttributes: [['service.name', string(service)]] as const,
  })
  const entrance = step('1', 'shop', 20n, entry)
  const hidden = { ...step('2', 'proxy', 10n, 'not visible'), parentId: entrance.spanId }
  const below = { ...step('3', 'shop', 30n, 'below'), parentId: hidden.spanId }
  const org = await store(3, (index) => [entrance, hidden, below][index] ?? below)
  const rule = { service: 'shop', attribute_key: 'note', operator: 'equals', value: entry, include_descendants: true }
  const integration = await ask({ org }, 'POST', '/integrations', { name: 'Entries', matchers: [rule] })
  await ask({ org }, 'PUT', `/integrations/${integration.body.id}/grants`, { subjects: ['eve'] })
  const { body } = await compare({ org, role: 'restricted', subject: 'eve' }, { a: window })
  const notes = body.pairs.filter(({ key }: { key: string }) => key === 'note')
  expect(notes.map(({ value }: { value: string }) => value)).toEqual(['below', entry])
})

it('neither side may have messages', async () => {
  const org = `compare-${randomUUID()}`
  const nothing = { message_count: 0, total_message_count: 0 }
  const { status, body } = await compare({ org }, { a: { rows: [{ attribute_key: 'x', operator: 'exists' }] } })
  expect([status, body.pairs, body.compared]).toEqual([200, [], { a: nothing, b: nothing }])
})

interface SideCount {
  readonly message_count: number
}

const notANumber = { attribute_key: 'a', operator: 'gt', value: 'x' }

it.each([
  [{}, '/a'],
  [{ a: { from: window.to, to: window.from } }, '/a/from'],
  [{ a: window, b: { from: 'yesterday' } }, '/b/from'],
  [{ a: { rows: [notANumber] } }, '/a/rows/0/value'],
  [{ a: {}, b: { rows: [{ attribute_key: 'a', operator: 'matches', value: '(' }] } }, '/b/rows/0/value'],
  [{ a: {}, b: { relations: [{ kind: 'contains', from: [notANumber], to: [] }] } }, '/b/relations/0/from/0/value'],
  [{ a: {}, b: { status: 'bad' } }, '/b/status'],
  [{ a: {}, limit: 10 }, '/limit'],
])('%j is refused at %s', async (body, pointer) => {
  const refused = await compare({ org: 'refused' }, body)
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, pointer])
})

it('an integration that does not exist is not found', async () => {
  const { status } = await compare({ org: 'refused' }, { a: {}, b: { integration_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV' } })
  expect(status).toBe(404)
})
