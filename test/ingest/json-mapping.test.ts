import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attributes, request, span } from '../support/otlp-json.ts'
import { type OtlpServer, type StoredSpan, send, startOtlpServer, storedSpans } from '../support/otlp-server.ts'

let server: OtlpServer
beforeAll(async () => {
  server = await startOtlpServer()
})
afterAll(() => server.close())

let orgs = 0

/** Sends a body exactly as written, because JSON.stringify cannot produce every valid JSON text. */
async function store(text: string): Promise<StoredSpan> {
  const org = `org${++orgs}`
  const headers = { 'Content-Type': 'application/json' }
  const { status, message } = await send(server, Buffer.from(text), { org, headers })
  expect({ status, message }).toEqual({ status: 200, message: {} })
  const [stored] = await storedSpans(server.clickhouse, org)
  if (stored === undefined) throw new Error('Nothing is stored.')
  return stored
}

/** Returns a body with one span, in which `"@"` is replaced by `text`. */
function bodyWith(given: Readonly<Record<string, unknown>>, text: string): string {
  return JSON.stringify(request(span(given))).replaceAll('"@"', text)
}

describe('64-bit integers', () => {
  it.each([
    ['a string', '"9223372036854775807"', 'i9223372036854775807'],
    ['a number beyond 2^53', '9223372036854775807', 'i9223372036854775807'],
    ['a negative number beyond 2^53', '-9223372036854775808', 'i-9223372036854775808'],
    ['a number just beyond 2^53', ' 9007199254740993 ', 'i9007199254740993'],
    ['a small number', '12', 'i12'],
    ['a negative number', '-12', 'i-12'],
    ['a whole number with a fraction', '12.0', 'i12'],
    ['a whole number with an exponent', '1.2e3', 'i1200'],
    ['a string with an exponent', '"12e2"', 'i1200'],
    ['a string with a fraction and an exponent', '"-0012.50e1"', 'i-125'],
    ['a string with zeros that the exponent removes', '"1200e-2"', 'i12'],
    ['a string beyond 2^53 with a fraction', '"9007199254740993.0"', 'i9007199254740993'],
    ['a number beyond 2^53 with a fraction', '9007199254740993.00', 'i9007199254740993'],
    ['a number beyond 2^53 with an exponent', '-9.007199254740993e15', 'i-9007199254740993'],
    ['a string with zeros only', '"-00.0e7"', 'i0'],
    ['zero below zero', '-0', 'i0'],
  ])('may be written as %s', async (_, text, stored) => {
    const { attributes: values } = await store(bodyWith({ attributes: attributes({ a: { intValue: '@' } }) }, text))
    expect(values.a).toBe(stored)
  })

  it.each([
    '1.5',
    '"1.5"',
    '9223372036854775808',
    '"-9223372036854775809"',
    '1e300',
    '"1e300"',
    '"1e-1"',
    '"4503599627370497.5"',
    '"12x"',
    '""',
    'true',
    '[1]',
    '{}',
  ])('cannot be %s: 400 with a pointer to the value', async (text) => {
    const body = Buffer.from(bodyWith({ attributes: attributes({ a: { intValue: '@' } }) }, text))
    const answer = await send(server, body, { headers: { 'Content-Type': 'application/json' } })
    const pointer = '/resourceSpans/0/scopeSpans/0/spans/0/attributes/0/value/intValue'
    expect(answer).toMatchObject({ status: 400, message: { details: [{ fieldViolations: [{ field: pointer }] }] } })
  })

  it('are exact as times written as numbers', async () => {
    const stored = await store(bodyWith({ startTimeUnixNano: '@', endTimeUnixNano: '@' }, '1790000000123456789'))
    expect(stored.start).toBe('1790000000123456789')
  })

  it('are not confused with digits in strings or fractions', async () => {
    const text = '1790000000123456789, "x\\": 12345678901234567890'
    const values = attributes({
      text: { stringValue: text },
      double: { doubleValue: '@' },
      exponent: { doubleValue: 1e21 },
      int: { intValue: '#' },
    })
    const body = bodyWith({ attributes: values }, '0.1234567890123456789').replace('"#"', '1234567890123456789')
    const { attributes: stored } = await store(body)
    expect(stored).toEqual({
      text: `s${text}`,
      double: 'd0.12345678901234568',
      exponent: 'd1e+21',
      int: 'i1234567890123456789',
    })
  })
})

