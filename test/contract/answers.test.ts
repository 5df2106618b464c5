import { Router } from 'express'
import { describe, expect, it } from 'vitest'
import { InvalidQuery } from '#sql'
import type { Handlers } from '../../server/http/contract/handlers.ts'
import { invalid, problem, refusedFields, unknownAt } from '../../server/problem/problem.ts'
import { sendPlain, sharedStubApp, startStubApp, stubHandlers } from '../support/stub-app.ts'

const stub = sharedStubApp()

/** Returns a handler whose result its type forbids. */
const wrong = (result: unknown) => (() => result) as unknown as Handlers['getCaller']

describe('an undocumented response becomes a 500 that explains why', () => {
  it.each([
    ['a field is missing', { status: 200, body: { subject: 'ada', org: 'acme' } }, 'required property'],
    [
      'a field is of another type',
      { status: 200, body: { subject: 7, org: 'acme', role: 'admin' } },
      '/subject must be string',
    ],
    [
      'a field is not in the document',
      { status: 200, body: { subject: 'a', org: 'b', role: 'admin', secret: 'c' } },
      'secret',
    ],
    ['the body is missing', { status: 200 }, 'media type'],
    [
      'the status is not declared',
      { status: 201, body: { subject: 'a', org: 'b', role: 'admin' } },
      'application/json',
    ],
  ])('%s', async (_, result, reason) => {
    const app = await startStubApp({ handlers: { getCaller: wrong(result) } })
    const response = await app.send('GET', '/api/v1/me')
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining(reason) })
    expect(app.logLines()).toEqual([
      expect.objectContaining({
        level: 'error',
        err: expect.objectContaining({ message: expect.stringContaining('getCaller') }),
      }),
    ])
  })
})

describe('the detail of a problem says where the first fault is, and how many there are', () => {
  const missing = {
    pointer: '/rows/3/value',
    code: 'missing_value',
    message: 'This operator requires a value.',
  } as const
  const unknown = (index: number) => unknownAt(`/saved_views/${index}/integration_id`, 'integration', 'shop')
  it.each([
    [invalid('/expires_at', 'past', 'must be in the future'), '/expires_at must be in the future.'],
    [invalid('', 'required', 'is required'), 'The body is required.'],
    [new InvalidQuery([missing]), '/rows/3/value: This operator requires a value.'],
    [new InvalidQuery([missing, missing]), '2 errors. The first: /rows/3/value: This operator requires a value.'],
    [
      refusedFields([unknown(2), unknown(7)]),
      '2 errors. The first: /saved_views/2/integration_id: There is no integration "shop" in your organization.',
    ],
  ])('%s', async (error, detail) => {
    const refuse = () => {
      throw error
    }
    const app = await startStubApp({ handlers: { searchMessages: refuse } })
    expect(await (await app.post('/api/v1/messages/search', {})).json()).toMatchObject({ detail })
  })
})

it('an internal error is reported without its reason and logged once, under the request id', async () => {
  const fail = () => {
    throw new Error('connection to 10.0.0.7 refused')
  }
  const app = await startStubApp({ handlers: { getCaller: fail } })
  const response = await app.send('GET', '/api/v1/me', { headers: { 'x-request-id': 'req-1' } })
  const text = await response.text()
  expect(response.status).toBe(500)
  expect(JSON.parse(text).code).toBe('internal')
  expect(text).not.toMatch(/10\.0\.0\.7|at .*\.ts/)
  expect(app.logLines()).toEqual([
    expect.objectContaining({
      level: 'error',
      req: { id: 'req-1', method: 'GET', path: '/api/v1/me' },
      err: expect.objectContaining({ message: 'connection to 10.0.0.7 refused' }),
    }),
  ])
})

it('a problem that a handler raises is sent with its headers', async () => {
  const fail = () => {
    throw problem('unavailable', 'The storage engine is starting.', { retryAfterSeconds: 1.2 })
  }
  const app = await startStubApp({ handlers: { searchMessages: fail } })
  const response = await app.post('/api/v1/messages/search', {})
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await response.json()).toEqual({
    type: 'urn:tracefold:problem:unavailable',
    title: 'Service unavailable',
    status: 503,
    detail: 'The storage engine is starting.',
    code: 'unavailable',
  })
})

it('a query that cannot be compiled is 400 and points at the invalid field', async () => {
  const fail = () => {
    throw new InvalidQuery([{ pointer: '/rows/0/value', code: 'invalid_pattern', message: 'missing )' }])
  }
  const app = await startStubApp({ handlers: { searchMessages: fail } })
  const response = await app.post('/api/v1/messages/search', {})
  expect(await response.json()).toMatchObject({
    status: 400,
    code: 'invalid_request',
    errors: [{ pointer: '/rows/0/value', code: 'invalid_pattern', message: 'missing )' }],
  })
})

