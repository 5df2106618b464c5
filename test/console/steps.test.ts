import { expect, it } from 'vitest'
import { operatorTable } from '../../sql/operators.ts'
import { describeInChromium } from '../support/chromium.ts'
import { countOf, sharedConsole } from './console-page.ts'
import { requestOf } from './sent-messages.ts'

/** Which steps a search matches, and what comes first on a step. The numbers are those of the console's design. */
describeInChromium('steps', () => {
  const { test, open } = sharedConsole()

  const rowsOf = (...rows: object[]) => `/?rows=${encodeURIComponent(JSON.stringify(rows))}`

  it('6: child spans are offered on positive rows about attributes, and status and steps cover them', async () => {
    const shown = await open({ path: rowsOf({ attribute_key: 'tenant', operator: 'eq', value: 'contoso' }) })
    const { page } = shown
    const toggle = page.getByRole('button', { name: 'with child spans' })
    for (const { messageWords, negated, operand } of Object.values(operatorTable)) {
      await page.getByRole('button', { name: 'Condition 1: operator' }).click()
      await page.getByRole('option', { name: messageWords, exact: true }).click()
      const offered = [toggle, page.getByRole('combobox', { name: 'Condition 1: value' })]
      await expect
        .poll(async () => [messageWords, ...(await Promise.all(offered.map((each) => each.count())))])
        .toEqual([messageWords, negated ? 0 : 1, operand === 'none' ? 0 : 1])
      const why = page.getByText('“Never” excludes whole messages. It has no step to start from')
      expect(await why.count()).toBe(negated ? 1 : 0)
    }
    await page.goto(test.app.url + rowsOf({ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'exists' }))
    await page.getByRole('button', { name: 'Condition 1: operator' }).waitFor()
    expect(await toggle.count()).toBe(0)
    await page.goto(
      `${test.app.url}${rowsOf({ attribute_key: 'tenant', operator: 'eq', value: 'contoso' })}&status=error`,
    )
    const alone = await countOf(shown)
    await toggle.click()
    await page.getByText('tenant equals "contoso" (including child spans)').waitFor()
    // The errors are in steps below the one that carries the tenant.
    await expect.poll(() => countOf(shown)).toBeGreaterThan(alone)
    const line = page.locator('.messages tbody tr').first()
    const matched = Number((await line.locator('td.number').textContent())?.split('/')[0]?.trim())
    await line.locator('.message-link').click()
    await page.getByText(`1 of ${matched} matched step`).waitFor()
    expect(await page.locator('.step.matched').count()).toBeGreaterThan(1)
  })

  it('the key attributes of the facets of a service come first on its steps, and are not repeated', async () => {
    const rows = JSON.stringify([
      { attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'checkout' },
      { attribute_key: 'http.route', operator: 'exists' },
    ])
    const { page, picture } = await open({ path: `/?${new URLSearchParams({ rows })}` })
    await page.locator('.message-link').first().click()
    const panel = page.getByRole('complementary', { name: /^Step / })
    await panel.getByRole('heading', { name: 'Key attributes' }).waitFor()
    const [first, second] = await panel.locator('section:has(.attributes)').all()
    expect(await first?.getByRole('heading').textContent()).toBe('Key attributes')
    expect(await first?.getByRole('rowheader').allTextContents()).toEqual([
      'http.route',
      'http.method',
      'http.status_code',
    ])
    expect(await second?.getByRole('heading').textContent()).toBe('Attributes')
    const others = (await second?.getByRole('rowheader').allTextContents()) ?? []
    expect(others.length).toBeGreaterThan(0)
    expect(others.filter((key) => key.startsWith('http.'))).toEqual([])
    await picture('message-key-attributes')
  })

  it('a step says how many attributes, events and links of it were dropped', async () => {
    const traceId = 'c'.repeat(32)
    const startNs = BigInt(Date.now() - 60_000) * 1_000_000n
    const times = { startTimeUnixNano: String(startNs), endTimeUnixNano: String(startNs + 1n) }
    const dropped = { droppedAttributesCount: 1_234, droppedEventsCount: 2, droppedLinksCount: 1 }
    const limited = { traceId, spanId: 'a'.repeat(16), name: 'limited', ...times, ...dropped }
    const whole = { traceId, spanId: 'b'.repeat(16), parentSpanId: limited.spanId, name: 'whole', ...times }
    await test.app.sendSpans({ resourceSpans: [{ scopeSpans: [{ spans: [limited, whole] }] }] })
    const { page } = await open({ path: `/messages/${traceId}?span=${limited.spanId}` })
    await page.getByRole('complementary', { name: 'Step limited' }).waitFor()
    const shown = page.getByText(/^Dropped /)
    expect(await shown.allTextContents()).toEqual([
      'Dropped attributes: 1,234',
      'Dropped events: 2',
      'Dropped links: 1',
    ])
    await page.goto(`${test.app.url}/messages/${traceId}?span=${whole.spanId}`)
    await page.getByRole('complementary', { name: 'Step whole' }).waitFor()
    expect(await shown.count()).toBe(0)
  })

  it('the waterfall follows the selected step to the end of a message and back', async () => {
    const traceId = 'd'.repeat(32)
    const start = BigInt(Date.now() - 60_000) * 1_000_000n
    const spans = Array.from({ length: 200 }, (_, at) => ({
      id: at + 1,
      parent: at === 0 ? 0 : 1,
      name: `step ${at}`,
      start: start + BigInt(at),
      end: start + 1_000n,
    }))
    await test.app.sendSpans(requestOf(traceId, spans))
    const { page } = await open({ path: `/messages/${traceId}` })
    const step = (name: string) => page.getByRole('treeitem', { name, selected: true })
    await page.getByRole('tree').focus()
    for (const [key, name] of [
      ['End', 'step 199'],
      ['Home', 'step 0'],
      ['End', 'step 199'],
      ['ArrowUp', 'step 198'],
    ] as const) {
      await page.keyboard.press(key)
      await step(name).waitFor()
    }
  })

  it('the id of a step is not said to be copied once another step is selected', async () => {
    const traceId = 'e'.repeat(32)
    const start = BigInt(Date.now() - 60_000) * 1_000_000n
    const times = { start, end: start + 1n }
    const spans = ['first', 'second'].map((name, at) => ({ id: at + 1, parent: at, name, ...times }))
    await test.app.sendSpans(requestOf(traceId, spans))
    const { page } = await open({ path: `/messages/${traceId}` })
    const select = async (key: string, name: string) => {
      await page.getByRole('tree').focus()
      await page.keyboard.press(key)
      await page.getByRole('complementary', { name: `Step ${name}` }).waitFor()
    }
    await select('End', 'second')
    await select('Home', 'first')
    // The button says for a moment only that it has copied, which does not end here.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('button', { name: 'Copy the span id' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    await select('End', 'second')
    await page.getByRole('button', { name: 'Copy the span id' }).waitFor()
  })
})
