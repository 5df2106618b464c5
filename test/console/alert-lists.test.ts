import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

interface Rule {
  readonly id: string
  readonly state: { readonly status: string; readonly alert_id: string | null; readonly value: number | null }
}

/** More alerts than the list shows at once. */
const newerAlerts = 21

describeInChromium('lists of alerts and rules', () => {
  const { test, open, ask } = sharedConsole({ env: { ALERT_PERIOD_SECONDS: '1' } })
  const silent = { kind: 'trace', measure: 'span_count', comparator: 'lt', threshold: 0, enabled: false }

  /** Creates a rule that fires at once. */
  const addFiring = (name: string, change = {}) =>
    ask<Rule>('POST', '/alerting/rules', { ...silent, name, comparator: 'gte', enabled: true, ...change })

  const read = ({ id }: Rule) => ask<Rule>('GET', `/alerting/rules/${id}`)

  it('3: alert rules are found by name, service, measure or metric, and the text is in the address', async () => {
    const metric = { kind: 'metric', metric: 'queue.depth', measure: 'avg' }
    for (const change of [
      { name: 'Checkout is slow', measure: 'p95_ms' },
      { name: 'Card payments fail', measure: 'error_count', service: 'payment' },
      { name: 'Backlog', ...metric },
    ])
      await ask('POST', '/alerting/rules', { ...silent, ...change })
    const { page, picture, expectAccessible } = await open({ path: '/alerts' })
    const names = () => page.locator('.record-link').allTextContents()
    const field = page.getByRole('searchbox', { name: 'Find an alert rule' })
    await expect.poll(async () => (await names()).length).toBe(3)
    await page.getByText('3 rules', { exact: true }).waitFor()
    for (const [text, name] of [
      ['CHECKOUT', 'Checkout is slow'],
      ['payment', 'Card payments fail'],
      ['queue.d', 'Backlog'],
      ['p95', 'Checkout is slow'],
    ] as const) {
      await field.fill(text)
      await expect.poll(names).toEqual([name])
    }
    await page.getByText('1 rule of 3', { exact: true }).waitFor()
    await expect.poll(() => page.url()).toContain('find=p95')
    await page.reload()
    await expect.poll(names).toEqual(['Checkout is slow'])
    expect(await field.inputValue()).toBe('p95')
    await picture('alert-rules-found')
    await field.fill('nothing like it')
    await page.getByText('No alert rule has “nothing like it” in its name or what it measures.').waitFor()
    await expectAccessible()
    // The shortcut that leads to the first field of a page leads here too.
    await page.getByRole('heading', { name: 'Alerts', exact: true }).click()
    await page.keyboard.press('/')
    await expect.poll(() => page.locator(':focus').getAttribute('placeholder')).toBe('Find by name or what it measures')
  })

  it('the list says what each rule is about, and an integration is found by its name', async () => {
    const { id } = await ask<{ id: string }>('POST', '/integrations', {
      name: 'Orders',
      matchers: [{ service: 'cart' }],
    })
    await ask('POST', '/alerting/rules', { ...silent, name: 'On a service', service: 'shipping' })
    await ask('POST', '/alerting/rules', { ...silent, name: 'On an integration', integration_id: id })
    const conditions = [{ attribute_key: 'tenant', operator: 'neq', value: 'contoso' }]
    await ask('POST', '/alerting/rules', { ...silent, name: 'On a tenant', conditions })
    const end = (value: string) => [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value }]
    const relations = [{ kind: 'not_followed_by', from: end('pay'), to: end('ship'), within_ms: 60_000 }]
    await ask('POST', '/alerting/rules', { ...silent, name: 'On messages', measure: 'message_count', relations })
    const { page, expectAccessible, picture } = await open({ path: '/alerts?find=Orders' })
    await page.getByText('number of spans of integration Orders is below 0 over 5 min').waitFor()
    expect(await page.locator('.record-link').allTextContents()).toEqual(['On an integration'])
    await page.getByRole('searchbox', { name: 'Find an alert rule' }).fill('shipping')
    await page.getByText('number of spans of service shipping is below 0 over 5 min').waitFor()
    await page.getByRole('searchbox', { name: 'Find an alert rule' }).fill('contoso')
    await page.getByText('where tenant ≠ "contoso"').waitFor()
    expect(await page.locator('.record-link').allTextContents()).toEqual(['On a tenant'])
    await page.getByRole('searchbox', { name: 'Find an alert rule' }).fill('followed')
    const relation = 'a step with (name equals "pay") is not followed within 1 min by a step with (name equals "ship")'
    await page.getByText(`where ${relation}`).waitFor()
    await expectAccessible()
    await picture('alert-rule-conditions')
  })

  it('the value of a rule has as many digits as in a chart', async () => {
    const dataPoints = [{ timeUnixNano: `${Date.now() - 60_000}000000`, asDouble: 1 / 3 }]
    const metrics = [{ name: 'disk.used', gauge: { dataPoints } }]
    await test.app.sendMetrics({ resourceMetrics: [{ resource: { attributes: [] }, scopeMetrics: [{ metrics }] }] })
    const measured = { kind: 'metric', metric: 'disk.used', measure: 'avg', comparator: 'gt', threshold: 9 }
    const rule = await ask<Rule>('POST', '/alerting/rules', { name: 'Disk', ...measured })
    await expect.poll(async () => (await read(rule)).state.value, { timeout: 60_000 }).toBe(1 / 3)
    const { page } = await open({ path: '/alerts?find=Disk' })
    await page.getByRole('cell', { name: '0.3333', exact: true }).waitFor()
  })

  it('3: a link to an alert opens it, however many are newer and whatever their state', async () => {
    const oldest = await addFiring('Oldest')
    await expect.poll(async () => (await read(oldest)).state.status).toBe('firing')
    const alert = (await read(oldest)).state.alert_id ?? ''
    await ask('PUT', `/alerting/rules/${oldest.id}`, { enabled: false })
    for (let at = 0; at < newerAlerts; at += 1) await addFiring(`Newer ${at}`)
    const count = async () => (await ask<{ items: object[] }>('GET', '/alerting/alerts?limit=200')).items.length
    await expect.poll(count).toBe(newerAlerts + 1)
    const { page, picture, expectAccessible } = await open({ path: `/alerts?show=alerts&alert=${alert}` })
    await page.getByRole('link', { name: 'Rule Oldest' }).waitFor()
    expect(await page.locator('details[open]').count()).toBe(1)
    await expectAccessible()
    await picture('alert-linked')
    await page.getByRole('link', { name: 'All alerts' }).click()
    await expect.poll(() => page.locator('details').count()).toBe(20)
    expect(await page.getByText('Oldest: ').count()).toBe(0)
    // What is open in the list has an address to send to a colleague.
    await page.locator('summary').first().click()
    await page.getByRole('link', { name: 'Link to this alert' }).click()
    await expect.poll(() => page.url()).toMatch(/alert=[0-9A-Z]{26}/)
    await expect.poll(() => page.locator('details[open]').count()).toBe(1)
    await page.goBack()
    await expect.poll(() => page.locator('details').count()).toBe(20)
  })

  it('20: an alert that is gone is said, and leads to the others', async () => {
    const { page, expectAccessible } = await open({ path: '/alerts?show=alerts&alert=01JNB4Y8Z0V6Q3W2R7T5X9K1MA' })
    await page.getByText('This alert does not exist, or is no longer kept.').waitFor()
    await expectAccessible()
    await page.getByRole('link', { name: 'All alerts' }).click()
    await page.getByRole('region', { name: 'Alerts' }).waitFor()
  })

  it('the deliveries of a channel have the names of their rules, also of a deleted one', async () => {
    const config = { url: 'https://receiver.invalid/alerts' }
    const channel = await ask<{ id: string }>('POST', '/alerting/channels', { name: 'Nobody there', config })
    const path = `/alerting/channels/${channel.id}/deliveries`
    const rule = await addFiring('Orders arrive', { channel_ids: [channel.id] })
    await expect.poll(async () => (await ask<{ items: unknown[] }>('GET', path)).items.length).toBe(1)
    await ask('DELETE', `/alerting/rules/${rule.id}`)
    const { page, picture, expectAccessible } = await open({ path: `/channels/${channel.id}?show=deliveries` })
    await page.getByText('Orders arrive firing', { exact: true }).waitFor()
    await picture('deliveries-of-rules')
    await expectAccessible()
  })

  it('20: deliveries of an alert whose channels cannot be read are not taken for none', async () => {
    const rule = await addFiring('Unread channels')
    await expect.poll(async () => (await read(rule)).state.status).toBe('firing')
    const path = `/alerts?show=alerts&alert=${(await read(rule)).state.alert_id}`
    const channels = '**/api/v1/alerting/channels?*'
    const beforeLoad = (each: Page) => each.route(channels, (route) => route.fulfill({ status: 502 }))
    const { page } = await open({ path, beforeLoad })
    const fault = page.getByRole('region', { name: 'Alert', exact: true }).getByRole('alert')
    await fault.getByText('Unexpected answer').waitFor()
    await page.unroute(channels)
    await fault.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => fault.count()).toBe(0)
  })

  it('the list and the form name the unit of what is measured, and firing and critical rules come first', async () => {
    const slow = { measure: 'p95_ms', threshold: 0.5, window_s: 3_600 }
    const critical = await addFiring('Late', { ...slow, severity: 'critical' })
    const warning = await addFiring('Late as well', slow)
    const ok = await addFiring('Late, but within', { ...slow, severity: 'critical', threshold: 1e9 })
    const disabled = await addFiring('Late, but off', { ...slow, severity: 'critical', enabled: false })
    for (const rule of [critical, warning])
      await expect.poll(async () => (await read(rule)).state.status).toBe('firing')
    const { page, picture } = await open({ path: '/alerts?find=late' })
    await page
      .getByRole('row', { name: /^firing Late p95 duration is at least 0\.5 ms over 1 h [\d.]+ m?s / })
      .waitFor()
    await page.getByText('p95 duration is at least 1,000,000 s over 1 h', { exact: true }).waitFor()
    expect(await page.locator('.record-link').allTextContents()).toEqual([
      'Late',
      'Late as well',
      'Late, but within',
      'Late, but off',
    ])
    await picture('alert-rule-units')
    // Times are below each other, also of alerts with other severities.
    await page.getByRole('radio', { name: 'Alerts' }).click()
    await page.getByText('Late as well: ').waitFor()
    const lefts = page
      .locator('.delivery')
      .evaluateAll((lines) => lines.map((line) => line.querySelector('.mono')?.getBoundingClientRect().x))
    expect(new Set(await lefts).size).toBe(1)
    await page.getByRole('radio', { name: 'Rules' }).click()
    await page.getByRole('link', { name: 'Late', exact: true }).click()
    await page.getByRole('textbox', { name: 'Threshold (ms)' }).waitFor()
    await page.getByRole('button', { name: 'Measure' }).click()
    await page.getByRole('option', { name: 'error rate' }).click()
    await page.getByRole('textbox', { name: 'Threshold (%)' }).fill('7')
    await page.getByText(/^Now: .* is [\d.]+%, which is .* 7%\.$/).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await ask('GET', `/alerting/rules/${critical.id}`)).toMatchObject({ measure: 'error_rate', threshold: 0.07 })
    await page.getByRole('link', { name: 'Alerts', exact: true }).first().click()
    await page.getByText('error rate is at least 7% over 1 h').waitFor()
    for (const { id } of [critical, warning, ok, disabled]) await ask('DELETE', `/alerting/rules/${id}`)
  })

  it('of many rules the first are listed, and the others on request', async () => {
    for (let number = 0; number < 51; number += 1)
      await ask('POST', '/alerting/rules', { ...silent, name: `One of many, ${number}` })
    const { page } = await open({ path: '/alerts?find=one of many' })
    const lines = page.getByRole('row', { name: /One of many/ })
    await expect.poll(() => lines.count()).toBe(50)
    await page.getByText(/^51 rules/).waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => lines.count()).toBe(51)
  })
})
