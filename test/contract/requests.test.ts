import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { bodyBytesMax, bodyDepthMax, bodyValuesMax } from '../../server/http/request/json-body.ts'
import { sharedStubApp } from '../support/stub-app.ts'

const stub = sharedStubApp()

const traceId = '5b8efff798038103d269b633813fc60c'
const json = { 'content-type': 'application/json' }

interface Reported {
  readonly status: number
  readonly code: string
  readonly pointers: string[]
  readonly codes: string[]
}

async function reported(response: Response): Promise<Reported> {
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  const problem = (await response.json()) as { code: string; errors?: { pointer: string; code: string }[] }
  expect(problem).toMatchObject({ type: `urn:tracefold:problem:${problem.code}`, status: response.status })
  const errors = problem.errors ?? []
  return {
    status: response.status,
    code: problem.code,
    pointers: errors.map((error) => error.pointer),
    codes: errors.map((error) => error.code),
  }
}

function invalid(...faults: [pointer: string, code: string][]): Reported {
  return {
    status: 400,
    code: 'invalid_request',
    pointers: faults.map(([pointer]) => pointer),
    codes: faults.map(([, code]) => code),
  }
}

const row = (change: object) => ({ attribute_key: 'k', operator: 'eq', value: 'v', ...change })

describe('an invalid body is reported with a pointer to each fault', () => {
  it.each<[string, unknown, [string, string][]]>([
    ['an unknown operator', { rows: [row({}), row({}), row({ operator: 'like' })] }, [['/rows/2/operator', 'enum']]],
    ['no operator', { rows: [row({ operator: undefined })] }, [['/rows/0/operator', 'required']]],
    ['an operator that is not a string', { rows: [row({ operator: 5 })] }, [['/rows/0/operator', 'enum']]],
    ['an unknown source', { rows: [row({ attribute_source: 'log' })] }, [['/rows/0/attribute_source', 'enum']]],
    ['no value', { rows: [row({ value: undefined })] }, [['/rows/0/value', 'required']]],
    ['a null value', { rows: [row({ value: null })] }, [['/rows/0/value', 'type']]],
    ['a list as value', { rows: [row({ value: ['a'] })] }, [['/rows/0/value', 'type']]],
    ['a value that is too long', { rows: [row({ value: 'x'.repeat(4097) })] }, [['/rows/0/value', 'too_long']]],
    ['no key', { rows: [row({ attribute_key: undefined })] }, [['/rows/0/attribute_key', 'required']]],
    [
      'a key that is too long',
      { rows: [row({ attribute_key: 'k'.repeat(257) })] },
      [['/rows/0/attribute_key', 'too_long']],
    ],
    ['a row that is not an object', { rows: [row({}), 7] }, [['/rows/1', 'type']]],
    ['51 rows', { rows: Array.from({ length: 51 }, () => row({})) }, [['/rows', 'too_many']]],
    [
      'the snake case of includeDescendants',
      { rows: [row({ include_descendants: true })] },
      [['/rows/0/include_descendants', 'unknown_field']],
    ],
    [
      'two faults in two rows',
      { rows: [row({ operator: 'x' }), row({ value: {} })] },
      [
        ['/rows/0/operator', 'enum'],
        ['/rows/1/value', 'type'],
      ],
    ],
    ['a timestamp without a zone', { from: '2026-03-01T00:00:00' }, [['/from', 'format']]],
    ['a timestamp with an offset of 25 hours', { from: '2026-03-01T00:00:00+25:00' }, [['/from', 'format']]],
    ['a timestamp with an offset of hours only', { from: '2026-03-01T00:00:00+01' }, [['/from', 'format']]],
    ['a day that does not exist', { to: '2026-02-30T00:00:00Z' }, [['/to', 'format']]],
    ['ten digits of fraction', { to: '2026-02-03T00:00:00.0123456789Z' }, [['/to', 'format']]],
    ['a page of zero items', { limit: 0 }, [['/limit', 'out_of_range']]],
    ['a page of 201 items', { limit: 201 }, [['/limit', 'out_of_range']]],
    ['an unknown status', { status: 'unset' }, [['/status', 'enum']]],
    ['a field that a pointer must escape', { 'a/b~c': 1 }, [['/a~1b~0c', 'unknown_field']]],
    ['a field named by slashes in a row', { rows: [row({ '/0/': 1 })] }, [['/rows/0/~10~1', 'unknown_field']]],
    ['a field with the empty name', { '': 1 }, [['/', 'unknown_field']]],
    ['a list', [], [['', 'type']]],
  ])('%s', async (_, body, faults) => {
    const app = stub()
    expect(await reported(await app.post('/api/v1/messages/search', body))).toEqual(invalid(...faults))
  })
})

