import { readFileSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { markOf, sharedConsole } from './console-page.ts'
import { expectFocus } from './focus.ts'

const recordCount = 130
const traceId = 'a'.repeat(32)
const spanId = 'b'.repeat(16)

describeInChromium('the page of logs', () => {
  const { test, open } = sharedConsole()

  /** One record in ten is an error of a step; the newest record belongs to no message. */
  beforeAll(async () => {
    const nowMs = Date.now()
    const records = Array.from({ length: recordCount }, (_, index) => ({
      timeUnixNano: `${nowMs - index * 1_000}000000`,
      ...(index % 10 === 1
        ? { severityNumber: 17, severityText: 'ERROR', traceId, spanId }
        : { severityNumber: 9, severityText: 'INFO' }),
      body: { stringValue: index % 10 === 1 ? `card declined ${index}` : `order ${index} stored` },
      attributes: [
        { key: 'tenant', value: { stringValue: index % 2 === 0 ? 'contoso' : '' } },
        { key: 'order', value: { intValue: String(index) } },
      ],
      ...(index === 0 && { droppedAttributesCount: 3 }),
    }))
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'payment' } }] }
    await test.app.sendLogs({ resourceLogs: [{ resource, scopeLogs: [{ logRecords: records }] }] })
    const span = { traceId, spanId, name: 'charge', kind: 1 }
    const times = { startTimeUnixNano: `${nowMs}000000`, endTimeUnixNano: `${nowMs}900000` }
    await test.app.sendSpans({ resourceSpans: [{ resource, scopeSpans: [{ spans: [{ ...span, ...times }] }] }] })
  })

  it('the newest records come first, more are read on demand, and axe finds no violation in either theme', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, expectAccessible, picture } = await test.open({ theme, path: '/explore/logs' })
      await page.getByRole('heading', { name: 'The newest 100 records' }).waitFor()
      await page.getByText('card declined 1', { exact: true }).click()
      await page.getByRole('link', { name: 'Open its message at its step' }).waitFor()
      await expectAccessible()
      await picture(`logs-${theme}`)
      await context.close()
    }
    const { page } = await open({ path: '/explore/logs' })
    await page.getByText('order 0 stored', { exact: true }).waitFor()
    const times = await page.locator('.log-time').allTextContents()
    expect(times).toEqual(times.toSorted().toReversed())
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('heading', { name: /^130 records/ }).waitFor()
    expect(await page.locator('.log-record').count()).toBe(recordCount)
  })

  it('20: the records stay when more of them cannot be read, and a retry reads more', async () => {
    const { page, picture, expectAccessible } = await open({ path: '/explore/logs' })
    await page.getByRole('heading', { name: 'The newest 100 records' }).waitFor()
    await page.route('**/api/v1/logs/search', (route) => route.fulfill({ status: 502 }))
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByRole('alert').getByText('Unexpected answer').waitFor()
    expect(await page.locator('.log-record').count()).toBe(100)
    await expectAccessible()
    await picture('more-records-refused')
    await page.unroute('**/api/v1/logs/search')
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await page.getByRole('heading', { name: /^130 records/ }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('severity, text and conditions are in the address and in the sentence, and reload keeps them', async () => {
    const { page } = await open({ path: '/explore/logs' })
    await page.getByRole('button', { name: /^any severity/ }).click()
    await page.getByRole('option', { name: 'errors and above' }).click()
    await page.getByRole('heading', { name: /^13 records( |$)/ }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(' 11')
    await page.getByRole('heading', { name: /^2 records( |$)/ }).waitFor()
    await page.getByText('severity_number is at least "17" and body contains " 11"').waitFor()
    expect(await page.getByRole('searchbox', { name: 'Text in the body' }).inputValue()).toBe(' 11')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('combobox', { name: 'Condition 1: attribute' }).fill('ord')
    await page.getByRole('option', { name: /^order/ }).click()
    await page.getByRole('button', { name: 'Condition 1: operator' }).click()
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual([
        ...['equals', '≠', 'contains', '!contains', 'starts with', 'ends with', 'matches'],
        ...['is greater than', 'is at least', 'is less than', 'is at most', 'exists', 'is absent'],
      ])
    await page.getByRole('option', { name: 'is absent' }).click()
    await expect.poll(() => page.getByRole('combobox', { name: 'Condition 1: value' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Condition 1: operator' }).click()
    await page.getByRole('option', { name: 'is greater than' }).click()
    await page.getByRole('combobox', { name: 'Condition 1: value' }).fill('50')
    await page.keyboard.press('Tab')
    await page.getByRole('heading', { name: /^1 record( |$)/ }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: /^1 record( |$)/ }).waitFor()
    expect(await page.getByRole('combobox', { name: 'Condition 1: value' }).inputValue()).toBe('50')
  })

  it('a value of a record becomes a condition, also an empty one, and a fault stands at its row', async () => {
    const { page, picture } = await open({ path: '/explore/logs?severity=error' })
    await page.getByText('card declined 1', { exact: true }).click()
    await page.getByRole('button', { name: 'Without tenant ""' }).click()
    await page.getByText('No log record matches.').waitFor()
    await page.getByText('Without condition 1 (tenant) there are records.').waitFor()
    await picture('logs-empty')
    await page.getByRole('button', { name: 'Remove it' }).first().click()
    await page.getByRole('heading', { name: /^13 records( |$)/ }).waitFor()
    const broken = encodeURIComponent(
      JSON.stringify([
        { attribute_key: 'tenant', operator: 'exists' },
        { attribute_key: 'tenant', operator: 'matches', value: '(' },
      ]),
    )
    await page.goto(`${test.app.url}/explore/logs?conditions=${broken}`)
    await page.locator('li.row').nth(1).getByRole('alert').waitFor()
    expect(await page.locator('li.row').nth(0).getByRole('alert').count()).toBe(0)
  })

  it('5: keys and values are suggested with type and count, those first that begin with what is typed', async () => {
    const { page, picture } = await open({ path: '/explore/logs' })
    await page.getByRole('heading', { name: 'The newest 100 records' }).waitFor()
    await page.getByRole('button', { name: 'Add condition' }).click()
    const options = page.getByRole('option')
    const key = page.getByRole('combobox', { name: 'Condition 1: attribute' })
    await key.fill('ORDER')
    await expect.poll(() => options.allTextContents()).toEqual(['orderint · 100 shown'])
    await key.fill('o')
    await expect.poll(() => options.locator('.mono').allTextContents()).toEqual(['order', 'body'])
    await key.fill('tenant')
    await page.keyboard.press('Tab')
    await page.getByRole('combobox', { name: 'Condition 1: value' }).fill('CON')
    await expect.poll(() => options.allTextContents()).toEqual(['contosostring · 50 shown'])
    await picture('logs-suggestions')
  })

  it('10, 20: what an empty answer could not find out is not taken for nothing', async () => {
    const { page, picture } = await open({ org: `empty-${test.app.org}`, path: '/explore/logs' })
    await page.getByText('No log record has arrived in the last 7 days.').waitFor()
    await page.route('**/api/v1/logs/search', (route) =>
      route.request().postDataJSON().limit === 1 ? route.fulfill({ status: 503, json: {} }) : route.continue(),
    )
    await page.reload()
    await page.getByText('Not every condition could be checked').waitFor()
    expect(await page.getByText('No log record has arrived').count()).toBe(0)
    await picture('logs-not-checked')
  })

  it('a record leads to its message at its step, and the time range goes along', async () => {
    const { page } = await open({ path: '/explore/logs?severity=error&last=6h' })
    await page.getByText('card declined 1', { exact: true }).click()
    const link = page.getByRole('link', { name: 'Open its message at its step' })
    await link.click()
    await page
      .getByRole('complementary', { name: /^Step / })
      .getByText('charge')
      .first()
      .waitFor()
    expect(page.url()).toContain(`/messages/${traceId}?last=6h&span=`)
    // The record is open as it was left, with the focus on the link.
    await page.goBack()
    await expectFocus(link)
  })

  it('a record says how many of its attributes were dropped, by the sender or by the server', async () => {
    const { page } = await open({ path: '/explore/logs' })
    const record = page.locator('.log-record').filter({ hasText: 'order 0 stored' })
    await record.locator('summary').click()
    await record.getByText('Dropped attributes: 3', { exact: true }).waitFor()
  })

  it('a mark says that a record opens, and turns; its exact times are those of the chosen zone', async () => {
    const { page } = await open({ path: '/explore/logs', timeZone: 'Asia/Tokyo' })
    const record = page.locator('.log-record').filter({ hasText: 'order 0 stored' })
    const mark = () => markOf(record.locator('summary'))
    expect(await mark()).toEqual({ isShown: true, isTurned: false })
    await record.locator('summary').click()
    await expect.poll(mark).toEqual({ isShown: true, isTurned: true })
    const shown = (await record.locator('.log-time').textContent()) ?? ''
    expect(await record.locator('.log-origin').textContent()).toBe(`sent ${shown} Asia/Tokyo`)
  })

  it('all records that match are exported as NDJSON, not only those that are shown', async () => {
    const { page } = await open({ path: '/explore/logs' })
    await page.getByRole('heading', { name: 'The newest 100 records' }).waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Records as NDJSON' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('logs.ndjson')
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ end: true, count: recordCount })
  })

  it('a long body begins short, a stack trace is whole, and no value is offered that conditions refuse', async () => {
    const [trace, long] = [`at line of a trace\n`.repeat(200), `${'long '.repeat(20_000)}end`]
    const attributes = [
      ...Array.from({ length: 120 }, (_, index) => ({ key: `part.${index}`, value: { stringValue: 'x' } })),
      { key: 'a.long', value: { stringValue: 'y'.repeat(4_097) } },
    ]
    const records = [trace, long].map((stringValue) => ({ body: { stringValue }, attributes }))
    const timeUnixNano = `${Date.now() - 3 * 86_400_000}000000`
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'wordy' } }] }
    const logRecords = records.map((record) => ({ ...record, timeUnixNano }))
    await test.app.sendLogs({ resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })
    const conditions = [{ attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'wordy' }]
    const path = `/explore/logs?last=7d&conditions=${encodeURIComponent(JSON.stringify(conditions))}`
    const { page, picture, expectAccessible } = await open({ path })
    const lines = page.locator('.log-record')
    await page.getByRole('heading', { name: '2 records' }).waitFor()
    const lengths = (await page.locator('.log-text').allTextContents()).map(({ length }) => length)
    expect(Math.max(...lengths)).toBe(501)
    await lines.filter({ hasText: 'at line of a trace' }).locator('summary').click()
    const shown = page.locator('.log-detail')
    expect(await shown.locator('pre').textContent()).toBe(trace)
    expect(await shown.getByRole('button', { name: 'Only with part.7 x', exact: true }).count()).toBe(1)
    expect(await shown.getByRole('row').count()).toBe(101)
    await shown.getByRole('button', { name: 'Show 21 of 21 more' }).click()
    await shown.getByRole('row', { name: /^a\.long/ }).waitFor()
    expect(await shown.getByRole('button', { name: /^Only with a\.long/ }).count()).toBe(0)
    await expectAccessible()
    await picture('log-trace')
    await lines.filter({ hasText: 'at line of a trace' }).locator('summary').click()
    await lines.filter({ hasText: 'long long' }).locator('summary').click()
    await shown.getByRole('button', { name: `Show all ${long.length.toLocaleString('en')} characters` }).click()
    expect(await shown.locator('pre').textContent()).toBe(long)
  })

  it('restricted callers read that logs need another role, and ask nothing', async () => {
    const { page, picture } = await open({ role: 'restricted', path: '/explore/logs', width: 600 })
    await page.getByText('Logs are not visible to the role restricted.').waitFor()
    expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0)
    await picture('logs-restricted')
  })
})
