import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { type ConsolePage, countOf, sharedConsole } from './console-page.ts'

/** What a search finds, what an answer without messages says of it, and what stays of it elsewhere. */
describeInChromium('filters of searches', () => {
  const { test, open } = sharedConsole()

  const hour = 3_600_000
  const json = (value: unknown) => encodeURIComponent(JSON.stringify(value))
  const searchOf = ({ page }: ConsolePage) => new URL(page.url()).searchParams

  /** The address of an hour that ended some hours ago. */
  function absolute(hoursAgo: number): string {
    const to = Date.now() - hoursAgo * hour
    return `from=${new Date(to - hour).toISOString()}&to=${new Date(to).toISOString()}`
  }

  async function createIntegration(name: string): Promise<string> {
    const json = { name, matchers: [{ service: 'nobody' }] }
    return (await test.app.ask<{ id: string }>('/api/v1/integrations', { json })).id
  }

  it('10: a wider window than an absolute one contains it', async () => {
    const shown = await open({ path: `/?${absolute(4)}` })
    const before = searchOf(shown)
    await shown.page.getByRole('button', { name: 'Widen the time range' }).click()
    await shown.page.locator('.message-link').first().waitFor()
    const after = searchOf(shown)
    expect([
      String(after.get('from')) < String(before.get('from')),
      String(after.get('to')) > String(before.get('to')),
    ]).toEqual([true, true])
  })

  it('10: a wider window of logs contains it too', async () => {
    const record = { timeUnixNano: `${Date.now()}000000`, body: { stringValue: 'hello' } }
    const resourceLogs = [{ resource: { attributes: [] }, scopeLogs: [{ logRecords: [record] }] }]
    await test.app.sendLogs({ resourceLogs })
    const shown = await open({ path: `/explore/logs?${absolute(4)}` })
    const before = searchOf(shown)
    await shown.page.getByRole('button', { name: 'Widen the time range' }).click()
    await shown.page.getByText('hello').first().waitFor()
    expect(String(searchOf(shown).get('from')) < String(before.get('from'))).toBe(true)
  })

  it('10: a relation, a status and an integration are named when they exclude everything', async () => {
    const name = (value: string) => [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value }]
    const relation = { kind: 'followed_by', from: name('nothing'), to: name('nowhere') }
    const { page } = await open({ path: `/?relations=${json([relation])}` })
    await page.getByText(/Without relation 1 there are 120 messages/).waitFor()
    const integration = await createIntegration('Nobody')
    await page.goto(`${test.app.url}/?integration=${integration}`)
    await page.getByText(/Without the integration there are 120 messages/).waitFor()
    const failing = [{ attribute_source: 'message', attribute_key: 'error_count', operator: 'gt', value: 0 }]
    await page.goto(`${test.app.url}/?status=ok&rows=${json(failing)}`)
    await page.getByText(/Without the status “without errors” there are \d+ messages/).waitFor()
    expect(await page.getByText('Removing a single condition does not help').count()).toBe(0)
    await page.locator('p', { hasText: 'Without the status' }).getByRole('button', { name: 'Remove it' }).click()
    await page.locator('.message-link').first().waitFor()
  })

  it('1: logs of an organization without telemetry lead to the first one', async () => {
    const { page } = await open({ org: `empty-${test.app.org}`, path: '/explore/logs' })
    await page.getByText('No log record has arrived in the last 7 days.').waitFor()
    await page.getByRole('link', { name: 'See how to send the first log record' }).waitFor()
  })

  it('3, 7: the sentence of a relative search is relative, and so is the search that it becomes', async () => {
    const shown = await open({ path: '/?last=15m' })
    const { page } = shown
    await page.getByText('Messages, in the last 15 minutes.').waitFor()
    await page.getByRole('button', { name: 'Edit as text' }).click()
    const sentence = page.getByRole('textbox', { name: 'The search as a sentence' })
    await sentence.fill('Messages with status error, in the last 3 hours.')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Time range: Last 3 hours' }).waitFor()
    expect([...searchOf(shown)]).toEqual([
      ['last', '3h'],
      ['status', 'error'],
    ])
  })

  it('3: more than 200 integrations are offered, and an unknown one stays, also if none can be read', async () => {
    const first = await createIntegration('The oldest of all')
    for (let i = 0; i < 200; i++) await createIntegration(`Integration ${i}`)
    const { page } = await open({ path: `/?integration=${first}` })
    await page.getByRole('button', { name: /The oldest of all/ }).waitFor()
    const unknown = '01JNB4Y8Z0V6Q3W2R7T5X9K1MD'
    await page.goto(`${test.app.url}/?integration=${unknown}`)
    await page.getByRole('button', { name: new RegExp(`unknown integration ${unknown}`) }).waitFor()
    await page.route('**/api/v1/integrations?*', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.reload()
    await page.getByText('The integrations could not be read.').waitFor()
    await page.getByRole('button', { name: new RegExp(`integration ${unknown}`) }).waitFor()
  })

  it('20: that the integration of a search was deleted is said once', async () => {
    const { page } = await open({ path: '/?integration=01JNB4Y8Z0V6Q3W2R7T5X9K1MD' })
    await page.getByText(/There is no integration/).waitFor()
    await page.getByText('The chart appears once there is an answer.').waitFor()
    await expect.poll(() => page.locator('.sentence').innerText()).not.toBe('')
    expect(await page.getByRole('alert').count()).toBe(1)
  })

  it('3: an attribute that is named like a method of every object is not a field', async () => {
    const shown = await open()
    await shown.page.getByRole('radio', { name: 'Breakdown' }).click()
    await shown.page.getByRole('combobox', { name: 'Attribute to break down by' }).fill('constructor')
    await shown.page.getByRole('button', { name: 'Break down' }).click()
    const by = JSON.stringify([{ attribute_source: 'any', attribute_key: 'constructor' }])
    await expect.poll(() => searchOf(shown).get('by')).toBe(by)
  })

  it('3: a view keeps what is shown, and the words of the time range', async () => {
    const by = json([{ attribute_source: 'intrinsic', attribute_key: 'service' }])
    const shown = await open({ path: `/?by=${by}&last=24h` })
    const { page } = shown
    await page.getByRole('region', { name: 'Breakdown' }).waitFor()
    await page.getByRole('button', { name: 'Save as view' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('By service')
    await page.keyboard.press('Enter')
    await page.getByText('View By service').waitFor()
    await page.getByRole('button', { name: 'Time range: Last 24 hours' }).waitFor()
    expect([searchOf(shown).has('by'), searchOf(shown).get('last')]).toEqual([true, '24h'])
    await page.goto(`${test.app.url}/?last=1d`)
    await page.getByRole('button', { name: 'Time range: Last 24 hours' }).waitFor()
  })

  it('18: a time range of years has a chart, whose bars say the days that they begin and end on', async () => {
    const { page, picture } = await open({ path: '/?last=1500d' })
    const chart = page.getByRole('slider', { name: /^Messages over time/ })
    await chart.press('End')
    const words = await chart.getAttribute('aria-valuetext')
    const pattern = /^(\S+) 00:00:00 to (\S+) 00:00:00 · (\d+) messages?\b/
    const [, from = '', to = '', count] = pattern.exec(words ?? '') ?? []
    expect(Date.parse(to) - Date.parse(from)).toBe(13 * 24 * hour)
    expect(Number(count)).toBeGreaterThan(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    await picture('chart-of-years')
  })

  it('5: where an attribute is said to be, keys that are only elsewhere are not suggested', async () => {
    const row = { attribute_source: 'resource', operator: 'eq' }
    const { page } = await open({ path: `/?rows=${json([row])}` })
    const field = page.getByRole('combobox', { name: 'Condition 1: attribute' })
    await field.press('ArrowDown')
    await page.getByRole('option', { name: /^service\.name string/ }).waitFor()
    await field.fill('order')
    await expect.poll(() => page.getByRole('option').count()).toBe(0)
    await page.getByRole('button', { name: 'Condition 1: where the attribute is' }).click()
    await page.getByRole('option', { name: 'span attribute' }).click()
    await field.press('ArrowDown')
    await page.getByRole('option', { name: /^order\.id/ }).waitFor()
  })

  it('8: another time range asks one question', async () => {
    const shown = await open()
    await countOf(shown)
    const minutes: number[] = []
    shown.page.on('request', (request) => {
      if (!request.url().endsWith('/messages/search')) return
      const { from, to } = JSON.parse(request.postData() ?? '{}')
      minutes.push((Date.parse(to) - Date.parse(from)) / 60_000)
    })
    await shown.page.getByRole('button', { name: /^Time range/ }).click()
    await shown.page.getByRole('button', { name: 'Last 6 hours' }).click()
    await expect.poll(() => minutes.length).toBeGreaterThan(0)
    await countOf(shown)
    expect(minutes).toEqual([360])
  })

  it('3, 18: a time range is previewed in the zone of the page, and a text that is no time is not sent', async () => {
    const { page } = await open({ timeZone: 'Europe/Berlin', path: '/?from=abc&to=def' })
    await page.getByText('Part of the address was not understood').waitFor()
    await page.getByRole('button', { name: 'Time range: Last hour' }).click()
    await page.getByRole('textbox', { name: 'Any time' }).fill('2026-03-01 09:00 to 2026-03-01 10:00')
    await page.getByText('2026-03-01 09:00:00.000 to 2026-03-01 10:00:00.000').waitFor()
  })

  it('3, 6: an attribute with an empty key becomes a condition that is sent', async () => {
    const traceId = 'b'.repeat(32)
    const start = BigInt(Date.now() - 60_000) * 1_000_000n
    const times = { startTimeUnixNano: String(start), endTimeUnixNano: String(start + 1_000n) }
    const attributes = [{ key: '', value: { stringValue: 'no key' } }]
    const span = { traceId, spanId: 'b'.repeat(16), name: 'odd', kind: 1, ...times, attributes }
    await test.app.sendSpans({ resourceSpans: [{ resource: {}, scopeSpans: [{ spans: [span] }] }] })
    const shown = await open({ path: `/messages/${traceId}` })
    await shown.page.locator('.attributes tr', { hasText: 'no key' }).getByRole('button').last().click()
    await shown.page.getByRole('menuitem', { name: 'Messages with this value' }).click()
    await expect.poll(() => countOf(shown)).toBe(1)
  })
})
