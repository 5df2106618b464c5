import { describe, expect, it } from 'vitest'
import { nearestName } from '#sql'
import { parseJsonBody } from '../../server/http/request/json-body.ts'
import { sharedStubApp } from '../support/stub-app.ts'

const stub = sharedStubApp()

type Fault = Readonly<Record<'pointer' | 'message', string>>

async function faultsOf(response: Response): Promise<[pointer: string, message: string][]> {
  expect(response.status).toBe(400)
  const { errors } = (await response.json()) as { errors: Fault[] }
  return errors.map(({ pointer, message }) => [pointer, message])
}

const operators =
  'eq, neq, contains, not_contains, starts_with, ends_with, matches, gt, gte, lt, lte, exists, not_exists'
const search = '/api/v1/messages/search'
const row = (change: object) => ({ rows: [{ attribute_key: 'k', operator: 'eq', value: 'v', ...change }] })
const ids = '01JNB4Y8Z0V6Q3W2R7T5X9K1MD'
const timestamp = 'must be an RFC 3339 timestamp with a time zone, such as 2026-03-01T09:00:00Z'

describe('a field that does not match the document is refused with what is allowed and the nearest name', () => {
  it.each<[string, string, unknown, [string, string][]]>([
    [
      'an operator of another vocabulary',
      search,
      row({ operator: 'equals' }),
      [['/rows/0/operator', `must be one of ${operators}, not "equals"; did you mean "eq"?`]],
    ],
    [
      'an operator that every object has as a property',
      search,
      row({ operator: 'constructor' }),
      [['/rows/0/operator', `must be one of ${operators}, not "constructor"`]],
    ],
    [
      'an operator near none',
      search,
      row({ operator: 'sounds' }),
      [['/rows/0/operator', `must be one of ${operators}, not "sounds"`]],
    ],
    [
      'a number as operator',
      search,
      row({ operator: 7 }),
      [['/rows/0/operator', `must be one of ${operators}, not a number`]],
    ],
    [
      'a missing operator',
      search,
      row({ operator: undefined }),
      [['/rows/0/operator', `is missing; it must be one of ${operators}`]],
    ],
    [
      'an operator under another name',
      search,
      row({ operator: undefined, op: 'eq' }),
      [
        ['/rows/0/operator', `is missing; it must be one of ${operators}`],
        [
          '/rows/0/op',
          'is an unknown field; known are attribute_source, attribute_key, operator, value, includeDescendants; ' +
            'did you mean "operator"?',
        ],
      ],
    ],
    [
      'a status',
      search,
      { status: 'errors' },
      [['/status', 'must be one of error, ok, not "errors"; did you mean "error"?']],
    ],
    [
      'a misspelled field',
      search,
      { form: '2026-03-01T09:00:00Z' },
      [['/form', expect.stringMatching(/^is an unknown field; known are from, to, .*; did you mean "from"\?$/)]],
    ],
    [
      'the name of an integration',
      search,
      { integration_id: 'Payments' },
      [
        [
          '/integration_id',
          `must be the id of the integration, such as ${ids}, not its name; GET /api/v1/integrations lists the ids`,
        ],
      ],
    ],
    ['a date', search, { to: '2026-03-01' }, [['/to', timestamp]]],
    ['a page that is too long', search, { limit: 1000 }, [['/limit', 'must be at most 200']]],
    ['a text for a number', search, { limit: '20' }, [['/limit', 'must be an integer, not a string']]],
    ['a fraction', search, { limit: 2.5 }, [['/limit', 'must be an integer, not 2.5']]],
    [
      'a list for a text',
      search,
      row({ attribute_key: ['a'] }),
      [['/rows/0/attribute_key', 'must be a string, not an array']],
    ],
    [
      'an object for a value',
      search,
      row({ value: {} }),
      [['/rows/0/value', 'must be a string, a number or a boolean, not an object']],
    ],
    [
      'a missing field',
      '/api/v1/integrations',
      { matchers: [{}] },
      [
        ['/name', 'is required'],
        ['/matchers/0/service', 'is required'],
      ],
    ],
    [
      'an operator of message filters in a matcher',
      '/api/v1/integrations',
      {
        name: 'a',
        matchers: [{ service: 's', attribute_key: 'k', operator: 'starts_with', value: 'v' }],
      },
      [
        [
          '/matchers/0/operator',
          'must be one of equals, not_equals, contains, not_contains, prefix, suffix, regex, exists, not_exists, ' +
            'not "starts_with"; did you mean "prefix"?',
        ],
      ],
    ],
    ['an empty name', '/api/v1/api-keys', { name: '', role: 'ingest' }, [['/name', 'must not be empty']]],
  ])('%s', async (_, path, body, faults) => {
    expect(await faultsOf(await stub().post(path, body))).toEqual(faults)
  })

  it.each<[string, [string, string][]]>([
    [
      '/api/v1/attributes?limt=4',
      [
        [
          '#/query/limt',
          'is an unknown query parameter; known are source, prefix, from, to, span_limit, limit, cursor; ' +
            'did you mean "limit"?',
        ],
      ],
    ],
    ['/api/v1/attributes?limit=ten', [['#/query/limit', 'must be an integer, not "ten"']]],
    ['/api/v1/attributes?limit=0x10', [['#/query/limit', 'must be an integer, not "0x10"']]],
    ['/api/v1/attributes?limit=+1', [['#/query/limit', 'must be an integer, not " 1"']]],
    ['/api/v1/attributes?limit=%2B1', [['#/query/limit', 'must be an integer, not "+1"']]],
    ['/api/v1/attributes?limit=1e1', [['#/query/limit', 'must be an integer, not "1e1"']]],
    ['/api/v1/attributes?limit=1.0', [['#/query/limit', 'must be an integer, not "1.0"']]],
    ['/api/v1/attributes?limit=-1', [['#/query/limit', 'must be at least 1']]],
    ['/tempo/api/search?spss=0b1', [['#/query/spss', 'must be an integer, not "0b1"']]],
    ['/api/v1/attributes?from=yesterday', [['#/query/from', timestamp]]],
    ['/api/v1/attributes?limit=1&limit=2', [['#/query/limit', 'must be an integer, not an array']]],
    [
      '/api/v1/attributes?from=2026-03-01T09:00:00Z&from=2026-03-01T09:00:00Z',
      [['#/query/from', 'must be a string, not an array']],
    ],
    ['/api/v1/attributes/values', [['#/query/key', 'is required']]],
    ['/api/v1/messages/5b8efff7', [['#/path/trace_id', 'must be 32 lowercase hexadecimal digits']]],
    ['/tempo/api/v2/traces/storefront', [['#/path/trace_id', 'must be 1 to 32 hexadecimal digits']]],
    ['/api/v1/integrations/Payments', [['#/path/id', `must be an id such as ${ids}`]]],
  ])('%s', async (path, faults) => {
    expect(await faultsOf(await stub().send('GET', path))).toEqual(faults)
  })
})

