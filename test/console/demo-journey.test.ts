import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Locator, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { describeInChromium, openChromium, permissions, shownMsMax } from '../support/chromium.ts'
import { runner } from '../support/fork-typescript.ts'
import { startReceiver } from '../support/receiver.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Runs `npm run demo` without npm and returns the link that it prints. The demo ends with the test. */
async function startDemo(): Promise<string> {
  const demo = spawn(process.execPath, [runner, 'examples/demo/main.ts', '--messages', '600'], {
    env: { PATH: process.env.PATH, TMPDIR: temporaryFolder(), PORT: '0' },
  })
  const ended = once(demo, 'exit')
  onTestFinished(async () => {
    demo.kill('SIGINT')
    await ended
  })
  let output = ''
  for (const stream of [demo.stdout, demo.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
  }
  while (!output.includes('The server runs until'))
    await Promise.race([once(demo.stdout, 'data'), ended.then(() => Promise.reject(new Error(output)))])
  return /^Open the console .*: (http\S+)$/m.exec(output)?.[1] ?? ''
}

describeInChromium('the console of the demo', () => {
  it('1: the printed link signs in on a page with data; three clicks show why an order was not shipped', async () => {
    const link = await startDemo()
    const browser = await openChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ viewport: { width: 1_280, height: 860 } })
    page.setDefaultTimeout(shownMsMax)
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(link).origin) && !request.url().startsWith('data:'))
        foreign.push(request.url())
    })
    await page.goto(link)
    await page.getByRole('heading', { name: '600 messages' }).waitFor()
    await expect.poll(() => page.locator('.message-link').count()).toBe(50)
    expect(page.url()).toBe(`${new URL(link).origin}/`)
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('button', { name: /^Which orders were announced, and not shipped/ }).click()
    await page.getByRole('heading', { name: /^[1-9]\d? messages?/ }).waitFor()
    await page.locator('.steps-link').first().click()
    const reasons = page.getByRole('complementary', { name: 'Why it matched' })
    await reasons.getByText(/is not followed within 10 minutes by a step with \(service equals "shipping"/).waitFor()
    const services = await page.getByRole('treeitem').allTextContents()
    expect(services.some((text) => text.includes('publish orders.placed'))).toBe(true)
    expect(services.some((text) => text.includes('shipping'))).toBe(false)
    expect(foreign).toEqual([])
  })

  it('by the console alone, an alert on child spans under all reaches a local receiver', async () => {
    const receiver = await startReceiver()
    const link = await startDemo()
    const browser = await openChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ viewport: { width: 1_280, height: 860 }, permissions })
    page.setDefaultTimeout(shownMsMax)
    await page.goto(link)
    await page.getByRole('heading', { name: '600 messages' }).waitFor()
    const steps = stepsOf(page)
    await steps.click(page.getByRole('link', { name: 'Channels' }))
    await steps.click(page.getByRole('link', { name: 'New channel' }))
    await steps.fill('textbox', 'Name', 'Pager')
    await steps.fill('textbox', 'URL of the receiver', receiver.url)
    await steps.click(page.getByRole('radio', { name: 'Custom body' }))
    await steps.click(page.getByRole('textbox', { name: 'Body template' }))
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText('{"what": "$rule.name is $alert.state", "of": "$integration.name"}')
    await steps.click(page.getByRole('button', { name: 'Create channel' }))
    await page.getByText('Give it to the receiver now').waitFor()
    // The button says so for a moment only.
    const copied = page.getByRole('button', { name: 'Copied' }).waitFor()
    await steps.click(page.getByRole('button', { name: 'Copy the signing secret' }))
    await copied
    await steps.click(page.getByRole('link', { name: 'Integrations' }))
    await steps.click(page.getByRole('link', { name: 'New integration' }))
    await steps.fill('textbox', 'Name', 'Purchases')
    await steps.fill('combobox', 'Name of service 1', 'frontend')
    await steps.click(page.getByRole('button', { name: 'Add condition to service 1' }))
    await steps.fill('combobox', 'service 1, condition 1: attribute', 'http.route')
    await steps.fill('combobox', 'service 1, condition 1: value', '/checkout')
    await steps.click(page.getByRole('button', { name: 'Include child spans in service 1' }))
    await steps.click(page.getByRole('button', { name: 'Add service' }))
    await steps.fill('combobox', 'Name of service 2', 'payment')
    await steps.click(page.getByRole('radio', { name: 'all rules match' }))
    await page.getByText('http.route equals "/checkout" (including child spans).').waitFor()
    await steps.click(page.getByRole('button', { name: 'Create integration' }))
    await steps.click(page.getByRole('button', { name: 'More about Purchases' }))
    await steps.click(page.getByRole('menuitem', { name: 'New alert rule…' }))
    await steps.fill('textbox', 'Name', 'Purchases fail')
    await steps.fill('textbox', 'Over a window of', '1 h')
    await steps.click(page.getByRole('checkbox', { name: 'Pager' }))
    await page.getByText('Would have notified 1 time').waitFor()
    await steps.click(page.getByRole('button', { name: 'Create rule' }))
    await expect
      .poll(() => receiver.received.map(({ body }) => JSON.parse(body)), { timeout: shownMsMax })
      .toEqual([{ what: 'Purchases fail is firing', of: 'Purchases' }])
    const alert = page.getByRole('region', { name: 'Alerts' }).getByRole('listitem').first()
    await steps.click(alert.getByText('Purchases fail: '))
    await alert.getByText('firing to Pager').waitFor()
    await alert.getByText(/1 attempt, last: status 200/).waitFor()
    expect(steps.count()).toBe(27)
  })
})

/** Does what a person does, and counts it: a click, or a text typed into a field. */
function stepsOf(page: Page) {
  let count = 0
  return {
    count: () => count,
    async click(target: Locator): Promise<void> {
      count += 1
      // Check boxes are hidden fields beside what is drawn.
      await target.click({ force: (await target.getAttribute('type')) === 'checkbox' })
    },
    async fill(role: 'textbox' | 'combobox', name: string, text: string): Promise<void> {
      count += 1
      await page.getByRole(role, { name, exact: true }).fill(text)
      // Lists of suggestions close, and fields say that they were left.
      await page.keyboard.press('Tab')
    },
  }
}
