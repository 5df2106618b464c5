import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

describeInChromium('edits of alert rules', () => {
  const { test, open, ask } = sharedConsole()
  const rules = '/alerting/rules'

  const addRule = (name: string) =>
    ask<{ id: string }>('POST', rules, { name, kind: 'trace', measure: 'error_count', comparator: 'gt', threshold: 1 })

  it('a rule on one service or integration is not saved as one on everything before it is named', async () => {
    const { page } = await open({ path: '/alerts/rules/new' })
    const create = page.getByRole('button', { name: 'Create rule' })
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Checkout fails')
    await page.getByRole('radio', { name: 'One integration' }).click()
    await page.getByText('must be chosen').waitFor()
    expect(await create.isDisabled()).toBe(true)
    await page.getByRole('radio', { name: 'One service' }).click()
    await page.getByText('must be named').waitFor()
    expect(await create.isDisabled()).toBe(true)
    await page.getByRole('combobox', { name: 'Service' }).fill('chec')
    await page.getByRole('option', { name: /^checkout/ }).click()
    await create.click()
    await page.getByRole('heading', { name: 'Checkout fails' }).waitFor()
    const { items } = await ask<{ items: object[] }>('GET', rules)
    expect(items).toMatchObject([{ name: 'Checkout fails', service: 'checkout' }])
  })

  it('a condition that is not complete keeps a rule from being saved without it', async () => {
    const { page } = await open({ path: '/alerts/rules/new' })
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Gold only')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('combobox', { name: 'Condition 1: attribute' }).fill('customer.tier')
    await page.keyboard.press('Tab')
    const create = page.getByRole('button', { name: 'Create rule' })
    await create.click()
    await page.getByText('Complete the condition, or remove it.').waitFor()
    await page.getByRole('combobox', { name: 'Condition 1: value' }).fill('gold')
    await page.keyboard.press('Tab')
    expect(await page.getByText('Complete the condition').count()).toBe(0)
    await create.click()
    await page.getByRole('heading', { name: 'Gold only' }).waitFor()
    const { items } = await ask<{ items: { conditions: object[] }[] }>('GET', rules)
    expect(items[0]?.conditions).toMatchObject([{ attribute_key: 'customer.tier', value: 'gold' }])
  })

  it('disabling a rule does not conflict with edits of the same person', async () => {
    const { id } = await addRule('Loud')
    const { page } = await open({ path: `/alerts/rules/${id}` })
    await page.getByRole('textbox', { name: 'Threshold' }).fill('9')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await ask('GET', `${rules}/${id}`)).toMatchObject({ threshold: 9, enabled: false })
  })

  it('3: edits stay in the address when a person goes back to another time range', async () => {
    const { page } = await open({ path: '/alerts/rules/new' })
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Before')
    await expect.poll(() => page.url()).toContain('Before')
    await page.getByRole('button', { name: /^Time range/ }).click()
    await page.getByRole('button', { name: 'Last 6 hours' }).click()
    await name.fill('After')
    await expect.poll(() => page.url()).toContain('After')
    await page.goBack()
    await expect.poll(() => page.url()).not.toContain('6h')
    await expect.poll(() => page.url()).toContain('After')
    await page.reload()
    await expect.poll(() => name.inputValue()).toBe('After')
  })

  it('an address with edits that are none opens the form without them', async () => {
    const shown = await open({ path: '/alerts' })
    for (const edits of [
      { conditions: [null] },
      { conditions: [42], rows: ['x'] },
      { include: null },
      { measure: 'message_count', isOfMessages: true, relations: [{}], channels: [{}] },
    ]) {
      const draft = encodeURIComponent(JSON.stringify({ ...edits, name: 'Kept' }))
      await shown.page.goto(`${test.app.url}/alerts/rules/new?draft=${draft}`)
      await expect.poll(() => shown.page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Kept')
      expect(await shown.page.getByText('The console has failed').count()).toBe(0)
    }
  })

  /** Stores a gauge of one point for each name. */
  async function sendGauges(names: readonly string[], attributes: readonly object[] = []): Promise<void> {
    const point = { timeUnixNano: `${Date.now()}000000`, asDouble: 1, attributes }
    const metrics = names.map((name) => ({ name, unit: 'ms', gauge: { dataPoints: [point] } }))
    const scopeMetrics = [{ metrics }]
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'meter' } }] }
    await test.app.sendMetrics({ resourceMetrics: [{ resource, scopeMetrics }] })
  }

  it('a metric is suggested however many there are', async () => {
    await sendGauges(Array.from({ length: 250 }, (_, index) => `metric.${String(index).padStart(3, '0')}`))
    const { page } = await open({ path: '/alerts/rules/new' })
    await page.getByRole('radio', { name: 'A metric' }).click()
    for (const name of ['metric.249', 'metric.001']) {
      await page.getByRole('combobox', { name: 'Metric' }).fill(name)
      await page.getByRole('option', { name }).waitFor()
    }
  })

  it('a condition of a metric rule is about a series: its fields, its attributes, and their values', async () => {
    await sendGauges(['orders.open'], [{ key: 'status', value: { stringValue: 'unpaid' } }])
    const { page } = await open({ path: '/alerts/rules/new' })
    await page.getByRole('radio', { name: 'A metric' }).click()
    await page.getByRole('combobox', { name: 'Metric' }).fill('orders.open')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Add condition' }).click()
    const source = page.getByRole('button', { name: 'Condition 1: where the attribute is' })
    // A status is a field of spans, and the unit one of series.
    for (const [key, words] of [
      ['unit', 'series field'],
      ['status', 'any attribute'],
    ] as const) {
      await page.getByRole('combobox', { name: 'Condition 1: attribute' }).fill(key)
      await page.keyboard.press('Tab')
      await expect.poll(() => source.textContent()).toContain(words)
    }
    await page.getByRole('combobox', { name: 'Condition 1: value' }).click()
    await page.getByRole('option', { name: 'unpaid' }).click()
    const value = page.getByRole('combobox', { name: 'Condition 1: value' })
    await expect.poll(() => value.inputValue()).toBe('unpaid')
  })

  it('of many channels the chosen ones are shown, and the others found by their names', async () => {
    const config = { url: 'https://receiver.example/', format: 'json' }
    const made: string[] = []
    for (let number = 0; number < 60; number += 1) {
      const { id } = await ask<{ id: string }>('POST', '/alerting/channels', {
        name: `Pager ${number} of many`,
        config,
      })
      made.push(id)
    }
    const [first, seventh] = [made[0], made[7]]
    const measured = { kind: 'trace', measure: 'span_count', comparator: 'lt', threshold: 0, channel_ids: [first] }
    const { id } = await ask<{ id: string }>('POST', '/alerting/rules', { name: 'Wakes many', ...measured })
    const { page, picture, expectAccessible } = await open({ path: `/alerts/rules/${id}` })
    const channels = page.getByRole('group', { name: 'Channels that are notified' })
    const chosen = channels.getByRole('checkbox', { name: 'Pager 0 of many' })
    await expect.poll(() => chosen.isChecked()).toBe(true)
    expect(await channels.getByRole('checkbox').count()).toBe(51)
    const field = channels.getByRole('searchbox', { name: 'Find a channel' })
    await field.fill('PAGER 7 of')
    await expect.poll(() => channels.getByRole('checkbox').count()).toBe(2)
    await channels.getByText('Pager 7 of many').click()
    await field.press('Enter')
    await page.getByRole('button', { name: 'Discard changes' }).waitFor()
    await expectAccessible()
    await picture('channels-found')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await ask('GET', `/alerting/rules/${id}`)).toMatchObject({ version: 2, channel_ids: [first, seventh] })
  })

  it('6: child spans are offered on positive rows of a message filter, and a line says why not on others', async () => {
    const rows = [{ attribute_key: 'order.id', operator: 'exists' }]
    const draft = { measure: 'message_count', isOfMessages: true, rows }
    const path = `/alerts/rules/new?draft=${encodeURIComponent(JSON.stringify(draft))}`
    const { page, picture } = await open({ path })
    const toggle = page.getByRole('button', { name: 'with child spans' })
    const reason = page.getByText('It has no step to start from, so it cannot include child spans.')
    await toggle.waitFor()
    expect(await reason.count()).toBe(0)
    await page.getByRole('button', { name: 'Condition 1: operator' }).click()
    await page.getByRole('option', { name: 'never equals' }).click()
    await reason.waitFor()
    expect(await toggle.count()).toBe(0)
    await picture('alert-child-spans')
    await page.getByRole('radio', { name: 'with such a span' }).click()
    await reason.waitFor({ state: 'detached' })
  })
})
