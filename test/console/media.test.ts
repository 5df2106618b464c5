import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { countOf, sharedConsole } from './console-page.ts'
import { expectFocus, focusOn, press } from './focus.ts'

/** Windows between those of a phone and of a desktop, forced colours, and paper. */
describeInChromium('the console in other media', () => {
  const { open, ask } = sharedConsole()

  /** Returns by how many pixels the content of an element is wider, and higher, than the element. */
  function hiddenOf(element: Locator): Promise<{ readonly right: number; readonly below: number }> {
    return element.evaluate(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => ({
      right: scrollWidth - clientWidth,
      below: scrollHeight - clientHeight,
    }))
  }

  it.each([820, 1_024])(
    'lists of integrations and alert rules and comparisons fit into a window of %i pixels',
    async (width) => {
      const matchers = [{ service: 'checkout' }, { service: 'payment' }]
      await ask('POST', '/integrations', { name: `Orders and payments ${width}`, matchers })
      const measured = { measure: 'message_count', comparator: 'gt', threshold: 1_000_000 }
      await ask('POST', '/alerting/rules', { name: `Too many orders ${width}`, kind: 'trace', ...measured })
      const { page, picture } = await open({ width, path: '/integrations' })
      await page.getByRole('button', { name: `More about Orders and payments ${width}` }).waitFor()
      expect((await hiddenOf(page.locator('.messages-box'))).right).toBe(0)
      await picture(`integrations-${width}`)
      await page.getByRole('link', { name: 'Tracefold' }).focus()
      await page.keyboard.press('Control+k')
      await page.keyboard.type('alerts')
      await page.keyboard.press('Enter')
      await page.getByRole('link', { name: `Too many orders ${width}` }).waitFor()
      expect((await hiddenOf(page.locator('.records-box'))).right).toBe(0)
      await picture(`alert-rules-${width}`)
      await page.goto(new URL('/?compare=failures', page.url()).href)
      await page.locator('.compared-value').first().waitFor()
      expect((await hiddenOf(page.locator('.messages-box').first())).right).toBe(0)
      await picture(`comparison-${width}`)
    },
  )

  it('in a low window the navigation scrolls alone', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await page.setViewportSize({ width: 1_024, height: 500 })
    expect((await hiddenOf(page.locator('html'))).below).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).focus()
    expect((await page.getByRole('button', { name: 'Sign out' }).boundingBox())?.y).toBeLessThan(500)
  })

  it('19: in a browser in Arabic texts are English, and arrow keys go where they point', async () => {
    const { page } = await open({ language: 'ar', path: '/?chart=table&compare=others' })
    await page.getByRole('heading', { name: /with errors/ }).waitFor()
    await focusOn(page.getByRole('radio', { name: 'Table' }))
    await page.keyboard.press('ArrowLeft')
    await expectFocus(page.getByRole('radio', { name: 'Durations' }))
    await press(page.getByRole('button', { name: 'Add condition' }))
    const announced = page.locator('div[data-live-announcer]')
    await expect.poll(() => announced.textContent()).toMatch(/\d options available/)
  })

  it.each([-2, 2])('2: the last hour is that of the server for a clock that is off by %i hours', async (hours) => {
    const turn = `{
      const now = () => RightDate.now() + ${hours * 3_600_000}
      const RightDate = Date
      window.Date = class extends RightDate {
        static now = now
        constructor(...parts) {
          super(...(parts.length === 0 ? [now()] : parts))
        }
      }
    }`
    const shown = await open({ path: '/?last=1h', beforeLoad: (page) => page.addInitScript(turn) })
    expect(await countOf(shown)).toBeGreaterThanOrEqual(120)
  })

  it('19: with forced colours what is chosen shows whether it has the focus', async () => {
    const { page } = await open({ beforeLoad: (loaded) => loaded.emulateMedia({ forcedColors: 'active' }) })
    const counts = page.getByRole('radio', { name: 'Counts' })
    await counts.waitFor()
    const outline = () => counts.evaluate((element) => element.computedStyleMap().get('outline-offset')?.toString())
    const before = await outline()
    await focusOn(page.getByRole('button', { name: 'Copy the sentence' }))
    await page.keyboard.press('Tab')
    expect(await counts.evaluate((element) => element.matches(':focus-visible'))).toBe(true)
    expect(await outline()).not.toBe(before)
  })

  it('19: with forced colours what is disabled looks disabled, and only the current page is outlined', async () => {
    const beforeLoad = (loaded: Page) => loaded.emulateMedia({ forcedColors: 'active' })
    const { page, picture } = await open({ path: '/integrations/new', beforeLoad })
    const create = page.getByRole('button', { name: 'Create integration' })
    await create.waitFor()
    const styleOf = (element: Locator, name: string) =>
      element.evaluate((each, property) => each.computedStyleMap().get(property)?.toString(), name)
    const enabled = await styleOf(page.getByRole('button', { name: 'Add service' }), 'color')
    expect(await styleOf(create, 'color')).not.toBe(enabled)
    // The link to the list above a page is outlined, and read aloud, as the current page otherwise.
    const above = page.getByRole('banner').getByRole('link', { name: 'Integrations' })
    expect(await above.getAttribute('aria-current')).toBeNull()
    await picture('forced-colours')
  })

  it('a page is printed whole, without the navigation', async () => {
    const { page } = await open()
    await page.locator('.messages tbody tr').nth(30).waitFor()
    expect((await hiddenOf(page.locator('main'))).below).toBeGreaterThan(500)
    await page.emulateMedia({ media: 'print' })
    expect((await hiddenOf(page.locator('main'))).below).toBe(0)
    expect(await page.getByRole('navigation').count()).toBe(0)
  })

  it.each([1_024, 1_280])('3: nothing moves when a view is named in a window of %i pixels', async (width) => {
    const { page, picture } = await open({ width })
    await page.locator('.messages tbody tr').first().waitFor()
    const topOf = async () => (await page.locator('main').boundingBox())?.y
    const top = await topOf()
    await page.getByRole('button', { name: 'Save as view' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).waitFor()
    expect(await topOf()).toBe(top)
    await picture(`view-name-${width}`)
  })

  it('9: two chosen columns fit into a window of 1,280 pixels beside the counts of steps', async () => {
    const columns = ['customer.id', 'user.session'].map((attribute_key) => ({ attribute_key }))
    const { page, picture } = await open({ path: `/?columns=${encodeURIComponent(JSON.stringify(columns))}` })
    await page.locator('.messages tbody tr').first().waitFor()
    expect((await hiddenOf(page.locator('.messages-box'))).right).toBe(0)
    await picture('two-columns')
  })
})
