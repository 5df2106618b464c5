import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { countOf, sharedConsole } from './console-page.ts'
import { requestOf } from './sent-messages.ts'

/** Orders, within the time of which the shop's data is. */
const orders = `rows=${encodeURIComponent('[{"attribute_key":"order.id","operator":"exists"}]')}&last=2h`

/** The durations that neither stand beside their bars nor have a ground of their own over them. */
const unreadableDurations = `[...document.querySelectorAll('.step-time')].flatMap((row) => {
  const [bar, text] = [row.querySelector('.bar'), row.querySelector('.bar-text')]
  if (bar === null || text === null) return ['nothing is shown']
  const [under, over] = [bar.getBoundingClientRect(), text.getBoundingClientRect()]
  const isBeside = over.left >= under.right - 1 || over.right <= under.left + 1
  const hasGround = getComputedStyle(text).backgroundColor !== 'rgba(0, 0, 0, 0)'
  return isBeside || (hasGround && over.left > under.left) ? [] : [text.textContent]
})`

/** What a person needs on the way from a failure to its cause and to those who must know. */
describeInChromium('journeys', () => {
  const { test, open } = sharedConsole()

  /** Sends a message of a step and the steps below it, from one percent of its second to another. */
  async function sendSteps(traceId: string, steps: readonly (readonly [from: number, to: number])[]): Promise<void> {
    const start = BigInt(Date.now()) * 1_000_000n
    const at = (percent: number) => start + BigInt(percent) * 10_000_000n
    const below = steps.map(([from, to], index) => ({
      id: index + 2,
      parent: 1,
      name: `step ${from} to ${to}`,
      start: at(from),
      end: at(to),
    }))
    await test.app.sendSpans(requestOf(traceId, [{ id: 1, parent: 0, name: 'root', start, end: at(100) }, ...below]))
  }

  const zoneButton = (page: Page) => page.getByRole('button', { name: /^Times: / })

  it.each(['error', 'ok'])('a search for messages of status %s becomes a rule that counts the same', async (status) => {
    const shown = await open({ path: `/?${orders}&status=${status}` })
    const { page, picture } = shown
    const count = await countOf(shown)
    expect(count).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'New alert rule' }).click()
    await page.getByRole('heading', { name: 'New alert rule' }).waitFor()
    await page.getByRole('button', { name: 'Time range: Last 2 hours' }).waitFor()
    const window = page.getByRole('textbox', { name: 'Over a window of' })
    await window.fill('2 h')
    await page.getByText(new RegExp(`^Now: The number of messages .* over 2 hours is ${count},`)).waitFor()
    await picture(`rule-of-search-${status}`)
  })

  it('a step leads to its service at that time, and the service to its logs and its metrics', async () => {
    const { page, picture } = await open({ path: `/?${orders}&order=oldest` })
    await page.locator('.message-link').first().click()
    const service = page.getByRole('complementary', { name: /^Step / }).getByRole('link', { name: 'checkout' })
    await service.waitFor()
    expect(await service.getAttribute('href')).toMatch(/services\/checkout\?last=2h$/)
    await page.goto(page.url().replace('last=2h', 'last=5m'))
    await expect.poll(() => service.getAttribute('href')).toMatch(/services\/checkout\?from=.*&to=/)
    await service.click()
    await page.getByRole('heading', { name: 'checkout', level: 1 }).waitFor()
    await page.getByRole('region', { name: 'core' }).getByText('Spans', { exact: true }).waitFor()
    await picture('service-of-step')
    const signals = page.locator('.other-signals')
    await signals.getByRole('link', { name: 'Metrics' }).click()
    expect(await page.getByRole('searchbox', { name: 'Find a metric' }).inputValue()).toBe('checkout')
    await page.goBack()
    await signals.getByRole('link', { name: 'Logs' }).click()
    await page.getByText(/^Log records where service equals "checkout"/).waitFor()
    expect(new URL(page.url()).searchParams.get('from')).not.toBeNull()
  })

  it('14: durations stand beside their bars, or over them where there is no room beside', async () => {
    const traceId = 'd1'.repeat(16)
    await sendSteps(traceId, [
      [9, 88],
      [12, 95],
      [30, 90],
      [1, 20],
      [97, 98],
    ])
    const { page, picture } = await open({ path: `/messages/${traceId}` })
    await page.getByRole('treeitem', { name: /step 97 to 98/ }).waitFor()
    const unreadable = await page.evaluate(unreadableDurations)
    expect(unreadable).toEqual([])
    await picture('message-durations')
  })

  it('9: long names of services and of a time zone hide neither steps nor how many services there are', async () => {
    const names = ['accounting', 'currency', 'recommendation', 'shipping'].map((name) => `${name}-service-of-the-shop`)
    const start = `${Date.now()}000000`
    const spans = names.map((name, index) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: name } }] },
      scopeSpans: [
        {
          spans: [
            {
              traceId: 'd2'.repeat(16),
              spanId: `${index + 1}`.padStart(16, '0'),
              name: 'long names',
              kind: 1,
              startTimeUnixNano: start,
              endTimeUnixNano: start,
            },
          ],
        },
      ],
    }))
    await test.app.sendSpans({ resourceSpans: spans })
    for (const width of [1_440, 1_024, 768, 390]) {
      const { page, context, picture } = await test.open({ width, timeZone: 'America/Argentina/Buenos_Aires' })
      const line = page.getByRole('row', { name: /long names/ })
      await line.waitFor()
      const box = page.locator('.messages-box')
      expect([width, await box.evaluate((each) => each.scrollWidth <= each.clientWidth)]).toEqual([width, true])
      const count = line.getByRole('cell').locator('> div > .soft', { hasText: /^4$/ })
      if (width > 1_000) {
        const [cell, shown] = [await line.locator('.services').boundingBox(), await count.boundingBox()]
        expect((shown?.x ?? 0) + (shown?.width ?? 0)).toBeLessThanOrEqual((cell?.x ?? 0) + (cell?.width ?? 0))
      }
      await picture(`long-names-${width}`)
      await context.close()
    }
  })

  const left = async (place: Locator) => (await place.boundingBox())?.x
  const top = async (place: Locator) => (await place.boundingBox())?.y

  it('20: neither another answer nor a late count moves what a person is about to click', async () => {
    const held: (() => Promise<unknown>)[] = []
    const { page } = await open({
      width: 1_024,
      path: `/?${orders}`,
      beforeLoad: (each) =>
        each.route('**/messages/count', (route) => {
          held.push(() => route.continue())
        }),
    })
    const first = page.locator('.message-link').first()
    await first.waitFor()
    await page.getByText('Counting…').waitFor()
    const before = await top(first)
    await expect.poll(() => held.length).toBeGreaterThan(0)
    for (const release of held) await release()
    await page.getByRole('heading', { name: /with errors/ }).waitFor()
    expect(await top(first)).toBe(before)
    const tab = page.getByRole('radio', { name: 'Comparison' })
    const place = await left(tab)
    await tab.click()
    await page.getByRole('radio', { name: 'These with all others' }).waitFor()
    expect(await left(tab)).toBe(place)
    expect(await page.getByRole('button', { name: 'Columns' }).isDisabled()).toBe(true)
  })

  it('18: every page says in which time zone its times are, and changes it', async () => {
    const { page, picture } = await open({ timeZone: 'America/New_York', path: '/alerts' })
    const button = zoneButton(page)
    await expect.poll(() => button.textContent()).toBe('Times: America/New York')
    await button.click()
    await expect.poll(() => button.textContent()).toBe('Times: UTC')
    await page.goto(`${test.app.url}/?last=25m`)
    await page.getByRole('button', { name: 'Time range: Last 25 minutes' }).waitFor()
    await page.getByRole('columnheader', { name: 'Started (UTC)' }).waitFor()
    await picture('time-zone')
  })

  it('18: a browser whose time zone is UTC offers no other one', async () => {
    const { page } = await open()
    await expect.poll(() => zoneButton(page).isDisabled()).toBe(true)
    await page.keyboard.press('t')
    await page.getByText('Times are shown in UTC.').waitFor()
    expect(await page.getByRole('button', { name: /^Show (UTC|local time)$/ }).count()).toBe(0)
  })
})