it('a valid request id is kept, any other is replaced', async () => {
  const app = stub()
  const idFor = async (id: string) =>
    (await app.send('GET', '/api/v1/me', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
  expect(await idFor('trace.42:a-b_c')).toBe('trace.42:a-b_c')
  expect(await idFor('has spaces and {"json":1}')).toMatch(/^[0-9a-f-]{36}$/)
  expect(await idFor('x'.repeat(129))).toMatch(/^[0-9a-f-]{36}$/)
})

it('HEAD responds like GET, without the body', async () => {
  const app = stub()
  const [get, head] = [await app.send('GET', '/api/v1/me'), await app.send('HEAD', '/api/v1/me')]
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
})

it('creating a record returns its location, deleting one returns no body', async () => {
  const app = stub()
  const created = await app.post('/api/v1/api-keys', { name: 'a', role: 'ingest' })
  expect([created.status, created.headers.get('location')]).toEqual([
    201,
    '/api/v1/api-keys/01JNB4Y8Z0V6Q3W2R7T5X9K1MD',
  ])
  const deleted = await app.send('DELETE', '/api/v1/api-keys/01JNB4Y8Z0V6Q3W2R7T5X9K1MD')
  expect([deleted.status, await deleted.text()]).toEqual([204, ''])
})

it('a record with a version has it as its entity tag, and other responses have none', async () => {
  const versioned = wrong({ status: 200, body: { subject: 'a', org: 'b', role: 'admin', version: 3 } })
  const app = await startStubApp({ checkResponses: false, handlers: { getCaller: versioned } })
  expect((await app.send('GET', '/api/v1/me')).headers.get('etag')).toBe('"3"')
  expect((await app.send('GET', '/api/v1/api-keys')).headers.get('etag')).toBeNull()
})

it.each(['"3"', '*'])('a client that has the version %s of a record gets all of the response', async (tag) => {
  let read = 0
  const versioned = () => ({ status: 200, body: { subject: `reader ${++read}`, org: 'b', role: 'admin', version: 3 } })
  const handlers = { getCaller: versioned as unknown as Handlers['getCaller'] }
  const app = await startStubApp({ checkResponses: false, handlers })
  for (const reader of ['reader 1', 'reader 2']) {
    const { status, headers, text } = await sendPlain(app, '/api/v1/me', { 'if-none-match': tag })
    expect([status, headers.etag, JSON.parse(text || '{}').subject]).toEqual([200, '"3"', reader])
  }
})

it('responses cannot be run, framed, sniffed, cached or read from another origin', async () => {
  const app = stub()
  const { headers } = await app.send('GET', '/api/v1/me', { headers: { origin: 'https://elsewhere.example' } })
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
  })
  expect([...headers.keys()].filter((name) => /^access-control|x-powered-by|strict-transport/.test(name))).toEqual([])
})

it('a problem is not cached, whatever the path', async () => {
  const { status, headers } = await stub().send('GET', '/assets/none.js')
  expect([status, headers.get('cache-control')]).toEqual([404, 'no-store'])
})

it('the signal of a request aborts when its client disconnects', async () => {
  let reached: (signal: AbortSignal) => void = () => undefined
  const signalOf = new Promise<AbortSignal>((resolve) => {
    reached = resolve
  })
  const wait: Handlers['getCaller'] = ({ signal }) => {
    reached(signal)
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const app = await startStubApp({ handlers: { getCaller: wait } })
  const client = new AbortController()
  const response = fetch(`${app.url}/api/v1/me`, { headers: { authorization: 'Bearer admin' }, signal: client.signal })
  const signal = await signalOf
  const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
  client.abort()
  await expect(response).rejects.toThrow()
  await aborted
})

it('the signal of a completed request never aborts', async () => {
  const app = stub()
  await (await app.send('GET', '/api/v1/me')).text()
  await (await app.send('GET', '/api/v1/me')).text()
  expect(app.handled[0]?.signal.aborted).toBe(false)
})

it('the routers of OTLP and of health come before authentication and the validator', async () => {
  const otlpRouter = Router().post(
    '/v1/traces',
    (_request, response) => void response.type('application/x-protobuf').end(),
  )
  const healthRouter = Router().get('/healthz', (_request, response) => void response.json({ status: 'ok' }))
  const app = await startStubApp({ otlpRouter, healthRouter })
  const sent = await fetch(`${app.url}/v1/traces`, { method: 'POST', body: 'x' })
  expect(sent.headers.get('content-type')).toBe('application/x-protobuf')
  expect(await (await fetch(`${app.url}/healthz`)).json()).toEqual({ status: 'ok' })
})

it('the server does not start with an operation that has no handler, or a handler that has no operation', async () => {
  const { getCaller: _, ...others } = stubHandlers
  await expect(startStubApp({ handlers: { ...others, getCaller: undefined as never } })).rejects.toThrow(
    'getCaller has no handler',
  )
  const more = { ...stubHandlers, launchRocket: () => ({ status: 200 }) } as unknown as Handlers
  await expect(startStubApp({ handlers: more })).rejects.toThrow('launchRocket has no operation')
})
