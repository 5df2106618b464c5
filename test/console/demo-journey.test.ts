import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryDataDir } from '../operations/server-process.ts'
import { noChromium, openChromium } from '../support/chromium.ts'
import { runner } from '../support/fork-typescript.ts'

/** Runs `npm run demo` without npm and returns the link that it prints. The demo ends with the test. */
async function startDemo(): Promise<string> {
  const demo = spawn(process.execPath, [runner, 'examples/demo/main.ts', '--messages', '600'], {
    env: { PATH: process.env.PATH, TMPDIR: temporaryDataDir(), PORT: '0' },
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

describe.skipIf(noChromium !== undefined)(`the console of the demo${noChromium ? ` (${noChromium})` : ''}`, () => {
  it('1: the printed link signs in on a page with data; three clicks show why an order was not shipped', async () => {
    const link = await startDemo()
    const browser = await openChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ viewport: { width: 1_280, height: 860 } })
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(new URL(link).origin) && !request.url().startsWith('data:'))
        foreign.push(request.url())
    })
    await page.goto(link)
    await page.getByRole('heading', { name: '600 messages' }).waitFor()
    expect(await page.locator('.message-link').count()).toBe(50)
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
})
