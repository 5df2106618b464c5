import type { Locator, Page, Route } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { openLocalKey } from '../../server/auth/local-tokens.ts'
import { loginAddress, signLoginLink } from '../../server/sessions/login-links.ts'
import { describeInChromium } from '../support/chromium.ts'
import { type ConsolePage, sharedConsole } from './console-page.ts'

/** Answers other than the expected one. The numbers are those of "It is good when" in the console's design. */
describeInChromium('states of pages', () => {
  const { test, open, ask } = sharedConsole()
  const made = { integration: '', channel: '', rule: '' }

  beforeAll(async () => {
    const make = async (path: string, body: object) => (await ask<{ id: string }>('POST', path, body)).id
    const measured = { measure: 'span_count', comparator: 'gt', threshold: 1_000_000 }
    made.integration = await make('/integrations', { name: 'Shop', matchers: [{ service: 'checkout' }] })
    made.channel = await make('/alerting/channels', { name: 'Pager', config: { url: 'https://receiver.example' } })
    made.rule = await make('/alerting/rules', { name: 'Many spans', kind: 'trace', enabled: false, ...measured })
  })

  /** Each page, and the request that it cannot do without. */
  const pages: readonly (readonly [name: string, path: () => string, api: string])[] = [
    ['integrations', () => '/integrations', '/integrations?*'],
    ['counts of an integration', () => `/integrations/${made.integration}`, '/integrations/preview'],
    ['flow', () => `/integrations/${made.integration}/flow`, '/integrations/*/flow-graph*'],
    ['access', () => `/integrations/${made.integration}/access`, '/integrations/*/grants'],
    ['services', () => '/services', '/services?*'],
    ['dashboard', () => '/services/checkout', '/services/checkout/widgets?*'],
    ['overrides', () => '/services/checkout?show=facets', '/services/checkout/facet-overrides*'],
    ['classification', () => '/services/checkout?show=classification', '/services/checkout/facet-mappings*'],
    ['facets', () => '/services?show=facets', '/service-facets*'],
    ['logs', () => '/explore/logs', '/logs/search'],
    ['metrics', () => '/explore/metrics', '/metrics-catalog?*'],
    ['alert rules', () => '/alerts', '/alerting/rules?*'],
    ['alert rule', () => `/alerts/rules/${made.rule}`, '/alerting/rules/*'],
    ['preview of a rule', () => `/alerts/rules/${made.rule}`, '/alerting/rules/preview'],
    ['alerts', () => '/alerts?show=alerts', '/alerting/alerts?*'],
    ['channels', () => '/channels', '/alerting/channels?*'],
    ['channel', () => `/channels/${made.channel}`, '/alerting/channels/*'],
    ['deliveries', () => `/channels/${made.channel}?show=deliveries`, '/alerting/channels/*/deliveries?*'],
    ['views', () => '/views', '/saved-views?*'],
    ['API keys', () => '/settings', '/api-keys*'],
    ['audit log', () => '/settings?tab=audit', '/audit-log*'],
  ]

  const problem = (status: number, title: string, code: string) => ({
    status,
    headers: { 'retry-after': '1', 'content-type': 'application/problem+json' },
    body: JSON.stringify({ type: 'about:blank', title, status, detail: 'Retry later.', code }),
  })

  /** Waits for what is shown after pauses, such as the seconds that a server asks for, and lets them pass at once. */
  async function shownAfterPauses(page: Page, awaited: Locator): Promise<void> {
    const isShown = async () => {
      if (await awaited.isVisible()) return true
      await page.clock.fastForward(1_000)
      return false
    }
    await expect.poll(isShown).toBe(true)
  }

  it.each(pages)(
    '20: %s: a server that is busy (429, 503), gone or replaced is said, and tried again by a button',
    async (name, path, api) => {
      const pattern = `**/api/v1${api}`
      const answers: ((route: Route) => Promise<void>)[] = [
        (route) => route.fulfill(problem(503, 'Service unavailable', 'unavailable')),
        (route) => route.fulfill(problem(429, 'Too many concurrent requests', 'too_many_requests')),
        (route) => route.abort('connectionrefused'),
        (route) => route.fulfill({ json: {} }),
      ]
      let turn = 0
      const answer = (route: Route) => (answers[turn] ?? ((each: Route) => each.continue()))(route)
      const beforeLoad = async (page: Page) => {
        await page.clock.install()
        await page.route(pattern, answer)
      }
      const { page, expectAccessible, picture } = await open({ path: path(), beforeLoad })
      const retry = page.getByRole('button', { name: 'Retry', exact: true }).first()
      for (const words of ['Service unavailable', 'Too many concurrent requests', 'No answer', 'Unexpected answer']) {
        await shownAfterPauses(page, page.getByRole('alert').getByText(words, { exact: true }).first())
        if (turn === 0) {
          await expectAccessible()
          await picture(`unavailable-${name.replaceAll(' ', '-')}`)
        }
        turn += 1
        await shownAfterPauses(page, retry)
        await retry.click()
      }
      await expect.poll(() => page.getByRole('alert').count()).toBe(0)
      await expect.poll(() => page.locator('main .skeleton').count()).toBe(0)
    },
  )

  it.each([
    ['services', '/services', '/services?*'],
    ['dashboard', '/services/checkout', '/services/checkout/widgets/*/data*'],
    ['metrics', '/explore/metrics', '/metrics-catalog?*'],
    ['new integration', '/integrations/new', '/integrations/preview'],
  ])(
    '8, 20: %s: slow answers say how long they take, and are cancelled and requested again',
    async (name, path, api) => {
      const pattern = `**/api/v1${api}`
      const beforeLoad = async (page: Page) => {
        await page.clock.install()
        await page.route(pattern, () => undefined)
      }
      const { page, expectAccessible, picture } = await open({ path, beforeLoad })
      const ended = page.waitForEvent('requestfailed')
      const slow = page.locator('.slow-queries')
      await shownAfterPauses(page, slow.getByText(/^\d+ s$/))
      await expectAccessible()
      await picture(`slow-${name.replace(' ', '-')}`)
      await slow.getByRole('button', { name: 'Cancel' }).click()
      await ended
      await slow.getByText('Cancelled').waitFor()
      await page.unroute(pattern)
      await slow.getByRole('button', { name: 'Try again' }).click()
      await slow.waitFor({ state: 'detached' })
      await expect.poll(() => page.locator('main .skeleton').count()).toBe(0)
    },
  )

  /** Opens a login link in another tab, as a person does when a session has ended. */
  async function signInAgain({ context, page }: ConsolePage, subject = 'ada'): Promise<void> {
    const { app } = test
    const caller = { org: app.org, role: 'admin' as const, subject }
    const link = await signLoginLink(await openLocalKey(app.config.dataDir), caller, new Date())
    const other = await context.newPage()
    await other.goto(loginAddress(app.url, link))
    await other.close()
    await page.bringToFront()
    const isClosed = page.getByRole('dialog', { name: 'Sign in' }).waitFor({ state: 'detached' })
    // A request that is refused late reads again who is signed in, which closes the sign-in before the click.
    await Promise.race([isClosed, page.getByRole('button', { name: 'Continue' }).click()])
    await isClosed
  }

  async function fillChannel(page: Page): Promise<void> {
    await name(page).fill('Twice')
    await page.getByRole('textbox', { name: 'URL of the receiver' }).fill('https://twice.example')
  }

  const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })

  it.each([
    ['channel', () => `/channels/${made.channel}`],
    ['new channel', () => '/channels/new'],
    ['integration', () => `/integrations/${made.integration}`],
    ['alert rule', () => `/alerts/rules/${made.rule}`],
  ])('20: %s: a session that ends while it is edited loses nothing', async (kind, path) => {
    const shown = await open({ path: path() })
    const { page, context, expectAccessible, picture } = shown
    await name(page).fill(`Edited ${kind}`)
    const url = page.getByRole('textbox', { name: 'URL of the receiver' })
    if (kind === 'new channel') await url.fill('https://other.example')
    await context.clearCookies()
    const signIn = page.getByRole('dialog', { name: 'Sign in' })
    // The preview of a rule is read again meanwhile, so that the dialog may cover the button before the click.
    await page.getByRole('button', { name: /^(Save changes|Create)/, includeHidden: true }).dispatchEvent('click')
    await signIn.waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('This browser is not signed in yet').waitFor()
    const who = `--org ${test.app.org} --role admin --sub ada`
    await page.getByText(`npx tracefold login-link ${who} --url ${test.app.url}`).waitFor()
    await expectAccessible()
    await picture(`session-ended-${kind.replace(' ', '-')}`)
    await signInAgain(shown)
    if (kind !== 'alert rule') await page.getByText('The session had ended').waitFor()
    expect(await name(page).inputValue()).toBe(`Edited ${kind}`)
    // Signing in at an issuer loads the page again.
    await page.reload()
    await expect.poll(() => name(page).inputValue()).toBe(`Edited ${kind}`)
    if (kind === 'new channel') expect(await url.inputValue()).toBe('https://other.example')
    await page.getByRole('button', { name: /^(Save changes|Create)/ }).click()
    const done = page.locator('main').getByText(/^Saved\.?$|was created$/)
    await expect.poll(() => done.count()).toBe(1)
    await page.reload()
    await name(page).waitFor()
    expect(await page.getByText('Your earlier changes').count()).toBe(0)
  })

  it.each<[string, string, string, (page: Page) => Promise<void>, RegExp]>([
    ['channel', '/channels/new', 'channel-form', fillChannel, /not shown again/],
    [
      'API key',
      '/settings',
      'settings-form',
      (page) => page.getByLabel('What the key is for').fill('One'),
      /not shown again/,
    ],
    ['alert rule', '/alerts/rules/new', 'rule-editor', (page) => name(page).fill('One rule'), /^Saved$/],
  ])('%s: a form that is sent twice at once makes one record', async (_, path, form, fill, done) => {
    const { page } = await open({ path })
    const sent: string[] = []
    await fill(page)
    page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
    await page.evaluate(`(() => {
      const form = document.querySelector('form.${form}')
      form.requestSubmit()
      form.requestSubmit()
    })()`)
    await page.getByText(done).first().waitFor()
    expect(sent.filter((each) => /(channels|rules|api-keys)$/.test(each))).toHaveLength(1)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('20: typed credentials of a channel are not kept in the browser, which is said', async () => {
    const { page } = await open({ path: `/channels/${made.channel}` })
    await name(page).fill('With a credential')
    await page.getByRole('button', { name: /Authorization header/ }).click()
    await page.getByLabel('Authorization header').fill('Bearer never-kept')
    await expect.poll(() => page.evaluate('JSON.stringify({ ...sessionStorage })')).toContain('With a credential')
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('never-kept')
    await page.reload()
    await page.getByText('Credentials are not kept: enter them again.').waitFor()
    await page.getByRole('button', { name: 'Discard them' }).click()
    const kept = 'Object.keys(sessionStorage).filter((key) => key.includes("channel"))'
    await expect.poll(() => page.evaluate(kept)).toEqual([])
  })

  it('20: another person who signs in sees nothing of what was typed before', async () => {
    const shown = await open({ path: `/channels/${made.channel}` })
    const { page, context } = shown
    const stored = await name(page).inputValue()
    await name(page).fill('Typed by ada')
    await context.clearCookies()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await signInAgain(shown, 'grace')
    await expect.poll(() => name(page).inputValue()).toBe(stored)
    expect(await page.getByText('Your earlier changes').count()).toBe(0)
    await page.getByText('grace · admin').waitFor()
  })
})
