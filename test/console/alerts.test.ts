import { expect, it } from 'vitest'
import { operatorTable } from '../../sql/operators.ts'
import { describeInChromium } from '../support/chromium.ts'
import { startReceiver } from '../support/receiver.ts'
import { type ConsolePage, sharedConsole } from './console-page.ts'

describeInChromium('the pages of alerts', () => {
  const env = { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', ALERT_PERIOD_SECONDS: '1' }
  const { test, open, ask } = sharedConsole({ env })
  const rules = '/alerting/rules'
  const silent = {
    name: 'Silent',
    kind: 'trace',
    measure: 'span_count',
    comparator: 'lt',
    threshold: 0,
    enabled: false,
  }

  const addRule = (change: object) => ask<{ id: string }>('POST', rules, { ...silent, ...change })

  async function choose({ page }: ConsolePage, label: string, option: string): Promise<void> {
    await page.getByRole('button', { name: label }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }

  const plot = (shown: ConsolePage) => shown.page.getByRole('region', { name: 'Preview' })

  it('a person makes a channel with a template and an alert on an integration, and a delivery arrives', async () => {
    const receiver = await startReceiver()
    await ask('POST', '/integrations', { name: 'Orders', matchers: [{ service: 'checkout' }] })
    const shown = await open({ path: '/channels/new' })
    const { page, picture } = shown
    await page.getByRole('textbox', { name: 'Name' }).fill('Pager')
    await page.getByRole('textbox', { name: 'URL of the receiver' }).fill(receiver.url)
    await page.getByRole('radio', { name: 'Custom body' }).click()
    await page.getByRole('textbox', { name: 'Body template' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('{"what": "${alert.state}: $rule.name", "of": "$integration.name"}')
    await page.getByRole('region', { name: 'Preview of the body' }).getByText('"of": "').waitFor()
    await page.getByRole('button', { name: 'Create channel' }).click()
    await page.getByRole('link', { name: 'Continue to the channel' }).click()
    await page.getByRole('link', { name: 'Alerts' }).click()
    await page.getByRole('link', { name: 'New rule' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Orders arrive')
    await choose(shown, 'Measure', 'number of spans')
    await page.getByRole('radio', { name: 'One integration' }).click()
    await choose(shown, 'Integration', 'Orders')
    await page.getByRole('textbox', { name: 'Over a window of' }).fill('1 h')
    await page.getByRole('checkbox', { name: 'Pager' }).click({ force: true })
    await plot(shown).getByText('Would have notified 1 time').waitFor()
    await plot(shown)
      .getByText(/^Now: /)
      .waitFor()
    await picture('alert-rule-new')
    // Edits are in the address, so that a reload keeps them.
    await expect.poll(() => page.url()).toContain('Orders+arrive')
    await expect.poll(() => decodeURIComponent(page.url())).toMatch(/"channels":\["/)
    await page.reload()
    await page.getByText('Would have notified 1 time').waitFor()
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Orders arrive')
    expect(await page.getByRole('checkbox', { name: 'Pager' }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByRole('heading', { name: 'Orders arrive' }).waitFor()
    await expect
      .poll(() => receiver.received.map(({ body }) => JSON.parse(body)))
      .toEqual([{ what: 'firing: Orders arrive', of: 'Orders' }])
    await page.reload()
    const alert = page.getByRole('region', { name: 'Alerts' }).getByRole('listitem').first()
    await alert.getByText('Orders arrive: ').click()
    await alert.getByText('firing to Pager').waitFor()
    await alert.getByText(/1 attempt, last: status 200/).waitFor()
    await picture('alert-rule')
    await alert.getByRole('link', { name: 'Messages of this alert' }).click()
    await page.locator('.message-link').first().waitFor()
    expect(page.url()).toContain('integration=')
    await page.getByRole('link', { name: 'Alerts' }).click()
    await page.getByRole('row', { name: /^firing Orders arrive/ }).waitFor()
    await page.getByRole('radio', { name: 'Alerts' }).click()
    await page.getByRole('radio', { name: 'Resolved' }).click()
    await expect.poll(() => page.url()).toContain('state=resolved')
    await page.getByText('No resolved alert is kept.').waitFor()
    await page.getByRole('radio', { name: 'Firing' }).click()
    await page.getByText('Orders arrive: ').waitFor()
  })

  it('the preview shows pending and firing times with their threshold, also as a table', async () => {
    const { id } = await addRule({ name: 'Errors', measure: 'error_count', comparator: 'gte', threshold: 1, for_s: 60 })
    const shown = await open({ path: `/alerts/rules/${id}` })
    await plot(shown)
      .getByText(/Would have notified \d+ times?/)
      .waitFor()
    for (const words of ['pending', 'firing'])
      await plot(shown).locator('.plot-legend').getByText(words, { exact: true }).waitFor()
    await plot(shown)
      .getByText(/Would have notified/)
      .click()
    const count = await plot(shown).locator('details li').count()
    expect(await plot(shown).locator('summary').textContent()).toContain(` ${count} time`)
    await plot(shown).getByRole('button', { name: 'Table' }).click()
    await plot(shown).getByRole('cell', { name: 'pending' }).first().waitFor()
    await shown.page.getByRole('textbox', { name: 'Threshold' }).fill('1000000')
    await plot(shown).getByText('Would not have notified anybody.').waitFor()
    expect(await ask('GET', `${rules}/${id}`)).toMatchObject({ threshold: 1 })
  })

  it('faults stand at their fields and at their conditions', async () => {
    const shown = await open({ path: '/alerts/rules/new' })
    const { page, picture } = shown
    await page.getByRole('textbox', { name: 'Threshold' }).fill('many')
    await page.getByText('must be a number').waitFor()
    expect(await page.getByRole('button', { name: 'Create rule' }).isDisabled()).toBe(true)
    await page.getByRole('textbox', { name: 'Threshold' }).fill('0.5')
    await page.getByRole('textbox', { name: 'Over a window of' }).fill('1 s')
    await page.getByText(/must be .*10/).waitFor()
    await page.getByRole('textbox', { name: 'Over a window of' }).fill('5 min')
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('combobox', { name: 'Condition 1: attribute' }).fill('http.route')
    await page.keyboard.press('Tab')
    await choose(shown, 'Condition 1: operator', 'matches')
    await page.getByRole('combobox', { name: 'Condition 1: value' }).fill('(')
    await page.keyboard.press('Tab')
    await page.locator('li.row').getByRole('alert').waitFor()
    await picture('alert-rule-fault')
    await page.getByRole('combobox', { name: 'Condition 1: value' }).fill('/')
    await page.keyboard.press('Tab')
    await plot(shown)
      .getByText(/Would (not )?have notified/)
      .waitFor()
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.locator('.field-fault').getByText(/must/).first().waitFor()
    expect(await page.getByRole('textbox', { name: 'Name' }).getAttribute('aria-invalid')).toBe('true')
  })

  it('messages are counted by rows and relations, and a metric by its name', async () => {
    const shown = await open({ path: '/alerts/rules/new' })
    const { page } = shown
    await page.getByRole('textbox', { name: 'Name' }).fill('Unshipped')
    await choose(shown, 'Measure', 'number of messages')
    await page.getByRole('radio', { name: 'by a message filter' }).click()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('combobox', { name: 'Condition 1: attribute' }).fill('order.id')
    await page.keyboard.press('Tab')
    await choose(shown, 'Condition 1: operator', 'is never present')
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByRole('heading', { name: 'Unshipped' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1)
    expect(await ask('GET', `${rules}/${id}`)).toMatchObject({
      measure: 'message_count',
      rows: [{ attribute_key: 'order.id', operator: 'not_exists' }],
    })
    await page.getByRole('radio', { name: 'A metric' }).click()
    await page.getByRole('combobox', { name: 'Metric' }).fill('no.such.metric')
    await page.keyboard.press('Tab')
    await plot(shown).getByText('Would not have notified anybody.').waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await ask('GET', `${rules}/${id}`)).toMatchObject({
      kind: 'metric',
      metric: 'no.such.metric',
      measure: 'avg',
    })
  })

  it('conditions offer the operators that the table has for what they are about', async () => {
    const shown = await open({ path: '/alerts/rules/new' })
    const { page } = shown
    const offered = async () => {
      await page.getByRole('button', { name: 'Condition 1: operator' }).click()
      await page.getByRole('option').first().waitFor()
      const words = await page.getByRole('option').allTextContents()
      await page.keyboard.press('Escape')
      await expect.poll(() => page.getByRole('option').count()).toBe(0)
      return words
    }
    const addCondition = async () => {
      await page.getByRole('button', { name: 'Add condition' }).click()
      // An open list of suggestions hides the rest of the page.
      await page.keyboard.press('Tab')
      await expect.poll(() => page.getByRole('option').count()).toBe(0)
    }
    const entries = Object.values(operatorTable)
    const inSigns = (words: string, signs: Readonly<Record<string, string>>) => signs[words] ?? words
    const ofSpan = entries.map(({ spanWords }) => inSigns(spanWords, { 'is not': '≠' }))
    const ofSeries = entries.map(({ spanWords }) =>
      inSigns(spanWords, { 'is not': '≠', "doesn't contain": '!contains' }),
    )
    const ofMessage = (isPossible: (entry: (typeof entries)[number]) => boolean) =>
      entries.filter(isPossible).map(({ messageWords }) => messageWords)
    const value = page.getByRole('combobox', { name: 'Condition 1: value' })
    await addCondition()
    for (const measure of ['number of failed spans', 'error rate', 'p95 duration', 'number of spans']) {
      await choose(shown, 'Measure', measure)
      expect([measure, await offered()]).toEqual([measure, ofSpan])
    }
    for (const [index, { operand }] of entries.entries()) {
      const words = ofSpan[index] ?? ''
      await choose(shown, 'Condition 1: operator', words)
      await expect.poll(async () => [words, await value.count()]).toEqual([words, operand === 'none' ? 0 : 1])
    }
    await choose(shown, 'Measure', 'number of messages')
    expect(await offered()).toEqual(ofSpan)
    await page.getByRole('radio', { name: 'by a message filter' }).click()
    await addCondition()
    expect(await offered()).toEqual(ofMessage(() => true))
    await page.getByRole('combobox', { name: 'Condition 1: attribute' }).fill('span_count')
    await page.keyboard.press('Tab')
    await choose(shown, 'Condition 1: operator', 'is present')
    await choose(shown, 'Condition 1: where the attribute is', 'message field')
    const isEquality = (test: string) => test === 'eq'
    expect(await offered()).toEqual(ofMessage(({ test, operand }) => isEquality(test) || operand === 'number'))
    // A message has every field, so that the operator that was chosen before does not remain.
    expect(await page.getByRole('button', { name: 'Condition 1: operator' }).textContent()).toContain('equals')
    await page.getByRole('combobox', { name: 'Condition 1: attribute' }).fill('root.name')
    await page.keyboard.press('Tab')
    expect(await offered()).toEqual(ofMessage(({ operand }) => operand === 'text' || operand === 'pattern'))
    await page.getByRole('radio', { name: 'A metric' }).click()
    await addCondition()
    expect(await offered()).toEqual(ofSeries)
  })

  it('what another person has stored meanwhile is overwritten only on request, and a rule is deleted', async () => {
    const { id } = await addRule({ name: 'Shared' })
    const { page } = await open({ path: `/alerts/rules/${id}` })
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
    await ask('PUT', `${rules}/${id}`, { name: 'Theirs' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    const conflict = page.getByRole('alert', { name: 'Conflict' })
    await conflict.getByText('Theirs').waitFor()
    await conflict.getByText('Mine', { exact: true }).waitFor()
    await conflict.getByRole('button', { name: 'Take their version' }).click()
    await page.getByRole('heading', { name: 'Theirs' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Theirs')
    await page.getByRole('button', { name: 'Delete the rule' }).click()
    await page.getByRole('button', { name: 'Delete the rule' }).click()
    await page.getByRole('heading', { name: 'Alerts', exact: true }).waitFor()
    expect((await test.app.send(`/api/v1${rules}/${id}`)).status).toBe(404)
  })

  it('a viewer previews and saves nothing, and a restricted caller reads why nothing is shown', async () => {
    const { id } = await addRule({ name: 'Watched' })
    const viewer = await test.open({ role: 'viewer', path: `/alerts/rules/${id}` })
    await plot(viewer).getByText('Would not have notified anybody.').waitFor()
    await viewer.page.getByText('You need the contributor role').waitFor()
    for (const name of ['Save changes', 'Enable', 'Delete the rule'])
      expect(await viewer.page.getByRole('button', { name }).count()).toBe(0)
    expect(viewer.faults).toEqual([])
    await viewer.context.close()
    const restricted = await open({ role: 'restricted', path: '/alerts' })
    await restricted.page.getByText('Alerts are not visible to the role restricted.').waitFor()
    expect(await restricted.page.getByRole('alert').count()).toBe(0)
    expect(await restricted.page.getByRole('link', { name: 'New rule' }).count()).toBe(0)
  })

  it('axe finds no violation in either theme, and a narrow window scrolls in one direction only', async () => {
    const { id } = await addRule({ name: 'Seen', measure: 'error_count', comparator: 'gte', threshold: 1 })
    for (const theme of ['light', 'dark'] as const) {
      const shown = await test.open({ theme, path: '/alerts' })
      await shown.page.getByRole('row').nth(1).waitFor()
      await shown.expectAccessible()
      await shown.picture(`alerts-${theme}`)
      await shown.page.goto(`${test.app.url}/alerts/rules/${id}`)
      await plot(shown)
        .getByText(/Would have notified/)
        .waitFor()
      await shown.page.getByRole('button', { name: 'Add condition' }).click()
      // An open list of suggestions hides the rest of the page.
      await shown.page.keyboard.press('Tab')
      await expect.poll(() => shown.page.getByRole('option').count()).toBe(0)
      await shown.expectAccessible()
      await shown.picture(`alert-rule-${theme}`)
      expect(shown.faults).toEqual([])
      await shown.context.close()
    }
    const narrow = await open({ width: 600, path: `/alerts/rules/${id}` })
    await plot(narrow)
      .getByText(/Would have notified/)
      .waitFor()
    expect(await narrow.page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
    await narrow.picture('alert-rule-narrow')
    // With forced colours the times at which the rule fires are coloured, and do not hide the line and the threshold.
    await narrow.page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' })
    await narrow.page.reload()
    await narrow.page.locator('.plot canvas').waitFor()
    const hasRed = `(() => {
      const { width, height } = document.querySelector('.plot canvas')
      const { data } = document.querySelector('.plot canvas').getContext('2d').getImageData(0, 0, width, height)
      return data.some((red, at) => at % 4 === 0 && red - data[at + 1] > 20)
    })()`
    await expect.poll(() => narrow.page.evaluate(hasRed)).toBe(true)
    await narrow.picture('alert-rule-forced-colours')
  })
})