describe('an unpaired surrogate is refused, however it is written', () => {
  const integration = (name: string) => `{"name":"${name}","rule_match":"any","matchers":[]}`
  const row = (rest: string) => `{"rows":[{"operator":"exists",${rest}}]}`
  it.each<[string, string, string]>([
    ['/messages/search', row('"attribute_key":"k","value":"x\\ud800y"'), '/rows/0/value'],
    ['/messages/search', row('"attribute_key":"\\uDFFF"'), '/rows/0/attribute_key'],
    ['/messages/search', row('"attribute_key":"k","value":{"a":["\\udc00\\ud800"]}'), '/rows/0/value/a/0'],
    ['/saved-views', '{"name":"\\ud800","rows":[],"window":{"kind":"relative","last_s":60}}', '/name'],
    ['/api-keys', '{"name":"a\\uD83D","role":"ingest"}', '/name'],
    [
      '/config/import',
      `{"format_version":1,"integrations":[${integration('a')},${integration('\\ud800')}]}`,
      '/integrations/1/name',
    ],
  ])('%s %s', async (path, body, pointer) => {
    const response = await stub().send('POST', `/api/v1${path}`, { headers: json, body })
    expect(await reported(response)).toEqual(invalid([pointer, 'malformed_text']))
  })

  it('also in the name of a field', async () => {
    const body = row('"attribute_key":"k","value":{"a":{"b~\\ud800":1}}')
    const response = await stub().send('POST', '/api/v1/messages/search', { headers: json, body })
    const message = 'must not have a field whose name contains an unpaired surrogate'
    expect(await response.json()).toMatchObject({ errors: [{ pointer: '/rows/0/value/a', message }] })
  })
})

it('the escape sequences of a pair are one character', async () => {
  const app = stub()
  const body = '{"rows":[{"attribute_key":"\\ud83d\\udca5","operator":"eq","value":"\\\\ud800"}]}'
  expect((await app.send('POST', '/api/v1/messages/search', { headers: json, body })).status).toBe(200)
  expect(app.handled[0]?.body).toMatchObject({ rows: [{ attribute_key: '💥', value: '\\ud800' }] })
})

it('a field called __proto__ is unknown like any other', async () => {
  const app = stub()
  const response = await app.send('POST', '/api/v1/messages/count', {
    headers: json,
    body: '{"__proto__":{"limit":3}}',
  })
  expect(await reported(response)).toEqual(invalid(['/__proto__', 'unknown_field']))
})

it('a body reaches its handler unchanged, without defaults', async () => {
  const app = stub()
  const body = {
    rows: [
      { attribute_key: '', operator: 'exists', value: { anything: [null] } },
      { attribute_source: 'any', attribute_key: 'ключ', operator: 'gte', value: 2.5 },
    ],
    cursor: null,
  }
  expect((await app.post('/api/v1/messages/search', body)).status).toBe(200)
  expect(app.handled.map((request) => request.body)).toEqual([body])
})

it('the lengths of keys and values are counted in code points, not in UTF-16 units', async () => {
  const app = stub()
  const fits = row({ attribute_key: '🗝'.repeat(256), value: '🗝'.repeat(4096) })
  expect((await app.post('/api/v1/messages/search', { rows: [fits] })).status).toBe(200)
})

describe('a body that is not JSON is 400 and points at the body', () => {
  it.each([
    ['cut off', '{"rows":[', 'malformed_json'],
    ['a bare text', '"text"', 'malformed_json'],
    ['empty', '', 'required'],
    ['nested too deep', `{"rows":${'['.repeat(bodyDepthMax)}${']'.repeat(bodyDepthMax)}}`, 'too_deep'],
    ['a million levels deep', `{"rows":${'['.repeat(1e6)}${']'.repeat(1e6)}}`, 'too_deep'],
    ['more values than any query needs', JSON.stringify({ rows: Array(bodyValuesMax).fill(0) }), 'too_many'],
  ])('%s', async (_, body, code) => {
    const app = stub()
    expect(await reported(await app.send('POST', '/api/v1/messages/search', { headers: json, body }))).toEqual(
      invalid(['', code]),
    )
  })
})

it.each(['gzip', 'X-GZip'])('a body of the coding %s is read, and an invalid one is 400', async (coding) => {
  const app = stub()
  const headers = { ...json, 'content-encoding': coding }
  expect((await app.send('POST', '/api/v1/messages/count', { headers, body: gzipSync('{}') })).status).toBe(200)
  const broken = await app.send('POST', '/api/v1/messages/count', { headers, body: 'no gzip at all' })
  expect(await reported(broken)).toEqual(invalid(['', 'malformed_body']))
})

