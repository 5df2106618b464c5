import { beforeAll, describe, expect, it } from 'vitest'
import { noChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

/** How a message is walked by keys, and why it matched. */
describe.skipIf(noChromium !== undefined)(`keys of a message${noChromium ? ` (${noChromium})` : ''}`, () => {
  const { test, open } = sharedConsole()
  let oldest = ''

  beforeAll(async () => {
    const body = JSON.stringify({ order: 'oldest' })
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const found = await (await test.app.send('/api/v1/messages/search', sent)).json()
    oldest = (found as { messages: { trace_id: string }[] }).messages[0]?.trace_id ?? ''
  })

  it('19: the left arrow collapses a step that has others below it, and else leads to the one above', async () => {
    const { page } = await open({ path: `/messages/${oldest}` })
    const tree = page.getByRole('tree')
    const selected = page.locator('[role=treeitem][aria-selected=true]')
    const level = async () => Number(await selected.getAttribute('aria-level'))
    await tree.focus()
    await tree.press('End')
    await expect.poll(() => selected.getAttribute('aria-expanded')).toBe(null)
    const depth = await level()
    expect(depth).toBeGreaterThan(1)
    await tree.press('ArrowLeft')
    await expect.poll(level).toBe(depth - 1)
    expect(await page.getByText('+0', { exact: true }).count()).toBe(0)
    expect(await selected.getAttribute('aria-expanded')).toBe('true')
    await tree.press('ArrowLeft')
    await expect.poll(() => selected.getAttribute('aria-expanded')).toBe('false')
    await tree.press('ArrowRight')
    await expect.poll(() => selected.getAttribute('aria-expanded')).toBe('true')
  })

  it('12: why a message matched is explained by the steps that are marked, however long ago it was found', async () => {
    const rows = encodeURIComponent(JSON.stringify([{ attribute_key: 'service.name', operator: 'exists' }]))
    const { page, picture } = await open({ path: `/messages/${oldest}?rows=${rows}&last=5m&side=why` })
    await page.locator('.verdict').waitFor()
    await picture('why-later')
    expect(await page.getByText(/outside the time range/).count()).toBe(0)
    expect(await page.locator('.verdict .holds').count()).toBe(1)
  })
})
