import { expect, it } from 'vitest'
import { serviceColour } from '../../console/parts/service-colour.ts'
import { describeInChromium } from '../support/chromium.ts'
import { countOf, sharedConsole } from './console-page.ts'

it('19: the colour of a service is that of its name, and neither red nor green', () => {
  const colours = Array.from({ length: 500 }, (_, index) => serviceColour(`service-${index}`))
  const hues = colours.map((colour) => Number(/ (\d+)\)$/.exec(colour)?.[1]))
  expect(new Set(colours).size).toBeGreaterThan(20)
  expect(hues.filter((hue) => hue < 45 || hue > 330 || (hue > 100 && hue < 180))).toEqual([])
  expect(serviceColour('service-7')).toBe(colours[7])
})

/** What a search promises beside its answer. The numbers are those of "It is good when" in the console's design. */
describeInChromium('journeys of a search', () => {
  const { test, open } = sharedConsole()

  const rowsOf = (...rows: object[]) => `rows=${encodeURIComponent(JSON.stringify(rows))}`
  const orders = rowsOf({ attribute_key: 'order.id', operator: 'exists' })

  it('6: child spans are offered where there is a step to start from, and a line says why not elsewhere', async () => {
    const { page } = await open({
      path: `/?${rowsOf(
        { attribute_key: 'order.id', operator: 'exists' },
        { attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'cart' },
        { attribute_source: 'message', attribute_key: 'span_count', operator: 'gt', value: 1 },
      )}`,
    })
    const toggles = page.getByRole('button', { name: 'with child spans' })
    const row = (at: number) => page.locator('li.row').nth(at)
    await row(2).waitFor()
    expect(await row(0).getByRole('button', { name: 'with child spans' }).count()).toBe(1)
    expect(await toggles.count()).toBe(1)
    await page.getByText('“Never” excludes whole messages.').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /Condition 1: operator/ }).click()
    await page.getByRole('option', { name: 'never equals', exact: true }).waitFor()
    const words = await page.getByRole('option').allTextContents()
    expect(words).not.toContain('is not')
    await page.getByRole('option', { name: 'is never present' }).click()
    await page.getByText('It has no step to start from, so it cannot include child spans.').waitFor()
    expect(await toggles.count()).toBe(0)
  })

  it('3, 7: the sentence is copied, and the copied address asks the same in the browser of a colleague', async () => {
    const shown = await open({ path: `/?${orders}&status=error&order=longest&last=6h` })
    const { page, context } = shown
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByText('order.id is present').waitFor()
    const [count, sentence] = [await countOf(shown), await page.locator('.sentence > span').first().textContent()]
    await page.getByRole('button', { name: 'Copy the sentence' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(sentence)
    const path = page.url().slice(test.app.url.length)
    const colleague = await test.open({ path, role: 'viewer', theme: 'dark' })
    expect(await countOf(colleague)).toBe(count)
    await colleague.page.getByRole('button', { name: 'Time range: Last 6 hours' }).waitFor()
    await colleague.page.getByRole('button', { name: /Order/ }).getByText('longest first').waitFor()
    expect(colleague.faults).toEqual([])
    await colleague.context.close()
  })

  it('8: the first page does not wait for the count, which is exact', async () => {
    const shown = await open({ path: '/about' })
    const { page } = shown
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/messages/count', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(test.app.url)
    await page.locator('.message-link').first().waitFor()
    await page.getByRole('heading', { name: 'Counting…' }).waitFor()
    release()
    expect(await countOf(shown)).toBe(120)
    expect(await page.locator('.answer-line h2').textContent()).toMatch(/^120 messages \d+ with errors/)
  })

  it('10: an empty answer names the nearest wider time range that has messages, and leads to it', async () => {
    const now = Date.now()
    const [from, to] = [new Date(now + 60_000).toISOString(), new Date(now + 61_000).toISOString()]
    const shown = await open({ path: `/?${orders}&from=${from}&to=${to}` })
    const { page, picture } = shown
    const words = page.getByText(/^In the time from .* to .* there (is|are) [\d,]+ messages?\./)
    await words.waitFor()
    const count = Number(/there (?:is|are) ([\d,]+)/.exec((await words.textContent()) ?? '')?.[1]?.replace(',', ''))
    await picture('messages-wider')
    await page.getByRole('button', { name: 'Widen the time range' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('from')).not.toBe(from)
    const widened = new URL(page.url()).searchParams
    expect([String(widened.get('from')) < from, String(widened.get('to')) > to]).toEqual([true, true])
    expect(count).toBeGreaterThan(0)
    await expect.poll(() => countOf(shown)).toBeGreaterThan(0)
  })

  it('10, 20: what an empty answer could not find out is not taken for nothing', async () => {
    const { page, picture } = await open({ org: `empty-${test.app.org}` })
    await page.getByText('Nothing has arrived in the last 7 days.').waitFor()
    await page.route('**/messages/count', (route) => route.fulfill({ status: 503, json: {} }))
    await page.reload()
    await page.getByText('Not every condition could be checked').waitFor()
    await page.getByText('No message matches.').waitFor()
    expect(await page.getByText('Nothing has arrived').count()).toBe(0)
    await picture('messages-empty-unknown')
  })

  it('10: where nothing has arrived for long, the newest message is a click away', async () => {
    const shown = await open({ path: '/?from=2020-01-01T00:00:00Z&to=2020-01-01T01:00:00Z' })
    const { page, picture } = shown
    await page.getByText(/^The newest message is from /).waitFor()
    expect(await page.getByRole('link', { name: /send the first span/ }).count()).toBe(0)
    await picture('messages-newest')
    await page.getByRole('button', { name: 'Show the hour around it' }).press('Enter')
    await expect.poll(() => countOf(shown)).toBeGreaterThan(0)
  })

  it('20: a restricted caller without a grant does not read that nothing has arrived', async () => {
    const { page, picture } = await open({ role: 'restricted' })
    const granted = page.getByText('You see only what belongs to integrations that an admin has granted to you.')
    await page.getByText('Nothing that is granted to you has arrived in the last 7 days.').waitFor()
    await granted.waitFor()
    await picture('messages-not-granted')
    for (const [path, words] of [
      ['/services', 'No service sent spans in this time range.'],
      ['/start', 'Waiting for messages…'],
    ] as const) {
      await page.goto(test.app.url + path)
      await page.getByText(words).waitFor()
      await granted.waitFor()
      expect(
        await page
          .locator('main')
          .getByRole('link', { name: /send (the first span|spans)/ })
          .count(),
      ).toBe(0)
    }
    await page.goto(`${test.app.url}/integrations`)
    await page.getByText('No integration is granted to you').waitFor()
    await page.goto(`${test.app.url}/views`)
    await page.getByText('You see only the views of integrations that an admin has granted to you.').waitFor()
    await page.goto(test.app.url)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByText('You see only the views of integrations that an admin has granted to you.').waitFor()
    expect(await page.getByText('save the search as a view').count()).toBe(0)
  })

  it('15: levels of a message are shown and hidden, and the selected step stays', async () => {
    const { page } = await open({ path: `/?${orders}` })
    await page.locator('.message-link').first().click()
    const steps = page.getByRole('treeitem')
    await steps.nth(5).waitFor()
    const all = await steps.count()
    await page.getByRole('button', { name: /Levels shown/ }).click()
    await page.getByRole('option', { name: '2 levels' }).click()
    await page
      .getByRole('button', { name: /Levels shown/ })
      .getByText('2 levels')
      .waitFor()
    await expect.poll(() => steps.count()).toBeLessThan(all)
    const levels = await steps.evaluateAll((items) => items.map((item) => Number(item.getAttribute('aria-level'))))
    expect(Math.max(...levels)).toBe(2)
    await page.getByRole('complementary', { name: /^Step / }).waitFor()
    await page.getByRole('button', { name: /Levels shown/ }).click()
    await page.getByRole('option', { name: 'all levels' }).click()
    await expect.poll(() => steps.count()).toBe(all)
  })

  it('18: times are those of the browser or of UTC, which each of them says', async () => {
    const { page } = await open({ timeZone: 'Asia/Tokyo' })
    const heading = page.getByRole('columnheader', { name: /^Started/ })
    await heading.waitFor()
    const zones = ['UTC', 'Asia/Tokyo']
    await page.locator('.message-link').first().waitFor()
    const [, zone = ''] = /\((.+)\)/.exec((await heading.textContent()) ?? '') ?? []
    const first = zones.indexOf(zone)
    const clock = page.locator('.messages tbody td').first()
    const [before, other] = [await clock.textContent(), zones[1 - first]]
    await page.keyboard.press('t')
    await page.getByText(`Times are shown in ${zones[first]}.`).waitFor()
    await page.getByRole('button', { name: /^Show (UTC|local time)$/ }).click()
    await page.getByText(`Times are shown in ${other}.`).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => heading.textContent()).toBe(`Started (${other})`)
    expect(await clock.textContent()).not.toBe(before)
  })

  it('18: the sides of a comparison state their time range in the time zone of all times', async () => {
    const path = '/?compare=before&from=2026-01-01T00:00:00Z&to=2100-01-01T00:00:00Z'
    const { page } = await open({ timeZone: 'Asia/Tokyo', path })
    const times = page.locator('.compared-side.side-a time')
    await times.first().waitFor()
    expect(await times.allTextContents()).toEqual(['2026-01-01 09:00:00', '2100-01-01 09:00:00'])
  })

  it('3: the right button of a mouse chooses no part of the time', async () => {
    const { page } = await open()
    const chart = page.getByRole('slider', { name: /Messages over time/ })
    await chart.waitFor()
    const box = await chart.boundingBox()
    if (box === null) throw new Error('the chart is not shown')
    const drag = async (button: 'left' | 'right', last: number) => {
      await page.mouse.move(box.x + box.width * 0.4, box.y + 40)
      await page.mouse.down({ button })
      await page.mouse.move(box.x + box.width * last, box.y + 40, { steps: 4 })
      await page.mouse.up({ button })
    }
    await drag('right', 0.9)
    await drag('left', 0.6)
    await expect.poll(() => page.url()).toMatch(/from=.*to=/)
    await page.goBack()
    await expect.poll(() => page.url()).toBe(`${test.app.url}/`)
  })

  it('3: the palette changes the time range of the page that is shown', async () => {
    const { page, picture } = await open({ path: '/services' })
    await page.getByRole('heading', { name: 'Services', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: /^Command/ }).fill('last 6')
    await picture('palette')
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/services?last=6h')
  })
})
