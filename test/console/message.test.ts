import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { type ConsolePage, type OpenOptions, sharedConsole } from './console-page.ts'
import { requestOf, sendLargest, sendLogs, spansOfLargest } from './sent-messages.ts'

describeInChromium('the page of a message', () => {
  const { test, open } = sharedConsole()

  const rows = [{ attribute_key: 'order.id', operator: 'exists', includeDescendants: true }]
  const search = `rows=${encodeURIComponent(JSON.stringify(rows))}`

  async function openFirst(options: OpenOptions = {}): Promise<ConsolePage & { readonly matched: number }> {
    const result = await open({ ...options, path: `/?${search}` })
    const { page } = result
    const line = page.locator('.messages tbody tr').first()
    const matched = Number((await line.locator('td.number').textContent())?.split('/')[0]?.trim())
    await line.locator('.message-link').click()
    await page.getByRole('tree').waitFor()
    return { ...result, matched }
  }

  it('12: opens at its first matched step, and n walks as many matched steps as the list counted', async () => {
    const { page, matched, picture } = await openFirst()
    const tree = page.getByRole('tree')
    const seen = new Set<string | null>()
    for (let i = 1; i <= matched; i++) {
      await page.getByText(`${i} of ${matched} matched steps`, { exact: true }).waitFor()
      seen.add(await tree.getAttribute('aria-activedescendant'))
      await page.keyboard.press('n')
    }
    await page.getByText(`1 of ${matched} matched steps`, { exact: true }).waitFor()
    expect(seen.size).toBe(matched)
    await picture('message-light')
  })

  it('the steps are read together with the scripts, and once', async () => {
    const { page } = await openFirst()
    const paths: string[] = []
    page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    const { origin, pathname } = new URL(page.url())
    await page.goto(origin + pathname)
    await page.getByRole('tree').waitFor()
    const read = paths.filter((path) => path.endsWith('/me') || path.endsWith('/skeleton'))
    expect(read.map((path) => path.split('/').at(-1))).toEqual(['me', 'skeleton'])
    const laterScript = paths.findLastIndex((path) => path.includes('/assets/'))
    expect(paths.indexOf(read[1] ?? '')).toBeLessThan(laterScript)
  })

  it('19: axe finds no violation in either theme', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, expectAccessible, picture } = await openFirst({ theme })
      await page.getByRole('complementary', { name: /^Step / }).waitFor()
      await expectAccessible()
      await picture(`message-${theme}`)
      await context.close()
    }
  })

  it('15: what is not found is dimmed and stays', async () => {
    const { page } = await openFirst()
    const steps = page.getByRole('treeitem')
    const all = await steps.count()
    await page.getByRole('searchbox', { name: 'Find steps' }).fill('orders')
    await expect.poll(() => page.locator('.step.dimmed').count()).toBeGreaterThan(0)
    expect(await steps.count()).toBe(all)
    await page.getByText(/of \d+ found steps/).waitFor()
    // Enter leads from one found step to the next, and the field keeps the focus.
    const selected = page.locator('.step[aria-selected="true"]')
    const names: (string | null)[] = []
    for (let press = 0; press < 2; press += 1) {
      await page.keyboard.press('Enter')
      await expect.poll(() => selected.textContent()).not.toBe(names.at(-1))
      await expect.poll(() => selected.getAttribute('class')).not.toContain('dimmed')
      names.push(await selected.textContent())
    }
    expect(names.join()).toMatch(/orders.*orders/)
    expect(await page.locator(':focus').getAttribute('placeholder')).toBe('Find a name, or key=value')
  })

  it('15: key=value is found among all attributes', async () => {
    const { page } = await openFirst()
    const id = await page.locator('.attributes tr', { hasText: 'order.id' }).locator('td').first().textContent()
    await page.getByRole('searchbox', { name: 'Find steps' }).fill(`order.id=${id}`)
    await page.getByText(/of 1 found step$/).waitFor()
  })

  it('3, 6: an attribute of a step becomes a condition of the search', async () => {
    const { page } = await openFirst()
    await page.getByRole('button', { name: 'Search with order.id' }).click()
    await page.getByRole('menuitem', { name: 'Messages never with this value' }).click()
    await page.getByText(/order\.id never equals "/).waitFor()
  })

  it('15: collapsing, levels and focus hide steps without losing the selected one', async () => {
    const { page } = await openFirst()
    const steps = page.getByRole('treeitem')
    const all = await steps.count()
    await page.getByRole('button', { name: 'Focus on this step' }).click()
    await expect.poll(() => steps.count()).toBeLessThan(all)
    await page.getByRole('button', { name: 'Show the whole message' }).click()
    await expect.poll(() => steps.count()).toBe(all)
    await page.getByRole('tree').focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(() => steps.count()).toBeLessThan(all)
    await page.keyboard.press('n')
    await expect.poll(() => steps.count()).toBe(all)
  })

  it('15: dragging over the minimap shows a part of the time, and a click all of it', async () => {
    const { page } = await openFirst()
    const axis = page.locator('.time-axis span').last()
    const whole = await axis.textContent()
    const box = await page.getByRole('slider', { name: /All steps over time/ }).boundingBox()
    if (box === null) throw new Error('the minimap is not shown')
    const drag = async (button: 'left' | 'right') => {
      await page.mouse.move(box.x + 2, box.y + 20)
      await page.mouse.down({ button })
      await page.mouse.move(box.x + box.width / 4, box.y + 20, { steps: 4 })
      await page.mouse.up({ button })
    }
    await drag('right')
    expect(await page.locator('.minimap-shade').count()).toBe(0)
    expect(await axis.textContent()).toBe(whole)
    await drag('left')
    await expect.poll(() => axis.textContent()).not.toBe(whole)
    await page.mouse.click(box.x + 20, box.y + 20)
    await expect.poll(() => axis.textContent()).toBe(whole)
  })

  it('12: in a narrow window the first matched step is in view', async () => {
    const { page } = await openFirst({ width: 600 })
    const step = page.getByRole('treeitem', { selected: true })
    await step.waitFor()
    await expect
      .poll(async () => {
        const [row, tree] = [await step.boundingBox(), await page.getByRole('tree').boundingBox()]
        return row !== null && tree !== null && row.y >= tree.y && row.y + row.height <= tree.y + tree.height
      })
      .toBe(true)
  })

  it('7, 12: why it matched names the steps that make each condition true, and shows them', async () => {
    const { page, matched, picture, expectAccessible } = await openFirst()
    await page.getByText(`1 of ${matched} matched step`).waitFor()
    await page.getByRole('radio', { name: 'Why it matched' }).click()
    await page.getByText('The message matches').waitFor()
    await page.getByText('order.id is present (including child spans)').waitFor()
    await expectAccessible()
    await picture('message-why')
    const tree = page.getByRole('tree')
    await tree.focus()
    await page.keyboard.press('Home')
    await page.locator('.reason-steps a').first().click()
    await page.getByText(`1 of ${matched} matched step`).waitFor()
    expect(page.url()).toContain('side=why')
  })

  it('19: logs are shown with the message and with their step, and lead to it', async () => {
    const { page, picture, expectAccessible } = await openFirst()
    const traceId = /messages\/([0-9a-f]{32})/.exec(page.url())?.[1] ?? ''
    const spanId = await page.locator('.span-facts dd.mono').last().textContent()
    await sendLogs(test, traceId, spanId ?? '')
    await page.reload()
    await page.getByRole('heading', { name: 'Logs (1 record)' }).waitFor()
    await page.getByRole('tree').focus()
    await page.keyboard.press('Home')
    await expect.poll(() => page.getByRole('heading', { name: /^Logs \(/ }).count()).toBe(0)
    await page.getByRole('radio', { name: 'Logs' }).click()
    await page.getByText('card declined').waitFor()
    await page.getByText('card declined').click()
    await expectAccessible()
    await picture('message-logs')
    await page.getByRole('button', { name: /^Show the step/ }).click()
    await page.getByRole('heading', { name: 'Logs (1 record)' }).waitFor()
    expect(await page.locator('.span-facts dd.mono').last().textContent()).toBe(spanId)
  })

  it('8: a message is exported as OTLP, with every span', async () => {
    const { page } = await openFirst()
    const steps = Number(/(\d+) steps/.exec((await page.locator('.message-facts').textContent()) ?? '')?.[1])
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'OTLP as JSON' }).click(),
    ])
    expect(readFileSync(await download.path(), 'utf8').match(/"spanId"/g)?.length).toBeGreaterThanOrEqual(steps)
  })

  it('13: 10,000 attributes and a value of a megabyte are shown in parts, and found', async () => {
    const traceId = 'a'.repeat(32)
    const start = BigInt(Date.now()) * 1_000_000n
    const attributes = Array.from({ length: 10_000 }, (_, index) => ({
      key: `key.${String(index).padStart(5, '0')}`,
      value: { stringValue: index === 0 ? 'long '.repeat(200_000) : `value ${index}` },
    }))
    await test.app.sendSpans(requestOf(traceId, [{ id: 1, parent: 0, name: '', start, end: start + 1n, attributes }]))
    const { page, picture } = await open({ path: `/messages/${traceId}` })
    const panel = page.getByRole('complementary', { name: /^Step / })
    const rows = panel.locator('section', { hasText: 'Attributes (10,000)' }).locator('.attributes tr')
    await rows.first().waitFor()
    await page.getByRole('heading', { name: 'no name' }).first().waitFor()
    expect(await rows.count()).toBe(100)
    expect((await rows.first().textContent())?.length).toBeLessThan(2_000)
    await picture('message-many-attributes')
    await panel.getByRole('button', { name: 'Show all 1,000,000 characters' }).click()
    expect((await rows.first().textContent())?.length).toBeGreaterThan(1_000_000)
    await panel.getByRole('button', { name: 'Show 100 of 9,900 more' }).click()
    expect(await rows.count()).toBe(200)
    await panel.getByRole('searchbox', { name: 'Find in attributes' }).fill('value 9999')
    await expect.poll(() => rows.count()).toBe(1)
  })

  it('13: 100,000 steps are one page: the last of them is reached, and its name can be read', async () => {
    const traceId = 'f'.repeat(32)
    await sendLargest(test, traceId)
    const { page, picture } = await open({ path: `/messages/${traceId}` })
    await page.getByText('100,000 steps').first().waitFor()
    expect(await page.getByRole('treeitem').count()).toBeLessThan(100)
    await page.getByRole('tree').focus()
    await page.keyboard.press('End')
    await page
      .getByText(`step ${spansOfLargest - 1}`, { exact: true })
      .first()
      .waitFor()
    const label = page.getByRole('treeitem', { selected: true }).locator('.step-label')
    // Fifty levels deep, the name is whole, and beside the bars.
    await expect.poll(() => label.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
    expect(await label.evaluate((element) => element.clientWidth)).toBeGreaterThan(50)
    await picture('message-largest')
  })

  it('14: a step of 3 µs keeps its place among its siblings, a visible width, and its nanoseconds', async () => {
    const traceId = 'e'.repeat(32)
    const start = BigInt(Date.now()) * 1_000_000n
    const half = start + 500_000_000n
    // Neither their ids, nor their names, nor the order in which they arrive is that of their starts.
    await test.app.sendSpans(
      requestOf(traceId, [
        { id: 2, parent: 1, name: 'b third', start: half + 2n, end: half + 400_000_000n },
        { id: 3, parent: 1, name: 'c first', start: half, end: half + 1n },
        { id: 4, parent: 1, name: 'a second', start: half + 1n, end: half + 3_002n },
        { id: 5, parent: 1, name: 'd last', start: half + 1_000n, end: half + 400_000_000n },
        { id: 1, parent: 0, name: 'root', start, end: start + 1_000_000_000n },
      ]),
    )
    const { page, picture } = await open({ path: `/messages/${traceId}` })
    const step = page.getByRole('treeitem', { name: /a second/ })
    await step.waitFor()
    expect(await page.locator('.step-label').allTextContents()).toEqual([
      'root',
      'c first',
      'a second',
      'b third',
      'd last',
    ])
    expect(await page.locator('.bar-text').allTextContents()).toEqual(['1 s', '1 ns', '3 µs', '400 ms', '400 ms'])
    const bar = await step.locator('.bar').boundingBox()
    const root = await page.getByRole('treeitem', { name: /root/ }).locator('.bar').boundingBox()
    expect(bar?.width).toBeGreaterThanOrEqual(2)
    expect(((bar?.x ?? 0) - (root?.x ?? 0)) / (root?.width ?? 1)).toBeCloseTo(0.5, 2)
    await step.click()
    const panel = page.getByRole('complementary', { name: 'Step a second' })
    await panel.getByText('(3,001 ns)', { exact: true }).waitFor()
    expect(await panel.locator('.span-facts dd').first().textContent()).toMatch(/\.\d{3}000001$/)
    await picture('message-nanoseconds')
  })
})