describe('a timestamp in another form is refused with what it may mean', () => {
  it.each<[unknown, string]>([
    [1_795_380_000, '; this may be the time in seconds, 2026-11-22T20:40:00Z'],
    [1_795_380_000_123, '; this may be the time in milliseconds, 2026-11-22T20:40:00.123Z'],
    ['1795380000123', '; this may be the time in milliseconds, 2026-11-22T20:40:00.123Z'],
    ['1795380000123456', '; this may be the time in microseconds, 2026-11-22T20:40:00.123Z'],
    ['1795380000000000000', '; this may be the time in nanoseconds, 2026-11-22T20:40:00Z'],
    [1_795_380_000.5, '; this may be the time in seconds, 2026-11-22T20:40:00.500Z'],
    [7, ', not a number'],
    ['99999999999', ''],
    ['2026-11-22T20:40:00', '; add Z if this one is in UTC'],
    ['2026-11-22', ''],
    ['now-1h', ''],
  ])('%j', async (from, hint) => {
    expect(await faultsOf(await stub().post(search, { from }))).toEqual([['/from', `${timestamp}${hint}`]])
  })

  it('in a query, where + stands for a space, and with too many digits', async () => {
    const path = '/api/v1/attributes?from=2026-11-22T10:00:00+01:00'
    const fault = ['#/query/from', `${timestamp}; a URL needs %2B for +`]
    expect(await faultsOf(await stub().send('GET', path))).toEqual([fault])
    expect((await stub().send('GET', path.replace('+', '%2B'))).status).toBe(200)
    const digits = ['#/query/from', `${timestamp}; its fraction has at most nine digits`]
    expect(await faultsOf(await stub().send('GET', path.replace('+01:00', '.1234567891Z')))).toEqual([digits])
  })
})

it('a body that is not compressed as announced, or encoded twice, is refused with that', async () => {
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' }
  const compressed = await stub().send('POST', search, { headers, body: '{}' })
  const unreadable = 'cannot be read: it is not compressed as the header Content-Encoding says, or is cut off'
  expect(await faultsOf(compressed)).toEqual([['', unreadable]])
  const twice = 'must be a JSON object or array, not a string: it may have been encoded twice'
  expect(await faultsOf(await stub().post(search, JSON.stringify({ rows: [] })))).toEqual([['', twice]])
})

it('the detail of a problem is a sentence', async () => {
  const response = await stub().post(search, { status: 'errors', limit: 0 })
  expect(await response.json()).toMatchObject({
    detail: '2 errors. The first: /status must be one of error, ok, not "errors"; did you mean "error"?',
  })
  const withOneFault = await stub().post(search, { limit: 0 })
  expect(await withOneFault.json()).toMatchObject({
    detail: '/limit must be at least 1.',
  })
})

