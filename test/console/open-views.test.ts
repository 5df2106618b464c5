import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

describeInChromium('errors of saved views', () => {
  const { test, open, ask } = sharedConsole()

  const problem = { type: 'about:blank', title: 'Service unavailable', status: 503, detail: 'Retry later.', code: 'x' }
  const unavailable = { status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }

  it('20: the views of the menu stay when more of them cannot be read', async () => {
    await ask('POST', '/saved-views', { name: 'Oldest', rows: [] })
    for (let at = 0; at < 200; at += 1) await ask('POST', '/saved-views', { name: `View ${at}`, rows: [] })
    const { page, picture, expectAccessible } = await open()
    await page.getByRole('button', { name: 'Views' }).click()
    const menu = page.getByRole('dialog', { name: 'Saved views' })
    const views = menu.locator('.view-item')
    await expect.poll(() => views.count()).toBe(200)
    const field = menu.getByRole('searchbox', { name: 'Find a view' })
    await field.fill('View 1')
    const found = await views.count()
    await page.route('**/saved-views?*', (route) => route.fulfill(unavailable))
    await menu.getByRole('button', { name: 'More views' }).click()
    await menu.getByRole('alert').getByText('Service unavailable').waitFor()
    expect(await views.count()).toBe(found)
    expect(await field.inputValue()).toBe('View 1')
    await expectAccessible()
    await picture('more-views-refused')
    await page.unroute('**/saved-views?*')
    await menu.getByRole('button', { name: 'Retry', exact: true }).click()
    await field.fill('Oldest')
    await expect.poll(() => views.count()).toBe(1)
    expect(await menu.getByRole('alert').count()).toBe(0)
  })

  it('19: Escape ends the renaming of a view, and leads back to its button', async () => {
    await ask('POST', '/saved-views', { name: 'Escaped', rows: [] })
    const { page } = await open({ path: '/views?find=Escaped' })
    const rename = page.getByRole('button', { name: 'Rename Escaped' })
    const field = page.getByRole('textbox', { name: 'Name of the view' })
    await rename.click()
    await field.fill('Something else')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Rename Escaped')
    await page.getByRole('link', { name: 'Escaped' }).waitFor()
  })

  it('19: after the form or the question of an open view is closed, the focus returns to what opened it', async () => {
    const { id } = await ask<{ id: string }>('POST', '/saved-views', { name: 'Focused', rows: [] })
    const { page } = await open({ path: `/?view=${id}` })
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const field = page.getByRole('textbox', { name: 'Name of the view' })
    const hasFocus = (name: string) => expect.poll(() => page.locator(':focus').textContent()).toBe(name)
    await button('Rename').click()
    await page.keyboard.press('Escape')
    await hasFocus('Rename')
    await page.keyboard.press('Enter')
    await field.fill('Focused again')
    await page.keyboard.press('Enter')
    await page.getByText('View Focused again').waitFor()
    await hasFocus('Rename')
    await button('Delete the view').click()
    await button('Keep it').click()
    await hasFocus('Delete')
    await button('Close view').click()
    await button('Save as view').click()
    await button('Cancel').click()
    await hasFocus('Save as view')
    // The button is gone once there is a view, which the first of its actions stands for.
    await page.keyboard.press('Enter')
    await field.fill('Made here')
    await page.keyboard.press('Enter')
    await page.getByText('View Made here').waitFor()
    await hasFocus('Rename')
  })

  it('20: an open view that cannot be read is said as any other error, and read again', async () => {
    const { id } = await ask<{ id: string }>('POST', '/saved-views', { name: 'Failures', rows: [], status: 'error' })
    const beforeLoad = (page: Page) => page.route(`**/saved-views/${id}`, (route) => route.fulfill(unavailable))
    const { page, picture, expectAccessible } = await open({ path: `/?view=${id}&status=error`, beforeLoad })
    const bar = page.locator('.view-bar')
    await bar.getByRole('alert').getByText('Service unavailable').waitFor()
    await expectAccessible()
    await picture('view-refused')
    await page.unroute(`**/saved-views/${id}`)
    await bar.getByRole('button', { name: 'Retry', exact: true }).click()
    await bar.getByText('View Failures').waitFor()
    // What is asked does not need the view.
    await page.goto(`${test.app.url}/?view=nonsense`)
    await bar.getByText('The view in this address was deleted.').waitFor()
    await bar.getByRole('button', { name: 'Continue without it' }).click()
    await expect.poll(() => page.url()).not.toContain('view=')
  })
})
