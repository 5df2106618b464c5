/** Signing in through an OpenID provider: a real one, over its own forms. */
import { generateKeyPairSync } from 'node:crypto'
import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { launchChromium, shownMsMax } from '../support/chromium.ts'
import { type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts'

const secret = 'a secret of the console, which only tests know'

let provider: OpenIdProvider
let app: TestApp
beforeAll(async () => {
  provider = await startOpenIdProvider()
  app = await startApp({ env: settingsOf(provider) })
  provider.register({ id: 'console', secret, redirectUri: `${app.url}/login/callback` })
})
afterAll(async () => {
  await app.close()
  await provider.stop()
})

function settingsOf({ issuer }: OpenIdProvider) {
  return {
    AUTH_ISSUER: issuer,
    AUTH_AUDIENCE: 'tracefold',
    AUTH_JWKS_URL: `${issuer}/jwks`,
    AUTH_CLIENT_ID: 'console',
    AUTH_CLIENT_SECRET: secret,
  }
}

beforeEach(() => {
  provider.claims = { org: app.org, role: 'viewer' }
})

/** A browser of a server as far as signing in goes: cookies by server, and forms that are filled in. */
function openBrowser({ url }: Pick<TestApp, 'url'> = app) {
  const jars = new Map<string, Map<string, string>>()
  const visit = async (address: string, form?: Record<string, string>): Promise<Response> => {
    const { origin } = new URL(address)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const body = form && { method: 'POST', body: new URLSearchParams(form) }
    const response = await fetch(address, { redirect: 'manual', headers: { cookie }, ...body })
    for (const text of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      jar.set(name, value)
    }
    return response
  }
  /** Follows redirects until a page of the provider or of the console, and returns its address. */
  const follow = async (start: string, form?: Record<string, string>): Promise<string> => {
    let address = start
    let response = await visit(address, form)
    while (response.headers.has('location')) {
      address = new URL(response.headers.get('location') ?? '', address).href
      if (address.startsWith(`${url}/login/callback`) || !address.startsWith(url)) response = await visit(address)
      else return address
    }
    return address
  }
  /** Returns the address to which the provider leads back after both of its forms. */
  const toProvider = async (page = '') => follow(`${url}/login${page && `?return=${encodeURIComponent(page)}`}`)
  return {
    follow,
    visit,
    toProvider,
    async signIn(page?: string): Promise<string> {
      const consent = await follow(await toProvider(page), { prompt: 'login', login: 'ada', password: 'any' })
      return follow(consent, { prompt: 'consent' })
    },
    ask: async () => (await visit(`${url}/api/v1/me`)).json(),
  }
}

it('a person is signed in as the ID token says, and led back to the page', async () => {
  const browser = openBrowser()
  expect(await browser.signIn('messages/a?from=-1h&rows=%5B%5D')).toBe(`${app.url}/messages/a?from=-1h&rows=%5B%5D`)
  expect(await browser.ask()).toEqual({ subject: 'ada', org: app.org, role: 'viewer' })
})

it.each(['header', 'body'] as const)(
  'a client that may send its secret only in the %s signs people in',
  async (way) => {
    provider.secretIn = way
    onTestFinished(() => void delete provider.secretIn)
    expect(await openBrowser().signIn()).toBe(`${app.url}/`)
  },
)

it('a provider that comes to sign with another algorithm signs people in, after one attempt', async () => {
  const changing = await startOpenIdProvider()
  onTestFinished(() => changing.stop())
  const other = await startApp({ env: settingsOf(changing) })
  onTestFinished(() => other.close())
  const client = { id: 'console', secret, redirectUri: `${other.url}/login/callback` }
  changing.claims = provider.claims
  changing.register(client)
  expect(await openBrowser(other).signIn()).toBe(`${other.url}/`)
  changing.register({ ...client, algorithm: 'ES256' })
  expect(await openBrowser(other).signIn()).toBe(`${other.url}/sign-in?fault=refused`)
  expect(await openBrowser(other).signIn()).toBe(`${other.url}/`)
})

it.each(['https://evil.example/', '//evil.example/', '/other', '\\\\evil.example', 'javascript:alert(1)', '../x'])(
  'nobody is led from here to %j',
  async (page) => {
    const { origin } = new URL(await openBrowser().signIn(page))
    expect(origin).toBe(app.url)
  },
)

describe('nobody is signed in', () => {
  const refused = (fault: string) => `${app.url}/sign-in?fault=${fault}`

  it.each([{}, { org: 'acme' }, { org: 'acme', role: 'owner' }, { org: '', role: 'viewer' }])(
    'whose ID token says %j',
    async (claims) => {
      provider.claims = claims
      const browser = openBrowser()
      expect(await browser.signIn()).toBe(refused('claims'))
      expect(await browser.ask()).toMatchObject({ status: 401 })
    },
  )

  it('by a code that another browser got', async () => {
    const [thief, victim] = [openBrowser(), openBrowser()]
    await thief.toProvider()
    await victim.toProvider()
    const address = new URL(`${app.url}/login/callback?code=x&state=y`).href
    expect(await victim.follow(address)).toBe(refused('refused'))
    expect(await openBrowser().follow(address)).toBe(refused('expired'))
  })

  it('whose ID token another key has signed than the provider publishes', async () => {
    const forged = await startOpenIdProvider()
    onTestFinished(() => forged.stop())
    const other = await startApp({ env: settingsOf(forged) })
    onTestFinished(() => other.close())
    forged.register({ id: 'console', secret, redirectUri: `${other.url}/login/callback` })
    forged.claims = { org: 'acme', role: 'admin' }
    const { keys } = (await (await fetch(`${forged.issuer}/jwks`)).json()) as { keys: { kty: string }[] }
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
    const { n } = publicKey.export({ format: 'jwk' })
    forged.keys = { keys: keys.map((key) => (key.kty === 'RSA' ? { ...key, n } : key)) }
    expect(await openBrowser(other).signIn()).toBe(`${other.url}/sign-in?fault=refused`)
  })

  it('who declines', async () => {
    const browser = openBrowser()
    const form = await browser.toProvider()
    expect(await browser.follow(`${form}/abort`)).toBe(refused('refused'))
  })

  it('while the provider refuses the client, and the log says what it responded', async () => {
    const other = await startApp({ env: { ...settingsOf(provider), AUTH_CLIENT_SECRET: 'another' } })
    onTestFinished(() => other.close())
    provider.register({ id: 'console', secret, redirectUri: `${other.url}/login/callback` })
    onTestFinished(() => provider.register({ id: 'console', secret, redirectUri: `${app.url}/login/callback` }))
    expect(await openBrowser(other).signIn()).toBe(`${other.url}/sign-in?fault=refused`)
    const reasons = other.logLines().map(({ reason }) => reason)
    expect(reasons).toContainEqual(expect.stringMatching(/^401 invalid_client ./))
  })

  it('twice by one code', async () => {
    const browser = openBrowser()
    const consent = await browser.follow(await browser.toProvider(), { prompt: 'login', login: 'ada', password: 'any' })
    const resumed = await browser.visit(consent, { prompt: 'consent' })
    const callback = await browser.visit(resumed.headers.get('location') ?? '')
    const address = callback.headers.get('location') ?? ''
    expect(await browser.follow(address)).toBe(`${app.url}/`)
    expect(await browser.follow(address)).toBe(refused('expired'))
  })

  it('while the provider cannot be reached to confirm it', async () => {
    const browser = openBrowser()
    const consent = await browser.follow(await browser.toProvider(), { prompt: 'login', login: 'ada', password: 'any' })
    const resumed = await browser.visit(consent, { prompt: 'consent' })
    const callback = await browser.visit(resumed.headers.get('location') ?? '')
    await provider.stop()
    expect(await browser.follow(callback.headers.get('location') ?? '')).toBe(refused('unavailable'))
    await provider.start()
  })

  it('while the provider cannot be reached, which is logged once and ends with the outage', async () => {
    const other = await startApp({ env: settingsOf(provider) })
    await provider.stop()
    for (let attempt = 0; attempt < 2; attempt++) {
      const response = await fetch(`${other.url}/login`, { redirect: 'manual' })
      expect(response.headers.get('location')).toBe('sign-in?fault=unavailable')
    }
    await provider.start()
    const response = await fetch(`${other.url}/login`, { redirect: 'manual' })
    expect(response.headers.get('location')).toContain(`${provider.issuer}/auth?`)
    const lines = other.logLines().filter(({ msg }) => /sign in to the console/.test(String(msg)))
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info'])
    expect(JSON.stringify(other.logLines())).not.toContain(secret)
    await other.close()
  })
})

it.each(['a b', '[::', 'a:b', 'a:99999', 'ada@here', 'a/b', '%'])(
  'a request to sign in with the header `Host: %s` is refused, and so is one that leads back with it',
  async (host) => {
    const attempt = { state: 'a', nonce: 'b', verifier: 'c', returnTo: '' }
    const [, port = ''] = /:(\d+)$/.exec(host) ?? []
    const name = `tracefold_sign_in${port && `_${port}`}`
    const cookie = `${name}=${Buffer.from(JSON.stringify(attempt)).toString('base64url')}`
    for (const path of ['/login', '/login/callback?code=x&state=a']) {
      const { statusCode, text } = await sendWithHost(host, path, cookie)
      expect([path, statusCode]).toEqual([path, 400])
      expect(JSON.parse(text)).toMatchObject({ code: 'invalid_request', detail: expect.stringContaining('`Host`') })
    }
  },
)

/** Sends a GET with a header `Host` that `fetch` does not send. */
function sendWithHost(host: string, path: string, cookie: string): Promise<{ statusCode: number; text: string }> {
  return new Promise((resolve, reject) => {
    get(`${app.url}${path}`, { headers: { host, cookie } }, (response) => {
      text(response).then((body) => resolve({ statusCode: response.statusCode ?? 0, text: body }), reject)
    }).on('error', reject)
  })
}

it('in a browser, one button leads to the provider and back to the page', async ({ skip }) => {
  const browser = await launchChromium(skip)
  const page = await browser.newPage()
  page.setDefaultTimeout(shownMsMax)
  await page.goto(`${app.url}/?last=6h`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByPlaceholder('Enter any login').fill('ada')
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Messages' }).first().waitFor()
  expect(page.url()).toContain(`${app.url}/?`)
  expect(page.url()).toContain('last=6h')
})
