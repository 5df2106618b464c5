import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { countOf } from './console-page.ts'
import { integrationsConsole, purchases } from './integrations-console.ts'

/** The list of integrations, and who may change them. */
describeInChromium('integrations', () => {
  const { test, open, ask, create, read, list, idOf } = integrationsConsole()

  /** Returns what the export of the whole configuration says about one integration. */
  async function exportedWhole(name: string): Promise<object> {
    const whole = await ask<{ format_version: number; integrations: { name: string }[] }>('GET', '/config/export')
    return {
      format_version: whole.format_version,
      integrations: whole.integrations.filter((each) => each.name === name),
    }
  }

  it('an integration with child spans under all is made from nothing, and cloning and export carry both', async () => {
    const { page, picture } = await open({ path: '/integrations' })
    await page.getByRole('heading', { name: 'No integrations yet' }).waitFor()
    await page.getByRole('link', { name: 'New integration' }).click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Purchases')
    await page.getByRole('combobox', { name: 'Name of service 1' }).fill('front')
    await page.getByRole('option', { name: 'frontend' }).click()
    const toggle = page.getByRole('button', { name: 'Include child spans in service 1' })
    expect(await toggle.count()).toBe(0)
    await page.getByRole('button', { name: 'Add condition to service 1' }).click()
    await page.getByRole('combobox', { name: 'service 1, condition 1: attribute' }).fill('http.rou')
    await page.getByRole('option', { name: 'http.route' }).click()
    await page.getByRole('combobox', { name: 'service 1, condition 1: value' }).fill('/checkout')
    await page.keyboard.press('Tab')
    await page.getByText('Spans of service "frontend" where http.route equals "/checkout".').waitFor()
    const alone = await page.locator('.rule-summary').textContent()
    await toggle.click()
    await page.getByText('"/checkout" (including child spans).').waitFor()
    await expect.poll(() => page.locator('.rule-summary').textContent()).toMatch(/\d+ messages/)
    const spansOf = (text: string | null) => Number(/([\d,]+) spans/.exec(text ?? '')?.[1]?.replace(',', ''))
    const [before, after] = [alone, await page.locator('.rule-summary').textContent()].map(spansOf)
    await page.getByRole('button', { name: 'Add service' }).click()
    await page.getByRole('combobox', { name: 'Name of service 2' }).fill('payment')
    await page.keyboard.press('Tab')
    await page.getByRole('radio', { name: 'all rules match' }).click()
    await expect.poll(() => page.locator('.rule-summary').count()).toBe(2)
    expect(before).toBeGreaterThan(0)
    expect(after).toBeGreaterThanOrEqual(before ?? 0)
    // With the second service as a member, its spans below the anchors are taken in too, once that is counted.
    await expect
      .poll(async () => spansOf(await page.locator('.rule-summary').first().textContent()))
      .toBeGreaterThan(after ?? 0)
    await picture('integration-new')
    await page.getByRole('button', { name: 'Create integration' }).click()
    await expect.poll(() => idOf(page)).not.toBe('')
    await page.getByText('Saved', { exact: true }).waitFor()
    const saved = await read(idOf(page))
    expect(saved).toMatchObject({ name: 'Purchases', rule_match: 'all' })
    expect(saved.matchers.map(({ service, include_descendants }) => [service, include_descendants])).toEqual([
      ['frontend', true],
      ['payment', false],
    ])
    await page.getByRole('button', { name: 'More about Purchases' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as JSON' }).click(),
    ])
    const exported = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(exported.integrations[0]).toMatchObject({ name: 'Purchases', rule_match: 'all' })
    expect(exported).toEqual(await exportedWhole('Purchases'))
    expect(await ask('POST', '/config/import', exported)).toMatchObject({ integrations: { unchanged: 1 } })
    await page.getByRole('button', { name: 'More about Purchases' }).click()
    await page.getByRole('menuitem', { name: 'Clone…' }).click()
    await page.getByRole('textbox', { name: 'Name of the clone' }).fill('Purchases, too')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Purchases, too', level: 1 }).waitFor()
    const clone = await read(idOf(page))
    expect(clone.rule_match).toBe('all')
    expect(clone.matchers[0]).toMatchObject({ ...purchases, include_descendants: true })
  })

  it('the counts of the list and of the editor are those of the messages that the integration finds', async () => {
    const { id } = await create({ name: 'Carts', matchers: [{ service: 'c?rt', service_match: 'pattern' }] })
    const shown = await open({ path: '/integrations?last=6h' })
    const { page } = shown
    const link = page.getByRole('link', { name: /messages of Carts/ })
    await expect.poll(() => link.textContent()).toMatch(/^\d+/)
    const count = Number.parseInt((await link.textContent()) ?? '', 10)
    expect(count).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'Carts', exact: true }).click()
    await expect.poll(() => page.locator('.totals-count').textContent()).toBe(`${count} messages`)
    expect(page.url()).toContain('last=6h')
    await page.getByText('is any text').waitFor()
    await page.getByRole('link', { name: 'Messages', exact: true }).nth(1).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('integration')).toBe(id)
    await expect.poll(() => countOf(shown)).toBe(count)
  })

  it('a search of the list is in the address; Enter in the name creates an integration, which is said', async () => {
    await create({ name: 'Carts', matchers: [{ service: 'cart' }] })
    await create({ name: 'Letters', description: 'What is sent', matchers: [{ service: 'email' }] })
    const { page } = await open({ path: '/integrations?last=6h' })
    await page.getByText('2 integrations').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('email')
    await page.getByText('1 integration of 2').waitFor()
    await page.reload()
    await page.getByText('1 integration of 2').waitFor()
    expect(await page.getByRole('link', { name: 'Letters', exact: true }).count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Carts', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'New integration' }).click()
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Payments')
    expect(page.url()).toContain('last=6h')
    await page.getByRole('combobox', { name: 'Name of service 1' }).fill('payment')
    await page.keyboard.press('Tab')
    await page
      .getByRole('status')
      .getByText(/^[1-9]\d* messages$/)
      .waitFor()
    await name.press('Enter')
    await page.getByRole('heading', { name: 'Payments', level: 1 }).waitFor()
    expect(await page.locator('[data-announcements]').textContent()).toBe('Payments was created.')
  })

  it('deleting says what refers to the integration, and why it is refused', async () => {
    const { id } = await create({ name: 'Watched', matchers: [{ service: 'checkout' }] })
    const condition = { integration_id: id, measure: 'error_count', comparator: 'gt', threshold: 1, conditions: [] }
    const rule = { name: 'Failures', kind: 'trace', window_s: 3_600, severity: 'info', enabled: false, ...condition }
    const { id: ruleId } = await ask<{ id: string }>('POST', '/alerting/rules', rule)
    const view = await ask<{ id: string }>('POST', '/saved-views', { name: 'Watch', rows: [], integration_id: id })
    const { page, picture, expectAccessible } = await open({ path: '/integrations' })
    const remove = async () => {
      await page.getByRole('button', { name: 'More about Watched' }).click()
      await page.getByRole('menuitem', { name: 'Delete…' }).click()
    }
    await remove()
    await page.getByText('An alert rule uses it: Failures. It cannot be deleted before the rule is changed.').waitFor()
    await page.getByText('A saved view searches it: Watch. It will find nothing.').waitFor()
    await expectAccessible()
    await picture('integration-delete')
    await page.getByRole('button', { name: 'Delete the integration' }).click()
    await page.getByRole('alert').getByText('is used by alert rules ("Failures")').waitFor()
    await page.getByRole('button', { name: 'Keep it' }).click()
    await ask('DELETE', `/alerting/rules/${ruleId}`)
    await remove()
    await page.getByText('A saved view searches it: Watch.').waitFor()
    await page.getByRole('button', { name: 'Delete the integration' }).click()
    await page.getByRole('heading', { name: 'No integrations yet' }).waitFor()
    expect(await list()).toEqual([])
    await ask('DELETE', `/saved-views/${view.id}`)
  })

  it('a viewer reads the rules and changes nothing; a restricted caller sees what is granted', async () => {
    const [granted] = [
      await create({ name: 'Granted', matchers: [{ ...purchases, include_descendants: true }] }),
      await create({ name: 'Hidden', matchers: [{ service: 'cart' }] }),
    ]
    await ask('PUT', `/integrations/${granted.id}/grants`, { subjects: ['ada'] })
    const viewer = await test.open({ role: 'viewer', path: `/integrations/${granted.id}` })
    await viewer.page.getByText('You need the contributor role to change integrations.').waitFor()
    await viewer.page.getByText('http.route equals "/checkout" (including child spans).').waitFor()
    expect(await viewer.page.getByRole('textbox').count()).toBe(0)
    await viewer.expectAccessible()
    await viewer.page.getByRole('button', { name: 'More about Granted' }).click()
    await expect.poll(() => viewer.page.getByRole('menuitem').allTextContents()).toEqual(['Export as JSON'])
    await viewer.page.goto(`${test.app.url}/integrations/new`)
    await viewer.page.getByText('You need the contributor role to create integrations.').waitFor()
    expect(viewer.faults).toEqual([])
    await viewer.context.close()
    const { page } = await open({ role: 'restricted', path: '/integrations' })
    await page.getByText('1 integration', { exact: true }).waitFor()
    await expect.poll(() => page.getByRole('link', { name: /messages of Granted/ }).textContent()).toMatch(/^\d+/)
    expect(await page.getByRole('link', { name: 'New integration' }).count()).toBe(0)
    expect(await page.getByText('Hidden').count()).toBe(0)
    await page.getByRole('link', { name: 'Granted', exact: true }).click()
    await page.getByText('http.route equals "/checkout" (including child spans).').waitFor()
  })

  it('19: axe finds no violation on the list and the editor in either theme, nor on a narrow page', async () => {
    const { id } = await create({ name: 'Purchases', rule_match: 'all', matchers: [purchases, { service: 'payment' }] })
    for (const { theme, width } of [
      { theme: 'light', width: 1_280 },
      { theme: 'dark', width: 1_280 },
      { theme: 'light', width: 600 },
    ] as const) {
      const { page, context, faults, expectAccessible, picture } = await test.open({
        theme,
        width,
        path: '/integrations',
      })
      await expect.poll(() => page.getByRole('link', { name: /messages of Purchases/ }).textContent()).toMatch(/^\d+/)
      await expectAccessible()
      await picture(`integrations-${theme}-${width}`)
      await page.goto(`${test.app.url}/integrations/${id}`)
      await page.locator('.totals-count').waitFor()
      await page.locator('.rule-summary').nth(1).waitFor()
      await expectAccessible()
      await picture(`integration-${theme}-${width}`)
      expect(faults).toEqual([])
      await context.close()
    }
  })
})
