import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { type OpenOptions, sharedConsole } from './console-page.ts'
import { firstMessage } from './sent-messages.ts'

/** What is read of a message: in the list beside columns, and on its own page in little width and by keys. */
describeInChromium('the reading of messages', () => {
  const { test, open } = sharedConsole()

  const traceId = 'd'.repeat(32)
  const depth = 12
  const deepest = 'the deepest operation'
  const trace = 'Error: no card\n    at charge (card.ts:3)\n    at pay (pay.ts:9)'

  /** Stores a message of a chain of steps, the last of which failed. Its service has a very long name. */
  async function sendChain(): Promise<string> {
    const startNs = BigInt(Date.now() - 60_000) * 1_000_000n
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
    const id = (position: number) => (position + 1).toString(16).padStart(16, '0')
    const spans = Array.from({ length: depth + 1 }, (_, position) => ({
      traceId,
      spanId: id(position),
      parentSpanId: position === 0 ? '' : id(position - 1),
      name: position === depth ? deepest : `operation ${position}`,
      kind: 1,
      startTimeUnixNano: String(startNs + BigInt(position) * 1_000_000n),
      endTimeUnixNano: String(startNs + 1_000_000_000n),
      attributes: [text('exception.stacktrace', trace), text('seq', String(position))],
      status: position === depth ? { code: 2, message: trace } : {},
    }))
    const resource = { attributes: [text('service.name', `checkout ${'of the shop '.repeat(20)}`)] }
    await test.app.sendSpans({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
    return id(depth)
  }

  async function openChain(options: OpenOptions = {}) {
    const span = await sendChain()
    const opened = await open({ path: `/messages/${traceId}?span=${span}`, ...options })
    await opened.page.getByRole('tree').waitFor()
    await opened.page.getByRole('complementary', { name: /^Step / }).waitFor()
    return { ...opened, span }
  }

  const columns = ['http.route', 'http.method', 'http.status_code', 'user.session', 'deployment.environment']
  const withColumns = `/?columns=${encodeURIComponent(JSON.stringify(columns.map((key) => ({ attribute_key: key }))))}`

  it.each([
    [1_280, withColumns],
    [1_024, withColumns],
    [360, withColumns],
    [360, '/'],
  ])('9: in %i pixels nothing of a message lies over what stands beside it (%s)', async (width, path) => {
    const { page, picture } = await open({ width, path })
    await page.locator('.error-mark').first().waitFor()
    const over = await page.locator('.messages tbody tr').evaluateAll(
      (rows) =>
        rows.filter((row) => {
          const [cell, next] = [...row.querySelectorAll('td:not(:first-child)')].filter((each) => each.clientWidth > 0)
          const parts = [...(cell?.querySelectorAll('.message-link, .error-mark') ?? [])]
          const left = next?.getBoundingClientRect().left ?? 0
          return parts.some((part) => part.getBoundingClientRect().right > left + 1)
        }).length,
    )
    expect(over).toBe(0)
    const name = page.locator('.message-link').first()
    expect(await name.evaluate((element) => element.clientWidth)).toBeGreaterThan(100)
    await picture(`columns-${width}-${path.length}`)
  })

  it('stack traces, statements and bodies of logs keep their lines', async () => {
    const { page, picture } = await openChain()
    const linesOf = (text: string | null) => (text ?? '').split('\n').length
    const panel = page.getByRole('complementary', { name: `Step ${deepest}` })
    expect(linesOf(await panel.locator('.attributes td').first().innerText())).toBe(3)
    expect(linesOf(await panel.locator('header p').innerText())).toBe(3)
    await picture('message-lines')
  })

  it('13: the deepest name is read in 1,280 and in 360 pixels, if need be in a wider column, which stays', async () => {
    const { page, picture } = await openChain()
    const label = page.getByRole('treeitem', { name: new RegExp(deepest) }).locator('.step-label')
    const isWhole = () => label.evaluate((element) => element.scrollWidth <= element.clientWidth)
    await expect.poll(isWhole).toBe(true)
    await picture('message-deep-1280')
    await page.setViewportSize({ width: 360, height: 800 })
    const edge = page.getByRole('separator', { name: 'Width of the names' })
    const widthOf = async (name: string) => Number(await edge.getAttribute(`aria-value${name}`))
    // The names follow the width of the window once the chart has been measured again.
    await expect.poll(() => widthOf('max')).toBeLessThan(360)
    await edge.focus()
    const before = await widthOf('now')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => widthOf('now')).toBe(before + 16)
    await page.keyboard.press('End')
    await expect.poll(isWhole).toBe(true)
    await picture('message-deep-360')
    const box = await edge.boundingBox()
    if (box === null) throw new Error('the edge is not shown')
    await page.mouse.move(box.x + 4, box.y + 30)
    await page.mouse.down()
    await page.mouse.move(box.x - 92, box.y + 30)
    await page.mouse.up()
    const max = await widthOf('max')
    await expect.poll(async () => Math.abs(max - 100 - (await widthOf('now')))).toBeLessThanOrEqual(1)
    const kept = await widthOf('now')
    await page.reload()
    await expect.poll(() => widthOf('now')).toBe(kept)
  })

  it('19: what is not found is dimmed and passes axe in both themes', async () => {
    await sendChain()
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, expectAccessible, picture } = await test.open({ theme, path: `/messages/${traceId}` })
      await page.getByRole('searchbox', { name: 'Find steps' }).fill('deepest')
      await page.locator('.step.dimmed').first().waitFor()
      await expectAccessible()
      await picture(`message-dimmed-${theme}`)
      await context.close()
    }
  })

  it('19: a part of the time is chosen over the minimap by keys, and Escape shows all of it', async () => {
    const { page, picture } = await openChain()
    const axis = page.locator('.time-axis span')
    await page.getByRole('slider', { name: /All steps over time/ }).focus()
    await page.keyboard.press('Home')
    for (let i = 0; i < 25; i++) await page.keyboard.press('Shift+ArrowRight')
    await picture('minimap-keys')
    await page.keyboard.press('Enter')
    await expect.poll(() => axis.allTextContents()).toEqual(['0 ns', '125 ms', '250 ms', '375 ms'])
    await page.keyboard.press('Escape')
    await expect.poll(() => axis.allTextContents()).toEqual(['0 ns', '250 ms', '500 ms', '750 ms'])
  })

  it('3: an attribute of a step becomes a column of the messages', async () => {
    const { page } = await openChain()
    await page.getByRole('button', { name: 'Search with seq' }).click()
    await page.getByRole('menuitem', { name: 'Messages with this attribute as a column' }).click()
    await page.getByRole('columnheader', { name: 'seq' }).waitFor()
    expect(page.url()).toContain('columns=')
  })

  it('a service with a long name stays on the page', async () => {
    const { page } = await openChain()
    const right = await page
      .locator('.message-header')
      .evaluate((header) => Math.max(...[...header.querySelectorAll('*')].map((e) => e.getBoundingClientRect().right)))
    expect(right).toBeLessThanOrEqual(1_280)
  })

  it('19: with forced colours bars, services and what is selected are still seen', async () => {
    const { page, picture } = await openChain({ beforeLoad: (each) => each.emulateMedia({ forcedColors: 'active' }) })
    const colours = await page
      .locator('.bar, .step .service-dot')
      .evaluateAll((all) => all.map((each) => each.computedStyleMap().get('background-color')?.toString()))
    const surface = await page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(colours).not.toContain(surface)
    const selected = page.getByRole('treeitem', { selected: true })
    const outline = await selected.evaluate((row) => row.computedStyleMap().get('outline-style')?.toString())
    expect(outline).toBe('solid')
    await picture('message-forced-colours')
  })

  it('15: fields are found like attributes, with spaces around the sign, and not at every key', async () => {
    const { page } = await openChain({ beforeLoad: (each) => each.clock.install() })
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/skeleton')) requests.push(request.postData() ?? '')
    })
    const find = page.getByRole('searchbox', { name: 'Find steps' })
    // A question follows a pause of the keys. Between them no time passes, however long the machine takes.
    await page.clock.pauseAt(Date.now() + 60_000)
    await find.pressSequentially(`name = ${deepest}`)
    await page.clock.resume()
    await page.getByText('1 of 1 found step', { exact: true }).waitFor()
    expect(requests.length).toBe(1)
    await find.fill('seq=nothing')
    await page.getByText('nothing found').waitFor()
  })

  it('15, 20: a search within a message says that it searches, or why it cannot', async () => {
    const { page } = await openChain()
    await page.route('**/skeleton', async (route) => {
      await page.getByText('Searching…').waitFor()
      await route.continue()
    })
    const find = page.getByRole('searchbox', { name: 'Find steps' })
    await find.fill('seq=3')
    await page.getByText('1 of 1 found step', { exact: true }).waitFor()
    await find.fill(`seq=${'x'.repeat(5_000)}`)
    await page.getByRole('alert').waitFor()
    expect(await page.getByText('nothing found').count()).toBe(0)
    expect(await page.locator('.step.dimmed').count()).toBe(0)
  })

  it('12: without a question every step is walked, as the list counted', async () => {
    const { page } = await openChain()
    await page.getByText(`${depth + 1} of ${depth + 1} steps`, { exact: true }).waitFor()
    expect(await page.locator('.step.matched').count()).toBe(0)
    await page.keyboard.press('n')
    await page.getByText(`1 of ${depth + 1} steps`, { exact: true }).waitFor()
  })

  it('12: matched steps stand out from others, and are only counted where all of them match', async () => {
    const failed = await firstMessage(test, { status: 'error' })
    const row = { attribute_source: 'intrinsic', attribute_key: 'status', operator: 'eq', value: 'error' }
    const rows = encodeURIComponent(JSON.stringify([row]))
    const { page, picture } = await open({ path: `/messages/${failed}?rows=${rows}` })
    await page.getByText(/^1 of \d+ matched steps?$/).waitFor()
    expect(await page.locator('.step.matched').count()).toBeGreaterThan(0)
    await page.goto(`${test.app.url}/messages/${failed}?status=error`)
    await page.getByText(/^1 of \d+ matched steps$/).waitFor()
    await picture('all-steps-matched')
    expect(await page.locator('.step.matched').count()).toBe(0)
  })
})
