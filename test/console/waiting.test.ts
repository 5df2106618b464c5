import { once } from 'node:events'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openLocalKey } from '../../server/auth/local-tokens.ts'
import { loginAddress, signLoginLink } from '../../server/sessions/login-links.ts'
import { describeInChromium } from '../support/chromium.ts'
import { countOf, sharedConsole } from './console-page.ts'

/** Reads that an organization may run at once, and as many may wait. */
const turns = 16

/** Answers that take their time. The numbers are those of "It is good when" in the console's design. */
describeInChromium('comparisons, and waiting', () => {
  const { test, open } = sharedConsole()

  const orders = encodeURIComponent(JSON.stringify([{ attribute_key: 'order.id', operator: 'exists' }]))

  it('1: the page that waits for messages says so only once it knows that none has arrived', async () => {
    let count = () => {}
    const released = new Promise<void>((resolve) => {
      count = resolve
    })
    const hold = (page: Page) => page.route('**/messages/count', (route) => released.then(() => route.continue()))
    const { page } = await open({ path: '/start', beforeLoad: hold })
    await page.getByRole('status', { name: 'Counting messages' }).waitFor()
    expect(await page.getByText('Waiting for messages').count()).toBe(0)
    count()
    await page.getByRole('link', { name: 'Look at them' }).waitFor()
  })

  it('3, 19: failed messages are compared with others, and a value becomes a condition by a click', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const shown = await test.open({ theme })
      await shown.page.getByRole('radio', { name: 'Comparison' }).click()
      await shown.page.locator('.compared .share').first().waitFor()
      expect(shown.page.url()).toContain('compare=failures')
      await shown.expectAccessible()
      await shown.picture(`comparison-${theme}`)
      await shown.context.close()
    }
    const shown = await open({ path: '/?compare=failures' })
    const { page } = shown
    await page.locator('.compared .share').first().waitFor()
    const differences = await page.locator('.compared td:last-child').allTextContents()
    expect(differences.length).toBeGreaterThan(10)
    const sizes = differences.map((text) => Math.abs(Number.parseFloat(text.replace('−', '-'))))
    expect(sizes).toEqual(sizes.toSorted((x, y) => y - x))
    const line = page.locator('.compared tbody tr').nth(2)
    const [failed, others] = (await line.locator('.share > :last-child').allTextContents()).map(Number)
    await line.getByRole('button', { name: /^Search with/ }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => countOf(shown)).toBe((failed ?? 0) + (others ?? 0))
    await page.goBack()
    await expect.poll(() => countOf(shown)).toBe(120)
    await line.getByRole('button', { name: /^never/ }).click()
    await expect.poll(() => countOf(shown)).toBe(120 - (failed ?? 0) - (others ?? 0))
  })

  it('3, 20: other comparisons are in the address, and a side without messages is explained', async () => {
    const { page, picture } = await open({ path: `/?rows=${orders}` })
    await page.getByRole('radio', { name: 'Comparison' }).click()
    await page.getByText('Other messages, from').waitFor()
    expect(page.url()).toContain('compare=others')
    await page.getByRole('radio', { name: 'Slowest 5% with faster ones' }).click()
    await page.locator('.side-b', { hasText: 'duration_ms is less than' }).waitFor()
    await page.reload()
    await page.locator('.side-a', { hasText: 'duration_ms is at least' }).waitFor()
    await page.locator('.compared .share').first().waitFor()
    await page.setViewportSize({ width: 640, height: 860 })
    await expect.poll(() => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
    await picture('comparison-narrow')
    await page.setViewportSize({ width: 1_280, height: 860 })
    await page.getByRole('radio', { name: 'These with the time before' }).click()
    await page.getByText('No message of the time before matches.').waitFor()
    await picture('comparison-empty')
  })

  it('8, 20: a slow comparison says how long it has run, and cancelling ends its request', async () => {
    const { page, picture } = await open()
    // The engine is too fast for the shop's few messages, so the answer is held back.
    await page.route('**/messages/compare', () => undefined)
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/messages/compare'))
    await page.getByRole('radio', { name: 'Comparison' }).click()
    await page.locator('.running', { hasText: /\d s/ }).waitFor()
    await picture('comparison-running')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await ended
    await page.getByText('The comparison was cancelled.').waitFor()
    await page.unroute('**/messages/compare')
    await page.getByRole('button', { name: 'Compare again' }).click()
    await page.locator('.compared .share').first().waitFor()
  })

  it('3, 19: keys with more values than can be compared stand apart, with the share that carries them', async () => {
    const dayMs = 86_400_000
    const start = new Date(Date.now() - 2 * dayMs)
    const starts = BigInt(start.getTime()) * 1_000_000n
    const spans = Array.from({ length: 1_101 }, (_, index) => ({
      traceId: (index + 1).toString(16).padStart(32, '0'),
      spanId: (index + 1).toString(16).padStart(16, '0'),
      name: 'read',
      kind: 1,
      startTimeUnixNano: String(starts),
      endTimeUnixNano: String(starts + 1_000n),
      attributes: [{ key: 'ticket', value: { stringValue: `ticket ${index}` } }],
      status: { code: index < 100 ? 2 : 1 },
    }))
    await test.app.sendSpans({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans }] }] })
    const window = `from=${start.toISOString()}&to=${new Date(start.getTime() + 1_000).toISOString()}`
    const { page, picture, expectAccessible } = await open({ path: `/?compare=others&status=error&${window}` })
    await page.getByRole('heading', { name: 'Attributes with more than 1,000 values' }).waitFor()
    expect(await page.locator('.share-percent').allTextContents()).toEqual(['100%', '100%'])
    await expectAccessible()
    await picture('comparison-many-values')
    await page.getByRole('button', { name: 'never ticket', exact: true }).click()
    await page.getByText('No message matches.').waitFor()
  })

  /** Occupies turns of the organization with queries that sleep. Returns a function that ends them. */
  function occupy(count: number): () => Promise<void> {
    const { org, app } = test.app
    const ending = new AbortController()
    const query = { text: 'SELECT sleepEachRow(1) FROM numbers(60)', params: {} }
    const options = { for: { org, isBackground: false }, label: 'sleep', settings: { max_block_size: 1 } }
    // A query that ends at the time limit is followed by another one.
    const occupyTurn = async () => {
      while (!ending.signal.aborted)
        await app.clickhouse.read(query, { ...options, signal: ending.signal }).catch(() => undefined)
    }
    const reads = Array.from({ length: count }, occupyTurn)
    return async () => {
      ending.abort()
      await Promise.all(reads)
    }
  }

  /** Holds back the reads of the organization until they are aborted: a turn is waited for for a few seconds only. */
  function holdReads() {
    const { org, app } = test.app
    const { clickhouse } = app
    const read = clickhouse.read.bind(clickhouse)
    let waiting = 0
    clickhouse.read = async (query, options) => {
      if (options.for !== 'system' && options.for.org === org && options.signal !== undefined) {
        waiting += 1
        if (!options.signal.aborted) await once(options.signal, 'abort')
        waiting -= 1
      }
      return read(query, options)
    }
    return {
      waiting: () => waiting,
      release() {
        clickhouse.read = read
      },
    }
  }

  it('20: a server with too many queries (429) says so, and is tried again after the pause that it named', async () => {
    const { page, picture, expectAccessible } = await open({ theme: 'dark' })
    await page.locator('.message-link').first().waitFor()
    const release = occupy(2 * turns)
    try {
      await page.goto(`${test.app.url}/?order=oldest`)
      await page.getByRole('alert').getByText('Too many concurrent requests', { exact: true }).waitFor()
      await expectAccessible()
      await picture('state-too-many')
    } finally {
      await release()
    }
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await page.locator('.message-link').first().waitFor()
  })

  it('20: a server or a proxy without an answer (503, 502) is tried again when it may be', async () => {
    const { page, picture, expectAccessible } = await open()
    await page.locator('.message-link').first().waitFor()
    // The server of the tests is never down, and has no proxy in front.
    const detail = 'The telemetry store is starting. Retry later.'
    const problem = { type: 'about:blank', title: 'Service unavailable', status: 503, detail, code: 'unavailable' }
    const headers = { 'retry-after': '10' }
    await page.route('**/messages/search', (route) => route.fulfill({ status: 503, headers, json: problem }))
    await page.goto(`${test.app.url}/?order=oldest`)
    await page.getByText(detail).waitFor()
    expect(await page.getByRole('button', { name: /^Retry in \d+ s$/ }).isDisabled()).toBe(true)
    await page.getByText('The chart appears once there is an answer.').waitFor()
    await expectAccessible()
    await picture('state-unavailable')
    await page.unroute('**/messages/search')
    const body = '<h1>Bad gateway</h1>'
    await page.route('**/messages/search', (route) => route.fulfill({ status: 502, contentType: 'text/html', body }))
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await page.getByText('answered 502 without a problem document').waitFor()
    await page.unroute('**/messages/search')
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await page.locator('.message-link').first().waitFor()
  })

  it('20: what the role no longer allows (403) names the role that it needs', async () => {
    const { page, context, picture } = await open({ role: 'contributor' })
    const { app } = test
    await page.getByRole('button', { name: 'Save as view' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Refused')
    const other = await context.newPage()
    const caller = { org: app.org, role: 'viewer' as const, subject: 'ada' }
    const link = await signLoginLink(await openLocalKey(app.config.dataDir), caller, new Date())
    await other.goto(loginAddress(app.url, link))
    await page.bringToFront()
    await page.getByRole('textbox', { name: 'Name of the view' }).press('Enter')
    await page.getByText('This operation requires the role contributor; the caller has the role viewer.').waitFor()
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
    await picture('state-forbidden')
  })

  it('8, 20: a slow search says how long it has run, and is cancelled', async () => {
    const { page, picture, expectAccessible } = await open()
    await page.locator('.message-link').first().waitFor()
    // Held back, because the search of a few messages is never slow.
    await page.route('**/messages/search', () => undefined)
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/messages/search'))
    await page.getByRole('button', { name: /Order/ }).click()
    await page.getByRole('option', { name: 'longest first' }).click()
    await page.locator('.running', { hasText: /Searching….* s/ }).waitFor()
    await expectAccessible()
    await picture('state-slow')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await ended
    await page.getByText('The search was cancelled.').waitFor()
    await page.unroute('**/messages/search')
    await page.getByRole('button', { name: 'Search again' }).click()
    await page.locator('.message-link').first().waitFor()
  })

  it('8: leaving the page ends its search on the server', async () => {
    const { page } = await open()
    await page.locator('.message-link').first().waitFor()
    const { waiting, release } = holdReads()
    try {
      await page.goto(`${test.app.url}/?order=shortest`)
      await expect.poll(waiting).toBeGreaterThan(0)
      const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/messages/search'))
      await page.getByRole('link', { name: 'About' }).click()
      await ended
      await expect.poll(waiting).toBe(0)
    } finally {
      release()
    }
  })

  it('8: leaving the page while it exports asks first, and then ends the export', async () => {
    const { page, expectAccessible, picture } = await open()
    await page.locator('.message-link').first().waitFor()
    await page.route('**/messages/export', () => {})
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Messages as CSV' }).click()
    await page.getByText('Exporting…').waitFor()
    await page.getByRole('link', { name: 'About' }).click()
    const question = page.getByRole('dialog', { name: 'Leave and cancel the export?' })
    await question.waitFor()
    await expectAccessible()
    await picture('leave-export')
    await question.getByRole('button', { name: 'Stay' }).click()
    await page.getByText('Exporting…').waitFor()
    const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/messages/export'))
    await page.getByRole('link', { name: 'About' }).click()
    await question.getByRole('button', { name: 'Leave and cancel' }).click()
    await ended
    await page.getByRole('heading', { name: 'About', level: 1 }).waitFor()
  })
})
