import type { BrowserContext, Page } from 'playwright-core'

type Open = () => Promise<BrowserContext>

/** Scripts of pages are texts: the types of the bench are those of Node.js. Times are of `performance.now()`. */
const whenPainted = (condition: string) => `new Promise((resolve) => {
  const look = () => {
    if (${condition}) requestAnimationFrame(() => resolve(performance.now()))
    else requestAnimationFrame(look)
  }
  look()
})`

/** Resolves when a selector is shown and two frames follow each other without a long task. */
const whenUsable = (selector: string) => `new Promise((resolve) => {
  let before = -Infinity
  const look = (now) => {
    const isShown = document.querySelector('${selector}') !== null
    if (isShown && now - before < 50) return resolve(performance.now())
    before = isShown ? now : -Infinity
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})`

async function inNewBrowser<Result>(open: Open, work: (page: Page) => Promise<Result>): Promise<Result> {
  const context = await open()
  try {
    return await work(await context.newPage())
  } finally {
    await context.close()
  }
}

/** Opens the page of messages without a cache. Returns milliseconds from the start of the navigation. */
export async function measureFirstAnswer(open: Open, url: string, runs: number) {
  const [painted, answered]: [number[], number[]] = [[], []]
  for (let run = 0; run < runs; run++) {
    await inNewBrowser(open, async (page) => {
      await page.goto(url, { waitUntil: 'commit' })
      answered.push(Number(await page.evaluate(whenPainted(`document.querySelector('.message-link') !== null`))))
      painted.push(
        Number(await page.evaluate(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN`)),
      )
    })
  }
  return { painted, answered }
}

/** Returns the names of the scripts and styles that the first answer needs. */
export async function measureFirstLoad(open: Open, url: string): Promise<readonly string[]> {
  return inNewBrowser(open, async (page) => {
    await page.goto(url)
    await page.locator('.message-link').first().waitFor()
    const names = (await page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)`)) as string[]
    return names.flatMap((name) => /\/assets\/([^?]+)$/.exec(name)?.[1] ?? [])
  })
}

/** Types the id of an order as the value of a condition, until its one message is listed. */
export async function measureTyping(open: Open, url: string, orderIds: readonly string[]): Promise<number[]> {
  const rows = JSON.stringify([{ attribute_key: 'order.id', operator: 'eq' }])
  return inNewBrowser(open, async (page) => {
    const times: number[] = []
    for (const id of orderIds) {
      await page.goto(`${url}/?rows=${encodeURIComponent(rows)}`)
      await page.locator('.message-link').nth(1).waitFor()
      const value = page.getByRole('combobox', { name: 'Condition 1: value' })
      await value.fill(id.slice(0, -1))
      // The search for a part of the id finds nothing.
      await page.getByText('No message matches.').waitFor()
      await page.evaluate(`document.addEventListener('input', () => { window.typedAt = performance.now() })`)
      await value.press('End')
      await page.keyboard.type(id.slice(-1))
      const shownAt = await page.evaluate(whenPainted(`document.querySelectorAll('.message-link').length === 1`))
      times.push(Number(shownAt) - Number(await page.evaluate('window.typedAt')))
    }
    return times
  })
}

/** Opens a large message without a cache, until its steps are shown and the page responds. */
export async function openLargest(open: Open, address: string, runs: number): Promise<number[]> {
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    await inNewBrowser(open, async (page) => {
      await page.goto(address, { waitUntil: 'commit' })
      times.push(Number(await page.evaluate(whenUsable('.step'))))
    })
  }
  return times
}

const scrolling = `new Promise((resolve) => {
  const scroller = document.querySelector('.waterfall')
  const frames = []
  const step = (now) => {
    frames.push(now)
    scroller.scrollTop += 300
    if (now - frames[0] < 3000) return requestAnimationFrame(step)
    const gaps = frames.slice(1).map((each, index) => each - frames[index])
    resolve({ framesPerSecond: (gaps.length / (now - frames[0])) * 1000, longestMs: Math.max(...gaps) })
  }
  requestAnimationFrame(step)
})`

/** Scrolls a message for three seconds, 300 pixels a frame. */
export function measureScrolling(open: Open, address: string) {
  return inNewBrowser(open, async (page) => {
    await page.goto(address)
    await page.locator('.step').first().waitFor()
    return (await page.evaluate(scrolling)) as { framesPerSecond: number; longestMs: number }
  })
}
