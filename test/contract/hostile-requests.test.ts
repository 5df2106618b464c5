import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readDocument } from '../../server/http/contract/document.ts'
import { listOperations } from '../../server/http/contract/operations.ts'
import { createValidator } from '../../server/http/validation/validator.ts'
import { casesOf } from '../support/fuzz-settings.ts'
import { sendPlain, sharedStubApp, startStubApp } from '../support/stub-app.ts'
import { collectWarnings } from '../support/warnings.ts'

const stub = sharedStubApp()

const json = { 'content-type': 'application/json' }

it('no request makes the server compile another schema', async () => {
  const app = await startStubApp({ checkResponses: false })
  const addSchema = vi.spyOn(Ajv2020.prototype, 'addSchema')
  onTestFinished(() => addSchema.mockRestore())
  for (let n = 0; n < 100; n += 1) {
    await app.send('GET', '/api/v1/me', { headers: { 'content-type': `application/x-${n}; v=${n}` } })
    await app.send('HEAD', '/api/v1/me', { headers: { 'content-type': `text/${n}` } })
    await app.send('DELETE', '/api/v1/api-keys/01JNB4Y8Z0V6Q3W2R7T5X9K1MD', { headers: { 'content-type': `a/${n}` } })
    await app.send('POST', '/api/v1/messages/count', {
      headers: { 'content-type': `application/json; v=${n}` },
      body: '{}',
    })
    await app.send('POST', '/api/v1/messages/count', { headers: { 'content-type': `application/x-${n}` }, body: '{}' })
  }
  expect(app.handled).toHaveLength(400)
  expect(addSchema).not.toHaveBeenCalled()
})

it('the validator still has the handlers around authentication', () => {
  const document = readDocument()
  const validator = createValidator(document, listOperations(document))
  const names = validator.check.map((handler) => handler.name)
  expect(names.slice(2, -1)).toEqual(['securityMiddleware', 'requestMiddleware'])
})

it('a request without a credential is rejected before its body is read', async () => {
  const app = stub()
  const response = await app.send('POST', '/api/v1/messages/search', {
    headers: { ...json, authorization: '' },
    body: '{not json',
  })
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="tracefold"')
})

it('an insufficient role is rejected before the body is read, with the required role', async () => {
  const app = stub()
  const response = await app.send('POST', '/api/v1/api-keys', {
    headers: { 'content-type': 'text/x', authorization: 'Bearer contributor' },
    body: '{',
  })
  expect(response.status).toBe(403)
  expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="admin"')
  expect(app.handled).toEqual([])
})

it('a body in very small pieces is rejected before it takes much memory, and one in few thousand is read', async () => {
  const app = stub()
  const send = async (pieces: number) => {
    const request = httpRequest(`${app.url}/api/v1/messages/search`, {
      method: 'POST',
      headers: { ...json, authorization: 'Bearer admin', 'transfer-encoding': 'chunked' },
    })
    onTestFinished(() => void request.destroy())
    const answered = once(request, 'response') as Promise<[IncomingMessage]>
    // A client whose request is refused sees its connection closed while it goes on sending.
    request.on('error', () => {})
    request.flushHeaders()
    // The chunks are written to the socket, because Node.js may combine the pieces of a request.
    const [socket] = (await once(request, 'socket')) as [Socket]
    const body = ['{', ...Array<string>(pieces).fill(' '), '}'].map((piece) => `1\r\n${piece}\r\n`)
    for (let sent = 0; sent < body.length && !socket.destroyed; sent += 2_000) {
      socket.write(body.slice(sent, sent + 2_000).join(''))
      await setImmediate()
    }
    socket.write('0\r\n\r\n')
    const [response] = await answered
    return { status: response.statusCode, text: await text(response) }
  }
  expect(await send(20_000)).toMatchObject({ status: 200 })
  const refused = await send(150_000)
  expect(refused).toEqual({ status: 400, text: expect.stringContaining('more than 100000 pieces') })
})

it('no JSON body makes an operation fail', async () => {
  const app = stub()
  const names = [
    'from',
    'to',
    'rows',
    'limit',
    'cursor',
    'attribute_key',
    'operator',
    'value',
    'name',
    'role',
    '__proto__',
    'a/b',
  ]
  const values = ['eq', 'exists', '2026-03-01T00:00:00Z', 'ingest', '', 0, 51, null, true]
  const { node } = fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(...values),
      fc.jsonValue(),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('node'), { maxKeys: 5 }),
    ),
  }))
  const path = fc.constantFrom('/api/v1/messages/search', '/api/v1/messages/summary', '/api/v1/api-keys')
  await fc.assert(
    fc.asyncProperty(path, node, async (to, body) => {
      const response = await app.post(to, body)
      expect([200, 201, 400]).toContain(response.status)
      await response.arrayBuffer()
    }),
    { numRuns: casesOf('hostile requests'), seed: 7 },
  )
})

