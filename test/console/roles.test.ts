import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { type ConsolePage, sharedConsole } from './console-page.ts'
import { firstMessage } from './sent-messages.ts'

/** Every page as each role sees it, and by keys alone. The numbers are those of the console's design. */
describeInChromium('every page', () => {
  const { test, open, ask } = sharedConsole()
  const made = { integration: '', channel: '', rule: '', message: '' }

  beforeAll(async () => {
    const make = async (path: string, body: object) => (await ask<{ id: string }>('POST', path, body)).id
    made.integration = await make('/integrations', { name: 'Shop', matchers: [{ service: 'checkout' }] })
    await ask('PUT', `/integrations/${made.integration}/grants`, { subjects: ['ada'] })
    made.channel = await make('/alerting/channels', { name: 'Pager', config: { url: 'https://receiver.example' } })
    const measured = { kind: 'trace', measure: 'span_count', comparator: 'gt', threshold: 1_000_000 }
    made.rule = await make('/alerting/rules', { name: 'Many spans', enabled: false, ...measured })
    await make('/saved-views', { name: 'Orders', rows: [], integration_id: made.integration })
    await make('/service-facets', { name: 'Billing jobs', description: 'Writes invoices' })
    const tested = { attribute_source: 'span', attribute_key: 'messaging.system', match_operator: 'exists' }
    await make('/services/checkout/facet-mappings', { ...tested, set_io_kind: 'queue', set_io_role: 'output' })
    const rows = [{ attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'checkout' }]
    made.message = await firstMessage(test, { rows })
  })

  type Paths = () => readonly string[]

  /** All pages, in areas whose pages one test visits. */
  const areas: readonly (readonly [name: string, paths: Paths])[] = [
    ['messages', () => ['/', '/?by=%5B%7B"attribute_key"%3A"tenant"%7D%5D', '/?compare=failures']],
    ['a message, logs and metrics', () => [`/messages/${made.message}`, '/explore/logs', '/explore/metrics']],
    ['integrations', () => ['/integrations', '/integrations/new', `/integrations/${made.integration}`]],
    [
      'parts of an integration',
      () => ['flow', 'flow?show=table', 'access'].map((tab) => `/integrations/${made.integration}/${tab}`),
    ],
    [
      'services',
      () => [
        ...['/services', '/services?show=facets', '/services/checkout'],
        ...['facets', 'classification'].map((tab) => `/services/checkout?show=${tab}`),
      ],
    ],
    ['alerts', () => ['/alerts', '/alerts?show=alerts', '/alerts/rules/new', `/alerts/rules/${made.rule}`]],
    [
      'channels',
      () => ['', '/new', `/${made.channel}`, `/${made.channel}?show=deliveries`].map((rest) => `/channels${rest}`),
    ],
    ['settings', () => ['', '?tab=transfer', '?tab=people', '?tab=audit'].map((tab) => `/settings${tab}`)],
    ['other pages', () => ['/views', '/start', '/about']],
  ]

  async function visit({ page }: ConsolePage, path: string): Promise<void> {
    await page.goto(test.app.url + path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(async () => (await page.locator('main').innerText()).trim()).not.toBe('')
    await expect.poll(() => page.locator('main .skeleton').count()).toBe(0)
  }

  /** Only parts of a page scroll: not the document beside them, to an empty place. */
  async function expectNoScroll(page: Page, path: string): Promise<void> {
    const { scrollWidth, scrollHeight } = (await page.evaluate(
      '({ scrollWidth: document.documentElement.scrollWidth, scrollHeight: document.documentElement.scrollHeight })',
    )) as { scrollWidth: number; scrollHeight: number }
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
    expect([path, scrollWidth <= width, scrollHeight <= height]).toEqual([path, true, true])
  }

  /** What lies beyond an edge of the window where nothing scrolls to it. */
  const beyond = `[...document.querySelectorAll('.topbar *, main *')].filter((element) => {
    const { width, left, right } = element.getBoundingClientRect()
    if (width === 0 || (left >= -1 && right <= innerWidth + 1)) return false
    for (let around = element; around !== null; around = around.parentElement) {
      const { overflowX, position } = getComputedStyle(around)
      if (around !== element && around.tagName !== 'MAIN' && overflowX !== 'visible') return false
      if (position === 'absolute') return false
    }
    return true
  }).map(({ className, textContent }) => className + ': ' + textContent.slice(0, 40))`

  /** Tables of services and of alert rules that scroll sideways. */
  const sideways = `[...document.querySelectorAll('.services-table, .alert-rules')]
    .filter(({ parentElement }) => parentElement.scrollWidth > parentElement.clientWidth)
    .map(({ className }) => className)`

  it.each(areas)('19: %s: in a narrow window no page is wider or longer than it, and passes axe', async (_, paths) => {
    const shown = await open({ width: 390, theme: 'dark' })
    for (const path of paths()) {
      await visit(shown, path)
      await expectNoScroll(shown.page, path)
      expect([path, await shown.page.evaluate(beyond)]).toEqual([path, []])
      expect([path, await shown.page.evaluate(sideways)]).toEqual([path, []])
      await shown.expectAccessible()
      const name = path.replaceAll(/[0-9A-Z]{26}|[0-9a-f]{32}/g, 'one').replaceAll(/[^a-z]+/gi, '-')
      await shown.picture(`narrow${name}`)
    }
  })

  it.each(areas)('19: %s: at a zoom of 400 % the whole window scrolls, to all that there is', async (_, paths) => {
    const shown = await open()
    const { page } = shown
    // A window of 1280 × 860 at that zoom. Without this, its heads would leave two lines to what scrolls below them.
    await page.setViewportSize({ width: 320, height: 215 })
    for (const path of paths()) {
      await visit(shown, path)
      expect([path, await page.evaluate(beyond)]).toEqual([path, []])
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 320])
      const unseen = await page.evaluate(
        'document.querySelector("main").scrollHeight - document.querySelector("main").clientHeight',
      )
      expect([path, unseen]).toEqual([path, 0])
    }
  })

  /** What changes a record. */
  const changes =
    /^(New|Add (the|service)|Create|Save|Rename|Delete|Enable|Disable|Send|Make|Revoke|Import|Choose|Clone|Edit(?! as))/

  /** The navigation has a link to the page "Send data", which changes nothing. */
  const offeredChanges = async (page: Page) => [
    ...(await page.getByRole('button', { name: changes }).allTextContents()),
    ...(await page.getByRole('link', { name: changes }).and(page.locator(':not(.place)')).allTextContents()),
  ]

  const roles = ['viewer', 'restricted'] as const

  it.each(roles.flatMap((role) => areas.map(([name, paths]) => [role, name, paths] as const)))(
    '19, 20: %s, %s: no page offers or asks what is refused, none is empty, and axe finds no violation',
    async (role, _, paths) => {
      const shown = await open({ role })
      const { page } = shown
      const refused: string[] = []
      page.on('response', (response) => {
        if (response.status() === 403) refused.push(`${response.request().method()} ${response.url()}`)
      })
      for (const path of paths()) {
        await visit(shown, path)
        expect([path, await offeredChanges(page)]).toEqual([path, []])
        await expectNoScroll(page, path)
        await shown.expectAccessible()
      }
      expect(refused).toEqual([])
      const places = await page.getByRole('navigation', { name: 'Pages' }).locator('.place').allTextContents()
      const hidden = role === 'restricted' ? [] : ['Logs', 'Metrics', 'Alerts', 'Channels']
      expect(['Logs', 'Metrics', 'Alerts', 'Channels'].filter((name) => places.includes(` ${name}`))).toEqual(hidden)
    },
  )

  /**
   * Describes what has the focus: null outside of the page, else its name, and whether a person sees it and its mark.
   * Radio buttons and checkboxes are hidden fields in a label that is shown.
   */
  const focused = `(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return null
    window.reached ??= new Set()
    const isAgain = window.reached.has(element)
    window.reached.add(element)
    const shown = element.matches('[type=radio], [type=checkbox]') ? element.closest('label') : element
    const { width, height, top, bottom, left, right } = shown.getBoundingClientRect()
    const isInView = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
    const near = [shown, shown.parentElement, ...shown.querySelectorAll(':scope > *')]
    const isMarked = near.some((each) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(each)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
    })
    const name = element.getAttribute('aria-label') ?? element.innerText ?? element.tagName
    return { name: name.trim().slice(0, 60), isAgain, isSeen: width > 0 && height > 0 && isInView && isMarked }
  })()`

  const notReached = `[...document.querySelectorAll('a[href], button, input, textarea, [contenteditable=true]')]
    .filter((each) => each.getClientRects().length > 0 && !each.disabled && each.tabIndex >= 0)
    .filter((each) => !window.reached.has(each) && each.closest('[role=radiogroup], [role=toolbar]') === null)
    .map((each) => (each.getAttribute('aria-label') ?? each.innerText).trim())`

  interface Focused {
    readonly name: string
    readonly isAgain: boolean
    readonly isSeen: boolean
  }

  it.each(areas)('19: %s: keys reach everything on every page, and show where they are', async (_, paths) => {
    const shown = await open()
    const { page } = shown
    const most = 400
    for (const path of paths()) {
      await visit(shown, path)
      const unseen: string[] = []
      let left: readonly string[] | undefined
      for (let count = 0; count < most && left?.length !== 0; count++) {
        await page.keyboard.press('Tab')
        const at = (await page.evaluate(focused)) as Focused | null
        if (at?.isSeen === false) unseen.push(at.name)
        // Some pages begin in a field: after the last place, keys go on with the first. They go round again for what
        // appeared behind them, such as the end of a list that was still being read.
        if (at?.isAgain) left = (await page.evaluate(notReached)) as string[]
      }
      expect([path, unseen, left]).toEqual([path, [], []])
    }
  })
})
