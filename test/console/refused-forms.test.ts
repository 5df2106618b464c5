import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { expectFocus } from './focus.ts'
import { integrationsConsole, purchases } from './integrations-console.ts'

describeInChromium('forms that are refused', () => {
  const { open, ask, create } = integrationsConsole()

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })
  const isShown = async (field: Locator) => {
    await expectFocus(field)
    const { y = -1 } = (await field.boundingBox()) ?? {}
    expect(y).toBeGreaterThan(0)
  }

  it('a name that is taken gets the focus, and so is seen from the end of a long form', async () => {
    await create({ name: 'Taken', matchers: [purchases] })
    const services = Array.from({ length: 8 }, (_, index) => ({ service: `service ${index}` }))
    const { id } = await create({ name: 'Long', matchers: services })
    const { page } = await open({ path: `/integrations/${id}` })
    await nameField(page).fill('Taken')
    await page.getByRole('button', { name: 'Add service' }).hover()
    await press(page, 'Save changes')
    await page.getByText('already exists').waitFor()
    await isShown(nameField(page))
  })

  it.each([
    ['/alerts/rules/new', 'Create rule'],
    ['/channels/new', 'Create channel'],
  ])('the first empty field of %s gets the focus', async (path, save) => {
    const { page } = await open({ path, width: 390 })
    await press(page, save)
    await page.getByText('must not be empty').first().waitFor()
    await isShown(nameField(page))
  })

  it('a classification rule is added only with an attribute', async () => {
    const { page, expectAccessible, picture } = await open({ path: '/services/cart?show=classification' })
    await press(page, 'New rule')
    await press(page, 'Add rule')
    await page.getByRole('alert').getByText('Name an attribute.').waitFor()
    const attribute = page.getByRole('combobox', { name: 'Attribute' })
    await expectAccessible()
    await picture('classification-rule-without-attribute')
    await attribute.fill('db.system')
    await expect.poll(() => page.getByText('Name an attribute.').count()).toBe(0)
    expect((await ask<{ items: [] }>('GET', '/services/cart/facet-mappings')).items).toEqual([])
  })
})
