import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { valueTags } from '#sql'
import { attributes, request, requestOf, span } from '../support/otlp-json.ts'
import { encodeTraces, fromOtlpJson } from '../support/otlp-protobuf.ts'
import { type OtlpServer, type StoredSpan, send, startOtlpServer, storedSpans } from '../support/otlp-server.ts'
import { seededRandom } from '../support/random-source.ts'
import { randomKeys, randomValue } from '../support/random-values.ts'
import { textOf } from '../support/reference-attribute.ts'
import type { OtlpValue } from '../support/span-model.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer()
})
afterAll(() => server.close())

let orgs = 0

/** Sends a request in both encodings to two organizations, checks that they store the same, and returns it. */
async function store(body: object): Promise<StoredSpan[]> {
  orgs++
  const answers = [
    await send(server, body, { org: `json${orgs}` }),
    await send(server, encodeTraces(fromOtlpJson(body)), { org: `protobuf${orgs}`, gzip: true }),
  ]
  expect(answers.map(({ status, message }) => ({ status, message }))).toEqual(
    Array(2).fill({ status: 200, message: {} }),
  )
  const stored = await storedSpans(server.clickhouse, `json${orgs}`)
  const other = await storedSpans(server.clickhouse, `protobuf${orgs}`)
  expect(other.map((row) => ({ ...row, org: `json${orgs}` }))).toEqual(stored)
  return stored
}

async function storeOne(given: Readonly<Record<string, unknown>>): Promise<StoredSpan> {
  const [stored] = await store(request(span(given)))
  if (stored === undefined) throw new Error('Nothing is stored.')
  return stored
}

function tagged(value: OtlpValue): string {
  const type = (Object.keys(value)[0]?.replace('Value', '') ?? 'unset') as keyof typeof valueTags
  return valueTags[type] + textOf(value)
}

describe('a stored span', () => {
  it('has every field of the received span', async () => {
    const [stored] = await store({
      resourceSpans: [
        {
          resource: {
            attributes: attributes({ 'service.name': { stringValue: 'shop' }, 'host.cpus': { intValue: '4' } }),
          },
          scopeSpans: [
            {
              scope: { name: 'http', version: '1.2', attributes: attributes({ short: { boolValue: true } }) },
              spans: [
                {
                  traceId: '0102030405060708090a0b0c0d0e0f10',
                  spanId: 'f0e0d0c0b0a09080',
                  parentSpanId: '1122334455667788',
                  traceState: 'a=1,b=2',
                  flags: 257,
                  name: 'GET /cart',
                  kind: 2,
                  startTimeUnixNano: '1790000000123456789',
                  endTimeUnixNano: '1790000002123456788',
                  attributes: attributes({ tenant: { stringValue: 'acme' }, 'http.route': { stringValue: '/cart' } }),
                  droppedAttributesCount: 1,
                  droppedEventsCount: 2,
                  droppedLinksCount: 3,
                  status: { code: 2, message: 'no stock' },
                },
              ],
            },
          ],
        },
      ],
    })
    expect(stored).toEqual({
      org: expect.any(String),
      trace_id: '0102030405060708090a0b0c0d0e0f10',
      span_id: 'f0e0d0c0b0a09080',
      parent_id: '1122334455667788',
      start: '1790000000123456789',
      duration_ns: '1999999999',
      kind: 2,
      status: 2,
      flags: 257,
      service: 'shop',
      name: 'GET /cart',
      status_message: 'no stock',
      trace_state: 'a=1,b=2',
      scope_name: 'http',
      scope_version: '1.2',
      scope_attributes: { short: 'btrue' },
      resource_attributes: { 'service.name': 'sshop', 'host.cpus': 'i4' },
      attributes: { tenant: 'sacme', 'http.route': 's/cart' },
      events: [],
      links: [],
      dropped_attributes_count: 1,
      dropped_events_count: 2,
      dropped_links_count: 3,
    })
  })

  it('has its events, with typed attributes', async () => {
    const { events } = await storeOne({
      events: [
        { timeUnixNano: '1790000000000000001', name: 'a "quoted"\nname' },
        {
          timeUnixNano: '18446744073709551615',
          name: '',
          attributes: attributes({
            'exception.stacktrace': { stringValue: 'at a\n\tat "b" \\ é 😀' },
            attempt: { intValue: '-9223372036854775808' },
            list: { arrayValue: { values: [{ stringValue: '"x"' }, { intValue: '1' }] } },
          }),
          droppedAttributesCount: 4,
        },
      ],
    })
    expect(events).toEqual([
      { t: '1790000000000000001', n: 'a "quoted"\nname' },
      {
        t: '18446744073709551615',
        n: '',
        a: [
          ['exception.stacktrace', 'sat a\n\tat "b" \\ é 😀'],
          ['attempt', 'i-9223372036854775808'],
          ['list', 'a["\\"x\\"",1]'],
        ],
        d: 4,
      },
    ])
  })

  it('has its links, including those without ids', async () => {
    const { links } = await storeOne({
      links: [
        { traceId: '0102030405060708090A0B0C0D0E0F10', spanId: 'F0E0D0C0B0A09080', traceState: 'x="1"', flags: 256 },
        { attributes: attributes({ queue: { stringValue: 'orders' } }), droppedAttributesCount: 2 },
      ],
    })
    expect(links).toEqual([
      { t: '0102030405060708090a0b0c0d0e0f10', s: 'f0e0d0c0b0a09080', w: 'x="1"', f: 256 },
      { t: '', s: '', a: [['queue', 'sorders']], d: 2 },
    ])
  })

  it('has no parent when its parent id is empty or all zero', async () => {
    const stored = await store(
      request(
        span({ parentSpanId: '' }),
        span({ parentSpanId: '0000000000000000' }),
        span({ parentSpanId: undefined }),
      ),
    )
    expect(stored.map(({ parent_id }) => parent_id)).toEqual(Array(3).fill('0'.repeat(16)))
  })

  it('has a duration of zero when its end is a little before its start', async () => {
    const { duration_ns } = await storeOne({ endTimeUnixNano: '1789999999000000000' })
    expect(duration_ns).toBe('0')
  })

  it('has a duration beyond 32 bits', async () => {
    const { duration_ns } = await storeOne({
      startTimeUnixNano: '1790000004294967295',
      endTimeUnixNano: '1790086404294967294',
    })
    expect(duration_ns).toBe('86399999999999')
  })

  it('has an unspecified kind and an unset status for values that OTLP does not define', async () => {
    expect(await storeOne({ kind: 6, status: { code: 3 } })).toMatchObject({ kind: 0, status: 0 })
    expect(await storeOne({ kind: -1, status: { code: -1 } })).toMatchObject({ kind: 0, status: 0 })
  })

  it('keeps the last value of a repeated key, for few keys and for many', async () => {
    const pairs = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ key: `key.${i % (count / 2)}`, value: { intValue: String(i) } }))
    for (const count of [4, 200]) {
      const { attributes: stored } = await storeOne({ attributes: pairs(count) })
      const expected = Array.from({ length: count / 2 }, (_, i) => [`key.${i}`, `i${i + count / 2}`])
      expect(stored).toEqual(Object.fromEntries(expected))
    }
  })

  it('keeps 10,000 distinct keys', async () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => [`key ${i}`, { intValue: String(i) }])
    const { attributes: stored } = await storeOne({ attributes: attributes(Object.fromEntries(keys)) })
    expect(Object.keys(stored).length).toBe(10_000)
    expect(stored['key 9999']).toBe('i9999')
  })

  it('keeps a value of a million characters', async () => {
    const long = 'é'.repeat(1_000_000)
    const { attributes: stored, name } = await storeOne({
      name: long.slice(0, 100_000),
      attributes: attributes({ long: { stringValue: long } }),
    })
    expect(stored.long === `s${long}`).toBe(true)
    expect(name.length).toBe(100_000)
  })
})

