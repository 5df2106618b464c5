import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { countOf, sharedConsole } from './console-page.ts'
import { requestOf } from './sent-messages.ts'

/** Addresses, suggestions and narrow windows. The numbers are those of "It is good when" in the console's design. */
describeInChromium('addresses', () => {
  const { test, open, ask } = sharedConsole()

  const rowsOf = (...rows: object[]) => `/?rows=${encodeURIComponent(JSON.stringify(rows))}`

  it('3, 4, 11: a condition with an unknown operator stays, says so at its row, and asks nothing', async () => {
    const unknown = { attribute_key: 'payment.method', operator: 'almost', value: 'card' }
    const shown = await open({ path: rowsOf({ attribute_key: 'order.id', operator: 'exists' }, unknown) })
    const { page, picture, expectAccessible } = shown
    const fault = page.locator('li.row').nth(1).getByRole('alert')
    await fault.getByText('There is no operator “almost”').waitFor()
    await page.getByText('Messages where order.id is present, in the last').waitFor()
    const all = await countOf(shown)
    expect(new URL(page.url()).searchParams.get('rows')).toContain('almost')
    await expectAccessible()
    await picture('messages-unknown-operator')
    await page.getByRole('button', { name: /Condition 2: operator/ }).click()
    await page.getByRole('option', { name: 'equals', exact: true }).click()
    await page.getByText('payment.method equals "card"').waitFor()
    expect(await fault.count()).toBe(0)
    expect(await page.getByRole('combobox', { name: 'Condition 2: value' }).inputValue()).toBe('card')
    await expect.poll(() => countOf(shown)).toBeLessThan(all)
  })

  it('3: what an address says and cannot be read is shown, and left out by a button', async () => {
    const unknown = encodeURIComponent(JSON.stringify([{ attribute_key: 'a', operator: 'toString' }]))
    const { page, picture, expectAccessible } = await open({
      path: `/?rows=${unknown}&status=bad&last=soon&relations=7&why=12345678901234567890123456789012`,
    })
    const notice = page.getByRole('alert').filter({ hasText: 'Part of the address was not understood' })
    await notice.waitFor()
    expect(await notice.getByRole('listitem').allTextContents()).toEqual([
      'status "bad"',
      'last "soon"',
      'relations "7"',
    ])
    await page.locator('li.row').getByRole('alert').getByText('There is no operator “toString”').waitFor()
    await page.getByRole('button', { name: 'Time range: Last hour' }).waitFor()
    await page.getByRole('button', { name: /any status/ }).waitFor()
    // A trace id of digits is a text.
    const why = page.getByRole('textbox', { name: 'Why is a message not here?' })
    expect(await why.inputValue()).toBe('12345678901234567890123456789012')
    await expectAccessible()
    await picture('messages-unread')
    await notice.getByRole('button', { name: 'Leave it out' }).click()
    await notice.waitFor({ state: 'detached' })
    expect(page.url()).not.toMatch(/unread|bad|soon/)
  })

  it.each([
    ['/explore/logs?severity=loud&conditions=7&text=card', ['severity "loud"', 'conditions "7"']],
    ['/explore/metrics?metric=a&aggregation=p42&groups=7', ['aggregation "p42"', 'groups "7"']],
    ['/alerts?show=alerts&state=red', ['state "red"']],
    ['/settings?tab=audit&action=burnt&last=soon', ['last "soon"', 'action "burnt"']],
    ['/services?last=1h&colour=red', ['colour "red"']],
  ] as const)('3: %s says what was not understood, and keeps the rest', async (path, left) => {
    const { page, expectAccessible, picture } = await open({ path })
    const notice = page.getByRole('alert').filter({ hasText: 'Part of the address was not understood' })
    await notice.waitFor()
    expect((await notice.getByRole('listitem').allTextContents()).toSorted()).toEqual([...left].toSorted())
    await expectAccessible()
    await picture(`unread${path.replace(/\?.*/, '').replaceAll('/', '-')}`)
    await notice.getByRole('button', { name: 'Leave it out' }).click()
    await notice.waitFor({ state: 'detached' })
    for (const text of left) expect(page.url()).not.toContain(text.split(' ')[0])
    expect(page.url()).toMatch(/text=card|metric=a|show=alerts|tab=audit|last=1h/)
  })

  it('12: a step that the message does not have is said, and another one is selected', async () => {
    const { page, picture } = await open()
    const link = await page.locator('.message-link').first().getAttribute('href')
    const { pathname } = new URL(link ?? '', test.app.url)
    await page.goto(`${test.app.url}${pathname}?span=00f067aa0ba902b7`)
    const notice = page.getByText('This message has no step 00f067aa0ba902b7')
    await notice.waitFor()
    await picture('message-unknown-step')
    await page.keyboard.press('n')
    await notice.waitFor({ state: 'detached' })
  })

  it('19: on a phone the navigation is one line, whose button opens every page and closes again', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, picture, expectAccessible } = await test.open({ width: 390, theme })
      await page.locator('.message-link').first().waitFor()
      const bottom = await page.evaluate(`document.querySelector('.topbar').getBoundingClientRect().bottom`)
      expect(bottom).toBeLessThan(100)
      await picture(`messages-phone-${theme}`)
      const pages = page.getByRole('button', { name: 'Messages', exact: true })
      const link = page.getByRole('link', { name: 'About' })
      expect(await link.isVisible()).toBe(false)
      await pages.click()
      await link.waitFor()
      await page.getByRole('button', { name: 'Sign out' }).waitFor()
      await expectAccessible()
      await picture(`navigation-phone-${theme}`)
      await page.keyboard.press('Tab')
      await page.keyboard.press('Escape')
      await link.waitFor({ state: 'hidden' })
      expect(await pages.evaluate((button) => button.matches(':focus'))).toBe(true)
      await page.keyboard.press('Enter')
      await link.click()
      await page.getByRole('button', { name: 'About', exact: true }).waitFor()
      expect(await link.isVisible()).toBe(false)
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
      await context.close()
    }
  })

  it('5: values are read once, when the attribute is complete or its value is chosen', async () => {
    const { page } = await open()
    await page.locator('.message-link').first().waitFor()
    const requestedKeys: (string | null)[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith('/attributes/values')) requestedKeys.push(searchParams.get('key'))
    })
    await page.getByRole('button', { name: 'Add condition' }).click()
    const key = page.getByRole('combobox', { name: 'Condition 1: attribute' })
    const options = page.getByRole('option')
    await options.filter({ hasText: /^http/ }).first().waitFor()
    await key.pressSequentially('payment.method')
    await expect.poll(() => requestedKeys).toEqual(['payment.method'])
    await page.keyboard.press('Tab')
    await page.getByRole('combobox', { name: 'Condition 1: value' }).fill('ca')
    await options.filter({ hasText: /^card/ }).waitFor()
    expect(requestedKeys).toEqual(['payment.method'])
    await page.keyboard.press('Tab')
    // Values of a key that nobody has sent yet are read only where its value is typed.
    await key.fill('payment.methods')
    await page.keyboard.press('Tab')
    await page.getByRole('combobox', { name: 'Condition 1: value' }).focus()
    await expect.poll(() => requestedKeys).toEqual(['payment.method', 'payment.methods'])
  })

  it('20: an address that cannot be decoded says that there is no such page', async () => {
    for (const path of ['/%E0%A4%A', '/messages/%E0%A4%A', '/integrations/%zz/flow']) {
      const { page, context, faults, expectAccessible } = await test.open({ path })
      await page.getByRole('heading', { name: 'No such page' }).waitFor()
      await expectAccessible()
      await page.getByRole('link', { name: 'Go to the messages' }).click()
      await page.locator('.message-link').first().waitFor()
      expect(faults).toEqual([])
      await context.close()
    }
  })

  it('20: an address of a record that is gone, or whose id was cut, says so and leads to the list', async () => {
    const { page, expectAccessible } = await open({ path: '/about' })
    for (const [path, words, list] of [
      ['/integrations', 'This integration does not exist, or was deleted.', 'All integrations'],
      ['/alerts/rules', 'This rule does not exist, or was deleted.', 'All rules'],
      ['/channels', 'This channel does not exist, or was deleted.', 'All channels'],
    ] as const)
      for (const id of ['01JNB4Y8Z0V6Q3W2R7T5X9K1MA', '01JNB4Y8Z0V6Q3']) {
        await page.goto(`${test.app.url}${path}/${id}`)
        await page.getByText(words).waitFor()
        expect(await page.getByRole('alert').count()).toBe(0)
        await expectAccessible()
        await page.getByRole('link', { name: list }).click()
        await expect.poll(() => page.url()).not.toContain(id)
      }
  })

  it('5: what contains the typed text is suggested after what begins with it', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Add condition' }).click()
    const options = page.getByRole('option')
    await options.filter({ hasText: /^http/ }).first().waitFor()
    await page.getByRole('combobox', { name: 'Condition 1: attribute' }).fill('name')
    await expect.poll(() => options.first().textContent()).toMatch(/^name/)
    await options.filter({ hasText: /^scope_name/ }).waitFor()
  })

  it('5: the value that was typed is suggested before more frequent ones that begin with it', async () => {
    const now = BigInt(Date.now()) * 1_000_000n
    const spans = ['5', '50', '50'].map((stringValue, index) => ({
      id: index + 1,
      parent: 0,
      name: 'step',
      start: now,
      end: now + 1_000n,
      attributes: [{ key: 'shelf', value: { stringValue } }],
    }))
    await test.app.sendSpans(requestOf('e'.repeat(32), spans))
    const rows = JSON.stringify([{ attribute_key: 'shelf', operator: 'eq' }])
    const { page } = await open({ path: `/?rows=${encodeURIComponent(rows)}` })
    await page.getByRole('combobox', { name: 'Condition 1: value' }).fill('5')
    const values = page.getByRole('option').locator('.mono')
    await expect.poll(() => values.allTextContents()).toEqual(['5', '50'])
  })

  it('5: the attributes of facets are suggested after the fields and before other attributes', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Add condition' }).click()
    const options = page.getByRole('option')
    await options.filter({ hasText: /^order\.id/ }).waitFor()
    const keys = await options.locator('.mono').allTextContents()
    const facets = await ask<{ items: { key_attributes: string[] }[] }>('GET', '/service-facets?limit=100')
    const ofFacets = new Set(facets.items.flatMap(({ key_attributes }) => key_attributes))
    const [fields, attributes] = [keys.slice(0, 2), keys.filter((key) => ofFacets.has(key))]
    expect([fields, attributes.includes('file.name')]).toEqual([['service', 'name'], true])
    const others = keys.slice(keys.indexOf('order.id'))
    expect(others.filter((key) => ofFacets.has(key))).toEqual([])
  })

  it('9: in a narrow window a row shows the duration and the services below the name', async () => {
    const columns = ['.duration', 'td.services']
    const below = ['.narrow-duration', '.narrow-services']
    for (const [width, shown] of [
      [1_280, columns],
      [900, ['.duration', '.narrow-services']],
      [640, below],
      [390, below],
    ] as const) {
      const { page, context, picture, expectAccessible } = await test.open({ width })
      const line = page.locator('.messages tbody tr', { hasText: 'POST /checkout' }).first()
      await line.waitFor()
      const seen: string[] = []
      for (const each of [...columns, ...below]) if (await line.locator(each).isVisible()) seen.push(each)
      expect([width, seen]).toEqual([width, shown])
      expect(await line.locator('.narrow-facts').textContent()).toMatch(/^[\d.]+ m?s · 9 services$/)
      await expectAccessible()
      await picture(`messages-row-${width}`)
      await context.close()
    }
  })
})
