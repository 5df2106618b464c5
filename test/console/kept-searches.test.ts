import type { Page, Request } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { holdBack, sharedConsole } from './console-page.ts'
import { firstMessage } from './sent-messages.ts'

/** What a person has searched for and typed, on the way through the console and while answers are late. */
describeInChromium('kept searches', () => {
  const { test, open } = sharedConsole()
  let message = ''

  beforeAll(async () => {
    message = await firstMessage(test, { order: 'oldest' })
  })

  const rows = [{ attribute_key: 'service.name', operator: 'exists' }]
  const everyStep = `rows=${encodeURIComponent(JSON.stringify(rows))}`
  const addressOf = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search
  const expectAddress = (page: Page, address: string) => expect.poll(() => addressOf(page)).toBe(address)
  /** Returns a list that gets every address that the page goes to from now on. */
  const visitedBy = (page: Page) => {
    const visited: string[] = []
    page.on('framenavigated', () => visited.push(addressOf(page)))
    return visited
  }
  const rowsOf = (page: Page) => page.locator('.messages tbody tr')

  async function runCommand(page: Page, words: string): Promise<void> {
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: /^Command/ }).fill(words)
    await page.keyboard.press('Enter')
  }

  it('3: the time range goes along to every page that has one', async () => {
    const { page, picture } = await open({ path: '/?last=6h&status=error' })
    const link = (name: string) => page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name })
    await rowsOf(page).first().waitFor()
    for (const [name, address] of [
      ['Integrations', '/integrations?last=6h'],
      ['Services', '/services?last=6h'],
      ['Logs', '/explore/logs?last=6h'],
      ['Metrics', '/explore/metrics?last=6h'],
      ['Messages', '/?last=6h'],
      ['Alerts', '/alerts'],
    ] as const) {
      await link(name).click()
      await expectAddress(page, address)
    }
    await page.goto(`${test.app.url}/services?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`)
    await link('Tracefold').click()
    await expectAddress(page, '/?from=2026-01-01T00%3A00%3A00Z&to=2026-01-02T00%3A00%3A00Z')
    await runCommand(page, 'services')
    await expectAddress(page, '/services?from=2026-01-01T00%3A00%3A00Z&to=2026-01-02T00%3A00%3A00Z')
    await picture('kept-window')
  })

  it('3: a message belongs to the messages, and another time range asks for them as before', async () => {
    const { page, picture } = await open({ path: `/messages/${message}?${everyStep}&last=6h&side=logs&status=ok` })
    await page.getByRole('tree').waitFor()
    const link = page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Messages' })
    expect(await link.getAttribute('aria-current')).toBe('page')
    expect(await page.locator('nav [aria-current]').count()).toBe(1)
    await picture('message-in-navigation')
    await runCommand(page, 'last 24')
    await expectAddress(page, `/?${everyStep}&status=ok&last=24h`)
  })

  it('3: an address of messages without the id of one is that of the list', async () => {
    const { page } = await open({ path: '/messages?last=6h&status=error' })
    await expectAddress(page, '/?last=6h&status=error')
  })

  it('3: a relative time range ends now when it is chosen, also again, or the filter changes much later', async () => {
    const ends: number[] = []
    const onRequest = (request: Request) => {
      if (!request.url().endsWith('/messages/search')) return
      ends.push(Date.parse((request.postDataJSON() as { to: string }).to))
    }
    const { page } = await open({
      beforeLoad: async (page) => {
        await page.clock.install()
        page.on('request', onRequest)
      },
    })
    await rowsOf(page).first().waitFor()
    const start = Date.now()
    const hoursLater = () => expect.poll(() => Math.round(((ends.at(-1) ?? 0) - start) / 3_600_000))
    await page.clock.fastForward('02:00:00')
    await runCommand(page, 'last 6')
    await hoursLater().toBe(2)
    await page.clock.fastForward('02:00:00')
    await page.getByRole('button', { name: /^Time range/ }).click()
    await page.getByRole('button', { name: 'Last 6 hours', exact: true }).click()
    await hoursLater().toBe(4)
    await page.clock.fastForward('02:00:00')
    await page.getByRole('button', { name: /Status of the message/ }).click()
    await page.getByRole('option', { name: 'with errors', exact: true }).click()
    await hoursLater().toBe(6)
    await page.clock.fastForward('02:00:00')
    await page.goBack()
    await hoursLater().toBe(8)
  })

  it.each([
    ['/explore/logs', /\/logs\/search$/],
    ['/explore/metrics', /\/metrics-catalog\?/],
    ['/services', /\/services\?/],
    ['/services/shop', /\/services\/shop\/widgets\?/],
    ['/integrations/new', /\/integrations\/preview$/],
    ['/alerts/rules/new', /\/alerting\/rules\/preview$/],
  ])('a relative time range of %s ends now when it is chosen in the palette', async (path, pattern) => {
    const ends: number[] = []
    const onRequest = (request: Request) => {
      if (!pattern.test(request.url())) return
      const { to = new URL(request.url()).searchParams.get('to') } = (request.postDataJSON() ?? {}) as { to?: string }
      ends.push(Date.parse(to ?? ''))
    }
    const { page } = await open({
      path,
      beforeLoad: async (page) => {
        await page.clock.install()
        page.on('request', onRequest)
      },
    })
    await expect.poll(() => ends.length).toBeGreaterThan(0)
    const start = Date.now()
    await page.clock.fastForward('02:00:00')
    // Nothing is typed, because the palette would read names, such as those of the services of the time range.
    await page.keyboard.press('Control+k')
    await page.getByRole('menuitem', { name: 'Time range: last 6 hours' }).click()
    // Not only the last one: a page without an answer also looks for the newest record that is stored, of any time.
    await expect.poll(() => ends.map((end) => Math.round((end - start) / 3_600_000))).toContain(2)
  })

  it('20: messages that were read stay when more of them cannot be read', async () => {
    const { page, picture, expectAccessible } = await open()
    await expect.poll(() => rowsOf(page).count()).toBe(50)
    await page.route('**/messages/search', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '1' } }))
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('alert').first().waitFor()
    expect(await rowsOf(page).count()).toBe(50)
    await page.getByRole('alert').first().scrollIntoViewIfNeeded()
    await picture('more-refused')
    await expectAccessible()
    await page.unroute('**/messages/search')
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await expect.poll(() => rowsOf(page).count()).toBe(100)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('3: a filter that changes while a view is being saved or deleted stays', async () => {
    const { page } = await open()
    const chooseStatus = async (words: string) => {
      await page.getByRole('button', { name: /Status of the message/ }).click()
      await page.getByRole('option', { name: words, exact: true }).click()
    }
    const save = await holdBack(page, '**/api/v1/saved-views')
    await page.getByRole('button', { name: 'Save as view' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Everything')
    await page.keyboard.press('Enter')
    await chooseStatus('with errors')
    await expectAddress(page, '/?status=error')
    save()
    await page.getByText('edited', { exact: true }).waitFor()
    expect(addressOf(page)).toMatch(/^\/\?status=error&view=/)
    await page.getByRole('button', { name: 'Discard' }).click()
    const remove = await holdBack(page, '**/api/v1/saved-views/*')
    await page.getByRole('button', { name: 'Delete the view' }).click()
    await page.getByRole('button', { name: 'Delete the view' }).click()
    await chooseStatus('without errors')
    await expect.poll(() => addressOf(page)).toMatch(/status=ok/)
    remove()
    await page.getByRole('button', { name: 'Save as view' }).waitFor()
    expect(new URL(page.url()).searchParams.get('status')).toBe('ok')
    await page.unroute('**/api/v1/saved-views')
    const saveAgain = await holdBack(page, '**/api/v1/saved-views')
    await page.getByRole('button', { name: 'Save as view' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Left behind')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Services', exact: true }).click()
    await page.getByRole('heading', { name: 'Services', level: 1 }).waitFor()
    const visited = visitedBy(page)
    const saved = page.waitForResponse('**/api/v1/saved-views')
    saveAgain()
    await saved
    // The list of views, which is read after it, is shown after what the save might have opened.
    await page.getByRole('link', { name: 'Views', exact: true }).click()
    await page.getByRole('link', { name: 'Left behind' }).waitFor()
    expect(visited).toEqual(['/views'])
  })

  it('7: a sentence that was cancelled asks nothing, and its fault is marked only where it was found', async () => {
    const { page } = await open({ path: '/?status=error' })
    const text = page.getByRole('textbox', { name: 'The search as a sentence' })
    await page.getByRole('button', { name: 'Edit as text' }).click()
    await text.fill('Messages with nonsense.')
    await page.keyboard.press('Enter')
    await page.locator('.sentence-fault mark').waitFor()
    await text.fill('All the messages with status ok.')
    await expect.poll(() => page.locator('.sentence-fault').count()).toBe(0)
    await text.fill('Messages with status unset, in the last hour.')
    const parsed = page.waitForRequest('**/messages/parse')
    await text.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    await text.fill('Messages with status ok, in the last hour.')
    const letGo = await holdBack(page, '**/messages/parse')
    await page.keyboard.press('Enter')
    // Enter that ends a composition sent nothing.
    expect((await parsed).postData()).toContain('status ok')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    const visited = visitedBy(page)
    const answered = page.waitForResponse('**/messages/parse')
    letGo()
    await answered
    // The next sentence is read after the one that was cancelled.
    await page.getByRole('button', { name: 'Edit as text' }).click()
    await text.fill('Messages, in the last hour.')
    await page.keyboard.press('Enter')
    await expectAddress(page, '/')
    expect(visited).toEqual(['/'])
  })

  const placeOf = (page: Page) => page.evaluate('document.querySelector("main").scrollTop')

  it('going back from a message leads to where the list was, with the focus on the message', async () => {
    const { page } = await open()
    const link = page.locator('.message-link').nth(40)
    await link.focus()
    const [place, address] = [await placeOf(page), await link.getAttribute('href')]
    expect(place).toBeGreaterThan(0)
    await link.press('Enter')
    await page.getByRole('tree').waitFor()
    await page.goBack()
    await expect.poll(() => page.locator('.message-link:focus').getAttribute('href')).toBe(address)
    await expect.poll(() => placeOf(page)).toBe(place)
  })

  it('a page that is opened begins at its top, wherever the page before it was', async () => {
    const { page } = await open({ path: '/services' })
    await page.setViewportSize({ width: 1_280, height: 300 })
    await page.locator('.services-table').waitFor()
    await page.evaluate('document.querySelector("main").scrollTop = 150')
    await expect.poll(() => placeOf(page)).toBe(150)
    await page.getByRole('navigation').getByRole('link', { name: 'Send data', exact: true }).click()
    await page.getByRole('heading', { name: 'Send data', level: 1 }).waitFor()
    await page.getByRole('heading', { name: '1. API key' }).waitFor()
    await expect.poll(() => placeOf(page)).toBe(0)
  })
})