describe('the service of a span', () => {
  it.each([
    ['the text of service.name', { 'service.name': { stringValue: 'shop' } }, 'shop'],
    ['the text of a service.name that is a number', { 'service.name': { intValue: '7' } }, '7'],
    ['unknown_service without service.name', { host: { stringValue: 'a' } }, 'unknown_service'],
    ['unknown_service for an empty service.name', { 'service.name': { stringValue: '' } }, 'unknown_service'],
  ])('is %s', async (_, resource, service) => {
    const [stored] = await store(requestOf(resource, [span()]))
    expect(stored?.service).toBe(service)
  })

  it('is unknown_service without a resource', async () => {
    const [stored] = await store({ resourceSpans: [{ scopeSpans: [{ spans: [span()] }] }] })
    expect(stored).toMatchObject({ service: 'unknown_service', resource_attributes: {} })
  })
})

describe('attributes', () => {
  it('keep type and text of every value, under every key', async () => {
    const random = seededRandom(20_261_121)
    const sent = Array.from({ length: 400 }, () => {
      const keys = [...randomKeys(random), ...randomKeys(random)]
      return new Map(keys.map((key) => [key, randomValue(random)]))
    })
    const spans = sent.map((values, i) =>
      span({ name: String(i), attributes: [...values].map(([key, value]) => ({ key, value: jsonOf(value) })) }),
    )
    const resource = Object.fromEntries([...(sent[0] ?? [])].map(([key, value]) => [key, jsonOf(value)]))
    const stored = await store(requestOf(resource, spans))
    const byName = new Map(stored.map((row) => [row.name, row.attributes]))
    for (const [i, values] of sent.entries()) {
      expect(byName.get(String(i))).toEqual(Object.fromEntries([...values].map(([key, value]) => [key, tagged(value)])))
    }
    expect(stored[0]?.resource_attributes).toEqual(
      Object.fromEntries([...(sent[0] ?? [])].map(([key, value]) => [key, tagged(value)])),
    )
  })
})

/** OTLP/JSON encodes NaN and the infinities as strings, because JSON has no such numbers. */
function jsonOf(value: OtlpValue): unknown {
  return JSON.parse(JSON.stringify(value, (_, member) => (Number.isFinite(member) ? member : nonFinite(member))))
}

function nonFinite(member: unknown): unknown {
  return typeof member === 'number' ? String(member) : member
}
