import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

describeInChromium('editors of stored conditions', () => {
  const { open, ask } = sharedConsole({ env: { ALERT_PERIOD_SECONDS: '1' } })

  /** Conditions with empty keys and values, which are complete, and an ignored value. */
  const conditions = [
    { attribute_key: 'a', operator: 'neq', value: '' },
    { attribute_key: 'b', operator: 'not_exists', value: '' },
    { attribute_key: '', operator: 'not_exists' },
  ]

  interface Rule {
    readonly id: string
    readonly state: { readonly status: string; readonly alert_id: string | null }
  }

  it('renaming an alert rule keeps its alert and its conditions', async () => {
    const measured = { kind: 'trace', measure: 'span_count', comparator: 'gte', threshold: 0 }
    const { id } = await ask<Rule>('POST', '/alerting/rules', { name: 'Fires', ...measured, conditions })
    const read = () => ask<Rule>('GET', `/alerting/rules/${id}`)
    await expect.poll(async () => (await read()).state.status).toBe('firing')
    const { alert_id } = (await read()).state
    const { page } = await open({ path: `/alerts/rules/${id}` })
    const value = page.getByRole('combobox', { name: 'Condition 1: value' })
    expect(await value.getAttribute('placeholder')).toBe('empty text')
    // Tab closes the list of suggestions, which hides the rest of the page.
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.keyboard.press('Tab')
    await page.getByRole('textbox', { name: 'Name' }).fill('Still fires')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Complete the condition, or remove it.').waitFor()
    await page.getByRole('button', { name: 'Remove condition 4' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await read()).toMatchObject({ name: 'Still fires', conditions, state: { status: 'firing', alert_id } })
  })

  it('editing a saved view keeps its other conditions, and relations between any steps', async () => {
    const stored = { rows: conditions, relations: [{ kind: 'contains', from: [], to: [] }] }
    const { id } = await ask<{ id: string }>('POST', '/saved-views', { name: 'Empty', ...stored })
    const { page } = await open()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: /^Empty/ }).click()
    await page.getByText('View Empty').waitFor()
    await page.getByRole('button', { name: 'Status of the message' }).click()
    await page.getByRole('option', { name: 'with errors' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => ask('GET', `/saved-views/${id}`)).toMatchObject({ status: 'error', ...stored })
  })

  it('editing an integration keeps a condition on the empty key', async () => {
    const matchers = [{ service: 'a', attribute_key: '', operator: 'exists' }]
    const { id } = await ask<{ id: string }>('POST', '/integrations', { name: 'Empty', matchers })
    const { page } = await open({ path: `/integrations/${id}` })
    await page.getByRole('textbox', { name: 'Description' }).fill('Changed')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect.poll(() => ask('GET', `/integrations/${id}`)).toMatchObject({ description: 'Changed', matchers })
  })
})
