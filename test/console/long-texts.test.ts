import type { Locator } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

const minuteMs = 60_000
/** More than a row with two lines of text is high, as its time has, and less than one with three. */
const rowPixels = 60

interface ServiceCell {
  /** The number that the cell says. */
  readonly text: string
  readonly all: number
  /** How many names can be seen, and how many of these are cut at the edge of the cell. */
  readonly shown: number
  readonly cut: number
}

const serviceCells = `[...document.querySelectorAll('.messages td.services > div')].map((cell) => {
  const [number, names] = cell.children
  const box = names.getBoundingClientRect()
  const seen = [...names.children].map((name) => name.getBoundingClientRect()).filter(({ top }) => top < box.bottom - 1)
  const cut = seen.filter(({ right }) => right > box.right + 1).length
  return { text: number.textContent, all: cell.title.split(', ').length, shown: seen.length, cut }
})`

/** Numbers and names that are longer than those of the demo, in lists and charts. */
describeInChromium('long texts', () => {
  const { test, open, ask } = sharedConsole()

  beforeAll(async () => {
    const minute = Math.floor(Date.now() / minuteMs) * minuteMs
    const nsAt = (minutesAgo: number) => String(BigInt(minute - minutesAgo * minuteMs) * 1_000_000n)
    const dataPoints = [20, 16, 12].map((minutesAgo) => ({
      timeUnixNano: nsAt(minutesAgo),
      asDouble: minutesAgo * minuteMs,
    }))
    const observed = [20, 16].map((minutesAgo) => ({
      startTimeUnixNano: nsAt(minutesAgo + 1),
      timeUnixNano: nsAt(minutesAgo),
      count: '15502',
      sum: 5_810,
      bucketCounts: ['15502'],
      explicitBounds: [],
      attributes: [{ key: 'http.route', value: { stringValue: '/api/11' } }],
    }))
    const metrics = [
      { name: 'queue.delay', unit: 'ms', gauge: { dataPoints } },
      { name: 'http.duration', unit: 'ms', histogram: { dataPoints: observed, aggregationTemporality: 1 } },
    ]
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'storefront' } }] }
    await test.app.sendMetrics({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] })
  })

  /** Returns the left edges of the elements that are the first of their lines. */
  async function lineStarts(elements: Locator): Promise<number[]> {
    const starts = new Map<number, number>()
    for (const element of await elements.all()) {
      const { x = 0, y = 0 } = (await element.boundingBox()) ?? {}
      const line = Math.round(y)
      starts.set(line, Math.min(starts.get(line) ?? x, x))
    }
    return [...starts.values()].map(Math.round)
  }

  it('the list of messages says how many services each has, and shows names whole where there is room', async () => {
    for (const width of [1_280, 1_920]) {
      const { page, context, picture } = await test.open({ width })
      await page.locator('.message-link').first().waitFor()
      await picture(`message-services-${width}`)
      const cells = (await page.evaluate(serviceCells)) as readonly ServiceCell[]
      expect(cells.some(({ shown }) => shown > 1)).toBe(true)
      expect(cells.filter(({ text, all, cut }) => text !== String(all) || cut > 0)).toEqual([])
      await context.close()
    }
  })

  it('counts of many digits move nothing when they arrive', async () => {
    const json = { message_count: 1_204_377, error_message_count: 45_299, matched_step_count: 15_050_738 }
    let count = () => {}
    const isCounted = new Promise<void>((resolve) => {
      count = resolve
    })
    const { page, picture } = await open({
      beforeLoad: (opened) =>
        opened.route('**/messages/count', async (route) => {
          await isCounted
          await route.fulfill({ json })
        }),
    })
    await page.locator('.message-link').first().waitFor()
    await page.getByRole('heading', { name: 'Counting…' }).waitFor()
    const before = await page.locator('.messages-box').boundingBox()
    count()
    await page.getByRole('heading', { name: /^1,204,377 messages/ }).waitFor()
    await picture('counts-of-many-digits')
    expect(await page.locator('.messages-box').boundingBox()).toEqual(before)
  })

  it('the sentence of a long value leaves room for what was found', async () => {
    const rows = [{ attribute_key: 'exception.stacktrace', operator: 'neq', value: 'at Cart.pay '.repeat(300) }]
    const path = `/?rows=${encodeURIComponent(JSON.stringify(rows))}`
    const { page, picture, expectAccessible } = await open({ path, theme: 'dark' })
    const sentence = page.locator('.sentence').getByText(/^Messages where exception.stacktrace never equals/)
    await sentence.waitFor()
    const line = page.locator('.message-link').first()
    await line.waitFor()
    await picture('long-sentence')
    expect((await line.boundingBox())?.y).toBeLessThan(860)
    await expectAccessible()
    await sentence.focus()
    await sentence.press('End')
    await expect.poll(() => sentence.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0)
  })

  it('a long value leaves room in lists of views, in rules and in explanations, and can be seen whole', async () => {
    const value = 'x'.repeat(4_000)
    const row = { attribute_key: 'tenant', operator: 'eq', value }
    await ask('POST', '/saved-views', { name: 'Long', rows: [row], window: { kind: 'relative', last_s: 3_600 } })
    const matcher = { service: 'cart', attribute_key: 'tenant', operator: 'equals', value }
    const { id } = await ask<{ id: string }>('POST', '/integrations', { name: 'Long', matchers: [matcher] })
    const { page, expectAccessible, picture } = await open({ path: '/views' })
    const { messages } = await ask<{ messages: { trace_id: string }[] }>('POST', '/messages/search', { limit: 1 })
    for (const [path, block] of [
      ['/views', '.view-card'],
      [`/integrations/${id}`, '.rule-summary'],
      [`/messages/${messages[0]?.trace_id}?rows=${encodeURIComponent(JSON.stringify([row]))}&side=why`, '.explanation'],
    ] as const) {
      await page.goto(test.app.url + path)
      const text = page.locator(block).first()
      const whole = text.getByRole('button', { name: /^Show all [\d,]+ characters$/ })
      await whole.first().waitFor()
      expect([path, (await text.textContent())?.includes(value)]).toEqual([path, false])
      await expectAccessible()
      await picture(
        `long-value${path
          .replace(/\?.*/, '')
          .replace(/\/[\dA-Za-z]{26,}/, '')
          .replaceAll('/', '-')}`,
      )
      await whole.first().click()
      await expect.poll(async () => (await text.textContent())?.includes(value)).toBe(true)
    }
  })

  it('the facets of a service begin at one edge in all lines', async () => {
    const { page, picture } = await open({ path: '/services', width: 1_100 })
    const line = page.getByRole('row', { name: /^checkout/ })
    await line.waitFor()
    await picture('facets-wrapped')
    const starts = await lineStarts(line.locator('.facet-link'))
    expect(starts.length).toBeGreaterThan(1)
    expect(new Set(starts).size).toBe(1)
  })

  it('the actions of an attribute of a log record share a line', async () => {
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'storefront' } }] }
    const record = { timeUnixNano: `${Date.now()}000000`, body: { stringValue: 'a short record' } }
    await test.app.sendLogs({ resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] })
    const { page, picture } = await open({ path: '/explore/logs' })
    await page.getByText('a short record', { exact: true }).click()
    const actions = page.locator('.log-actions').first().getByRole('button')
    await actions.first().waitFor()
    await picture('log-actions')
    expect(await actions.count()).toBe(2)
    expect(await lineStarts(actions)).toHaveLength(1)
  })

  it('a severity of any length stays in its place, and is whole in its tooltip', async () => {
    const severities = ['INFO', 'CRITICAL', 'EMERGENCY', `two\nlines ${'x'.repeat(90)}`]
    const logRecords = severities.map((severityText, index) => ({
      timeUnixNano: `${Date.now() + index}000000`,
      severityNumber: index === 0 ? 9 : 21,
      severityText,
      traceId: 'e'.repeat(32),
      body: { stringValue: 'of some severity' },
    }))
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'storefront' } }] }
    const body = JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })
    const headers = { 'content-type': 'application/json' }
    expect((await test.app.send('/v1/logs', { method: 'POST', headers, body })).status).toBe(200)
    for (const width of [1_280, 390]) {
      const { page, context, picture } = await test.open({ path: '/explore/logs?text=severity', width })
      const lines = page.locator('.log-record summary')
      await expect.poll(() => lines.count()).toBe(severities.length)
      await picture(`log-severities-${width}`)
      for (const line of await lines.all()) {
        const severity = await line.locator('.severity').boundingBox()
        const service = await line.locator('.service').boundingBox()
        expect((severity?.x ?? 0) + (severity?.width ?? 0)).toBeLessThan(service?.x ?? 0)
        expect(severity?.height).toBeLessThan(rowPixels / 2)
      }
      const shown = await page.locator('.severity').evaluateAll((each) => each.map(({ title }) => title))
      expect(shown.toReversed()).toEqual(severities)
      await context.close()
    }
  })

  it('the services of an integration begin at one edge in all lines', async () => {
    const services = ['checkout-of-the-web-shop', 'payments-of-partners', 'warehouse-in-the-north', 'mail']
    const matchers = services.map((service) => ({ service, service_match: 'exact' }))
    await ask('POST', '/integrations', { name: 'Orders', rule_match: 'any', matchers })
    const { page, picture } = await open({ path: '/integrations' })
    await page.getByRole('link', { name: 'Orders', exact: true }).waitFor()
    await picture('integration-services-wrapped')
    const starts = await lineStarts(page.locator('.integration-services > *'))
    expect(starts.length).toBeGreaterThan(1)
    expect(new Set(starts).size).toBe(1)
  })

  it('a metric with a long name and many services leaves room for the others in the list', async () => {
    const dataPoints = [{ timeUnixNano: `${Date.now() - 60_000}000000`, asDouble: 1 }]
    const metrics = [{ name: 'n'.repeat(1_000), description: 'd'.repeat(2_000), gauge: { dataPoints } }]
    const resourceMetrics = Array.from({ length: 15 }, (_, service) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: `${'s'.repeat(20)}-${service}` } }] },
      scopeMetrics: [{ metrics }],
    }))
    await test.app.sendMetrics({ resourceMetrics })
    const { page, picture } = await open({ path: '/explore/metrics?q=nnn' })
    const line = page.getByRole('row', { name: /nnn/ })
    await line.getByText('+5', { exact: true }).waitFor()
    expect((await line.boundingBox())?.height).toBeLessThan(300)
    await picture('metric-long-name')
  })

  it('the summaries of alerts begin at one place, and a long one is whole once its alert is opened', async () => {
    const words = 'the number of failed spans of the service storefront over 5 minutes is 12, which is above 5. '
    const alert = { rule_id: '01M8BCSXAS88HCZP6S52J4M71J', state: 'firing', severity: 'warning', channel_ids: [] }
    const values = { comparator: 'gt', threshold: 5, value: 12, resolved_at: null, started_at: '2026-03-01T09:00:00Z' }
    const items = [1, 2, 9].map((times) => ({
      ...alert,
      ...values,
      id: `01M8BCTBZFFE5E0EDTGTYFPJD${times}`,
      rule_name: 'Errors',
      summary: words.repeat(times),
    }))
    const { page, picture } = await open({
      path: '/alerts?show=alerts',
      beforeLoad: (opened) =>
        opened.route('**/api/v1/alerting/alerts?*', (route) => route.fulfill({ json: { items, next_cursor: null } })),
    })
    const summaries = page.locator('.alert-summary')
    await expect.poll(() => summaries.count()).toBe(3)
    await picture('alert-summaries')
    expect(new Set(await lineStarts(summaries)).size).toBe(1)
    expect((await summaries.last().textContent())?.length).toBeLessThan(words.length * 9)
    await summaries.last().click()
    await page.locator('.alert-details').getByText(words.repeat(9).trim(), { exact: true }).waitFor()
  })

  it('the numbers beside a chart are whole', async () => {
    const { page, picture } = await open({ path: '/explore/metrics?metric=queue.delay' })
    const chart = page.getByRole('slider', { name: /^queue\.delay/ })
    await chart.locator('.u-over').waitFor()
    await picture('chart-long-numbers')
    const textWidth = await page.evaluate(`(() => {
      const context = document.createElement('canvas').getContext('2d')
      context.font = '11px ' + getComputedStyle(document.body).fontFamily
      return context.measureText('16 min 40 s').width
    })()`)
    const { width = 0 } = (await chart.locator('.u-axis').nth(1).boundingBox()) ?? {}
    expect(width).toBeGreaterThan(Number(textWidth))
  })

  it('the value of a point does not take more lines than its time', async () => {
    const { page, picture } = await open({ path: '/explore/metrics?metric=http.duration&show=points' })
    const value = page.getByRole('cell', { name: '15,502 observed, sum 5.81 s' }).first()
    await value.waitFor()
    await picture('points-of-observations')
    expect((await value.boundingBox())?.height).toBeLessThan(rowPixels)
  })

  it.each([
    ['/', 768],
    ['/services/checkout', 1_440],
  ])('a chart of %s stays where it is pointed at', async (path, width) => {
    const { page } = await open({ path, width })
    const chart = page.getByRole('slider').first()
    await chart.waitFor()
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    await chart.scrollIntoViewIfNeeded()
    const before = await chart.boundingBox()
    await chart.hover()
    await page.locator('.chart-readout, .plot-legend strong').first().waitFor()
    expect(await chart.boundingBox()).toEqual(before)
  })

  it('the name and the buttons of a chart share a line, however long it and its time zone are', async () => {
    const timeZone = 'America/Argentina/Buenos_Aires'
    const { page, picture } = await open({ path: '/services/checkout', width: 1_440, timeZone })
    for (const title of ['Spans per second', 'Requests per second by status class']) {
      const heading = page.getByRole('figure', { name: title }).locator('figcaption')
      await heading.getByText(/Buenos Aires/).waitFor()
      await picture(`dashboard-long-zone-${title.length}`)
      const name = await heading.getByText(title).boundingBox()
      const button = await heading.getByRole('button', { name: 'Table' }).boundingBox()
      expect(button?.y).toBeLessThan((name?.y ?? 0) + (name?.height ?? 0))
    }
  })
})
