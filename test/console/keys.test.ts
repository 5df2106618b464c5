import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { holdBackAnswer, noteRequests, sharedConsole, untilQuiet } from './console-page.ts'
import { expectFocus, focusOn, press } from './focus.ts'
import { requestOf } from './sent-messages.ts'

const json = (value: object) => encodeURIComponent(JSON.stringify(value))

/** What each key does, and what a person hears who works with keys alone. */
describeInChromium('the keys', () => {
  const { test, open, ask } = sharedConsole()

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const field = (page: Page, name: string) => page.getByRole('combobox', { name })
  const said = (page: Page) => page.locator('[data-announcements]').textContent()

  async function sendChain(traceId: string): Promise<void> {
    const start = BigInt(Date.now() - 60_000) * 1_000_000n
    const spans = [1, 2, 3, 4].map((id) => ({
      id,
      parent: Math.min(id - 1, 2),
      name: `link ${id}`,
      start: start + BigInt(id),
      end: start + 1_000n,
    }))
    await test.app.sendSpans(requestOf(traceId, spans))
  }

  it('19: copying says that it is done and keeps the focus, on plain HTTP as well', async () => {
    const { page } = await open({
      // Browsers offer no clipboard on plain HTTP, except on the machine itself, as here.
      beforeLoad: (loaded) =>
        loaded.addInitScript('Object.defineProperty(navigator, "clipboard", { value: undefined })'),
    })
    const copied = button(page, 'Copied')
    // The button and the announcement say so for a moment only.
    const isSaid = Promise.all([copied.waitFor(), expect.poll(() => said(page)).toBe('Copied')])
    await press(button(page, 'Copy as curl'))
    await isSaid
    await copied.waitFor({ state: 'detached' })
    await expectFocus(button(page, 'Copy as curl'))
    expect(await said(page)).toBe('')
    const why = button(page, 'Why not here?')
    await press(why)
    await page.keyboard.press('Control+v')
    expect(await page.locator('main input:focus').inputValue()).toContain('curl')
  })

  it('19: a service that is added to an integration gets what is typed next', async () => {
    const { page } = await open({ path: '/integrations/new' })
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Parcels')
    await press(button(page, 'Add service'))
    await expectFocus(field(page, 'Name of service 2'))
    await page.keyboard.type('shipping')
    expect(await field(page, 'Name of service 2').inputValue()).toBe('shipping')
  })

  it('19: the focus stays at a button that has saved, and a second Enter does nothing', async () => {
    const made = { name: 'Carts', matchers: [{ service: 'cart' }] }
    const { id } = await ask<{ id: string }>('POST', '/integrations', made)
    const { page } = await open({ path: '/about' })
    const requests = await noteRequests(page)
    await page.goto(`${test.app.url}/integrations/${id}`)
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Carts of today')
    const save = button(page, 'Save changes')
    await press(save)
    await page
      .getByRole('status')
      .filter({ hasText: /^Saved$/ })
      .waitFor()
    await expectFocus(save)
    await page.keyboard.press('Enter')
    await untilQuiet(requests)
    expect(await page.getByRole('listitem', { name: /^Service \d/ }).count()).toBe(1)
    const sent = await ask<{ name: string; version: number }>('GET', `/integrations/${id}`)
    expect(sent).toMatchObject({ name: 'Carts of today', version: 2 })
  })

  it('19: Tab goes to the chosen one of a few values, and arrow keys to the others', async () => {
    const { page } = await open({ path: '/?chart=table&compare=others' })
    await page.getByRole('heading', { name: /with errors/ }).waitFor()
    const segment = (name: string) => page.getByRole('radio', { name, exact: true })
    await focusOn(button(page, 'Copy the sentence'))
    await page.keyboard.press('Tab')
    await expectFocus(segment('Table'))
    await page.keyboard.press('ArrowLeft')
    await expectFocus(segment('Durations'))
    await page.keyboard.press('Shift+Tab')
    await expectFocus(button(page, 'Copy the sentence'))
  })

  it('19: the palette offers what it found first, also while other names arrive', async () => {
    await ask('POST', '/saved-views', { name: 'The checkout that failed', rows: [], status: 'error' })
    const { page } = await open({ path: '/about' })
    await page.getByRole('heading', { name: 'About', level: 1 }).waitFor()
    const held = await holdBackAnswer(page, '**/api/v1/services?*')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('checkou')
    await held.isAnswered
    await held.letGo()
    await page.getByRole('menuitem', { name: 'The checkout that failed' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname).toBe('/services/checkout')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('s')
    await expect.poll(() => page.locator('.palette [role=menuitem][data-focused]').textContent()).toContain('Services')
  })

  it('19: in the tree → expands a step and goes on to its first child, and ← back', async () => {
    const traceId = 'a1'.repeat(16)
    await sendChain(traceId)
    const { page } = await open({ path: `/messages/${traceId}` })
    const step = (name: string) => page.getByRole('treeitem', { name, selected: true })
    await page.getByRole('tree').focus()
    for (const [key, name] of [
      ['ArrowRight', 'link 2'],
      ['ArrowRight', 'link 3'],
      ['ArrowRight', 'link 3'],
      ['ArrowLeft', 'link 2'],
      ['ArrowLeft', 'link 2'],
      ['ArrowRight', 'link 2'],
      ['ArrowRight', 'link 3'],
    ] as const) {
      await page.keyboard.press(key)
      await step(name).waitFor()
    }
  })

  it('19: n names the step that it goes to, and ids are copied by keys', async () => {
    const traceId = 'a2'.repeat(16)
    await sendChain(traceId)
    const { page } = await open({ path: `/messages/${traceId}` })
    await page.getByRole('tree').waitFor()
    await page.keyboard.press('n')
    await expect.poll(() => said(page)).toMatch(/link 2$/)
    for (const id of ['trace', 'span']) {
      const isCopied = button(page, 'Copied').waitFor()
      await press(button(page, `Copy the ${id} id`))
      await isCopied
      await button(page, 'Copied').waitFor({ state: 'detached' })
    }
  })

  it('19: keys are those of the Latin layout on a keyboard in Cyrillic, and Caps Lock changes none', async () => {
    const { page } = await open()
    await page.getByRole('heading', { name: /with errors/ }).waitFor()
    const press = (init: object) => page.locator('body').dispatchEvent('keydown', { bubbles: true, ...init })
    await press({ key: 'л', code: 'KeyK', ctrlKey: true })
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await press({ key: 'T', code: 'KeyT' })
    await expectFocus(page.getByRole('textbox', { name: 'Any time' }))
  })

  it('19: t and arrow keys choose a time range', async () => {
    const { page } = await open()
    await page.getByRole('heading', { name: /with errors/ }).waitFor()
    await page.keyboard.press('t')
    await expectFocus(page.getByRole('textbox', { name: 'Any time' }))
    await page.keyboard.press('ArrowUp')
    await expectFocus(button(page, 'Last 7 days'))
    await page.keyboard.press('ArrowUp')
    await expectFocus(button(page, 'Last 24 hours'))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await expectFocus(page.getByRole('textbox', { name: 'Any time' }))
    await page.keyboard.press('ArrowDown')
    await expectFocus(button(page, 'Last 5 minutes'))
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('last')).toBe('7d')
  })

  it('19: a share that is drawn beside its number is not read aloud, nor are bytes that fit', async () => {
    const { page } = await open()
    const row = page.locator('.messages tbody tr').first()
    await row.waitFor()
    expect(await row.getByRole('meter').count()).toBe(0)
    const template = {
      name: 'Body',
      config: { url: 'https://receiver.example/', format: 'template', body_template: '{}' },
    }
    const { id } = await ask<{ id: string }>('POST', '/alerting/channels', template)
    await page.goto(`${test.app.url}/channels/${id}`)
    await page.getByText('2 of 32,768 bytes').waitFor()
    expect(await page.getByRole('status').filter({ hasText: 'bytes' }).count()).toBe(0)
  })

  it('20: after signing in again the focus is in the field that was typed into', async () => {
    const { page } = await open({ path: '/about' })
    const requests = await noteRequests(page)
    await page.goto(`${test.app.url}/integrations/new`)
    const name = field(page, 'Name of service 1')
    await name.focus()
    const session = await page.context().cookies()
    await page.context().clearCookies()
    await page.keyboard.type('shipping')
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.waitFor()
    // A request that is refused late reads again who is signed in, which would close the sign-in before the key.
    await untilQuiet(requests)
    await page.context().addCookies(session)
    await press(dialog.getByRole('button', { name: 'Continue' }))
    await dialog.waitFor({ state: 'detached' })
    await expectFocus(name)
  })

  it('3: a rule keeps the time range in which it was made', async () => {
    const rows = [{ attribute_key: 'http.route', operator: 'exists' }]
    const { page } = await open({ path: `/?last=6h&rows=${json(rows)}` })
    await press(page.getByRole('link', { name: 'New alert rule' }))
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Routes')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Alerts / Routes' }).waitFor()
    expect(new URL(page.url()).search).toBe('?last=6h')
  })
})
