import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

describeInChromium('the page of messages', () => {
  const { test, open } = sharedConsole()

  const rowsOf = (...rows: object[]) => `/?rows=${encodeURIComponent(JSON.stringify(rows))}`

  it('1: a login link leads to a page with data, and the link is gone from the address', async () => {
    const { page, picture } = await open()
    await page.getByRole('heading', { name: /120 messages/ }).waitFor()
    expect(page.url()).toBe(`${test.app.url}/`)
    await expect.poll(() => page.locator('.message-link').count()).toBe(50)
    await picture('messages-light')
  })

  it('1: an empty installation shows how to send the first span with a key, and notices when it arrives', async () => {
    const { page, picture, expectAccessible } = await open({ org: `empty-${test.app.org}` })
    await page.getByRole('link', { name: /See how to send the first span/ }).click()
    await page.getByText('Waiting for messages').waitFor()
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByText('The key is in the lines below.').waitFor()
    const environment = (await page.locator('pre').first().textContent()) ?? ''
    await expectAccessible()
    await picture('start')
    const [, url, authorization] = /ENDPOINT=(\S+)[\s\S]*Authorization=(Bearer%20tf_[^"]+)"/.exec(environment) ?? []
    await page.getByRole('button', { name: 'Copy the variables' }).click()
    const times = { startTimeUnixNano: `${Date.now()}000000`, endTimeUnixNano: `${Date.now()}000000` }
    const span = { traceId: '9'.repeat(32), spanId: '9'.repeat(16), name: 'first', kind: 1, ...times }
    const sent = await fetch(`${url}/v1/traces`, {
      method: 'POST',
      headers: { authorization: decodeURIComponent(authorization ?? ''), 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ spans: [span] }] }] }),
    })
    expect(sent.status).toBe(200)
    await page.getByText('Telemetry is arriving: 1 message in the last hour.').waitFor()
    await page.getByRole('link', { name: 'Look at them' }).click()
    await page.getByRole('heading', { name: /^1 message / }).waitFor()
  })

  it('2: a first answer needs at most 250 KiB of scripts and styles, all of them from this server', async () => {
    const { page } = await open()
    await page.locator('.message-link').first().waitFor()
    const names = (await page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)`)) as string[]
    const assets = names.filter((name) => name.includes('/assets/')).map((name) => new URL(name).pathname)
    expect(assets.length).toBeGreaterThanOrEqual(2)
    const headers = { 'accept-encoding': 'gzip' }
    const answers = await Promise.all(assets.map((path) => test.app.send(path, { headers })))
    const bytes = answers.map((answer) => Number(answer.headers.get('content-length') ?? Number.NaN))
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(250 * 1024)
  })

  it('5, 9: fields are suggested first, attributes with type and count, and a row shows what it must', async () => {
    const { page } = await open({ path: rowsOf({ attribute_key: 'order.id', operator: 'exists' }) })
    const line = page.locator('.messages tbody tr').first()
    await line.getByText('POST /checkout').waitFor()
    const cells = await line.locator('td').allTextContents()
    expect(cells[0]).toMatch(/^\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/)
    expect(cells[1]).toContain('frontend')
    expect(cells[2]).toMatch(/ (ms|s)$/)
    expect(cells[3]).toContain('cart')
    expect(cells[4]).toMatch(/^\d+ \/ \d+$/)
    expect(await page.locator('.error-mark').count()).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Add condition' }).click()
    const options = page.getByRole('option')
    await options.filter({ hasText: /^http/ }).first().waitFor()
    const texts = await options.allTextContents()
    expect(texts.slice(0, 2).map((text) => text.split(/(?=service of|name of)/)[0])).toEqual(['service', 'name'])
    expect(texts.find((text) => text.startsWith('http.'))).toMatch(/(string|int).* · [\d,]+$/)
  })

  it('19: ? lists the keys, what has the focus is outlined, and nothing moves for those who ask for that', async () => {
    const { page, picture } = await open()
    await page.locator('.message-link').first().waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Open the command palette').waitFor()
    await picture('keys')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
    expect(outline).not.toBe('none')
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.evaluate(`document.body.append(Object.assign(document.createElement('i'), { className: 'skeleton' }))`)
    expect(await page.evaluate(`getComputedStyle(document.querySelector('i.skeleton')).animationName`)).toBe('none')
  })

  it('19: axe finds no violation in either theme', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, expectAccessible, picture } = await test.open({
        theme,
        path: rowsOf({ attribute_key: 'order.id', operator: 'exists' }),
      })
      await page.getByRole('heading', { name: /messages/ }).waitFor()
      await page.locator('.message-link').first().waitFor()
      await expectAccessible()
      await picture(`messages-conditions-${theme}`)
      await context.close()
    }
  })

  it('3, 5, 6, 7: a condition is typed with suggestions, and its answer is in the address', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Add condition' }).click()
    await page.getByRole('combobox', { name: 'Condition 1: attribute' }).fill('order')
    await page.getByRole('option', { name: 'order.id' }).click()
    await page.getByRole('button', { name: /Condition 1: operator/ }).click()
    await page.getByRole('option', { name: 'is never present' }).click()
    await page.getByText('order.id is never present').waitFor()
    await expect.poll(() => page.getByRole('combobox', { name: 'Condition 1: value' }).count()).toBe(0)
    await expect.poll(() => page.getByRole('button', { name: 'with child spans' }).count()).toBe(0)
    const heading = page.getByRole('heading', { name: /messages/, level: 2 })
    await expect.poll(() => heading.textContent()).not.toContain('120 messages')
    const text = await heading.textContent()
    await page.reload()
    await expect.poll(() => heading.textContent()).toBe(text)
    expect(await page.getByRole('combobox', { name: 'Condition 1: attribute' }).inputValue()).toBe('order.id')
  })

  it('4: typed text stays as it was typed, whatever is suggested', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Add condition' }).click()
    const key = page.getByRole('combobox', { name: 'Condition 1: attribute' })
    await key.fill('Unknown.Key "x" é ')
    await page.getByRole('combobox', { name: 'Condition 1: value' }).fill(' 0077 ')
    await page.keyboard.press('Tab')
    expect(await key.inputValue()).toBe('Unknown.Key "x" é ')
    expect(await page.getByRole('combobox', { name: 'Condition 1: value' }).inputValue()).toBe(' 0077 ')
    await expect.poll(() => new URL(page.url()).searchParams.get('rows')).toContain('" 0077 "')
  })

  it('3, 9: another order shows the longest message first', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: /Order/ }).click()
    await page.getByRole('option', { name: 'longest first' }).click()
    await expect.poll(() => page.url()).toContain('order=longest')
    const shares = () =>
      page.locator('.duration meter').evaluateAll((meters) => meters.map((each) => Number(each.getAttribute('value'))))
    await expect
      .poll(async () => (await shares()).every((share, i, all) => i === 0 || share <= (all[i - 1] ?? 0)))
      .toBe(true)
  })

  it('3: back leads to the conditions before', async () => {
    const { page } = await open({ path: rowsOf({ attribute_key: 'order.id', operator: 'exists' }) })
    await page.getByRole('button', { name: 'Remove condition 1' }).click()
    await page.getByRole('heading', { name: /120 messages/ }).waitFor()
    await page.goBack()
    await page.getByText('order.id is present').waitFor()
  })

  it('10: an empty answer says which condition excludes everything', async () => {
    const { page, picture } = await open({
      path: rowsOf(
        { attribute_key: 'order.id', operator: 'exists' },
        { attribute_key: 'customer.id', operator: 'eq', value: 'nobody' },
      ),
    })
    await page.getByText('No message matches.').waitFor()
    await page.getByText(/Without condition 2 \(customer\.id\)/).waitFor()
    await picture('messages-empty')
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.locator('.message-link').first().waitFor()
  })

  it('11: a fault of a condition is shown at that condition', async () => {
    const { page, picture } = await open({
      path: rowsOf(
        { attribute_key: 'order.id', operator: 'exists' },
        { attribute_key: 'http.route', operator: 'matches', value: '(' },
      ),
    })
    const fault = page.locator('li.row').nth(1).getByRole('alert')
    await fault.waitFor()
    expect(await page.locator('li.row').nth(0).getByRole('alert').count()).toBe(0)
    await picture('messages-fault')
  })

  it('5, 7, 11: a relation is built from suggestions, is in the sentence, and shows its faults', async () => {
    const { page, picture, expectAccessible } = await open()
    await page.getByRole('button', { name: 'Add relation' }).click()
    await page.getByRole('combobox', { name: 'Relation 1, first step, condition 1: value' }).fill('publish orders')
    await page.getByRole('option', { name: 'publish orders.placed' }).click()
    const second = 'Relation 1, second step, condition 1'
    await page.getByRole('combobox', { name: `${second}: attribute` }).fill('serv')
    await page
      .getByRole('option', { name: /^service/ })
      .first()
      .click()
    await page.getByRole('combobox', { name: `${second}: value` }).fill('shipping')
    await page.keyboard.press('Tab')
    await page.getByRole('textbox', { name: 'Relation 1: within' }).fill('10 min')
    await page.keyboard.press('Tab')
    await page
      .getByText('a step with (name equals "publish orders.placed") is not followed within 10 minutes by a step')
      .waitFor()
    await page.getByRole('button', { name: 'Relation 1: kind' }).click()
    await page.getByRole('option', { name: 'is followed by' }).click()
    await page.locator('.message-link').first().waitFor()
    await expectAccessible()
    await picture('relation-light')
    await page.reload()
    expect(await page.getByRole('textbox', { name: 'Relation 1: within' }).inputValue()).toBe('10 min')
    await page.getByRole('button', { name: `${second}: operator` }).click()
    await page.getByRole('option', { name: 'matches' }).click()
    await page.getByRole('combobox', { name: `${second}: value` }).fill('(')
    await page.keyboard.press('Tab')
    await page.locator('.relation-step').nth(1).getByRole('alert').waitFor()
    expect(await page.locator('.relation-step').nth(0).getByRole('alert').count()).toBe(0)
  })

  it('7: a sentence is pasted and becomes conditions; what is not understood is marked', async () => {
    const { page, picture, expectAccessible } = await open()
    await page.getByRole('button', { name: 'Edit as text' }).click()
    const sentence = page.getByRole('textbox', { name: 'The search as a sentence' })
    await sentence.fill('Messages where order.id is presently here')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.sentence-fault mark').textContent()).toContain('presently here')
    await expectAccessible()
    await picture('sentence-fault')
    await sentence.fill('Messages where order.id is present and payment.method never equals "card".')
    await page.keyboard.press('Enter')
    await page.getByText('order.id is present and payment.method never equals "card", in the last hour').waitFor()
    expect(await page.getByRole('combobox', { name: 'Condition 2: value' }).inputValue()).toBe('card')
    const url = page.url()
    // What the server wrote means the same when it is read back, and the time range stays relative.
    await page.getByRole('button', { name: 'Edit as text' }).click()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('textbox', { name: 'The search as a sentence' }).count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('rows')).toBe(new URL(url).searchParams.get('rows'))
    expect(page.url()).not.toContain('from=')
  })

  it('10, 19: why a message is not in the list is explained condition by condition', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, picture, expectAccessible } = await test.open({ theme })
      const address = (await page.locator('.message-link').first().getAttribute('href')) ?? ''
      const path = rowsOf({ attribute_key: 'customer.id', operator: 'eq', value: 'nobody' })
      await page.goto(test.app.url + path)
      await page.getByRole('button', { name: 'Why not here?' }).click()
      await page.getByRole('textbox', { name: 'Why is a message not here?' }).fill(address)
      await page.keyboard.press('Enter')
      await page.getByText('The message does not match').waitFor()
      await page.locator('.reason.failing').getByText('customer.id equals "nobody"').waitFor()
      expect(page.url()).toContain(`why=${/[0-9a-f]{32}/.exec(address)?.[0]}`)
      await expectAccessible()
      await picture(`why-not-${theme}`)
      await context.close()
    }
  })

  it('3, 18: a time range is given in words, and is relative in the address', async () => {
    const { page } = await open()
    await page.getByRole('heading', { name: /messages/, level: 2 }).waitFor()
    await page.keyboard.press('t')
    await page.getByRole('textbox', { name: 'Any time' }).fill('last 2 days')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('last=2d')
    await page.getByRole('button', { name: 'Time range: Last 2 days' }).waitFor()
  })

  it('19: the palette opens with Ctrl K and ⌘ K, and goes to a message by its id', async () => {
    const { page } = await open()
    const id =
      (await page.locator('.message-link').first().getAttribute('href'))?.split('/').at(-1)?.split('?')[0] ?? ''
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').press('Escape')
    await page.getByRole('searchbox').waitFor({ state: 'detached' })
    await page.keyboard.press('Meta+k')
    await page.getByRole('searchbox').fill(id)
    await page.keyboard.press('Enter')
    await page.getByRole('tree').waitFor()
    expect(page.url()).toContain(id)
  })

  it('20: a viewer who signs out is asked to sign in, and comes back to the same address', async () => {
    const path = rowsOf({ attribute_key: 'order.id', operator: 'exists' })
    const { page, picture } = await open({ role: 'viewer', path })
    await page.getByText('order.id is present').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(page.url()).toContain('order.id')
    await picture('sign-in')
    expect((await page.request.get(`${test.app.url}/api/v1/me`)).status()).toBe(401)
  })

  it('20: a page without a session says how to sign in, and a used link why it did not', async () => {
    const { page, expectAccessible } = await open({ isSignedIn: false, path: '/sign-in?fault=used' })
    await page.getByText('a link signs in once').waitFor()
    await expectAccessible()
  })

  it('19: a narrow window keeps the search usable', async () => {
    const { page, picture } = await open({ width: 640 })
    await page.locator('.message-link').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
    await picture('messages-narrow')
  })
})
