/** Measures the console in Chromium, over the demo's data: what is loaded, how long people wait, and what stays. */
import type { Browser, BrowserContext } from 'playwright-core'
import { createApi } from '../../examples/demo/api.ts'
import { type DemoServer, startDemoServer } from '../../examples/demo/server.ts'
import { toExportRequest } from '../../examples/demo/shop/otlp.ts'
import { drawShop } from '../../examples/demo/shop/shop.ts'
import { consoleBundle } from '../../server/console/console-bundle.ts'
import { openChromium } from '../../test/support/chromium.ts'
import type { Bench, Section } from '../section.ts'
import { markdownTable, spreadOf } from '../spread.ts'
import { measureFirstAnswer, measureFirstLoad, measureScrolling, measureTyping, openLargest } from './journeys.ts'
import { measureMemory } from './memory.ts'

const messageCount = 4_000
const messagesPerRequest = 200
const spansOfLargest = 100_000
const spansPerRequest = 20_000
const largestId = 'f'.repeat(32)

/** Journeys of ten clicks that make an hour of one click every four seconds. */
const journeys = 90
const journeysWhenQuick = 5
const runsMin = 10

export const consolePages: Section = {
  name: 'console',
  async run({ seed, runs }: Bench) {
    const server = await startDemoServer(0)
    try {
      const orderIds = await loadShop(server, seed)
      const browser = await openChromium()
      try {
        const signedIn = await signIn(browser, server)
        const open = () => browser.newContext({ ...view, storageState: signedIn })
        const isQuick = runs < runsMin
        return [
          `## The console, over ${messageCount} messages of the demo`,
          await bundleTable(await measureFirstLoad(open, server.url)),
          await waitingTable(open, { server, runs, orderIds }),
          await measureMemory(open, server.url, isQuick ? journeysWhenQuick : journeys),
        ].join('\n\n')
      } finally {
        await browser.close()
      }
    } finally {
      await server.stop()
    }
  },
}

const view = { viewport: { width: 1_280, height: 860 }, timezoneId: 'UTC' }

/** Sends the demo's messages and returns ids of orders, each of which finds one message. */
async function loadShop({ url, token }: DemoServer, seed: number): Promise<readonly string[]> {
  const { messages } = drawShop({ seed, messageCount, until: new Date() })
  const api = createApi(url, token)
  for (let from = 0; from < messages.length; from += messagesPerRequest)
    await api.send('traces', toExportRequest(messages.slice(from, from + messagesPerRequest).flat()))
  const ids = messages.flat().flatMap(({ step }) => step.attributes['order.id'] ?? [])
  return [...new Set(ids.map(String))]
}

/** Sends one message of 100,000 spans: chains of fifty below one root. */
async function loadLargest({ url, token }: DemoServer): Promise<void> {
  const api = createApi(url, token)
  const start = BigInt(Date.now()) * 1_000_000n
  const hex = (id: number) => id.toString(16).padStart(16, '0')
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'large' } }] }
  for (let from = 0; from < spansOfLargest; from += spansPerRequest) {
    const spans = Array.from({ length: spansPerRequest }, (_, offset) => {
      const index = from + offset
      return {
        traceId: largestId,
        spanId: hex(index + 1),
        ...(index > 0 && { parentSpanId: hex(index % 50 === 1 ? 1 : index) }),
        name: `step ${index}`,
        kind: 1,
        startTimeUnixNano: String(start + BigInt(index) * 1_000n),
        endTimeUnixNano: String(start + BigInt(spansOfLargest) * 1_000n),
      }
    })
    await api.send('traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
  }
}

async function signIn(browser: Browser, { loginUrl }: DemoServer) {
  const context = await browser.newContext(view)
  const page = await context.newPage()
  await page.goto(loginUrl)
  await page.locator('.message-link').first().waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** @param first the names of the files that the first answer needs */
async function bundleTable(first: readonly string[]): Promise<string> {
  const { assets } = await consoleBundle()
  const later = [...assets.keys()].filter((name) => !first.includes(name))
  const sizeOf = (names: readonly string[], encoding: 'plain' | 'gzip' | 'brotli') =>
    (names.reduce((sum, name) => sum + (assets.get(name)?.[encoding].length ?? 0), 0) / 1_024).toFixed(0)
  const rows = [
    { title: 'first load', names: first, target: 'gzip 250' },
    { title: `loaded with later pages (${later.length} files)`, names: later, target: '' },
  ]
  return markdownTable(
    ['bundle', 'target KiB', 'plain KiB', 'gzip KiB', 'brotli KiB'],
    rows.map(({ title, names, target }) => [
      title,
      target,
      sizeOf(names, 'plain'),
      sizeOf(names, 'gzip'),
      sizeOf(names, 'brotli'),
    ]),
  )
}

interface WaitingOptions {
  readonly server: DemoServer
  readonly runs: number
  readonly orderIds: readonly string[]
}

async function waitingTable(open: () => Promise<BrowserContext>, { server, runs, orderIds }: WaitingOptions) {
  const { url } = server
  const first = await measureFirstAnswer(open, url, runs)
  const typed = await measureTyping(open, url, orderIds.slice(0, runs))
  // Loaded only now: it would be the first of the messages above.
  await loadLargest(server)
  const largest = await openLargest(open, `${url}/messages/${largestId}`, runs)
  const { framesPerSecond, longestMs } = await measureScrolling(open, `${url}/messages/${largestId}`)
  const line = (name: string, target: number, times: readonly number[]) => {
    const { median, p95 } = spreadOf(times)
    return [name, target, median.toFixed(0), p95.toFixed(0)]
  }
  return [
    markdownTable(
      ['a browser without a cache, until', 'target ms', 'median ms', 'p95 ms'],
      [
        line('something is painted', 1_000, first.painted),
        line('the first messages are painted', 1_000, first.answered),
        line(`${spansOfLargest} spans of a message can be used`, 2_000, largest),
      ],
    ),
    markdownTable(
      ['a page that is open, until', 'target ms', 'median ms', 'p95 ms'],
      [line('the rows are shown, from the last key (of which 250 ms wait for more keys)', 1_000, typed)],
    ),
    `Scrolling through ${spansOfLargest} spans: ${framesPerSecond.toFixed(0)} frames a second (target 60), the ` +
      `longest frame ${longestMs.toFixed(0)} ms. Without a GPU.`,
  ].join('\n\n')
}
