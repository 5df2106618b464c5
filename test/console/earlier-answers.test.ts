import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { holdBack, sharedConsole } from './console-page.ts'
import { firstMessage, requestOf } from './sent-messages.ts'

const json = (value: object) => encodeURIComponent(JSON.stringify(value))
const orders = json([{ attribute_key: 'order.id', operator: 'exists' }])
const service = { attribute_source: 'intrinsic', attribute_key: 'service' }

/** What is shown of an answer while another one is on its way, or once more has arrived. */
describeInChromium('answers to earlier questions', () => {
  const { test, open } = sharedConsole()
  let traceId = ''

  beforeAll(async () => {
    traceId = await firstMessage(test)
  })

  it('3, 9: until columns are read in another order, each value stands below the name of its own', async () => {
    const { page } = await open({ path: `/?rows=${orders}&columns=${json([{ attribute_key: 'order.id' }, service])}` })
    const headings = page.getByRole('columnheader').and(page.locator('.column'))
    const firstCells = page.locator('tbody tr:first-child td.column')
    await firstCells.first().getByText(/^o-/).waitFor()
    const [order = '', named = ''] = await firstCells.allTextContents()
    const answer = await holdBack(page, '**/api/v1/messages/search')
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Move service to the left' }).click()
    await expect.poll(() => headings.allTextContents()).toEqual(['service', 'order.id'])
    expect(await firstCells.allTextContents()).toEqual([named, order])
    await page.getByRole('button', { name: 'Remove the column service' }).click()
    await expect.poll(() => headings.allTextContents()).toEqual(['order.id'])
    expect(await firstCells.allTextContents()).toEqual([order])
    await page.getByRole('combobox', { name: 'Attribute of a new column' }).fill('name')
    await page.getByRole('option', { name: /^name/ }).first().click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await expect.poll(() => headings.allTextContents()).toEqual(['order.id', 'name'])
    // What is not known yet is not absent.
    expect(await firstCells.allTextContents()).toEqual([order, ''])
    answer()
    await expect.poll(() => firstCells.last().textContent()).toMatch(/\w/)
  })

  it('3: until messages are broken down by another attribute, the groups are those of the one before', async () => {
    const { page } = await open({ path: `/?by=${json([service])}` })
    await page.getByRole('button', { name: 'Search with service checkout' }).waitFor()
    const answer = await holdBack(page, '**/api/v1/messages/breakdown')
    await page.getByRole('button', { name: 'root.name' }).click()
    await expect.poll(() => page.url()).toContain('root.name')
    await page.getByRole('columnheader', { name: 'service', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Search with service checkout' }).waitFor()
    answer()
    await page.getByRole('button', { name: 'Search with root.name POST /checkout' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'service', exact: true }).count()).toBe(0)
  })

  it('10: an answer without messages stays until the next one is there', async () => {
    const nothing = { attribute_key: 'order.id', operator: 'eq', value: 'nothing' }
    for (const tab of ['', `&by=${json([service])}`]) {
      const { page, context, faults } = await test.open({ path: `/?rows=${json([nothing])}${tab}` })
      const empty = page.getByRole('status').filter({ hasText: 'No message matches.' })
      await empty.getByText(/^Without condition 1/).waitFor()
      await empty.getByText(/^Looking for/).waitFor({ state: 'detached' })
      const before = await empty.innerText()
      const answer = await holdBack(page, '**/api/v1/messages/search')
      const value = page.getByRole('combobox', { name: 'Condition 1: value' })
      await value.fill('nothing at all')
      await page.getByText('the previous answer is shown until then').waitFor()
      expect(await empty.innerText()).toBe(before)
      expect(await page.locator('main table').count()).toBe(0)
      // What it offers would take back what was typed since.
      expect(await empty.getByRole('button', { name: 'Remove it' }).isEnabled()).toBe(false)
      answer()
      await empty.getByRole('button', { name: 'Remove it' }).click()
      await page.locator('main table').waitFor()
      expect(faults).toEqual([])
      await context.close()
    }
  })

  it('3: the message that is explained is that of the address, also after going back', async () => {
    const { page } = await open({ path: `/?why=${traceId}` })
    const field = page.getByRole('textbox', { name: 'Why is a message not here?' })
    await page.locator('.verdict').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    await field.waitFor({ state: 'detached' })
    expect(page.url()).not.toContain('why=')
    await page.goBack()
    await page.locator('.verdict').waitFor()
    expect(await field.inputValue()).toBe(traceId)
    const typed = `${test.app.url}/messages/${'0'.repeat(32)}`
    await field.fill(typed)
    await field.press('Enter')
    await expect.poll(() => page.url()).toContain('0'.repeat(32))
    expect(await field.inputValue()).toBe(typed)
    await page.goBack()
    await expect.poll(() => field.inputValue()).toBe(traceId)
  })

  it('12, 15: a message that has grown since it was read is shown whole, with its new steps', async () => {
    const id = 'd'.repeat(32)
    const start = BigInt(Date.now() - 60_000) * 1_000_000n
    const step = (position: number, name: string, seconds: bigint) => ({
      id: position,
      parent: position === 1 ? 0 : 1,
      name,
      start,
      end: start + seconds * 1_000_000_000n,
    })
    await test.app.sendSpans(requestOf(id, [step(1, 'all', 1n), step(2, 'first', 1n)]))
    const { page } = await open({ path: `/messages/${id}`, beforeLoad: (each) => each.clock.install() })
    await page.getByRole('treeitem', { name: /first/ }).waitFor()
    await page.getByRole('link', { name: 'Messages' }).first().click()
    await page.locator('.message-link').first().waitFor()
    await test.app.sendSpans(requestOf(id, [step(3, 'late', 9n)]))
    await page.clock.fastForward('00:02:00')
    await page.goBack()
    await page.getByRole('treeitem', { name: /late/ }).waitFor()
    await page.getByText('9 s', { exact: true }).first().waitFor()
    expect(await page.locator('.minimap-shade').count()).toBe(0)
  })
})
