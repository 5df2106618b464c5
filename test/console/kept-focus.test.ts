import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'
import { expectFocus, press } from './focus.ts'

const json = (value: object) => encodeURIComponent(JSON.stringify(value))
const service = { attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'checkout' }
const route = { attribute_key: 'http.route', operator: 'exists' }
const relation = (within_ms: number) => ({ kind: 'followed_by', from: [service], to: [service], within_ms })

/** Who works with keys stays where they work, whatever was removed, disabled or answered. */
describeInChromium('the focus', () => {
  const { open, ask } = sharedConsole()

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  const heading = (page: Page) => page.getByRole('heading', { name: /with errors/ })

  it('19: goes to what is next to a condition or relation that is removed', async () => {
    const { page } = await open({ path: `/?rows=${json([service, route])}&relations=${json([relation(10_000)])}` })
    await press(button(page, 'Remove condition 2'))
    await expectFocus(button(page, 'Remove condition 1'))
    await press(button(page, 'Remove condition 1'))
    await expectFocus(page.getByRole('button', { name: 'Relation 1, first step, condition 1: where the attribute is' }))
    await press(button(page, 'Remove relation 1, first step, condition 1'))
    await expectFocus(button(page, 'Add a condition on the first step of relation 1'))
    await press(button(page, 'Remove relation 1'))
    await expectFocus(button(page, 'Add condition'))
    await press(button(page, 'Edit as text'))
    await page.getByRole('textbox', { name: 'The search as a sentence' }).press('Escape')
    await expectFocus(button(page, 'Edit as text'))
  })

  it('19: returns to the button that asked why a message is missing when its answer is closed', async () => {
    const { page } = await open()
    await press(button(page, 'Why not here?'))
    await expectFocus(page.getByRole('textbox', { name: 'Why is a message not here?' }))
    await press(button(page, 'Close'))
    await expectFocus(button(page, 'Why not here?'))
    await page.goto(`${page.url()}?why=${'a'.repeat(32)}`)
    await press(button(page, 'Close'))
    await expectFocus(button(page, 'Why not here?'))
    expect(page.url()).not.toContain('why=')
  })

  it('19: goes to what a new relation lacks first, as to that of a new condition', async () => {
    const { page } = await open()
    await press(button(page, 'Add condition'))
    await expectFocus(page.getByRole('combobox', { name: 'Condition 1: attribute' }))
    // Suggestions hide what is beside them from screen readers, and so from a search by role.
    const add = page.locator('button', { hasText: 'Add relation' })
    await press(add)
    await expectFocus(page.getByRole('combobox', { name: 'Relation 1, first step, condition 1: value' }))
    await press(add)
    await expectFocus(page.getByRole('combobox', { name: 'Relation 2, first step, condition 1: value' }))
  })

  it('19: stays at a button while what it began runs, and when that has left it nothing to do', async () => {
    const { id } = await ask<{ id: string }>('POST', '/alerting/channels', {
      name: 'Pager',
      kind: 'webhook',
      config: { url: 'https://receiver.example/' },
    })
    const { page } = await open({ path: `/channels/${id}` })
    let answer: () => void = () => {}
    const isSeen = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(`**/api/v1/alerting/channels/${id}`, async (sent) => {
      if (sent.request().method() === 'PUT') await isSeen
      await sent.continue()
    })
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Pager of the night')
    const save = page.getByRole('button', { name: /^(Save changes|Saving…)$/ })
    await press(save)
    await expect.poll(() => save.getAttribute('aria-disabled')).toBe('true')
    await expectFocus(save)
    answer()
    await page.getByText('Saved', { exact: true }).waitFor()
    await expectFocus(save)
    await press(button(page, 'Disable'))
    await expectFocus(button(page, 'Enable'))
  })

  it('19: goes to the next view when one is deleted, and to the page when none is left', async () => {
    for (const name of ['First', 'Second']) await ask('POST', '/saved-views', { name, rows: [service] })
    const { page } = await open({ path: '/views' })
    const [first, second] = [page.getByRole('link', { name: 'First' }), page.getByRole('link', { name: 'Second' })]
    await first.waitFor()
    const isFirstAbove = ((await first.boundingBox())?.y ?? 0) < ((await second.boundingBox())?.y ?? 0)
    const [above, below] = isFirstAbove ? ['First', 'Second'] : ['Second', 'First']
    await press(button(page, `Delete ${above}`))
    await page.keyboard.press('Enter')
    await expectFocus(page.getByRole('link', { name: below }))
    await press(button(page, `Delete ${below}`))
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('h1:focus, main :focus').count()).toBe(1)
    await page.getByRole('link', { name: below }).waitFor({ state: 'detached' })
    await expect.poll(() => page.locator('h1:focus, main :focus').count()).toBe(1)
  })

  it('19: stays at a choice whose value is typed, and no key of the console is pressed by that', async () => {
    const { page } = await open()
    await heading(page).waitFor()
    const status = page.getByRole('button', { name: 'Status of the message' })
    await status.press('t')
    await status.press('n')
    await expectFocus(status)
    expect(await page.getByRole('textbox', { name: 'Any time' }).count()).toBe(0)
    await status.press('Enter')
    const option = page.getByRole('option', { name: 'any status' })
    await option.press('t')
    expect(await page.getByRole('textbox', { name: 'Any time' }).count()).toBe(0)
    await option.press('Escape')
    await expectFocus(status)
    await status.press('w')
    await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('error')
  })
})