describe('32-bit integers', () => {
  it.each([
    ['-2147483648', -2147483648],
    ['2147483647', 2147483647],
    ['"-2147483648"', -2147483648],
    ['"0000000000000003"', 3],
  ])('may be the scale and the offset of an exponential histogram: %s', async (text, number) => {
    const org = `org${++orgs}`
    const point = { timeUnixNano: '1790000000000000000', count: 1, zeroCount: 0, scale: '@' }
    const dataPoints = [{ ...point, positive: { offset: '@', bucketCounts: [1] } }]
    const metric = { name: 'm', exponentialHistogram: { aggregationTemporality: 1, dataPoints } }
    const body = JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] })
    const headers = { 'Content-Type': 'application/json' }
    const sent = Buffer.from(body.replaceAll('"@"', text))
    expect((await send(server, sent, { path: '/v1/metrics', org, headers })).message).toEqual({})
    const query = {
      text: 'SELECT scale, positive_offset FROM metric_points WHERE org = {p0:String}',
      params: { p0: org },
    }
    const { rows } = await server.clickhouse.read(query, { for: 'system', label: 'test' })
    expect(rows).toEqual([{ scale: number, positive_offset: number }])
  })
})

describe('doubles', () => {
  it.each([
    ['1.5', 'd1.5'],
    ['12', 'd12'],
    ['12345678901234567890', 'd12345678901234567000'],
    ['"12.5"', 'd12.5'],
    ['"NaN"', 'dNaN'],
    ['"-Infinity"', 'd-Infinity'],
    ['1.7976931348623157e308', 'd1.7976931348623157e+308'],
    ['1e-400', 'd0'],
  ])('may be written %s', async (text, stored) => {
    const { attributes: values } = await store(bodyWith({ attributes: attributes({ a: { doubleValue: '@' } }) }, text))
    expect(values.a).toBe(stored)
  })

  it.each(['"0x10"', '" 1"', '""', '"inf"', 'true', '1e400', '"-1e400"', `"${'9'.repeat(400)}"`])(
    'cannot be %s: 400',
    async (text) => {
      const body = Buffer.from(bodyWith({ attributes: attributes({ a: { doubleValue: '@' } }) }, text))
      expect((await send(server, body, { headers: { 'Content-Type': 'application/json' } })).status).toBe(400)
    },
  )
})

