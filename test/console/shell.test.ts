import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import type { Role } from '../../server/auth/caller.ts'
import { openLocalKey } from '../../server/auth/local-tokens.ts'
import { loginAddress, signLoginLink } from '../../server/sessions/login-links.ts'
import { describeInChromium } from '../support/chromium.ts'
import { type ConsolePage, sharedConsole } from './console-page.ts'
import { firstMessage } from './sent-messages.ts'

/** What is around every page: the session, titles, the focus and the theme. */
describeInChromium('the shell', () => {
  const { test, open } = sharedConsole()
  let message = ''

  beforeAll(async () => {
    message = await firstMessage(test)
  })

  async function linkOf(org: string, subject: string, role: Role = 'admin'): Promise<string> {
    const caller = { org, role, subject }
    const link = await signLoginLink(await openLocalKey(test.app.config.dataDir), caller, new Date())
    return loginAddress(test.app.url, link)
  }

  /** Opens a login link in a second tab, and comes back to the first. */
  async function signInElsewhere({ context, page }: ConsolePage, org: string, subject: string, role?: Role) {
    const other = await context.newPage()
    await other.goto(await linkOf(org, subject, role))
    await other.close()
    await page.bringToFront()
  }

  const isFocused = (page: Page, heading: string) =>
    expect
      .poll(() => page.evaluate('document.activeElement.tagName + " " + document.activeElement.innerText'))
      .toBe(`H1 ${heading}`)

  it('a tab cannot write as another person than it shows, and then shows who is signed in', async () => {
    const shown = await open({ path: '/channels/new' })
    const { page, picture } = shown
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Of the shop')
    await page.getByRole('textbox', { name: 'URL of the receiver' }).fill('https://receiver.example')
    await signInElsewhere(shown, 'elsewhere', 'ada')
    await page.getByText(test.app.org, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create channel' }).click()
    await page.getByText('elsewhere', { exact: true }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('')
    await picture('another-organization')
    const made = await shown.context.request.get(`${test.app.url}/api/v1/alerting/channels`)
    expect(((await made.json()) as { items: object[] }).items).toEqual([])
    // What was typed is there again for the person who typed it.
    await signInElsewhere(shown, test.app.org, 'ada')
    await page.reload()
    await expect.poll(() => page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Of the shop')
  })

  it('a tab does not sign out another person than it shows, and then shows who is signed in', async () => {
    const shown = await open({ path: '/about' })
    const { page } = shown
    await page.getByText('ada · admin', { exact: true }).waitFor()
    // A request that is refused later would show who is signed in before the button is pressed.
    await page.waitForLoadState('networkidle')
    // Without another tab, whose end this one notices at once.
    await shown.context.request.get(await linkOf('elsewhere', 'grace'))
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('grace · admin', { exact: true }).waitFor()
    expect((await shown.context.request.get(`${test.app.url}/api/v1/me`)).status()).toBe(200)
  })

  it('a tab that is looked at again shows who is signed in, and their answers', async () => {
    const shown = await open()
    const { page } = shown
    await page.locator('.message-link').first().waitFor()
    await signInElsewhere(shown, 'elsewhere', 'grace')
    // Without a window, Chromium does not notice which tab is shown.
    await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
    await page.getByText('grace · admin', { exact: true }).waitFor()
    await page.getByText('elsewhere', { exact: true }).waitFor()
    await expect.poll(() => page.locator('.message-link').count()).toBe(0)
  })

  it.each([
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 360],
  ] as const)(
    'a tab that has become that of another person says so above its page (%s, %i pixels)',
    async (theme, width) => {
      const shown = await open({ theme, width, path: '/services' })
      const { page, picture, expectAccessible } = shown
      await page.getByRole('link', { name: 'checkout' }).first().waitFor()
      await signInElsewhere(shown, 'elsewhere', 'grace')
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
      const alert = page.getByRole('alert').filter({ hasText: 'grace in elsewhere, with the role admin' })
      await alert.getByText(`This page was open for ada in ${test.app.org}`).waitFor()
      await picture(`another-person-${theme}-${width}`)
      await expectAccessible()
      expect((await page.locator('main').boundingBox())?.width).toBeGreaterThan(300)
      await alert.getByRole('button', { name: 'Continue' }).click()
      await expect.poll(() => alert.count()).toBe(0)
    },
  )

  it('a person who signs in with another role keeps what is typed, unless the role may see less', async () => {
    const shown = await open({ path: '/services?show=facets' })
    const { page, picture } = shown
    await page.getByRole('button', { name: 'New facet' }).click()
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Typed')
    for (const role of ['contributor', 'restricted'] as const) {
      await signInElsewhere(shown, test.app.org, 'ada', role)
      await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`)
      await page.getByRole('alert').getByText(`is now ${role}.`).waitFor()
      if (role === 'contributor') expect(await name.inputValue()).toBe('Typed')
      await picture(`role-${role}`)
    }
    await expect.poll(() => name.count()).toBe(0)
  })

  it('no key works under the sign-in of a session that has ended', async () => {
    const { page, context } = await open({ path: '/integrations/new' })
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed')
    await context.clearCookies()
    await page.getByRole('button', { name: /^Create/ }).click()
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('?')
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect(new URL(page.url()).pathname).toBe('/integrations/new')
  })

  it('every page has its title, which a person hears because the focus follows', async () => {
    const { page } = await open()
    await expect.poll(() => page.title()).toBe('Messages · Tracefold')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('BODY')
    await page.getByRole('link', { name: 'Services' }).click()
    await isFocused(page, 'Services')
    await expect.poll(() => page.title()).toBe('Services · Tracefold')
    await page.getByRole('link', { name: 'checkout' }).first().click()
    await isFocused(page, 'Services / checkout')
    await expect.poll(() => page.title()).toBe('Services / checkout · Tracefold')
    await page.goBack()
    await expect
      .poll(() => page.getByRole('link', { name: 'checkout' }).first().and(page.locator(':focus')).count())
      .toBe(1)
    await expect.poll(() => page.title()).toBe('Services · Tracefold')
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goBack()
    // A narrow window shows this heading in the navigation, and hides the one of the page from sight.
    await isFocused(page, 'Messages')
    await page.goto(`${test.app.url}/nothing`)
    await page.getByRole('heading', { name: 'No such page' }).waitFor()
    await expect.poll(() => page.title()).toBe('No such page · Tracefold')
  })

  it.each([
    ['system', 'dark', 'dark'],
    ['light', 'dark', 'light'],
    ['dark', 'light', 'dark'],
  ] as const)('19: chosen %s on a %s system, the page is %s before its scripts run', async (chosen, theme, shown) => {
    const { page } = await open({
      theme,
      beforeLoad: async (page) => {
        await page.addInitScript(`localStorage.setItem('tracefold.preferences', '{"theme":"${chosen}"}')`)
        await page.route('**/assets/main-*.js', (route) => route.abort())
      },
    })
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe(shown)
  })

  it('19: a stored theme that the console does not know is that of the system, and is changed by a click', async () => {
    const { page } = await open({
      theme: 'dark',
      beforeLoad: (page) => page.addInitScript(`localStorage.setItem('tracefold.preferences', '{"theme":"sepia"}')`),
    })
    await page.getByRole('button', { name: 'Theme: system' }).click()
    await page.getByRole('button', { name: 'Theme: light' }).click()
    await page.getByRole('button', { name: 'Theme: dark' }).waitFor()
  })

  it('19: the minimap has the colours of the theme that the system changes to', async () => {
    const { page } = await open({ path: `/messages/${message}` })
    const drawn = () => page.evaluate(`document.querySelector('.minimap canvas').toDataURL()`)
    await page.locator('.minimap canvas').waitFor()
    const blank = await page.evaluate(`document.querySelector('.minimap canvas').cloneNode().toDataURL()`)
    await expect.poll(drawn).not.toBe(blank)
    const light = await drawn()
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(drawn).not.toBe(light)
    const dark = await drawn()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(drawn).not.toBe(dark)
  })
})
