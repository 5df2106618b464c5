/** Draws docs/console.png, the picture at the head of the README, from the demo: `npm run screenshot`. */
import { writeFileSync } from 'node:fs'
import { createApi } from '../../examples/demo/api.ts'
import { startDemoServer } from '../../examples/demo/server.ts'
import { toExportRequest } from '../../examples/demo/shop/otlp.ts'
import { drawShop } from '../../examples/demo/shop/shop.ts'
import { openChromium } from '../support/chromium.ts'

/** Relative to the root of the repository, where npm runs scripts. */
const file = 'docs/console.png'
const messageCount = 4_000
const messagesPerRequest = 200

/** The purchases that were paid, and never by card. */
const search = new URLSearchParams({
  rows: JSON.stringify([
    { attribute_key: 'payment.method', operator: 'exists' },
    { attribute_key: 'payment.method', operator: 'neq', value: 'card' },
  ]),
  columns: JSON.stringify([{ attribute_key: 'payment.method' }]),
})

async function main(): Promise<void> {
  const server = await startDemoServer(0)
  try {
    const { messages } = drawShop({ seed: 7, messageCount, until: new Date() })
    const api = createApi(server.url, server.token)
    for (let from = 0; from < messages.length; from += messagesPerRequest)
      await api.send('traces', toExportRequest(messages.slice(from, from + messagesPerRequest).flat()))
    writeFileSync(file, await drawPage(server.loginUrl, `${server.url}/?${search}`))
  } finally {
    await server.stop()
  }
}

async function drawPage(loginUrl: string, address: string): Promise<Buffer> {
  const browser = await openChromium()
  try {
    const viewport = { width: 1_280, height: 800 }
    const page = await browser.newPage({ viewport, colorScheme: 'light', timezoneId: 'UTC', reducedMotion: 'reduce' })
    await page.goto(loginUrl)
    await page.goto(address)
    await page.getByRole('heading', { name: /with errors/ }).waitFor()
    await page.locator('.bar-ok').first().waitFor()
    return await page.screenshot()
  } finally {
    await browser.close()
  }
}

await main()
