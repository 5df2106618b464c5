import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { markdownTable } from '../spread.ts'

/** The clicks and keys of one journey, as `journey` makes them. */
const clicksOfJourney = 10
const journeysBefore = 3

/**
 * Repeats a journey through the pages, like a person who clicks for an hour, and compares the memory of the page
 * before and after. Answers are kept by the console for five minutes, which are part of the growth.
 */
export async function measureMemory(
  open: () => Promise<BrowserContext>,
  url: string,
  journeys: number,
): Promise<string> {
  const context = await open()
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await page.goto(url)
    for (let each = 0; each < journeysBefore; each++) await journey(page)
    const before = await usageOf(session)
    for (let each = 0; each < journeys; each++) await journey(page)
    const after = await usageOf(session)
    const clicks = journeys * clicksOfJourney
    const row = (name: string, { heapMb, nodes }: Usage) => [name, heapMb.toFixed(1), nodes]
    return markdownTable(
      ['memory of the page, after collecting garbage', 'heap MB', 'DOM nodes'],
      [row(`after ${journeysBefore * clicksOfJourney} clicks`, before), row(`after ${clicks} more clicks`, after)],
    )
  } finally {
    await context.close()
  }
}

/** Finds, looks at one message, comes back, breaks down, compares, and searches with a value: ten clicks. */
async function journey(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Messages' }).first().click()
  // The newest message is the large one.
  await page.locator('.message-link').nth(1).click()
  await page.getByRole('tree').waitFor()
  await page.getByRole('button', { name: 'Focus on this step' }).click()
  await page.getByRole('radio', { name: 'Logs' }).click()
  await page.getByRole('link', { name: 'Messages' }).first().click()
  await page.getByRole('radio', { name: 'Breakdown' }).click()
  await page
    .getByRole('button', { name: /^Search with/ })
    .first()
    .click()
  await page.getByRole('radio', { name: 'Comparison' }).click()
  await page.locator('.compared-side').first().waitFor()
  await page.getByRole('radio', { name: 'List' }).click()
  await page.locator('.message-link').first().waitFor()
  await page.getByRole('button', { name: 'Remove condition 1' }).click()
}

interface Usage {
  readonly heapMb: number
  readonly nodes: number
}

async function usageOf(session: CDPSession): Promise<Usage> {
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  const { nodes } = await session.send('Memory.getDOMCounters')
  return { heapMb: usedSize / 1e6, nodes }
}
