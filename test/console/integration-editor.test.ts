import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { integrationsConsole, purchases } from './integrations-console.ts'

/** Rules, faults, conflicts and unsaved changes. The numbers are those of "It is good when" in the design. */
describeInChromium('the editor of an integration', () => {
  const { open, ask, create, read, list, idOf } = integrationsConsole()

  it('conditions are joined with and and or; under all there is no or, and a switch to all is refused', async () => {
    const { id } = await create({ name: 'Routes', matchers: [{ ...purchases, match_group: 'a' }] })
    const { page, picture, expectAccessible } = await open({ path: `/integrations/${id}` })
    await page.getByRole('button', { name: 'Add condition to service 1' }).click()
    await page.getByRole('combobox', { name: 'service 1, condition 2: attribute' }).fill('status')
    await page.keyboard.press('Tab')
    await page.getByRole('combobox', { name: 'service 1, condition 2: value' }).fill('error')
    await page.keyboard.press('Tab')
    await page.getByText('http.route equals "/checkout" and status equals "error"').waitFor()
    await page.getByRole('button', { name: 'Add an alternative to service 1, joined with or' }).click()
    const second = 'service 1, alternative 2, condition 1'
    await page.getByRole('combobox', { name: `${second}: attribute` }).fill('http.route')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: `${second}: operator` }).click()
    await expect
      .poll(() => page.getByRole('option').allTextContents())
      .toEqual([
        'equals',
        'is not',
        'contains',
        "doesn't contain",
        'starts with',
        'ends with',
        'matches',
        'exists',
        'is absent',
      ])
    await page.getByRole('option', { name: 'is absent' }).click()
    await expect.poll(() => page.getByRole('combobox', { name: `${second}: value` }).count()).toBe(0)
    await page.getByText('http.route is absent').waitFor()
    await page.getByRole('radio', { name: 'all rules match' }).click()
    await page.getByText('The rules stay on “any”.').waitFor()
    await page.getByText('The service frontend joins its conditions with “or”.').waitFor()
    expect(await page.getByRole('radio', { name: 'any rule matches' }).getAttribute('aria-checked')).toBe('true')
    await expectAccessible()
    await picture('integration-all-refused')
    await page.getByRole('button', { name: 'Remove alternative 2 of service 1' }).click()
    await page.getByRole('radio', { name: 'all rules match' }).click()
    const or = page.getByRole('button', { name: 'Add an alternative to service 1, joined with or' })
    await expect.poll(() => or.isDisabled()).toBe(true)
    await page.getByText('“or” is not available while all rules must match').waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const saved = await read(id)
    expect(saved.rule_match).toBe('all')
    expect(saved.matchers.map(({ match_group, attribute_key }) => [match_group, attribute_key])).toEqual([
      ['a', 'http.route'],
      ['a', 'status'],
    ])
  })

  it('500 rules are lines that open to their fields, and stay open while they are edited', async () => {
    const matchers = Array.from({ length: 500 }, (_, index) => ({ ...purchases, service: `service-${index}` }))
    const { id } = await create({ name: 'Many rules', matchers })
    const { page, picture, expectAccessible } = await open({ path: `/integrations/${id}` })
    await page.getByText('service-499 where http.route equals "/checkout"').waitFor()
    expect(await page.getByRole('combobox').count()).toBe(0)
    await page.getByRole('button', { name: 'Edit service 3', exact: true }).click()
    await page.getByRole('combobox', { name: 'service 3, condition 1: value' }).fill('/cart')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Add service' }).click()
    await page.getByRole('combobox', { name: 'Name of service 501' }).fill('another')
    await page.keyboard.press('Tab')
    await expectAccessible()
    await picture('integration-many-rules')
    await page.getByRole('button', { name: 'Remove service 501' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await read(id)).matchers[2]).toMatchObject({ service: 'service-2', value: '/cart' })
  })

  it('an integration that was imported with or under all is flagged, and its texts can still be changed', async () => {
    const joined = [
      { ...purchases, match_group: 'a' },
      { service: 'frontend', match_group: 'b', attribute_key: 'error', operator: 'exists' },
    ]
    await ask('POST', '/config/import', {
      format_version: 1,
      integrations: [{ name: 'Imported', rule_match: 'all', matchers: joined }],
    })
    const { page, picture } = await open({ path: '/integrations' })
    await page.getByRole('row', { name: /Imported.*“or” under “all”/ }).waitFor()
    await page.getByRole('link', { name: 'Imported', exact: true }).click()
    await page.getByText('Every alternative counts as a rule that must match.').waitFor()
    await picture('integration-flagged')
    await page.getByRole('textbox', { name: 'Description' }).fill('Kept as it was')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await read(idOf(page))).toMatchObject({ description: 'Kept as it was', flags: ['or_under_all'] })
    await page.getByRole('radio', { name: 'any rule matches' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(async () => (await read(idOf(page))).flags).toEqual([])
  })

  it('11: faults stand at their fields, and nothing is saved', async () => {
    await create({ name: 'Taken', matchers: [] })
    const { page, picture } = await open({ path: '/integrations/new' })
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Taken')
    const create_ = page.getByRole('button', { name: 'Create integration' })
    await create_.click()
    await page.locator('.service-name').getByRole('alert').waitFor()
    await page.getByRole('combobox', { name: 'Name of service 1' }).fill('frontend')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Add condition to service 1' }).click()
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Add condition to service 1' }).click()
    const key = page.getByRole('combobox', { name: 'service 1, condition 2: attribute' })
    await key.fill('http.route')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'service 1, condition 2: operator' }).click()
    await page.getByRole('option', { name: 'matches' }).click()
    await page.getByRole('combobox', { name: 'service 1, condition 2: value' }).fill('(')
    await page.keyboard.press('Tab')
    const row = (at: number) => page.locator('li.row').nth(at)
    await row(1).getByRole('alert').waitFor()
    expect(await row(0).getByRole('alert').count()).toBe(0)
    await page.getByRole('combobox', { name: 'service 1, condition 2: value' }).fill('^/')
    await page.keyboard.press('Tab')
    await expect.poll(() => row(1).getByRole('alert').count()).toBe(0)
    await create_.click()
    await row(0).getByText('Name an attribute, or remove the condition.').waitFor()
    await page.getByRole('button', { name: 'Remove service 1, condition 1' }).click()
    await create_.click()
    await page.locator('.text-fields').getByText('already exists. Choose another name.').waitFor()
    await picture('integration-faults')
    expect((await list()).map(({ name }) => name)).toEqual(['Taken'])
  })

  it('a condition without a value selects what the others do, and is not saved until it has one', async () => {
    const { page } = await open({ path: '/integrations/new' })
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Typed')
    await page.getByRole('combobox', { name: 'Name of service 1' }).fill('frontend')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Add condition to service 1' }).click()
    await page.getByRole('combobox', { name: 'service 1, condition 1: attribute' }).fill('http.route')
    await page.keyboard.press('Tab')
    await page.getByText('Spans of service "frontend".', { exact: true }).waitFor()
    const create_ = page.getByRole('button', { name: 'Create integration' })
    await create_.click()
    await page.getByText('Enter a value, or remove the condition.').waitFor()
    expect(await list()).toEqual([])
    await page.getByRole('combobox', { name: 'service 1, condition 1: value' }).fill('/cart')
    await page.keyboard.press('Tab')
    await create_.click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect((await read(idOf(page))).matchers).toMatchObject([{ attribute_key: 'http.route', value: '/cart' }])
  })

  it('what would change is shown before it is saved, with the alert rules and people that it concerns', async () => {
    const { id } = await create({ name: 'Purchases', matchers: [{ service: 'checkout' }] })
    const condition = { integration_id: id, measure: 'span_count', comparator: 'gt', threshold: 1, conditions: [] }
    const rule = { name: 'Many purchases', kind: 'trace', window_s: 3_600, severity: 'info', ...condition }
    const { id: ruleId } = await ask<{ id: string }>('POST', '/alerting/rules', rule)
    await ask('PUT', `/integrations/${id}/grants`, { subjects: ['grace'] })
    const { page, picture, expectAccessible } = await open({ path: `/integrations/${id}` })
    await page.getByText('The rules are those that are saved.').waitFor()
    await page.getByRole('combobox', { name: 'Name of service 1' }).fill('email')
    await page.keyboard.press('Tab')
    const changes = page.getByRole('region', { name: 'What would change' })
    await changes.getByText(/would leave/).waitFor()
    await changes.getByText(/Many purchases/).waitFor()
    await changes.getByText('1 person is granted the integration and would see the new traffic: grace.').waitFor()
    expect(await changes.getByRole('row', { name: /^checkout 0 −\d+ 0$/ }).count()).toBe(1)
    expect(await changes.getByRole('row', { name: /^email \+\d+ 0 0$/ }).count()).toBe(1)
    await expectAccessible()
    await picture('integration-changes')
    expect((await read(id)).matchers[0]?.service).toBe('checkout')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('The rules are those that are saved.').waitFor()
    await ask('DELETE', `/alerting/rules/${ruleId}`)
  })

  it('17: a version that another person saved meanwhile is shown beside mine, and one is chosen', async () => {
    const { id } = await create({ name: 'Shared', matchers: [{ service: 'checkout' }] })
    const { page, picture, expectAccessible } = await open({ path: `/integrations/${id}` })
    await page.getByRole('textbox', { name: 'Description' }).fill('mine')
    await ask('PUT', `/integrations/${id}`, { description: 'theirs', matchers: [{ service: 'cart' }] })
    await page.getByRole('button', { name: 'Save changes' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('row', { name: 'Description (differs) mine theirs' }).waitFor()
    await dialog.getByText('checkout, every span (only in mine)').waitFor()
    await dialog.getByText('cart, every span (only in theirs)').waitFor()
    await expectAccessible()
    await picture('integration-conflict')
    expect((await read(id)).description).toBe('theirs')
    await dialog.getByRole('button', { name: 'Replace it with mine' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await read(id)).toMatchObject({ description: 'mine', matchers: [{ service: 'checkout' }], version: 3 })
    await page.getByRole('textbox', { name: 'Description' }).fill('mine again')
    await ask('PUT', `/integrations/${id}`, { name: 'Theirs' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await dialog.getByRole('button', { name: 'Take their version' }).click()
    await page.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('mine')
  })

  it('unsaved changes survive a reload and another tab, and are not left without a question', async () => {
    const { id } = await create({ name: 'Edited', matchers: [{ service: 'checkout' }] })
    const { page } = await open({ path: `/integrations/${id}` })
    // The browser asks before it reloads; here it is answered.
    page.on('dialog', (dialog) => void dialog.accept())
    const description = page.getByRole('textbox', { name: 'Description' })
    await description.fill('not saved')
    await page.reload()
    await page.getByText('Your earlier changes are still here.').waitFor()
    await page.getByRole('link', { name: 'Flow' }).click()
    await page.getByRole('link', { name: 'Services' }).nth(1).click()
    await expect.poll(() => description.inputValue()).toBe('not saved')
    await page.getByRole('link', { name: 'Alerts' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    expect(await description.inputValue()).toBe('not saved')
    await page.getByRole('link', { name: 'Alerts' }).click()
    await page.getByRole('button', { name: 'Leave and discard' }).click()
    await page.getByRole('heading', { name: 'Alerts', level: 1 }).waitFor()
    await page.goBack()
    await expect.poll(() => description.inputValue()).toBe('')
    expect((await read(id)).version).toBe(1)
  })
})
