import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

describeInChromium('unsaved forms', () => {
  const { test, open, ask } = sharedConsole()

  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without saving?' })
  const stay = (page: Page) => question(page).getByRole('button', { name: 'Stay' }).click()
  const discard = (page: Page) => question(page).getByRole('button', { name: 'Leave and discard' }).click()
  const show = (page: Page, tab: string) => page.getByRole('radio', { name: tab, exact: true }).click()
  const hide = (page: Page, slug: string) =>
    page
      .getByRole('radiogroup', { name: `Override of ${slug}` })
      .getByRole('radio', { name: 'Hidden' })
      .click()
  const unsaved = (page: Page) => page.getByText('Not saved yet: hidden worker.')

  it('overrides are left only after a question: for another page, another tab, back and a reload', async () => {
    const { page, expectAccessible, picture } = await open({ path: '/services' })
    await page.getByRole('link', { name: 'checkout', exact: true }).click()
    await show(page, 'Facets')
    await hide(page, 'worker')
    await unsaved(page).waitFor()
    await page.getByRole('link', { name: 'Logs' }).click()
    await question(page).waitFor()
    await expectAccessible()
    await picture('overrides-leave')
    await stay(page)
    await show(page, 'Dashboard')
    await stay(page)
    await page.goBack()
    await stay(page)
    await unsaved(page).waitFor()
    await expect.poll(() => page.url()).toContain('show=facets')
    const opened = page.waitForEvent('dialog')
    await page.evaluate('setTimeout(() => location.reload())')
    const dialog = await opened
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    const signOut = page.getByRole('button', { name: 'Sign out' })
    await signOut.click()
    await page.getByRole('dialog', { name: 'Sign out without saving?' }).getByRole('button', { name: 'Stay' }).click()
    await unsaved(page).waitFor()
    await show(page, 'Classification')
    await discard(page)
    await page.getByText('The service has no rules.').waitFor()
    await show(page, 'Facets')
    await page.getByRole('radiogroup', { name: 'Override of worker' }).waitFor()
    expect(await unsaved(page).count()).toBe(0)
    // Without edits there is no question.
    await page.getByRole('link', { name: 'Logs' }).click()
    await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor()
    await page.goBack()
    await hide(page, 'worker')
    await unsaved(page).waitFor()
    await signOut.click()
    await page
      .getByRole('dialog', { name: 'Sign out without saving?' })
      .getByRole('button', { name: 'Sign out' })
      .click()
    await page.getByRole('heading', { name: 'Sign in', level: 1 }).waitFor()
  })

  it('overrides stay while another time range is read, even if the server does not answer', async () => {
    const { page } = await open({ path: '/services/checkout?show=facets' })
    await hide(page, 'worker')
    const choose = async (words: string) => {
      await page.getByRole('button', { name: /^Time range/ }).click()
      await page.getByRole('button', { name: words }).click()
    }
    await choose('Last 6 hours')
    await expect.poll(() => page.url()).toContain('6h')
    await unsaved(page).waitFor()
    await page.route('**/facet-overrides*', (route) => route.fulfill({ status: 503 }))
    await choose('Last 24 hours')
    await page.getByRole('alert').first().waitFor()
    await page.unroute('**/facet-overrides*')
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await unsaved(page).waitFor()
    await page.getByRole('button', { name: 'Save overrides' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Save overrides' }).count()).toBe(0)
    expect(await ask('GET', '/services/checkout/facet-overrides')).toMatchObject({ exclude: ['worker'] })
    // What was saved is left without a question.
    await page.getByRole('link', { name: 'Services', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Services', level: 1 }).waitFor()
    await ask('PUT', '/services/checkout/facet-overrides', { include: [], exclude: [] })
  })

  it('a new classification rule is left only after a question, and stays while counts are read', async () => {
    const { page } = await open({ path: '/services/cart?show=classification' })
    await page.getByRole('button', { name: 'New rule' }).click()
    // Suggestions hide the rest of the page from assistive technology, and from locators, while they are open.
    await page.keyboard.press('Tab')
    await show(page, 'Facets')
    await page.getByRole('radiogroup', { name: 'Override of worker' }).waitFor()
    await show(page, 'Classification')
    await page.getByRole('button', { name: 'New rule' }).click()
    const attribute = page.getByRole('combobox', { name: 'Attribute' })
    await attribute.fill('messaging.system')
    await page.keyboard.press('Tab')
    await show(page, 'Facets')
    await stay(page)
    expect(await attribute.inputValue()).toBe('messaging.system')
    await page.route('**/facet-mappings*', (route) => route.fulfill({ status: 503 }))
    await page.getByRole('button', { name: /^Time range/ }).click()
    await page.getByRole('button', { name: 'Last 6 hours' }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await attribute.inputValue()).toBe('messaging.system')
    await page.unroute('**/facet-mappings*')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('button', { name: 'Delete rule 1' }).waitFor()
    await page.getByRole('link', { name: 'Logs' }).click()
    await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor()
  })

  it('19: after a form is closed, the focus returns to the button that opened it', async () => {
    await ask('POST', '/service-facets', { name: 'Edited', description: '' })
    const { page } = await open({ path: '/services?show=facets' })
    const focused = () => page.locator(':focus').textContent()
    for (const name of ['New facet', 'Edit Edited']) {
      await page.getByRole('button', { name }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Typed')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await expect.poll(focused).toContain(name.split(' ')[0])
    }
    await page.goto(`${test.app.url}/services/checkout?show=classification`)
    await page.getByRole('button', { name: 'New rule' }).click()
    await page.getByRole('combobox', { name: 'Attribute' }).fill('messaging.system')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.getByRole('button', { name: 'Delete rule 1' }).waitFor()
    await expect.poll(focused).toContain('New rule')
  })

  it('a facet form is left only after a question, and by another form never', async () => {
    for (const name of ['Nightly jobs', 'Tier one']) await ask('POST', '/service-facets', { name, description: '' })
    const { page, picture } = await open({ path: '/services?show=facets' })
    await page.getByRole('button', { name: 'New facet' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Billing jobs')
    await show(page, 'Services')
    await stay(page)
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Billing jobs')
    await page.getByRole('button', { name: 'Edit Tier one' }).click()
    await picture('two-facet-forms')
    await page
      .getByRole('form', { name: 'Facet tier-one' })
      .getByRole('textbox', { name: 'Description' })
      .fill('The ones that page people')
    await page.getByRole('link', { name: 'Logs' }).click()
    await stay(page)
    await page.getByRole('button', { name: 'Create facet' }).click()
    await page.getByText('billing-jobs', { exact: true }).waitFor()
    const other = page.getByRole('textbox', { name: 'Description' })
    expect(await other.inputValue()).toBe('The ones that page people')
    await page.getByRole('link', { name: 'Logs' }).click()
    await discard(page)
    await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor()
  })

  it.each([
    ['/channels/new', 'tracefold.channel'],
    ['/integrations/new', 'tracefold.integration'],
  ])('edits that an earlier console kept in another form do not break %s', async (path, kind) => {
    const { page } = await open({ path })
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Typed before the upgrade')
    const key = `Object.keys(sessionStorage).find((each) => each.startsWith('${kind} '))`
    await page.waitForFunction(key)
    await page.reload()
    await expect.poll(() => name.inputValue()).toBe('Typed before the upgrade')
    const earlier = JSON.stringify({ draft: { name: 'Typed before the upgrade' }, base: {} })
    await page.evaluate(`sessionStorage.setItem(${key}, ${JSON.stringify(earlier)})`)
    await page.reload()
    await expect.poll(() => name.inputValue()).toBe('')
  })

  it('a form is typed and saved where the browser has no space to keep its edits', async () => {
    const { page } = await open({ path: '/channels/new' })
    await page.evaluate(`for (let length = 2 ** 23; length >= 1; length /= 2) {
      try {
        for (;;) sessionStorage.setItem(crypto.randomUUID(), 'x'.repeat(length))
      } catch {}
    }`)
    await page.getByRole('textbox', { name: 'Name' }).fill('Not kept')
    await page.getByRole('textbox', { name: 'URL of the receiver' }).fill('https://receiver.example')
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('Not kept')
    await page.getByRole('button', { name: /^Create/ }).click()
    await page.getByText(/not shown again/).waitFor()
  })

  it('pages are shown, and forms typed and saved, where the browser refuses to store anything', async () => {
    const refuse = `for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('denied', 'SecurityError') } })`
    const { id } = await ask<{ id: string }>('POST', '/integrations', { name: 'Shop', matchers: [] })
    const { page } = await open({ path: '/channels/new', beforeLoad: (page) => page.addInitScript(refuse) })
    await page.getByRole('textbox', { name: 'Name' }).fill('Not stored')
    await page.getByRole('textbox', { name: 'URL of the receiver' }).fill('https://receiver.example')
    await page.getByRole('button', { name: /^Create/ }).click()
    await page.getByText(/not shown again/).waitFor()
    await page.goto(`${test.app.url}/integrations/${id}`)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('heading', { name: 'Shop' }).waitFor()
    await page.goto(test.app.url)
    await page.locator('.message-link').first().click()
    await page.getByRole('separator', { name: 'Width of the names' }).press('ArrowRight')
    await page.getByRole('button', { name: 'Theme: system' }).click()
    await page.getByRole('button', { name: 'Theme: light' }).waitFor()
  })
})