describe('the JSON mapping', () => {
  it('accepts ids in lower and upper case', async () => {
    const stored = await store(
      bodyWith({ traceId: 'ABCDEF0123456789abcdef0123456789', spanId: 'aBcDeF0123456789' }, ''),
    )
    expect(stored).toMatchObject({ trace_id: 'abcdef0123456789abcdef0123456789', span_id: 'abcdef0123456789' })
  })

  it('skips unknown members in any position and of any type', async () => {
    const body = JSON.stringify({
      futureField: [{ a: [1, null] }],
      ...request(span({ name: 'known', future: { kind: 'x' }, __proto__: null, constructor: 1, toString: 'x' })),
    })
    expect(await store(body.replace('"known"', '"known","__proto__":{"name":"other"}'))).toMatchObject({
      name: 'known',
    })
  })

  it('does not accept the field names of the .proto files', async () => {
    const stored = await store(bodyWith({ trace_state: 'a=1', parent_span_id: '1122334455667788' }, ''))
    expect(stored).toMatchObject({ trace_state: '', parent_id: '0000000000000000' })
  })

  it('accepts null for an unset field', async () => {
    const values = [
      { key: 'a', value: null },
      { key: 'b', value: { stringValue: null } },
    ]
    const stored = await store(bodyWith({ attributes: values, events: null, status: null, parentSpanId: null }, ''))
    expect(stored).toMatchObject({ attributes: { a: 'n', b: 'n' }, status: 0 })
  })

  it('accepts both alphabets of base64, with and without padding', async () => {
    const values = attributes({
      a: { bytesValue: '+/8=' },
      b: { bytesValue: '-_8' },
      c: { bytesValue: '' },
      d: { bytesValue: 'AQ' },
    })
    const stored = await store(bodyWith({ attributes: values }, ''))
    expect(stored.attributes).toEqual({ a: 'y+/8=', b: 'y+/8=', c: 'y', d: 'yAQ==' })
  })

  it('accepts a byte order mark', async () => {
    expect(await store(`\ufeff${bodyWith({ name: 'marked' }, '')}`)).toMatchObject({ name: 'marked' })
  })

  it.each([
    ['an enum by its name', { kind: 'SPAN_KIND_SERVER' }, '/kind'],
    ['an enum that is no integer', { kind: 1.5 }, '/kind'],
    ['a text that is a number', { name: 5 }, '/name'],
    ['an id that is a number', { traceId: 5 }, '/traceId'],
    ['a list that is an object', { attributes: {} }, '/attributes'],
    ['a list with null in it', { attributes: [null] }, '/attributes/0'],
    ['a message that is a list', { status: [] }, '/status'],
    ['a message that is a text', { attributes: [{ key: 'a', value: 'b' }] }, '/attributes/0/value'],
    [
      'a bool that is a text',
      { attributes: attributes({ a: { boolValue: 'true' } }) },
      '/attributes/0/value/boolValue',
    ],
    [
      'bytes that are no base64',
      { attributes: attributes({ a: { bytesValue: 'é' } }) },
      '/attributes/0/value/bytesValue',
    ],
    [
      'base64 with a character too many',
      { attributes: attributes({ a: { bytesValue: 'AAAAA' } }) },
      '/attributes/0/value/bytesValue',
    ],
    ['a count below zero', { droppedEventsCount: -1 }, '/droppedEventsCount'],
    ['a count beyond 32 bits', { droppedEventsCount: 4294967296 }, '/droppedEventsCount'],
    ['a time below zero', { startTimeUnixNano: '-1' }, '/startTimeUnixNano'],
  ])('rejects %s with a pointer to it', async (_, given, pointer) => {
    const { status, message } = await send(server, request(span(given)))
    const field = `/resourceSpans/0/scopeSpans/0/spans/0${pointer}`
    expect(status).toBe(400)
    expect(message).toMatchObject({ code: 3, message: expect.stringContaining(`${field} must be`) })
  })

  it('rejects a body that is nested too deeply to be parsed safely', async () => {
    const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
    for (const text of [`{"a":${'['.repeat(5_000_000)}`, `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`]) {
      const answer = await send(server, Buffer.from(text), { gzip: true, headers })
      expect(answer).toMatchObject({ status: 400, message: { message: expect.stringContaining('nested') } })
    }
  })

  it('rejects a member that occurs twice with a pointer to it', async () => {
    const body = bodyWith({ name: '@' }, '"a","name":"b"')
    const { status, message } = await send(server, Buffer.from(body), {
      headers: { 'Content-Type': 'application/json' },
    })
    expect(status).toBe(400)
    expect(message.message).toBe('/resourceSpans/0/scopeSpans/0/spans/0/name must occur only once.')
  })

  it('decodes every escape in texts and in names of members', async () => {
    const name = String.raw`"\u0041\/\b\f\n\r\t\"\\\ud83d\ude00\u00e9\u20ac"`
    const stored = await store(bodyWith({ kind: undefined, name: '@' }, `${name},"ki\\u006ed":3,"x":"\\u0000"`))
    expect(stored).toMatchObject({ name: 'A/\b\f\n\r\t"\\😀é€', kind: 3 })
  })

  it.each([
    '{"a":01}',
    '{"a":"\\x"}',
    '{"a":"\n"}',
    '{"a":tru}',
    '{"a":1,}',
    '[1',
    '{"a" 1}',
    '{}{}',
    '{"a":[1}}',
    '{"a":-}',
  ])('rejects the invalid JSON %j', async (text) => {
    const answer = await send(server, Buffer.from(text), { headers: { 'Content-Type': 'application/json' } })
    expect(answer.status).toBe(400)
  })
})

it.each([
  ['{"resourceSpans":\n [ö]}', 'it has an unexpected character (line 2, column 3, byte 20)'],
  ['{\n"unknown": ["é", }', 'it has an unexpected character (line 2, column 18, byte 20)'],
  ['{"resourceSpans": [', 'it ends too early (line 1, column 20, byte 19)'],
])('a fault of the JSON is located: %s', async (text, fault) => {
  const headers = { 'Content-Type': 'application/json' }
  const { status, message } = await send(server, Buffer.from(text), { headers })
  expect({ status, message: message.message }).toEqual({
    status: 400,
    message: `The body is not valid JSON: ${fault}.`,
  })
})
