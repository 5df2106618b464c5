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
})
