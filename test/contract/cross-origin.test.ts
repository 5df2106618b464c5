import { expect, it } from 'vitest'
import { readConfig } from '../../server/config/read-config.ts'
import { startStubApp } from '../support/stub-app.ts'

const page = 'https://app.example.com'
const search = '/api/v1/messages/search'
const preflight = (origin: string) => ({
  headers: {
    origin,
    authorization: '',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type',
  },
})

function shared(response: Response): Record<string, string> {
  return Object.fromEntries([...response.headers].filter(([name]) => name.startsWith('access-control-')))
}

it('a preflight of an allowed origin needs no credential and names methods and headers', async () => {
  const app = await startStubApp({ corsOrigins: [page, 'http://localhost:3000'] })
  for (const path of [search, '/v1/traces', '/v1/metrics/', '/v1/logs', '/openapi.json']) {
    const response = await app.send('OPTIONS', path, preflight(page))
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect(shared(response)).toEqual({
      'access-control-allow-origin': page,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, DELETE',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '7200',
    })
    expect(response.headers.get('vary')).toBe('Origin, Access-Control-Request-Headers')
  }
})

it('a response to an allowed origin may be read, with its headers, also if it is a problem', async () => {
  const app = await startStubApp({ corsOrigins: [page] })
  const sent = [
    app.send('GET', '/api/v1/me', { headers: { origin: page } }),
    app.send('GET', '/api/v1/me', { headers: { origin: page, authorization: '' } }),
    app.send('GET', '/api/v1/nothing', { headers: { origin: page } }),
  ]
  for (const response of await Promise.all(sent)) {
    expect(shared(response)).toEqual({
      'access-control-allow-origin': page,
      'access-control-expose-headers':
        'Allow, ETag, Location, Mcp-Session-Id, Retry-After, WWW-Authenticate, X-Request-Id',
    })
    expect(response.headers.get('vary')?.split(', ')).toContain('Origin')
  }
})

it.each([
  'https://other.example.com',
  'https://app.example.com.evil',
  'http://app.example.com',
  'null',
  page.toUpperCase(),
])('the origin %s is not allowed, and the answer to its preflight says so', async (origin) => {
  const app = await startStubApp({ corsOrigins: [page] })
  const refused = await app.send('OPTIONS', search, preflight(origin))
  expect([refused.status, shared(refused)]).toEqual([403, {}])
  expect(await refused.json()).toMatchObject({
    code: 'forbidden',
    detail: `Pages of the origin "${origin}" may not use this server. CORS_ORIGINS lists those that may.`,
  })
  const response = await app.send('GET', '/api/v1/me', { headers: { origin } })
  expect([response.status, shared(response)]).toEqual([200, {}])
  // A cache must not give this response to an origin that is allowed.
  expect(response.headers.get('vary')?.split(', ')).toContain('Origin')
})

it('without the setting no origin is allowed and nothing varies by it', async () => {
  const app = await startStubApp()
  const response = await app.send('GET', '/api/v1/me', { headers: { origin: page } })
  expect([shared(response), response.headers.get('vary')]).toEqual([{}, 'Accept-Encoding'])
  expect((await app.send('OPTIONS', search, preflight(page))).status).toBe(405)
})

it('a wildcard allows every origin, without naming one', async () => {
  const app = await startStubApp({ corsOrigins: ['*'] })
  const response = await app.send('GET', '/api/v1/me', { headers: { origin: page } })
  expect(shared(response)['access-control-allow-origin']).toBe('*')
  expect(response.headers.get('vary')).toBe('Accept-Encoding')
})

it('metrics and health are not shared', async () => {
  const app = await startStubApp({ corsOrigins: ['*'] })
  for (const path of ['/metrics', '/healthz', '/docs'])
    expect(shared(await app.send('GET', path, { headers: { origin: page } })), path).toEqual({})
})

it('CORS_ORIGINS takes origins as browsers send them, and a wildcard only alone', () => {
  const read = (text: string) => readConfig({ CORS_ORIGINS: text }).corsOrigins
  expect(read('')).toEqual([])
  expect(read('*')).toEqual(['*'])
  expect(read('https://App.example.com:443, http://localhost:3000/')).toEqual([page, 'http://localhost:3000'])
  for (const wrong of ['app.example.com', 'https://a.example/x', 'ftp://a.example', '*,https://a.example', 'null'])
    expect(() => read(wrong), wrong).toThrow(/CORS_ORIGINS must be/)
})
