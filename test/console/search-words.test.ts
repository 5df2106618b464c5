import { beforeAll, describe, expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { type ConsolePage, countOf, sharedConsole } from './console-page.ts'
import { requestOf } from './sent-messages.ts'

const json = (value: object) => encodeURIComponent(JSON.stringify(value))
const rowsOf = (...rows: object[]) => `/?rows=${json(rows)}`
const name = { attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq' }

/** What a search offers and says, and that its parts are about the same messages. */
describeInChromium('the words of a search', () => {
  const { test, open } = sharedConsole()

  it('8: a search for some steps says that its errors are those of matched steps', async () => {
    const { page } = await open()
    const heading = page.getByRole('heading', { name: /with errors/ })
    expect(await heading.textContent()).toMatch(/^120 messages \d+ with errors · [\d,]+ matched steps$/)
    await page.goto(test.app.url + rowsOf({ attribute_key: 'order.id', operator: 'exists' }))
    const ofMatched = /^\d+ messages \d+ with errors in matched steps · \d+ matched steps$/
    await expect.poll(() => heading.textContent()).toMatch(ofMatched)
  })

  it('6: a line says why conditions on fields offer no child spans', async () => {
    const { page, picture, expectAccessible } = await open({
      path: rowsOf({ attribute_key: 'order.id', operator: 'exists' }),
    })
    const why = page.getByText('Those on fields cannot, because every step or message has fields.')
    await page.getByRole('button', { name: 'with child spans' }).waitFor()
    expect(await why.count()).toBe(0)
    for (const row of [
      { ...name, value: 'publish' },
      { attribute_source: 'message', attribute_key: 'span_count', operator: 'gt', value: 1 },
    ]) {
      await page.goto(test.app.url + rowsOf(row))
      await why.waitFor()
    }
    await expectAccessible()
    await picture('why-no-child-spans')
    await page.goto(test.app.url + rowsOf({ ...name, operator: 'neq', value: 'publish' }))
    await page.getByText('It has no step to start from').waitFor()
    expect(await why.count()).toBe(0)
  })

  it('4: a key keeps its child spans while it is typed through the name of a field', async () => {
    const row = { attribute_key: 'nam', operator: 'eq', value: 'x', includeDescendants: true }
    const { page } = await open({ path: rowsOf(row) })
    const key = page.getByRole('combobox', { name: 'Condition 1: attribute' })
    const toggle = page.locator('button', { hasText: 'with child spans' })
    await key.press('End')
    await page.keyboard.type('e')
    await toggle.waitFor({ state: 'detached' })
    await page.keyboard.type('.first')
    await expect.poll(() => toggle.getAttribute('aria-pressed')).toBe('true')
    await page.getByText('name.first equals "x" (including child spans)').waitFor()
    await key.fill('name')
    await toggle.waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    await key.fill('tenant')
    await expect.poll(() => toggle.getAttribute('aria-pressed')).toBe('false')
  })

  it('18: the labels of the heatmap have room, also for minutes', async () => {
    const start = Date.now() - 86_400_000
    const startNs = BigInt(start) * 1_000_000n
    const spanOf = (letter: string, ms: bigint) => {
      const times = { startTimeUnixNano: `${startNs}`, endTimeUnixNano: `${startNs + ms * 1_000_000n}` }
      return { traceId: letter.repeat(32), spanId: letter.repeat(16), name: 'long', ...times }
    }
    const spans = [spanOf('a', 25n), spanOf('b', 100_000n)]
    await test.app.sendSpans({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
    const [from, to] = [-60_000, 60_000].map((ms) => new Date(start + ms).toISOString())
    const { page, picture } = await open({ path: `/?chart=durations&from=${from}&to=${to}` })
    const labels = page.locator('.chart-axis text')
    await labels.getByText('1.09 min').waitFor()
    await picture('over-time-minutes')
    const { x = 0, y = 0 } = (await page.locator('.chart svg').boundingBox()) ?? {}
    const boxes = await Promise.all((await labels.all()).map((label) => label.boundingBox()))
    expect(boxes.filter((box) => box === null || box.x < x || box.y < y - 1)).toEqual([])
  })

  it('18: the table behind the chart has the bands of durations, which add up to the messages', async () => {
    const { page, picture, expectAccessible } = await open({ path: '/?chart=table' })
    const table = page.getByRole('region', { name: 'Messages over time as a table' })
    await table.getByRole('row').nth(1).waitFor()
    const titles = await table.getByRole('columnheader').allTextContents()
    expect(titles.slice(1, 3)).toEqual(['Messages', 'With errors'])
    expect(titles.slice(6).length).toBeGreaterThan(1)
    for (const title of titles.slice(6)) expect(title).toMatch(/^[\d.]+ \S+ to [\d.]+ \S+$/)
    const lines = (await table
      .locator('tbody tr')
      .evaluateAll((rows) =>
        rows.map((row) => [...row.querySelectorAll('td')].map((cell) => Number(cell.textContent))),
      )) as number[][]
    const [counts, sums] = [1, 6].map((first) =>
      lines.map((line) => line.slice(first, first === 1 ? 2 : undefined).reduce((a, b) => a + b, 0)),
    )
    expect(sums).toEqual(counts)
    expect(counts?.reduce((a, b) => a + b, 0)).toBe(120)
    await expectAccessible()
    await picture('over-time-table')
  })

  describe('a breakdown of messages of which some lack the attribute', () => {
    const org = () => `lacking-${test.app.org}`
    const start = BigInt(Date.now() - 60_000) * 1_000_000n
    const by = `by=${json([{ attribute_source: 'any', attribute_key: 'seq' }])}`
    const only = 'Search with seq without this attribute'
    const others = 'never seq without this attribute'

    beforeAll(async () => {
      const carried = [{ key: 'seq', value: { stringValue: '1' } }]
      const message = (at: string, ofRoot: object[], ofChild: object[]) =>
        test.app.sendSpans(
          requestOf(at.repeat(32), [
            { id: 1, parent: 0, name: 'root', start, end: start + 9_000n, attributes: ofRoot },
            { id: 2, parent: 1, name: 'child', start, end: start + 9_000n, attributes: ofChild },
          ]),
          { org: org() },
        )
      await message('a', carried, [])
      await message('b', [], [])
      await message('c', [], carried)
    })

    /** Opens a breakdown and returns the number of messages without the attribute. */
    async function lacking(path: string): Promise<ConsolePage & { readonly group: number }> {
      const shown = await open({ org: org(), path })
      const line = shown.page.locator('.breakdown tbody tr', { hasText: 'without this attribute' })
      return { ...shown, group: Number(await line.locator('.duration span').textContent()) }
    }

    it('finds exactly these by a click, where every step matches', async () => {
      const shown = await lacking(`/?${by}`)
      await shown.page.getByRole('button', { name: only }).click()
      await shown.page.getByText('Messages where seq is never present').waitFor()
      await expect.poll(() => countOf(shown)).toBe(shown.group)
    })

    it('finds all others by a click', async () => {
      const shown = await lacking(`/?rows=${json([{ ...name, value: 'root' }])}&${by}`)
      expect(shown.group).toBe(2)
      await shown.page.getByRole('button', { name: others }).click()
      await shown.page.getByText('seq is present').waitFor()
      await expect.poll(() => countOf(shown)).toBe(3 - shown.group)
    })

    it('says so where no condition finds them', async () => {
      const { page, picture, expectAccessible } = await lacking(
        `/?rows=${json([{ ...name, value: 'root' }])}&status=ok&${by}`,
      )
      await page.getByText('No condition finds exactly the messages without the attribute').waitFor()
      expect(await page.getByRole('button', { name: 'Search with seq 1' }).count()).toBe(1)
      for (const each of [only, others]) expect(await page.getByRole('button', { name: each }).count()).toBe(0)
      await expectAccessible()
      await picture('breakdown-lacking')
    })
  })

  it('7: the sentence about logs of a relative time range states it so', async () => {
    const { page } = await open({ path: '/explore/logs?last=15m&text=nothing' })
    await page.getByText('Log records where body contains "nothing", in the last 15 minutes.').waitFor()
    await page.goto(`${test.app.url}/explore/logs?from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z`)
    await page.getByText('Log records, from 2026-01-01T00:00:00Z to 2026-01-01T01:00:00Z.').waitFor()
  })

  it('3: list, count, chart, breakdown and comparison are about one time range', async () => {
    const { page } = await open({ path: '/about' })
    const windows = new Map<string, string>()
    page.on('request', (request) => {
      const [, operation] = /\/messages\/(search|count|histogram|breakdown|compare)$/.exec(request.url()) ?? []
      if (operation === undefined) return
      const body = request.postDataJSON() as Record<'from' | 'to', string> & {
        readonly a?: Record<'from' | 'to', string>
      }
      const { from, to } = body.a ?? body
      windows.set(operation, `${from} ${to}`)
    })
    await page.goto(`${test.app.url}/?last=2h`)
    await page.locator('.message-link').first().waitFor()
    await page.getByRole('radio', { name: 'Breakdown' }).click()
    await page.getByRole('region', { name: 'Groups' }).waitFor()
    await page.getByRole('radio', { name: 'Comparison' }).click()
    await expect.poll(() => windows.size).toBe(5)
    expect(new Set(windows.values()).size).toBe(1)
  })
})