it('a body over the limit is 413, compressed or not', async () => {
  const app = stub()
  const body = JSON.stringify({ a: 'x'.repeat(bodyBytesMax) })
  const plain = await app.send('POST', '/api/v1/messages/count', { headers: json, body })
  expect(await reported(plain)).toMatchObject({ status: 413, code: 'payload_too_large' })
  const bomb = { headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync(body) }
  expect(await reported(await app.send('POST', '/api/v1/messages/count', bomb))).toMatchObject({ status: 413 })
})

describe('a body of an unsupported type is 415', () => {
  it.each([
    ['text', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['several parts', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['another character set', { 'content-type': 'application/json; charset=utf-16' }],
    ['an unknown encoding', { 'content-type': 'application/json', 'content-encoding': 'compress' }],
  ])('%s', async (_, headers) => {
    const app = stub()
    const response = await app.send('POST', '/api/v1/messages/count', { headers, body: '{}' })
    expect(await reported(response)).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  })

  it('no type at all', async () => {
    const app = stub()
    const response = await app.send('POST', '/api/v1/messages/count', { body: new TextEncoder().encode('{}') })
    expect(await reported(response)).toMatchObject({ status: 415 })
  })

  it('except JSON with other spellings of its type', async () => {
    const app = stub()
    const headers = { 'content-type': 'Application/JSON;Charset="UTF-8"; odata=x' }
    expect((await app.send('POST', '/api/v1/messages/count', { headers, body: '{}' })).status).toBe(200)
  })
})

describe('an invalid parameter is reported with its pointer', () => {
  it.each<[string, [string, string][]]>([
    ['/api/v1/attributes?limit=0', [['#/query/limit', 'out_of_range']]],
    ['/api/v1/attributes?limit=', [['#/query/limit', 'type']]],
    ['/api/v1/attributes?limit=ten', [['#/query/limit', 'type']]],
    ['/api/v1/attributes?source=log', [['#/query/source', 'enum']]],
    ['/api/v1/attributes?from=yesterday', [['#/query/from', 'format']]],
    ['/api/v1/attributes?prefix=a&prefix=b', [['#/query/prefix', 'type']]],
    ['/api/v1/attributes?prefix[a]=b', [['#/query/prefix', 'type']]],
    ['/api/v1/attributes?colour=red', [['#/query/colour', 'unknown_parameter']]],
    ['/api/v1/attributes?__proto__[x]=1', [['#/query/__proto__', 'unknown_parameter']]],
    ['/api/v1/attributes/values', [['#/query/key', 'required']]],
    [`/api/v1/messages/${traceId.toUpperCase()}`, [['#/path/trace_id', 'format']]],
    ['/api/v1/messages/%FF', [['#/path', 'malformed_path']]],
  ])('%s', async (path, faults) => {
    const app = stub()
    expect(await reported(await app.send('GET', path))).toEqual(invalid(...faults))
  })
})

it('parameters reach their handler decoded, typed and without defaults', async () => {
  const app = stub()
  await app.send('GET', '/api/v1/attributes/values?key=&prefix=a%2Fb%26c&from=2026-03-01T00:00:00.5Z&limit=7')
  await app.send('GET', `/api/v1/messages/${traceId}`)
  expect(app.handled.map(({ path, query }) => ({ path, query: { ...query } }))).toEqual([
    { path: {}, query: { key: '', prefix: 'a/b&c', from: '2026-03-01T00:00:00.5Z', limit: 7 } },
    { path: { trace_id: traceId }, query: {} },
  ])
})

it('an unknown path is 404, and an unsupported method 405 with the supported ones', async () => {
  const app = stub()
  for (const path of [
    '/',
    '/api/v1',
    '/api/v1/nothing',
    '/v2/traces',
    '/docs/nothing.js',
    '//api/v1/me',
    '/API/v1/me',
  ]) {
    expect(await reported(await app.send('GET', path))).toMatchObject({ status: 404, code: 'not_found' })
  }
  const allowed = {
    '/api/v1/api-keys': 'GET, HEAD, POST',
    '/api/v1/messages/search': 'POST',
    '/docs': 'GET, HEAD',
    '/healthz': 'GET, HEAD',
    '/v1/traces': 'POST',
  }
  for (const [path, allow] of Object.entries(allowed)) {
    const response = await app.send('PUT', path)
    expect(response.headers.get('allow')?.split(', ').sort().join(', '), path).toBe(allow)
    expect(await reported(response)).toMatchObject({ status: 405, code: 'method_not_allowed' })
  }
})
