import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'
import { requestOf } from './sent-messages.ts'

/** Messages that are not whole. The numbers are those of "It is good when" in the console's design. */
describeInChromium('messages that are not whole', () => {
  const { test, open } = sharedConsole()

  it('11, 20: an address without a trace id says so once, and asks nothing; letters may be large', async () => {
    const { page, picture } = await open()
    const address = (await page.locator('.message-link').first().getAttribute('href')) ?? ''
    const [traceId = ''] = /[0-9a-f]{32}/.exec(address) ?? []
    await page.goto(`${test.app.url}/messages/${traceId.toUpperCase()}`)
    await page.getByRole('tree').waitFor()
    // The page that is left may still send requests.
    await page.goto('about:blank')
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/messages/')) requests.push(request.url())
    })
    await page.goto(`${test.app.url}/messages/nonsense`)
    await page.getByRole('alert').getByText('This address names no message').waitFor()
    expect(await page.getByText('32 hexadecimal digits').count()).toBe(1)
    expect(requests).toEqual([])
    await picture('message-no-trace-id')
    await page.goto(`${test.app.url}/messages/${'0'.repeat(31)}9`)
    await page.getByRole('alert').getByText('Not found').waitFor()
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0)
  })

  it('16: a missing parent and a cycle are marked once, in plain words', async () => {
    const traceId = 'd'.repeat(32)
    const start = BigInt(Date.now()) * 1_000_000n
    const end = start + 1_000_000n
    await test.app.sendSpans(
      requestOf(traceId, [
        { id: 1, parent: 0, name: 'begin', start, end },
        { id: 2, parent: 99, name: 'lonely', start, end },
        { id: 3, parent: 4, name: 'hen', start, end },
        { id: 4, parent: 3, name: 'egg', start, end },
      ]),
    )
    const { page, picture } = await open({ path: `/messages/${traceId}` })
    await page.getByText('1 step without the parent, which was lost or has not arrived yet').waitFor()
    await page.getByText('1 cycle, shown from the first step').waitFor()
    expect(
      await page
        .getByRole('treeitem', { name: /lonely/ })
        .locator('.step-note')
        .textContent(),
    ).toBe('missing parent')
    expect(await page.getByRole('treeitem', { name: /begin/ }).locator('.step-note').count()).toBe(0)
    expect(await page.locator('.step-note').allTextContents()).toEqual(['missing parent', 'cycle'])
    await picture('message-detached')
  })

  it('16: a step that starts before its parent is counted in plain words, and its bar is on the axis', async () => {
    const traceId = 'c'.repeat(32)
    const start = BigInt(Date.now()) * 1_000_000n
    await test.app.sendSpans(
      requestOf(traceId, [
        { id: 1, parent: 0, name: 'begin', start: start + 5_000_000n, end: start + 9_000_000n },
        { id: 2, parent: 1, name: 'early', start, end: start + 1_000_000n },
        { id: 3, parent: 1, name: 'late', start: start + 6_000_000n, end: start + 7_000_000n },
      ]),
    )
    const { page, picture } = await open({ path: `/messages/${traceId}` })
    await page.getByText('1 step started before the parent: clocks differ or work was queued').waitFor()
    const barOf = async (name: RegExp) => (await page.getByRole('treeitem', { name }).locator('.bar').boundingBox())?.x
    const axis = await page.locator('.time-axis').boundingBox()
    const [parent, early] = [await barOf(/begin/), await barOf(/early/)]
    expect(early).toBeGreaterThanOrEqual(Math.floor(axis?.x ?? Number.POSITIVE_INFINITY))
    expect(early).toBeLessThan(parent ?? 0)
    await picture('message-skewed')
  })

  it('16: of many steps without a parent the first are looked at, and nothing is said of the others', async () => {
    const traceId = 'b'.repeat(32)
    const start = BigInt(Date.now()) * 1_000_000n
    const spans = Array.from({ length: 30 }, (_, index) => ({ id: index + 1, parent: 100 + index, name: 'orphan' }))
    await test.app.sendSpans(
      requestOf(
        traceId,
        spans.map((each) => ({ ...each, start, end: start })),
      ),
    )
    const { page } = await open({ path: `/messages/${traceId}` })
    await page.getByText('20 steps without the parent').waitFor()
    await page.getByText('of 30 steps at the top, the first 20 were looked at').waitFor()
    expect(await page.getByText('begin the message').count()).toBe(0)
    // All of them start and end at once.
    expect(await page.locator('.message-facts').textContent()).toContain('0 ns')
  })

  it('16: the counts of failed, skewed and detached steps lead to each of these steps in turn', async () => {
    const traceId = '7'.repeat(32)
    const start = BigInt(Date.now()) * 1_000_000n
    const parent = { id: 1, parent: 0, name: 'parent', start: start + 5_000_000n, end: start + 9_000_000n }
    const child = (id: number, name: string, early: bigint) => {
      const begin = parent.start - early
      return { id, parent: 1, name, start: begin, end: begin + 1_000_000n }
    }
    const lost = { ...child(5, 'lost', 0n), parent: 77 }
    await test.app.sendSpans(
      requestOf(traceId, [
        parent,
        child(2, 'early', 5_000_000n),
        child(3, 'late', -1n),
        child(4, 'soon', 3_000n),
        lost,
      ]),
    )
    const { page, picture, expectAccessible } = await open({ path: `/messages/${traceId}` })
    const selected = page.getByRole('treeitem', { selected: true })
    const skewed = page.getByRole('button', { name: /^2 steps started before the parent/ })
    await skewed.click()
    await expect.poll(() => selected.textContent()).toContain('early')
    await expect.poll(() => selected.locator('.step-note').textContent()).toBe('5 ms before the parent')
    await skewed.getByText('1 of 2').waitFor()
    await skewed.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => selected.locator('.step-note').textContent()).toBe('3 µs before the parent')
    await skewed.getByText('2 of 2').waitFor()
    await expectAccessible()
    await picture('message-skewed-walked')
    await skewed.click()
    await expect.poll(() => selected.textContent()).toContain('early')
    await page.getByRole('button', { name: /^1 step without the parent/ }).click()
    await expect.poll(() => selected.textContent()).toContain('lost')
  })
})