it('no query string makes an operation fail', async () => {
  const app = stub()
  const name = fc.oneof(
    fc.constantFrom('key', 'prefix', 'from', 'limit', 'source', 'cursor', 'a[b]', '__proto__[x]'),
    fc.string(),
  )
  const value = fc.oneof(fc.constantFrom('', '5', '{"a":1}', '[1]', '%', '%ff', '2026-03-01T00:00:00Z'), fc.string())
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 5 }), async (pairs) => {
      const query = pairs
        .map(([left, right]) => `${left}=${right}`.replaceAll(/[^ -~]|[ #]/g, encodeURIComponent))
        .join('&')
      const response = await app.send('GET', `/api/v1/attributes/values?${query}`)
      expect([200, 400]).toContain(response.status)
      await response.arrayBuffer()
    }),
    { numRuns: casesOf('hostile requests'), seed: 7 },
  )
})

it.each(['/api/v1/attributes/values?key=a', '/tempo/api/search/tags', '/openapi.json', '/none', '', '?a=/b'])(
  'a target in absolute form is answered like its path: %s',
  async (target) => {
    const app = stub()
    const path = target.startsWith('/') ? target : `/${target}`
    const { status, text } = await sendPlain(app, path)
    expect(await sendPlain(app, `HTTP://Proxied.example:80${target}`)).toMatchObject({ status, text })
  },
)

it.each([
  'http://x:abc',
  'http://x:99999999',
  'http://user:p@x:abc',
  'ftp://x:abc',
  'http://[::1',
  'http://',
  'http://x:',
])('a target with the host %s is answered like its path, without a warning of Node.js', async (origin) => {
  const app = stub()
  const warnings = collectWarnings()
  for (const path of ['/api/v1/attributes/values?key=a', '/none']) {
    const { status, text } = await sendPlain(app, path)
    expect(await sendPlain(app, origin + path)).toMatchObject({ status, text })
  }
  expect(warnings).toEqual([])
})

it.each<[string, string[]]>([
  ['/api/v1/attributes/values?key=rk&prefix=x%EF', ['#/query/prefix']],
  ['/api/v1/attributes/values?prefix=a%&key=%C3%28&from=yesterday', ['#/query/prefix', '#/query/key']],
  ['/api/v1/attributes/values?key=a&x%ff=1&x%ff=2', ['#/query/x%ff']],
  ['/tempo/api/search?q=%7B%20.rk%20%3D%20%22x%E9y%22%20%7D', ['#/query/q']],
  ['/tempo/api/search?q=%ED%A0%80', ['#/query/q']],
])('bytes in a query that are not UTF-8 are refused: %s', async (path, pointers) => {
  const app = stub()
  const { status, text } = await sendPlain(app, path)
  const errors = pointers.map((pointer) => ({ pointer, code: 'malformed', message: 'is not percent-encoded UTF-8' }))
  expect([status, JSON.parse(text).errors]).toEqual([400, errors])
  expect(app.handled).toEqual([])
})

it('the JSON text of a parameter cannot contain an unpaired surrogate, or be nested deeper than a body', async () => {
  const faultsOf = async (value: string) => {
    const filter = `{"rows":[{"attribute_key":"k","operator":"exists","value":${value}}]}`
    const path = '/api/v1/messages/5b8efff798038103d269b633813fc60c/skeleton'
    const response = await stub().send('GET', `${path}?filter=${encodeURIComponent(filter)}`)
    const { errors = [] } = (await response.json()) as { errors?: { pointer: string; code: string }[] }
    return errors.map(({ pointer, code }) => [pointer, code])
  }
  const at = '#/query/filter/rows/0/value'
  expect(await faultsOf('"\\ud800"')).toEqual([[at, 'malformed_text']])
  const nested = (levels: number) => `${'['.repeat(levels)}"\\ud800"${']'.repeat(levels)}`
  expect(await faultsOf(nested(60))).toEqual([[`${at}${'/0'.repeat(60)}`, 'malformed_text']])
  expect(await faultsOf(nested(1_000))).toEqual([['#/query/filter', 'too_deep']])
  expect(await faultsOf('"\\ud83d\\udca5"')).toEqual([])
})