it('a body of another type is refused with the type that was sent', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const response = await stub().send('POST', search, { headers, body: '{}' })
  expect(await response.json()).toMatchObject({
    status: 415,
    detail: 'Send application/json; the request has the Content-Type "application/x-www-form-urlencoded".',
  })
})

it('a field that may be null is refused with its other values', async () => {
  const sent = { headers: { 'content-type': 'application/json' }, body: '{"status":"errors"}' }
  const faults = await faultsOf(await stub().send('PUT', `/api/v1/saved-views/${ids}`, sent))
  expect(faults).toEqual([['/status', 'must be one of error, ok, not "errors"; did you mean "error"?']])
})

it('a long value is cut in the message', async () => {
  const [[, message]] = (await faultsOf(await stub().post(search, { status: 'x'.repeat(5_000) }))) as [[string, string]]
  expect(message).toBe(`must be one of error, ok, not "${'x'.repeat(60)}…"`)
})

describe('a body that is not JSON is refused with line and column', () => {
  it.each([
    ['{"rows":[],}', 'JSON has no comma before a closing } (line 1, column 11)'],
    ['{"rows":[1,\n  2,\n]}', 'JSON has no comma before a closing ] (line 2, column 4)'],
    ['{"a":1}{"b":2}', 'expected the end of the text (line 1, column 8)'],
    ['{1:2}', 'expected a field name in double quotes (line 1, column 2)'],
    ["{'rows':[]}", 'JSON strings have double quotes, not single ones (line 1, column 2)'],
    ['{rows:[]}', 'rows is not JSON, where strings and field names have double quotes (line 1, column 2)'],
    ['{"rows":[\n\n', 'the text ends too early (line 1, column 10)'],
    ['{"é":"é"\n "b":1}', 'expected a comma (line 2, column 2)'],
    ['{"a":1} x', 'x is not JSON, where strings and field names have double quotes (line 1, column 9)'],
    ['{"a" 1}', 'expected a colon after the field name (line 1, column 6)'],
    ['{"a":"b}', 'this string has no closing quote (line 1, column 6)'],
    ['{"a":NaN}', 'NaN is not JSON, where strings and field names have double quotes (line 1, column 6)'],
    ['{"a":1 // one\n}', 'JSON has no comments (line 1, column 8)'],
    ['{"a":"\\q"}', 'JSON has no such escape sequence (line 1, column 6)'],
    ['rows=1', 'rows is not JSON, where strings and field names have double quotes (line 1, column 1)'],
  ])('%s', async (body, message) => {
    const response = await stub().send('POST', search, { headers: { 'content-type': 'application/json' }, body })
    expect(await faultsOf(response)).toEqual([['', `is not valid JSON: ${message}`]])
  })

  it('in a large body too, whether the fault is in a record or beside the lists', async () => {
    const messageOf = (text: string) =>
      parseJsonBody(Buffer.from(text), { bytes: 2 ** 25, values: 1_000_000 }).then(
        String,
        (fault: Error) => fault.message,
      )
    const long = JSON.stringify('ö'.repeat(150_000))
    const broken = 'The body is not valid JSON: '
    expect(await messageOf(`{"a":[${long},\n${long},\n${long},\n {"b" 1}]}`)).toBe(
      `${broken}expected a colon after the field name (line 4, column 7).`,
    )
    expect(await messageOf(`{"a":[1],\n"b":[2],\n c:3}`)).toBe(
      `${broken}c is not JSON, where strings and field names have double quotes (line 3, column 2).`,
    )
  })
})

it.each([
  ['{"a":1,"b":{"c":1, "c":1}}', 'line 1, column 20'],
  ['{"a":[{"b":1}],"d":[],\n"c":[1,{"b":[],"\\u0062":[1]}]}', 'line 2, column 16'],
])('a body with a field twice is refused, because readers of JSON take one or the other: %s', async (text, place) => {
  for (const limits of [undefined, { bytes: 2 ** 25, values: 1_000_000 }])
    await expect(parseJsonBody(Buffer.from(text), limits)).rejects.toThrow(
      `The body is ambiguous: the object already has a field with this name (${place}).`,
    )
  await expect(parseJsonBody(Buffer.from('{"a":[],"a":[1]}'), { bytes: 99, values: 99 })).rejects.toThrow('column 9')
})

it.each([
  ['notContains', 'not_contains'],
  ['NEQ', 'neq'],
  ['!=', 'neq'],
  ['>=', 'gte'],
  ['contians', 'contains'],
  ['startswith', 'starts_with'],
  ['regex', 'matches'],
  ['exist', 'exists'],
  ['banana', undefined],
  ['x'.repeat(10_000), undefined],
])('the name nearest to %s is %s', (name, nearest) => {
  expect(nearestName(name, operators.split(', '))).toBe(nearest)
})
