import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Role } from '../../server/auth/caller.ts'
import { openLocalKey } from '../../server/auth/local-tokens.ts'
import { signLoginLink } from '../../server/sessions/login-links.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function linkOf(role: Role = 'admin', now = new Date()): Promise<string> {
  const key = await openLocalKey(app.config.dataDir)
  return signLoginLink(key, { org: app.org, role, subject: 'ada' }, now)
}

function follow(link: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${app.url}/login?link=${link}`, { redirect: 'manual', ...init })
}

async function signIn(role?: Role): Promise<string> {
  const response = await follow(await linkOf(role))
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

function ask(cookie: string, headers: Record<string, string> = {}, method = 'GET', path = '/api/v1/me') {
  return fetch(app.url + path, { method, headers: { cookie, ...headers } })
}

const name = (cookie: string) => cookie.slice(0, cookie.indexOf('='))

/** Sends a GET with a header that `fetch` sets itself. */
function send(headers: Record<string, string>, path: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(app.url + path, { headers }, (response) => resolve(response.resume())).on('error', reject)
  })
}

it('a link signs a browser in and leads to the console', async () => {
  const response = await follow(await linkOf())
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('./')
  // The address contains the link, which no cache and no other server gets.
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  expect(response.headers.get('set-cookie')).toMatch(
    /^tracefold_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  const [cookie = ''] = response.headers.get('set-cookie')?.split(';') ?? []
  expect(await (await ask(cookie)).json()).toEqual({ subject: 'ada', org: app.org, role: 'admin' })
})

it.each([{ 'x-forwarded-proto': 'https' }, { forwarded: 'for=192.0.2.1;proto=https' }])(
  'the cookie is marked as secure behind a proxy that terminates TLS and sends %j',
  async (headers) => {
    const response = await follow(await linkOf(), { headers: headers as Record<string, string> })
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-tracefold_session_\d+=[^;]+; Path=\/;.*; Secure$/)
  },
)

it('over TLS a cookie that another host of the domain can set does not sign a person in', async () => {
  const encrypted = { 'x-forwarded-proto': 'https' }
  const cookie = (await follow(await linkOf(), { headers: encrypted })).headers.get('set-cookie')?.split(';')[0] ?? ''
  expect((await ask(cookie, encrypted)).status).toBe(200)
  expect((await ask(cookie.replace('__Host-', ''), encrypted)).status).toBe(401)
})

it('behind a proxy with a path, the cookie is sent to no other program of the proxy', async () => {
  const other = await startApp({ env: { PUBLIC_URL: 'https://telemetry.example/tracefold/' } })
  try {
    const caller = { org: 'a', role: 'admin', subject: 'ada' } as const
    const link = await signLoginLink(await openLocalKey(other.config.dataDir), caller, new Date())
    const signedIn = await fetch(`${other.url}/login?link=${link}`, { redirect: 'manual' })
    const cookie = signedIn.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^tracefold_session_\d+=.*; Path=\/tracefold;/)
    const headers = { cookie: cookie.split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' }
    const leave = async (more: object) => {
      const out = await fetch(`${other.url}/logout`, { method: 'POST', headers: { ...headers, ...more } })
      return out.headers.get('set-cookie')
    }
    expect(await leave({})).toMatch(/^tracefold_session_\d+=; Path=\/tracefold;.*Max-Age=0/)
    // Browsers accept the prefix `__Host-` for the path `/` only.
    expect(await leave({ 'x-forwarded-proto': 'https' })).toMatch(/^tracefold_session_\d+=; .*; Secure; Max-Age=0/)
  } finally {
    await other.close()
  }
})

it('a link signs in once', async () => {
  const link = await linkOf()
  await follow(link)
  const again = await follow(link)
  expect(again.headers.get('location')).toBe('sign-in?fault=used')
  expect(again.headers.get('set-cookie')).toBeNull()
})

it('of many browsers that follow one link at once, one is signed in', async () => {
  const link = await linkOf()
  const responses = await Promise.all(Array.from({ length: 8 }, () => follow(link)))
  expect(responses.filter((response) => response.headers.has('set-cookie'))).toHaveLength(1)
})

it('a program that previews a link with HEAD does not use it up', async () => {
  const link = await linkOf()
  expect((await follow(link, { method: 'HEAD' })).status).toBe(405)
  expect((await follow(link)).headers.has('set-cookie')).toBe(true)
})

it('a link with a slash before its query is answered with 404 and not used up', async () => {
  const link = await linkOf()
  expect((await fetch(`${app.url}/login/?link=${link}`, { redirect: 'manual' })).status).toBe(404)
  expect((await follow(link)).headers.has('set-cookie')).toBe(true)
})

it('a link expires after ten minutes', async () => {
  const response = await follow(await linkOf('admin', new Date(Date.now() - 601_000)))
  expect(response.headers.get('location')).toBe('sign-in?fault=expired')
})

it.each(['', 'x', 'eyJhbGciOiJub25lIn0.e30.'])('%j is not a link', async (link) => {
  expect((await follow(link)).headers.get('location')).toBe('sign-in?fault=invalid')
})

it('a token of the API is not a link, and a link is not a token', async () => {
  expect((await follow(await app.token())).headers.get('location')).toBe('sign-in?fault=invalid')
  const response = await fetch(`${app.url}/api/v1/me`, { headers: { authorization: `Bearer ${await linkOf()}` } })
  expect(response.status).toBe(401)
})

it('servers on other ports of a host do not sign each other out', async () => {
  const other = await startApp()
  try {
    const cookie = await signIn()
    const { dataDir } = other.config
    const link = await signLoginLink(
      await openLocalKey(dataDir),
      { org: 'b', role: 'admin', subject: 'bob' },
      new Date(),
    )
    const there = await fetch(`${other.url}/login?link=${link}`, { redirect: 'manual' })
    const jar = new Map(
      [cookie, there.headers.get('set-cookie')?.split(';')[0] ?? ''].map((each) => [name(each), each]),
    )
    const both = [...jar.values()].join('; ')
    expect(await (await ask(both)).json()).toMatchObject({ subject: 'ada' })
    const headers = { cookie: both }
    expect(await (await fetch(`${other.url}/api/v1/me`, { headers })).json()).toMatchObject({ subject: 'bob' })
  } finally {
    await other.close()
  }
})

it.each(['', ':80', ':443'])('at the default port "%s" the cookie has no port in its name', async (port) => {
  const response = await send({ host: `tracefold.example${port}` }, `/login?link=${await linkOf()}`)
  expect(response.headers['set-cookie']?.[0]).toMatch(/^tracefold_session=/)
})

it('a malformed cookie of the same name does not hide that of the session', async () => {
  const cookie = await signIn()
  expect((await ask(`${name(cookie)}=bad; ${cookie}`)).status).toBe(200)
  expect((await ask(`${name(cookie)}=bad; x=${'a'.repeat(43)}`)).status).toBe(401)
})

it('signing out ends the session on the server', async () => {
  const cookie = await signIn()
  const out = await ask(cookie, { 'sec-fetch-site': 'same-origin' }, 'POST', '/logout')
  expect(out.status).toBe(204)
  expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
  expect((await ask(cookie)).status).toBe(401)
})

it.each<[string, Record<string, string>, string, number]>([
  ['a page of this server', { 'sec-fetch-site': 'same-origin' }, 'POST', 200],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, 'POST', 403],
  ['a page of another port', { 'sec-fetch-site': 'same-site' }, 'POST', 403],
  ['a page of another site that only reads', { 'sec-fetch-site': 'cross-site' }, 'GET', 403],
  ['a person who types the address', { 'sec-fetch-site': 'none' }, 'GET', 200],
  ['a sender that no page made send', { 'sec-fetch-site': 'none' }, 'POST', 403],
  ['another origin over plain HTTP', { origin: 'http://evil.example' }, 'POST', 403],
  ['another port over plain HTTP', { origin: 'http://127.0.0.1:1' }, 'POST', 403],
  ['an opaque origin', { origin: 'null' }, 'POST', 403],
  ['a sender that says nothing', {}, 'POST', 403],
  ['a sender that says nothing and only reads', {}, 'GET', 200],
])('with the cookie, %s gets the right answer', async (_, headers, method, status) => {
  const cookie = await signIn()
  const isPost = method === 'POST'
  const response = await fetch(`${app.url}/api/v1/${isPost ? 'messages/count' : 'me'}`, {
    method,
    headers: { cookie, 'content-type': 'application/json', ...headers },
    ...(isPost ? { body: '{}' } : {}),
  })
  expect(response.status).toBe(status)
})

it('over plain HTTP a page of this server is known by its origin', async () => {
  const cookie = await signIn()
  const headers = { cookie, origin: app.url, 'content-type': 'application/json' }
  const response = await fetch(`${app.url}/api/v1/messages/count`, { method: 'POST', headers, body: '{}' })
  expect(response.status).toBe(200)
})

it('a session may do what its role may', async () => {
  const cookie = await signIn('viewer')
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'x', role: 'ingest' })
  expect((await fetch(`${app.url}/api/v1/api-keys`, { method: 'POST', headers, body })).status).toBe(403)
})

it('a credential in the header takes precedence over the cookie', async () => {
  const cookie = await signIn('viewer')
  const response = await ask(cookie, { authorization: `Bearer ${await app.token({ subject: 'grace' })}` })
  expect(await response.json()).toMatchObject({ subject: 'grace', role: 'admin' })
})

it.each([
  ['the same person', (org: string) => `${org}/ada`, 200],
  ['another person', (org: string) => `${org}/grace`, 401],
  ['another organization', () => 'demo/ada', 401],
  ['something else', () => '', 401],
])('a page that shows %s as signed in is answered accordingly', async (_, shownIn, status) => {
  const cookie = await signIn()
  const headers = { 'tracefold-caller': shownIn(app.org), 'sec-fetch-site': 'same-origin' }
  const response = await ask(cookie, headers, 'GET', '/api/v1/saved-views')
  expect(response.status).toBe(status)
  const authorization = `Bearer ${await app.token({ subject: 'edsger' })}`
  expect((await ask('', { ...headers, authorization }, 'GET', '/api/v1/saved-views')).status).toBe(200)
})

it('a page of another site cannot end the session', async () => {
  const cookie = await signIn()
  const refused = await ask(cookie, { 'sec-fetch-site': 'cross-site' }, 'POST', '/logout')
  expect([refused.status, refused.headers.get('set-cookie')]).toEqual([403, null])
  expect((await ask(cookie)).status).toBe(200)
})

it('a page that shows another person cannot end the session', async () => {
  const cookie = await signIn()
  const leave = (person: string) => {
    const headers = { 'tracefold-caller': `${app.org}/${person}`, 'sec-fetch-site': 'same-origin' }
    return ask(cookie, headers, 'POST', '/logout')
  }
  const refused = await leave('grace')
  expect([refused.status, refused.headers.get('set-cookie')]).toEqual([401, null])
  expect((await ask(cookie)).status).toBe(200)
  expect((await leave('ada')).status).toBe(204)
  // A session that has ended is nobody's.
  expect((await leave('grace')).status).toBe(204)
})

it('the name of a caller may have any character', async () => {
  const caller = { org: 'Größe / 50%', role: 'admin', subject: 'Ada Łovelace' } as const
  const link = await signLoginLink(await openLocalKey(app.config.dataDir), caller, new Date())
  const cookie = (await follow(link)).headers.get('set-cookie')?.split(';')[0] ?? ''
  const shown = `${encodeURIComponent(caller.org)}/${encodeURIComponent(caller.subject)}`
  expect((await ask(cookie, { 'tracefold-caller': shown }, 'GET', '/api/v1/saved-views')).status).toBe(200)
})

it('telemetry cannot be sent with a cookie', async () => {
  const cookie = await signIn()
  const response = await fetch(`${app.url}/v1/traces`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: '{}',
  })
  expect(response.status).toBe(401)
})

it('no log line contains a link or a session', async () => {
  const link = await linkOf()
  const response = await follow(link)
  const secret = response.headers.get('set-cookie')?.split(/[=;]/)[1] ?? '-'
  const lines = JSON.stringify(app.logLines())
  expect(lines).not.toContain(link)
  expect(lines).not.toContain(secret)
})
