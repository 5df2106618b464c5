import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { holdBack } from './console-page.ts'
import { integrationsConsole, purchases } from './integrations-console.ts'

/** What another person has deleted since a page of it, or a list with it, was opened. */
describeInChromium('records that another person deleted', () => {
  const { open, ask } = integrationsConsole()
  const rule = { name: 'Slow', kind: 'trace', measure: 'span_count', comparator: 'lt', threshold: 0 }
  const config = { url: 'https://receiver.example/', format: 'json' }

  it.each([
    ['rule', '/alerting/rules', '/alerts/rules', rule, 'Create it again', 'light'],
    [
      'integration',
      '/integrations',
      '/integrations',
      { name: 'Slow', matchers: [purchases] },
      'Create integration',
      'dark',
    ],
  ] as const)(
    '17, 20: a deleted %s says so when it is saved, and is created again from the edits',
    async (...given) => {
      const [noun, path, address, body, again, theme] = given
      const { id } = await ask<{ id: string }>('POST', path, body)
      const { page, expectAccessible, picture } = await open({ path: `${address}/${id}`, theme })
      const name = page.getByRole('textbox', { name: 'Name', exact: true })
      await name.fill('Edited')
      await ask('DELETE', `${path}/${id}`)
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText(`The ${noun} has been deleted.`).waitFor()
      expect(await name.inputValue()).toBe('Edited')
      await expectAccessible()
      await picture(`deleted-${noun}-${theme}`)
      await page.getByRole('button', { name: again }).click()
      await page.getByRole('heading', { name: 'Edited', level: 1 }).waitFor()
      await expect.poll(() => page.url()).not.toContain(id)
      await page.getByText(/has been deleted/).waitFor({ state: 'detached' })
      expect(await name.inputValue()).toBe('Edited')
    },
  )

  it('4, 20: what is typed while a deleted integration is created again stays, as a change of it', async () => {
    const { id } = await ask<{ id: string }>('POST', '/integrations', { name: 'Gone', matchers: [purchases] })
    const { page } = await open({ path: `/integrations/${id}` })
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Back')
    await ask('DELETE', `/integrations/${id}`)
    await page.getByRole('button', { name: 'Save changes' }).click()
    const answer = await holdBack(page, '**/api/v1/integrations')
    await page.getByRole('button', { name: 'Create integration' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('Sells things')
    answer()
    await expect.poll(() => page.url()).not.toContain(id)
    await page.getByRole('button', { name: 'Save changes' }).click()
    const list = () => ask<{ items: object[] }>('GET', '/integrations')
    const saved = expect.objectContaining({ name: 'Back', description: 'Sells things' })
    await expect.poll(list).toMatchObject({ items: expect.arrayContaining([saved]) })
  })

  it('17, 20: a deleted channel says so when it is saved, and keeps what was typed', async () => {
    const { id } = await ask<{ id: string }>('POST', '/alerting/channels', { name: 'Pager', kind: 'webhook', config })
    const { page, picture } = await open({ path: `/channels/${id}` })
    page.on('dialog', (dialog) => void dialog.accept())
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Edited')
    await ask('DELETE', `/alerting/channels/${id}`)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('The channel has been deleted.').waitFor()
    await picture('deleted-channel')
    expect(await name.inputValue()).toBe('Edited')
    expect(await page.getByRole('button', { name: 'Send a test' }).count()).toBe(0)
  })

  it('20: what a list still shows is deleted once more without a fault', async () => {
    const view = { rows: [{ attribute_key: 'http.route', operator: 'exists' }] }
    const { id } = await ask<{ id: string }>('POST', '/saved-views', { name: 'Short', ...view })
    const { page } = await open({ path: '/views' })
    await page.getByRole('button', { name: 'Delete Short' }).click()
    await ask('DELETE', `/saved-views/${id}`)
    await page.getByRole('button', { name: 'Delete Short' }).click()
    await page.getByRole('link', { name: 'Short' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
