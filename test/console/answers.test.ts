import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { countOf, noteRequests, sharedConsole } from './console-page.ts'

/** What the page of messages makes of an answer. The numbers are those of "It is good when" in the console's design. */
describeInChromium('the answers to a search', () => {
  const { test, open, ask } = sharedConsole()

  const orders = encodeURIComponent(JSON.stringify([{ attribute_key: 'order.id', operator: 'exists' }]))

  const views = '/saved-views'
  const listViews = async () => (await ask<{ items: { name: string; rows: object[] }[] }>('GET', views)).items

  it('3, 8: dragging over the chart asks for that part of the time, and back leads to the whole', async () => {
    const shown = await open()
    const { page, picture } = shown
    const chart = page.getByRole('slider', { name: /Messages over time/ })
    await chart.waitFor()
    await picture('over-time-light')
    const box = await chart.boundingBox()
    if (box === null) throw new Error('the chart is not shown')
    await page.mouse.move(box.x + box.width * 0.4, box.y + 40)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.6, box.y + 40, { steps: 4 })
    await picture('over-time-dragging')
    await page.mouse.up()
    await expect.poll(() => page.url()).toMatch(/from=.*to=/)
    await expect.poll(() => countOf(shown)).toBeLessThan(60)
    expect(await countOf(shown)).toBeGreaterThan(10)
    await page.goBack()
    await expect.poll(() => countOf(shown)).toBe(120)
  })

  it('18, 19: the chart is walked and zoomed by keys, says what each bar is, and has a table behind it', async () => {
    const shown = await open({ path: '/?chart=table' })
    const { page, picture, expectAccessible } = shown
    const table = page.getByRole('region', { name: 'Messages over time as a table' })
    await table.getByRole('row').nth(1).waitFor()
    const cells = await table.locator('tbody td:nth-child(2)').allTextContents()
    expect(cells.map(Number).reduce((sum, each) => sum + each, 0)).toBe(await countOf(shown))
    await expectAccessible()
    await picture('over-time-table')
    await page.getByRole('radio', { name: 'Counts' }).click()
    const chart = page.getByRole('slider', { name: /Messages over time/ })
    await chart.focus()
    await page.keyboard.press('End')
    for (let i = 0; i < 30; i++) await page.keyboard.press('Shift+ArrowLeft')
    expect(await chart.getAttribute('aria-valuetext')).toMatch(/ to .* messages?/)
    await page.keyboard.press('Enter')
    await expect.poll(() => countOf(shown)).toBeLessThan(90)
    expect(page.url()).toMatch(/from=.*to=/)
  })

  it('19: durations are a heatmap on demand, which axe accepts in both themes', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, expectAccessible, picture } = await test.open({ theme })
      await page.getByRole('radio', { name: 'Durations' }).click()
      await page.locator('rect.heat').first().waitFor()
      expect(page.url()).toContain('chart=durations')
      await expectAccessible()
      await picture(`over-time-durations-${theme}`)
      await context.close()
    }
  })

  it('5: once all keys were read, typing asks for no keys and suggests those that begin with the text', async () => {
    const { page } = await open({ path: '/about', beforeLoad: (each) => each.clock.install() })
    const requests = await noteRequests(page)
    await page.goto(test.app.url)
    await page.getByRole('button', { name: 'Add condition' }).click()
    const options = page.getByRole('option')
    await options.filter({ hasText: /^http/ }).first().waitFor()
    const before = (await requests()).begun.length
    await page.getByRole('combobox', { name: 'Condition 1: attribute' }).pressSequentially('order')
    await options.filter({ hasText: /^order\.id/ }).waitFor()
    await expect.poll(() => options.filter({ hasText: /^http/ }).count()).toBe(0)
    // A question follows a pause of the keys.
    await page.clock.fastForward('00:02')
    const { begun } = await requests()
    expect(begun.slice(before).filter((address) => address.includes('/attributes?'))).toEqual([])
  })

  it('4, 7: a value that turns the direction of text does not turn the words around it', async () => {
    const row = { attribute_key: 'order.id', operator: 'eq', value: '\u202Eabc' }
    const { page } = await open({ path: `/?rows=${encodeURIComponent(JSON.stringify([row]))}` })
    await page.locator('.sentence bdi', { hasText: '\u202Eabc' }).waitFor()
    await page.getByText('No message matches.').waitFor()
  })

  it('3, 9: a chosen column shows its values, stays in the address, and can be removed', async () => {
    const { page, picture, expectAccessible } = await open({ path: `/?rows=${orders}` })
    await page.locator('.message-link').first().waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('option', { name: /^http/ }).first().waitFor()
    await page.getByRole('combobox', { name: 'Attribute of a new column' }).fill('order.i')
    await page.getByRole('option', { name: /^order\.id/ }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Remove the column order.id' }).waitFor()
    await expectAccessible()
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('columnheader', { name: 'order.id' }).waitFor()
    await expect.poll(() => page.locator('td.column').first().textContent()).toMatch(/^o-/)
    await picture('columns-light')
    await page.reload()
    await expect.poll(() => page.locator('td.column').first().textContent()).toMatch(/^o-/)
    await page.getByRole('button', { name: /Columns/ }).click()
    await page.getByRole('button', { name: 'Remove the column order.id' }).click()
    await expect.poll(() => page.locator('td.column').count()).toBe(0)
  })

  it('3: a search is saved as a view, opened, edited, saved again and deleted', async () => {
    const { page, picture, expectAccessible } = await open({ path: `/?rows=${orders}&order=longest&last=6h` })
    await page.getByRole('button', { name: 'Save as view' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Long orders')
    await page.keyboard.press('Enter')
    await page.getByText('View Long orders').waitFor()
    await page.goto(test.app.url)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: /^Long orders/ }).waitFor()
    await expectAccessible()
    await picture('views-light')
    await page.getByRole('button', { name: /^Long orders/ }).click()
    await expect.poll(() => page.url()).toMatch(/order=longest.*last=6h/)
    await page.getByText('View Long orders').waitFor()
    expect(await page.getByText('edited', { exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('combobox', { name: 'Condition 2: attribute' }).fill('payment.met')
    await page.getByRole('option', { name: /^payment\.method/ }).click()
    await page.getByRole('combobox', { name: 'Condition 2: value' }).fill('card')
    await page.keyboard.press('Tab')
    await page.getByText('edited', { exact: true }).waitFor()
    // The edit is in the address, so that a reload keeps it.
    await page.reload()
    await page.getByText('edited', { exact: true }).waitFor()
    await picture('view-edited')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => page.getByText('edited', { exact: true }).count()).toBe(0)
    expect((await listViews()).map(({ name, rows }) => [name, rows.length])).toEqual([['Long orders', 2]])
    await page.getByRole('button', { name: 'Delete the view' }).click()
    await page.getByRole('button', { name: 'Delete the view' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.has('view')).toBe(false)
    expect(await listViews()).toEqual([])
  })

  it('17, 20: a view that was changed meanwhile is overwritten only on request; viewers change none', async () => {
    const view = await ask<{ id: string }>('POST', views, { name: 'Shared', rows: [] })
    const path = `/?view=${view.id}&status=error`
    const { page, picture } = await open({ path })
    await page.getByText('edited', { exact: true }).waitFor()
    await ask('PUT', `${views}/${view.id}`, { order: 'oldest' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('changed meanwhile, by another person or in another tab').waitFor()
    await picture('view-conflict')
    await page.getByRole('button', { name: 'Take their version' }).click()
    await expect.poll(() => page.url()).toContain('order=oldest')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Ours')
    await ask('PUT', `${views}/${view.id}`, { name: 'Theirs', status: 'ok' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const conflict = page.getByRole('alert', { name: 'Conflict' })
    await conflict.getByText('Theirs', { exact: true }).waitFor()
    await picture('view-name-conflict')
    await conflict.getByRole('button', { name: 'Replace it with mine' }).click()
    await page.getByText('View Ours').waitFor()
    await expect.poll(() => page.url()).toContain('status=ok')
    expect(await ask('GET', `${views}/${view.id}`)).toMatchObject({ name: 'Ours', status: 'ok', order: 'oldest' })
    await ask('PUT', `${views}/${view.id}`, { name: 'Theirs again' })
    await page.getByRole('button', { name: 'Delete the view' }).click()
    await page.getByRole('button', { name: 'Delete the view' }).click()
    await page.getByText('This view was changed meanwhile, by another person or in another tab.').waitFor()
    await page.getByRole('button', { name: 'Read it again' }).click()
    await page.getByText('View Theirs again').waitFor()
    await page.context().close()
    const viewer = await open({ role: 'viewer', path })
    await viewer.page.getByText('You need the contributor role to change views.').waitFor()
    expect(await viewer.page.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
    await ask('DELETE', `${views}/${view.id}`)
  })

  it('3: an empty value is clicked and filtered by like any other', async () => {
    const start = new Date(Date.now() - 3 * 86_400_000)
    const spans = ['', '', 'x'].map((ticket, index) => ({
      traceId: (index + 1).toString(16).padStart(32, 'c'),
      spanId: 'c'.repeat(16),
      name: 'read',
      kind: 1,
      startTimeUnixNano: `${start.getTime()}000000`,
      endTimeUnixNano: `${start.getTime()}000900`,
      attributes: [{ key: 'ticket', value: { stringValue: ticket } }],
    }))
    await test.app.sendSpans({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans }] }] })
    const by = encodeURIComponent(JSON.stringify([{ attribute_source: 'any', attribute_key: 'ticket' }]))
    const window = `from=${start.toISOString()}&to=${new Date(start.getTime() + 1_000).toISOString()}`
    const shown = await open({ path: `/?by=${by}&${window}` })
    await shown.page.getByRole('button', { name: 'Search with ticket ""' }).click()
    await shown.page.getByText('ticket equals ""').waitFor()
    await expect.poll(() => countOf(shown)).toBe(2)
    await shown.page.reload()
    await expect.poll(() => countOf(shown)).toBe(2)
  })

  it('3: copied as curl is what is shown: the list, the breakdown or the comparison', async () => {
    const { page, context } = await open({ path: `/?rows=${orders}&status=error` })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = async () => {
      // The button says so for a moment only.
      const isDone = page.getByRole('button', { name: 'Copied' }).waitFor()
      await page.getByRole('button', { name: 'Copy as curl' }).click()
      await isDone
      const command = String(await page.evaluate('navigator.clipboard.readText()'))
      const [, path, body] = /\/api\/v1\/messages\/(\w+) .* -d '(.*)'$/.exec(command) ?? []
      await page.getByRole('button', { name: 'Copied' }).waitFor({ state: 'detached' })
      return { path, body: JSON.parse(body ?? '') as Record<string, unknown> }
    }
    await page.locator('.message-link').first().waitFor()
    expect((await copied()).path).toBe('search')
    await page.getByRole('radio', { name: 'Breakdown' }).click()
    const breakdown = await copied()
    expect(breakdown).toMatchObject({ path: 'breakdown', body: { status: 'error', limit: 50 } })
    await page.getByRole('radio', { name: 'Comparison' }).click()
    await page.getByRole('radio', { name: 'Slowest 5% with faster ones' }).click()
    await page.locator('.compared-side').first().waitFor()
    const comparison = await copied()
    expect(comparison).toMatchObject({ path: 'compare', body: { a: { status: 'error' }, b: { status: 'error' } } })
    expect((await test.app.send('/api/v1/messages/compare', { json: comparison.body })).status).toBe(200)
  })

  it('19: the key / goes to the first condition, which it adds where it is missing', async () => {
    const { page } = await open()
    await page.locator('.message-link').first().waitFor()
    await page.keyboard.press('/')
    const first = page.getByRole('combobox', { name: 'Condition 1: attribute' })
    await expect.poll(() => first.evaluate((field) => field.matches(':focus'))).toBe(true)
    await page.keyboard.type('order.id')
    expect(await first.inputValue()).toBe('order.id')
  })

  it('8, 9: all messages that match are exported as CSV and as NDJSON, with the chosen columns', async () => {
    const columns = encodeURIComponent(JSON.stringify([{ attribute_key: 'order.id' }]))
    const shown = await open({ path: `/?rows=${orders}&columns=${columns}` })
    const { page, picture } = shown
    const count = await countOf(shown)
    const exported = async (format: string) => {
      await page.getByRole('button', { name: 'Export' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: format }).click(),
      ])
      return {
        name: download.suggestedFilename(),
        lines: readFileSync(await download.path(), 'utf8')
          .trim()
          .split('\n'),
      }
    }
    const csv = await exported('Messages as CSV')
    expect(csv.name).toBe('messages.csv')
    expect(csv.lines).toHaveLength(count + 1)
    expect(csv.lines[0]).toContain('order.id')
    const ndjson = await exported('Messages as NDJSON')
    expect(JSON.parse(ndjson.lines.at(-1) ?? '')).toEqual({ end: true, count })
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Messages as CSV' }).waitFor()
    await picture('export-menu')
  })

  it('3, 19: messages are broken down by an attribute, and a value becomes a condition by a click', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const shown = await test.open({ theme })
      await shown.page.getByRole('radio', { name: 'Breakdown' }).click()
      await shown.page.getByRole('button', { name: 'Search with root.name POST /checkout' }).waitFor()
      await shown.expectAccessible()
      await shown.picture(`breakdown-${theme}`)
      await shown.context.close()
    }
    const by = encodeURIComponent(JSON.stringify([{ attribute_source: 'any', attribute_key: 'payment.method' }]))
    const shown = await open({ path: `/?by=${by}` })
    const { page } = shown
    await page
      .getByRole('button', { name: /^Search with payment\.method/ })
      .first()
      .waitFor()
    const counts = await page.locator('.breakdown tbody .duration span').allTextContents()
    expect(counts.map(Number).reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(await countOf(shown))
    const line = page
      .getByRole('row')
      .filter({ has: page.getByRole('button', { name: 'Search with payment.method card' }) })
    const count = Number(await line.locator('.duration span').textContent())
    await page.getByRole('button', { name: 'Search with payment.method card' }).click()
    await page.getByText('payment.method equals "card"').waitFor()
    await expect.poll(() => countOf(shown)).toBe(count)
  })
})
