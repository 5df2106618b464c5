import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { countOf, sharedConsole } from './console-page.ts'

/** More than one line of text is high, and less than two. */
const lineHeight = 30

/** Returns whether the first letter of the last text of an element can be seen. What is cut is not at its place. */
function isBeginningSeen(page: Page, element: string): Promise<unknown> {
  return page.evaluate(`(() => {
    const element = document.querySelector('${element}')
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {}
    const range = document.createRange()
    range.setStart(texts.currentNode, 0)
    range.setEnd(texts.currentNode, 1)
    const { left, right, top, bottom } = range.getBoundingClientRect()
    return element.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2))
  })()`)
}

describeInChromium('names of services', () => {
  const { test, open, ask } = sharedConsole()

  it('a service whose name is dots leads to its messages, because browsers take dots out of addresses', async () => {
    const startTimeUnixNano = `${Date.now()}000000`
    const resourceSpans = ['.', '..', '...', '%2E%2E', 'a/b'].map((name, at) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: name } }] },
      scopeSpans: [
        {
          spans: [
            {
              traceId: `${`${at}`.repeat(31)}a`,
              spanId: `${`${at}`.repeat(15)}a`,
              name: 'work',
              startTimeUnixNano,
              endTimeUnixNano: startTimeUnixNano,
            },
          ],
        },
      ],
    }))
    await test.app.sendSpans({ resourceSpans })
    const shown = await open({ path: '/services' })
    const { page, picture, expectAccessible } = shown
    const named = (name: string) => page.getByRole('link', { name, exact: true })
    for (const name of ['...', '%2E%2E', 'a/b']) {
      await named(name).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await page.locator('.dashboard-section').first().waitFor()
      await page.goBack()
    }
    await picture('services-dots')
    await expectAccessible()
    for (const name of ['.', '..']) {
      await page.goto(`${test.app.url}/services`)
      await named(`Messages of ${name}`).click()
      await expect.poll(() => decodeURIComponent(page.url())).toContain(`"value":"${name}"`)
      expect(await countOf(shown)).toBe(1)
    }
  })

  /** A name that cannot be broken at a space, and the most that the API takes. */
  const endless = 'x'.repeat(200)

  async function sendEndless() {
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: endless } }] }
    const timeUnixNano = `${Date.now() - 60_000}000000`
    const traceId = 'e'.repeat(32)
    const attributes = ['one', 'two'].map((key) => ({ key, value: { stringValue: endless } }))
    const span = { traceId, spanId: 'e'.repeat(16), name: endless.repeat(10), startTimeUnixNano: timeUnixNano }
    await test.app.sendSpans({
      resourceSpans: [{ resource, scopeSpans: [{ spans: [{ ...span, endTimeUnixNano: timeUnixNano, attributes }] }] }],
    })
    const exemplars = [{ timeUnixNano, asDouble: 7, traceId, spanId: span.spanId }]
    const buckets = { explicitBounds: [], bucketCounts: ['18446744073709551615'] }
    const point = { timeUnixNano, count: '18446744073709551615', ...buckets, attributes, exemplars }
    const histogram = { aggregationTemporality: 1, dataPoints: [point] }
    const metrics = [{ name: endless, description: endless, unit: 'ms', histogram }]
    await test.app.sendMetrics({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] })
  }

  async function createEndless() {
    const name = endless
    const matchers = ['a', 'b', 'c'].map((letter) => ({ service: letter.repeat(200) }))
    const integration = await ask<{ id: string }>('POST', '/integrations', { name, description: name, matchers })
    await ask('PUT', `/integrations/${integration.id}/grants`, { subjects: [endless] })
    await ask('POST', '/service-facets', { name, description: name })
    await ask('POST', '/saved-views', { name, rows: [], window: { kind: 'relative', last_s: 3_600 } })
    const config = { url: 'http://receiver.example/' }
    const channel = await ask<{ id: string }>('POST', '/alerting/channels', { name, config })
    const conditions = [{ attribute_key: endless, operator: 'eq', value: endless }]
    const measured = {
      kind: 'trace',
      measure: 'span_count',
      comparator: 'lt',
      threshold: 0,
      service: endless,
      conditions,
    }
    const rule = { name, ...measured, channel_ids: [channel.id] }
    const { id } = await ask<{ id: string }>('POST', '/alerting/rules', rule)
    return { id, integration: integration.id }
  }

  it('a name of 200 characters without a space widens no page and no list, and leaves room for others', async () => {
    await sendEndless()
    const rule = await createEndless()
    const by = JSON.stringify([{ attribute_key: 'one' }, { attribute_key: 'two' }])
    const { page, picture } = await open()
    for (const [path, line] of [
      [`/?by=${encodeURIComponent(by)}`, '.breakdown tbody tr'],
      ['/integrations', '.integrations tbody tr'],
      ['/services?show=facets', '.facet-line'],
      [`/services/${endless}?show=facets`, '.overrides tbody tr'],
      ['/explore/metrics', '.metrics-table tbody tr'],
      [`/explore/metrics?metric=${endless}&aggregation=count`, '.plot figcaption'],
      [`/explore/metrics?metric=${endless}&show=points`, '.metrics-table tbody tr'],
      ['/alerts', '.records tbody tr'],
      [`/alerts/rules/${rule.id}`, '.rule-preview .plot'],
      ['/views', '.view-card'],
      [`/messages/${'e'.repeat(32)}`, '.message-header h2'],
      [`/integrations/${rule.integration}/access`, '.subjects li'],
    ] as const) {
      await page.goto(test.app.url + path)
      await page.locator(line).first().waitFor()
      if (path === '/views') await page.getByRole('button', { name: /^Delete/ }).click()
      const wide = await page
        .locator('main, .card, .messages-box, .records-box')
        .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).map((box) => box.className))
      expect([path, wide]).toEqual([path, []])
      const heights = await page.locator(line).evaluateAll((lines) => lines.map((each) => each.clientHeight))
      expect([path, Math.max(...heights) <= 300]).toEqual([path, true])
      if (path.endsWith('points')) await page.getByText('18,446,744,073,709,551,615 observed').waitFor()
      await picture(`endless-${line.replaceAll(/[^a-z]+/g, '-').slice(1)}`)
    }
  })

  it('names and keys that are cut are whole in their tooltips', async () => {
    await sendEndless()
    await ask('POST', '/api-keys', { name: endless, role: 'ingest' })
    await ask('POST', '/saved-views', { name: 'Endless', rows: [{ attribute_key: endless, operator: 'exists' }] })
    const columns = encodeURIComponent(JSON.stringify([{ attribute_key: endless }]))
    const cut = `[...document.querySelectorAll('main *, [role=dialog] *')].filter((element) =>
      getComputedStyle(element).textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth)`
    const unnamed = `${cut}.filter((each) => each.closest('[title]') === null && each.querySelector('[title]') === null)
      .map(({ className, textContent }) => className + ': ' + textContent.slice(0, 40))`
    const { page } = await open()
    for (const path of ['/services', '/settings', `/?columns=${columns}`]) {
      await page.goto(test.app.url + path)
      await page.getByText(endless, { exact: true }).filter({ visible: true }).first().waitFor()
      if (path.startsWith('/?')) {
        await page.getByRole('button', { name: 'Views' }).click()
        await page.locator('.view-item').first().waitFor()
      }
      expect(Number(await page.evaluate(`${cut}.length`))).toBeGreaterThan(0)
      expect([path, await page.evaluate(unnamed)]).toEqual([path, []])
    }
  })

  it('a long service takes one line and leaves room for a name, and a subject has its button beside it', async () => {
    await sendEndless()
    const { id } = await ask<{ id: string }>('POST', '/integrations', { name: 'Granted' })
    await ask('PUT', `/integrations/${id}/grants`, { subjects: [endless] })
    const { page } = await open({ width: 390, path: `/messages/${'e'.repeat(32)}` })
    const service = page.locator('.message-services > span').first()
    await service.waitFor()
    expect((await service.boundingBox())?.height).toBeLessThan(lineHeight)
    expect(await service.getAttribute('title')).toBe(endless)
    expect(await isBeginningSeen(page, '.message-header h2')).toBe(true)
    const header = page.locator('.span-panel header')
    const [dot, name] = [header.locator('.service-dot'), header.getByRole('link', { name: endless })]
    await name.waitFor()
    const distance = ((await name.boundingBox())?.y ?? 0) - ((await dot.boundingBox())?.y ?? 0)
    expect(Math.abs(distance)).toBeLessThan(lineHeight / 2)
    await page.goto(test.app.url)
    const link = `.message-link[href*="${'e'.repeat(32)}"]`
    await page.locator(link).scrollIntoViewIfNeeded()
    expect(await isBeginningSeen(page, link)).toBe(true)
    await page.goto(`${test.app.url}/integrations/${id}/access`)
    const remove = page.getByRole('button', { name: /^Remove x/ })
    await remove.waitFor()
    const text = await page.locator('.subjects .mono').boundingBox()
    expect((text?.x ?? 0) + (text?.width ?? 0)).toBeLessThanOrEqual((await remove.boundingBox())?.x ?? 0)
  })

  it('a name from right to left follows its service in the list of messages', async () => {
    const words = 'مرحبا بالعالم'
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: words } }] }
    const at = `${Date.now()}000000`
    const span = { traceId: 'b'.repeat(32), spanId: 'b'.repeat(16), startTimeUnixNano: at, endTimeUnixNano: at }
    await test.app.sendSpans({ resourceSpans: [{ resource, scopeSpans: [{ spans: [{ ...span, name: words }] }] }] })
    const { page, picture } = await open()
    const link = page.locator('.message-link', { hasText: words })
    await link.waitFor()
    await picture('right-to-left')
    const service = await link.locator('.soft').boundingBox()
    const name = await link.locator('strong').boundingBox()
    expect((service?.x ?? 0) + (service?.width ?? 0)).toBeLessThan(name?.x ?? 0)
  })

  it('long names from right to left keep their beginning in lists and in the message', async () => {
    const words = 'خدمة الدفع والتحصيل الإلكتروني '.repeat(5)
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: words } }] }
    const at = `${Date.now()}000000`
    const span = { traceId: 'd'.repeat(32), spanId: 'd'.repeat(16), startTimeUnixNano: at, endTimeUnixNano: at }
    await test.app.sendSpans({ resourceSpans: [{ resource, scopeSpans: [{ spans: [{ ...span, name: words }] }] }] })
    const integration = { name: words, matchers: [{ service: words }] }
    const { id } = await ask<{ id: string }>('POST', '/integrations', integration)
    const message = `/messages/${span.traceId}`
    const link = `.message-link[href*="${span.traceId}"]`
    const { page, picture } = await open({ width: 1_024 })
    for (const [path, name] of [
      ['/', `${link} .soft`],
      ['/', `tr:has(${link}) .service`],
      ['/services', `.message-link[href*="${encodeURIComponent(words.slice(0, 4))}"] strong`],
      [message, '.message-services > span'],
      [message, '.step-label'],
      ['/integrations', `.integration-link[href*="${id}"]`],
      [`/integrations/${id}/flow`, '.flow-service'],
      ['/settings?tab=audit', `.audit-record[title^="${words.slice(0, 4)}"] strong`],
    ] as const) {
      await page.goto(test.app.url + path)
      await page.locator(name).scrollIntoViewIfNeeded()
      await picture(`right-to-left-${name.replaceAll(/[^a-z]+/g, '-').slice(-12)}`)
      expect([name, await isBeginningSeen(page, name)]).toEqual([name, true])
    }
  })
})
