import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { noteRequests, sharedConsole } from './console-page.ts'
import { firstMessage } from './sent-messages.ts'

type Requests = Awaited<ReturnType<typeof noteRequests>>

/** Pages that wait for their answers. The numbers are those of "It is good when" in the console's design. */
describeInChromium('loading', () => {
  const { test, ask } = sharedConsole()
  const made = { integration: '', message: '' }

  const condition = { attribute_key: 'order.id', operator: 'exists' }
  const never = { attribute_key: 'payment.method', operator: 'neq', value: 'card' }
  const searched = `rows=${encodeURIComponent(JSON.stringify([condition, never]))}`

  beforeAll(async () => {
    const route = { service: 'frontend', attribute_key: 'http.route', operator: 'equals', value: '/checkout' }
    const matchers = [{ ...route, match_group: 'a' }, { service: 'payment' }]
    made.integration = (await ask<{ id: string }>('POST', '/integrations', { name: 'Purchases', matchers })).id
    await ask('POST', '/saved-views', { name: 'Orders', rows: [condition] })
    made.message = await firstMessage(test, { rows: [condition] })
  })

  /** Notes what moves without a click or a key, by its class or name, with its places before and after. */
  const observe = `(() => {
    window.moved = []
    const place = ({ x, y }) => [x, y].map(Math.round).join(' ')
    const nameOf = (node) => (node?.className || node?.nodeName) + ' ' + (node?.textContent ?? '').slice(0, 40)
    new PerformanceObserver((list) => {
      for (const { sources } of list.getEntries()) {
        for (const { node, previousRect, currentRect } of sources) {
          const isSeen = previousRect.width * currentRect.width > 0
          if (isSeen && place(previousRect) !== place(currentRect))
            window.moved.push(nameOf(node) + ': ' + place(previousRect) + ' → ' + place(currentRect))
        }
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })()`

  const skeletons = (page: Page) => page.locator('main .skeleton')

  /** Gives a page its answers one by one, so that it is drawn after each of them. */
  async function answerOneByOne(page: Page, held: Route[], requests: Requests): Promise<void> {
    await expect.poll(() => held.length).toBeGreaterThan(0)
    for (;;) {
      const { begun, ended } = await requests()
      const next = held.shift()
      if (next !== undefined) {
        await next.continue()
        await next.request().response()
      } else if (begun.length === ended && (await skeletons(page).count()) === 0) {
        // Nothing is awaited. What the last answer leads to was begun while it was drawn.
        return
      }
    }
  }

  it.each<[name: string, path: () => string]>([
    ['messages', () => '/'],
    ['messages that were searched', () => `/?${searched}&last=1d`],
    ['a comparison', () => '/?compare=failures'],
    ['a message', () => `/messages/${made.message}`],
    ['why a message matched', () => `/messages/${made.message}?${searched}&side=why`],
    ['services', () => '/services'],
    ['a service', () => '/services/checkout'],
    ['the facets of a service', () => '/services/checkout?show=facets'],
    ['integrations', () => '/integrations'],
    ['an integration', () => `/integrations/${made.integration}`],
    ['the flow of an integration', () => `/integrations/${made.integration}/flow`],
    ['logs', () => '/explore/logs'],
    ['views', () => '/views'],
    ['sending data', () => '/start'],
    ['about', () => '/about'],
  ])('20: %s: skeletons stand where answers will, and nothing moves when they arrive', async (_, path) => {
    for (const width of [1_280, 390]) {
      const { page, context } = await test.open({ width, path: '/about' })
      await page.addInitScript(observe)
      const requests = await noteRequests(page)
      const held: Route[] = []
      await page.route('**/api/v1/**', (route) => void held.push(route))
      await page.goto(test.app.url + path())
      await skeletons(page).first().waitFor()
      const { width: shown = 0, height = 0 } = (await skeletons(page).first().boundingBox()) ?? {}
      expect([shown > 100, height >= 20]).toEqual([true, true])
      await answerOneByOne(page, held, requests)
      expect([width, await page.evaluate('window.moved')]).toEqual([width, []])
      await context.close()
    }
  })
})
