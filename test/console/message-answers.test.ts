import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { noteRequests, sharedConsole, untilQuiet } from './console-page.ts'
import { firstMessage, requestOf } from './sent-messages.ts'

/** What the page of a message answers to keys, while the message grows, and while requests fail. */
describeInChromium('answers of a message', () => {
  const { test, open, ask } = sharedConsole()
  let oldest = ''

  beforeAll(async () => {
    oldest = await firstMessage(test, { order: 'oldest' })
  })

  it('19: the left arrow collapses a step that has others below it, and else leads to the one above', async () => {
    const { page } = await open({ path: `/messages/${oldest}` })
    const tree = page.getByRole('tree')
    const selected = page.locator('[role=treeitem][aria-selected=true]')
    const level = async () => Number(await selected.getAttribute('aria-level'))
    await tree.focus()
    await tree.press('End')
    await expect.poll(() => selected.getAttribute('aria-expanded')).toBe(null)
    const depth = await level()
    expect(depth).toBeGreaterThan(1)
    await tree.press('ArrowLeft')
    await expect.poll(level).toBe(depth - 1)
    expect(await page.getByText('+0', { exact: true }).count()).toBe(0)
    expect(await selected.getAttribute('aria-expanded')).toBe('true')
    await tree.press('ArrowLeft')
    await expect.poll(() => selected.getAttribute('aria-expanded')).toBe('false')
    await tree.press('ArrowRight')
    await expect.poll(() => selected.getAttribute('aria-expanded')).toBe('true')
  })

  it('12: why a message matched is explained by the steps that are marked, however long ago it was found', async () => {
    const rows = encodeURIComponent(JSON.stringify([{ attribute_key: 'service.name', operator: 'exists' }]))
    const { page, picture } = await open({ path: `/messages/${oldest}?rows=${rows}&last=5m&side=why` })
    await page.locator('.verdict').waitFor()
    await picture('why-later')
    expect(await page.getByText(/outside the time range/).count()).toBe(0)
    expect(await page.locator('.verdict .holds').count()).toBe(1)
  })

  it('a condition on the whole message holds without the mention of a step', async () => {
    const rows = [
      { attribute_key: 'service.name', operator: 'exists' },
      { attribute_key: 'service.name', operator: 'neq', value: 'nobody' },
      { attribute_source: 'message', attribute_key: 'span_count', operator: 'gte', value: 1 },
    ]
    const path = `/messages/${oldest}?rows=${encodeURIComponent(JSON.stringify(rows))}&side=why`
    const { page, picture } = await open({ path })
    const reasons = page.locator('.reason')
    await reasons.getByText('service.name never equals "nobody"').waitFor()
    await picture('why-whole-message')
    const texts = await reasons.allTextContents()
    expect(texts.map((text) => text.includes('true at'))).toEqual([true, false, false])
  })

  it('a rule of an integration that another one makes unnecessary does not count as a fault', async () => {
    const matchers = ['frontend', 'nobody'].map((service) => ({ service, match_group: service }))
    const { id } = await ask<{ id: string }>('POST', '/integrations', { name: 'Either', matchers })
    const { page, picture, expectAccessible } = await open({
      path: `/messages/${oldest}?integration=${id}&side=why`,
    })
    const unnecessary = page.locator('.reason', { hasText: 'Spans of service "nobody".' })
    await unnecessary.getByText('Not needed: another rule of the integration is true.').waitFor()
    expect(await page.locator('.reason.failing').count()).toBe(0)
    await expectAccessible()
    await picture('why-either-rule')
    await ask('PUT', `/integrations/${id}`, { name: 'Either', rule_match: 'all', matchers })
    await page.reload()
    await page.locator('.reason.failing', { hasText: 'Spans of service "nobody".' }).waitFor()
    expect(await page.getByText('Not needed').count()).toBe(0)
  })

  it('a condition on the whole message that is not true shows the value of the message', async () => {
    const rows = [{ attribute_source: 'message', attribute_key: 'span_count', operator: 'gte', value: 100_000 }]
    const { page } = await open({
      path: `/messages/${oldest}?rows=${encodeURIComponent(JSON.stringify(rows))}&side=why`,
    })
    const reason = page.locator('.reason.failing', { hasText: 'span_count is at least "100000"' })
    const { spans } = await ask<{ spans: unknown[] }>('GET', `/messages/${oldest}`)
    await reason.getByText(`It is ${spans.length}.`).waitFor()
    expect(await page.locator('.verdict').textContent()).toContain(`because the value is "${spans.length}"`)
  })

  it('rules of an integration say how many child spans they include, and that “or” does not apply', async () => {
    const matchers = [
      { service: 'frontend', match_group: 'a', include_descendants: true },
      { service: 'cart', match_group: 'b' },
      { service: 'payment', match_group: 'c' },
      { service: 'frontend', match_group: 'd', attribute_key: 'nothing', operator: 'exists' },
    ]
    const rows = [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value: 'POST /checkout' }]
    const checkout = await firstMessage(test, { rows })
    const integrations = [{ name: 'Flagged', rule_match: 'all', matchers }]
    await ask('POST', '/config/import', { format_version: 1, integrations })
    const { items } = await ask<{ items: { id: string; name: string }[] }>('GET', '/integrations')
    const id = items.find(({ name }) => name === 'Flagged')?.id
    const { page, picture, expectAccessible } = await open({ path: `/messages/${checkout}?integration=${id}&side=why` })
    await page.getByText('All rules of the integration must be true').waitFor()
    expect(await page.getByText(/included as child spans/).count()).toBe(0)
    await expectAccessible()
    await picture('why-or-under-all')
    const { id: wide } = await ask<{ id: string }>('POST', '/integrations', {
      name: 'Wide',
      matchers: [
        { service: 'frontend', match_group: 'a', include_descendants: true },
        { service: '*', service_match: 'pattern', match_group: 'b', attribute_key: 'nothing', operator: 'exists' },
      ],
    })
    const body = { integration_id: wide }
    const { integration } = await ask<{ integration: { rules: { descendant_count: number }[] } }>(
      'POST',
      `/messages/${checkout}/explain`,
      body,
    )
    const included = integration.rules[0]?.descendant_count ?? 0
    expect(included).toBeGreaterThan(0)
    await page.goto(`${test.app.url}/messages/${checkout}?integration=${wide}&side=why`)
    const other = included === 1 ? '1 other step' : `${included} other steps`
    await page.getByText(`${other} below, included as child spans`).waitFor()
    expect(await page.getByText('All rules of the integration').count()).toBe(0)
    await picture('why-child-spans')
  })

  it('15: fields are found at their steps, also when more steps have arrived since the message was read', async () => {
    const id = 'c'.repeat(32)
    const start = BigInt(Date.now() - 60_000) * 1_000_000n
    const step = (position: number, name: string, ms: bigint) => ({
      id: position,
      parent: position === 1 ? 0 : 1,
      name,
      start: start + ms * 1_000_000n,
      end: start + 1_000_000_000n,
      attributes: [{ key: 'seq', value: { stringValue: name } }],
    })
    await test.app.sendSpans(requestOf(id, [step(1, 'all', 0n), step(2, 'middle', 20n), step(3, 'last', 30n)]))
    const { page } = await open({ path: `/messages/${id}` })
    await page.getByRole('treeitem', { name: /last/ }).waitFor()
    await test.app.sendSpans(requestOf(id, [step(4, 'early', 10n)]))
    const find = page.getByRole('searchbox', { name: 'Find steps' })
    await find.fill('seq=middle')
    await page.getByText('0 of 1 found step', { exact: true }).waitFor()
    expect(await page.locator('.step:not(.dimmed) .step-label').allTextContents()).toEqual(['middle'])
    await find.fill('seq=last')
    await page.getByText('0 of 1 found step', { exact: true }).waitFor()
    await expect.poll(() => page.locator('.step:not(.dimmed) .step-label').allTextContents()).toEqual(['last'])
  })

  it('20: logs of a step that cannot be read are not taken for none', async () => {
    const beforeLoad = (page: Page) => page.route('**/messages/*/logs?*', (route) => route.fulfill({ status: 502 }))
    const { page, expectAccessible } = await open({ path: `/messages/${oldest}`, beforeLoad })
    const fault = page.locator('.span-panel').getByRole('alert')
    await fault.getByText('Unexpected answer').waitFor()
    await expectAccessible()
    await page.unroute('**/messages/*/logs?*')
    await fault.getByRole('button', { name: 'Retry' }).click()
    await expect.poll(() => fault.count()).toBe(0)
  })

  it('20: a refused page of logs is requested once, and then when a person asks', async () => {
    let requests = 0
    const record = { time: '2026-01-01T00:00:00Z', service: 'cart', severity: '', severity_number: 9, span_id: null }
    const items = Array.from({ length: 200 }, (_, id) => ({ ...record, id, body: { value: 'note' }, attributes: [] }))
    const { page, picture } = await open({ path: '/about' })
    const noted = await noteRequests(page)
    await page.route('**/messages/*/logs?*', (route) => {
      requests++
      if (route.request().url().includes('cursor')) return route.fulfill({ status: 503 })
      return route.fulfill({ json: { items, next_cursor: 'more' } })
    })
    await page.goto(`${test.app.url}/messages/${oldest}`)
    await page.getByRole('tree').waitFor()
    await expect.poll(() => requests).toBe(2)
    // The drawing after the refusal would have begun the next request.
    await untilQuiet(noted)
    const { begun } = await noted()
    expect(begun.filter((url) => url.includes('/logs?'))).toHaveLength(2)
    await page.getByRole('radio', { name: 'Logs', exact: true }).click()
    await page.getByRole('button', { name: 'More logs' }).click()
    const retry = page.getByRole('alert').getByRole('button', { name: 'Retry' })
    await retry.waitFor()
    await picture('more-logs-refused')
    expect((await retry.boundingBox())?.y).toBeGreaterThan(0)
    expect(await page.locator('details.log').count()).toBe(200)
    const before = requests
    await retry.click()
    await expect.poll(() => requests).toBe(before + 1)
  })
})
