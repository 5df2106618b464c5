import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pageSegments } from '../../server/console/console-router.ts'
import { startApp, type TestApp } from '../support/app.ts'

/** What a browser loads first, as it is sent. */
const firstLoadBytesMax = 250 * 1024

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const html = { accept: 'text/html' }

/** Returns the paths of `places`, whose module needs a browser. */
function navigationPaths(): string[] {
  const source = readFileSync(new URL('../../console/app/places.tsx', import.meta.url), 'utf8')
  return [...source.matchAll(/\bto: '([^']+)'/g)].map(([, path]) => path ?? '')
}

async function assetsOf(url: string): Promise<string[]> {
  const page = await (await fetch(url)).text()
  return [...page.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path]) => path ?? '')
}

it.each(pageSegments)('the page /%s is served under a strict policy and never cached', async (segment) => {
  const response = await fetch(`${app.url}/${segment}`, { headers: html })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const policy = response.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|https?:/)
})

it.each(navigationPaths())('the page %s of the navigation is served when it is opened directly', async (path) => {
  const response = await fetch(app.url + path, { headers: html })
  expect(response.headers.get('content-type')).toMatch(/^text\/html/)
})

it('assets are immutable, compressed as the browser accepts it, and small', async () => {
  const paths = await assetsOf(`${app.url}/`)
  expect(paths.filter((path) => path.includes('/main-'))).toHaveLength(2)
  let bytes = 0
  for (const path of paths) {
    const plain = await fetch(`${app.url}/${path}`, { headers: { 'accept-encoding': 'identity' } })
    const text = Buffer.from(await plain.arrayBuffer())
    expect(plain.headers.get('cache-control')).toContain('immutable')
    expect(plain.headers.get('vary')).toBe('Accept-Encoding')
    expect(plain.headers.get('content-encoding')).toBeNull()
    const brotli = await fetch(`${app.url}/${path}`, { headers: { 'accept-encoding': 'gzip, br' } })
    expect(brotli.headers.get('content-encoding')).toBe('br')
    expect(Buffer.from(await brotli.arrayBuffer())).toEqual(text)
    const gzip = await app.send(`/${path}`, { headers: { 'accept-encoding': 'gzip' } })
    expect(gzip.headers.get('content-encoding')).toBe('gzip')
    bytes += Number(gzip.headers.get('content-length') ?? 0)
  }
  expect(bytes).toBeLessThan(firstLoadBytesMax)
})

it('everything that the first script imports is named by the page, so that nothing waits for it', async () => {
  const paths = await assetsOf(`${app.url}/`)
  const texts = await Promise.all(paths.map(async (path) => (await fetch(`${app.url}/${path}`)).text()))
  const imported = texts.flatMap((text) => [...text.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)])
  const missing = imported.map(([, name]) => `assets/${name}`).filter((path) => !paths.includes(path))
  expect(imported.length).toBeGreaterThan(1)
  expect(missing).toEqual([])
})

it('an asset of another version is a problem', async () => {
  const response = await fetch(`${app.url}/assets/main-OLD.js`)
  expect(response.status).toBe(404)
  expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/)
})

it.each(['/api/v1/me', '/api/v1/nothing', '/tempo/nothing', '/v1/traces', '/metrics', '/readyz', '/assets/nothing'])(
  '%s answers the same whether a browser or a program asks',
  async (path) => {
    const [browser, program] = await Promise.all([
      fetch(app.url + path, { headers: html }),
      fetch(app.url + path, { headers: { accept: 'application/json' } }),
    ])
    expect(browser.status).toBe(program.status)
    expect(browser.headers.get('content-type')).toBe(program.headers.get('content-type'))
  },
)

it('a browser that asks for a path which does not exist gets the console with 404, a program a problem', async () => {
  for (const method of ['GET', 'HEAD']) {
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    const browser = await fetch(`${app.url}/nothing/here`, { method, headers: { accept } })
    expect([browser.status, browser.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const program = await fetch(`${app.url}/nothing/here`, { method })
    expect([program.status, program.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
  }
})

it.each(['/%E0%A4%A', '/messages/%E0%A4%A', '/integrations/%zz/flow'])(
  'a browser that asks for %s, which cannot be decoded, gets the console with 404, a program a problem',
  async (path) => {
    const browser = await fetch(app.url + path, { headers: html })
    expect([browser.status, browser.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    const program = await fetch(app.url + path)
    expect(program.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    const operation = await fetch(`${app.url}/api/v1${path}`, { headers: html })
    expect(operation.headers.get('content-type')).toMatch(/^application\/problem\+json/)
  },
)

it('browsers are asked to leave texts and values as they are', async () => {
  const page = await (await fetch(app.url, { headers: html })).text()
  expect(page).toContain('<html lang="en" translate="no">')
  expect(page).toContain('<meta name="google" content="notranslate">')
})

it('the theme is set by a script that runs before the styles are read', async () => {
  const page = await (await fetch(`${app.url}/`)).text()
  const [, path = ''] = /<script src="(assets\/theme-[^"]+)"><\/script>\s*<link rel="stylesheet"/.exec(page) ?? []
  const script = await (await fetch(`${app.url}/${path}`)).text()
  expect(script).toContain('prefers-color-scheme')
  expect(script).not.toMatch(/\b(import|export)\b/)
})

it('behind a proxy with a path the page refers to that path', async () => {
  const other = await startApp({ env: { PUBLIC_URL: 'https://telemetry.example/trace"fold' } })
  try {
    const page = await (await fetch(`${other.url}/`)).text()
    expect(page).toContain('<base href="/trace%22fold/">')
  } finally {
    await other.close()
  }
})

it('CONSOLE=off serves no page and accepts no session', async () => {
  const other = await startApp({ env: { CONSOLE: 'off' } })
  try {
    expect((await fetch(`${other.url}/`, { headers: html })).status).toBe(404)
    expect((await fetch(`${other.url}/login?link=x`)).status).toBe(404)
    const headers = { cookie: `tracefold_session_${new URL(other.url).port}=${'a'.repeat(43)}` }
    expect((await fetch(`${other.url}/api/v1/me`, { headers })).status).toBe(401)
  } finally {
    await other.close()
  }
})
