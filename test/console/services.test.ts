import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { describeInChromium } from '../support/chromium.ts'
import { countOf, sharedConsole } from './console-page.ts'

type MessageCount = components['schemas']['MessageCount']

/** The pages of services. The numbers are those of "It is good when" in the console's design. */
describeInChromium('services', () => {
  const { test, open, ask } = sharedConsole()

  const overrides = (service: string) => `/services/${service}/facet-overrides`

  it('3, 19: services are listed with their facets, and one facet lists its carriers, in the address', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, expectAccessible, picture } = await test.open({ theme, path: '/services' })
      await page.getByRole('link', { name: 'checkout', exact: true }).waitFor()
      const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'checkout', exact: true }) })
      expect(await row.locator('.facet').allTextContents()).toEqual([
        ...['http-input', 'http-output', 'queue-output', 'db-output'],
      ])
      expect(await row.getByRole('img').getAttribute('aria-label')).toBe('in: http; out: http, queue, db')
      await expectAccessible()
      await picture(`services-${theme}`)
      await row.getByRole('link', { name: 'queue-output' }).click()
      await page.getByText('Publishes messages to a queue or topic').waitFor()
      expect(page.url()).toContain('facet=queue-output')
      await page.reload()
      await page.getByRole('heading', { name: /^\d+ services?$/ }).waitFor()
      const badges = await page.locator('tbody tr').allTextContents()
      expect(badges.length).toBeGreaterThan(0)
      expect(badges.every((text) => text.includes('queue-output'))).toBe(true)
      await context.close()
    }
  })

  it('services are listed by name, or by what went wrong first, in the address', async () => {
    const { page } = await open({ path: '/services' })
    const failed = async () => {
      const cells = await page.locator('.services-table tbody tr td:nth-child(4)').allTextContents()
      return cells.map((text) => Number(text.replace(/\D/g, '')))
    }
    await page.getByRole('heading', { name: /^\d+ services?$/ }).waitFor()
    const byName = await failed()
    const largestFirst = byName.toSorted((left, right) => right - left)
    expect(byName).not.toEqual(largestFirst)
    await page.getByRole('button', { name: 'Order' }).click()
    await page.getByRole('option', { name: 'most failed spans first' }).click()
    await expect.poll(failed).toEqual(largestFirst)
    await page.reload()
    await expect.poll(failed).toEqual(largestFirst)
    expect(page.url()).toContain('order=failed')
    await page.locator('.facet-link').first().click()
    await expect.poll(() => page.url()).toMatch(/order=failed&facet=/)
    await page.getByText(/\. Detected from io\.kind=/).waitFor()
  })

  it('18, 19: a dashboard has its sections in the fixed order, and its charts share a crosshair', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, expectAccessible, picture } = await test.open({ theme, path: '/services/checkout' })
      const charts = page.getByRole('slider')
      await charts.nth(3).waitFor()
      expect(await page.locator('.dashboard-section h2').allTextContents()).toEqual(
        ['core', 'http-input', 'http-output', 'queue-output', 'db-output'].map((name) => ` ${name}`),
      )
      await charts.first().focus()
      await page.keyboard.press('End')
      for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowLeft')
      const times = () => page.locator('.plot-time').allTextContents()
      await expect.poll(async () => (await times())[0]).toMatch(/^\d{4}-\d\d-\d\d .* local time$/)
      await expect.poll(async () => new Set((await times()).slice(0, 3)).size).toBe(1)
      await expectAccessible()
      await picture(`dashboard-${theme}`)
      await context.close()
    }
  })

  it('a widget leads to its messages, and the name of a span to those with it', async () => {
    const shown = await open({ path: '/services/checkout' })
    const { page } = shown
    await page.getByRole('link', { name: 'Messages of Share of failed calls' }).click()
    await page.getByText(/status equals "error"/).waitFor()
    await page.getByText(/io\.kind equals "http"/).waitFor()
    expect(await countOf(shown)).toBeGreaterThan(0)
    await page.goBack()
    await page.getByRole('link', { name: 'Messages with POST /orders' }).click()
    await page.getByText(/name equals "POST \/orders"/).waitFor()
    expect(await countOf(shown)).toBeGreaterThan(0)
  })

  it('a row of a widget leads to the messages with exactly the spans that it counts', async () => {
    const to = new Date(Date.now() + 60_000)
    const window = { from: new Date(to.getTime() - 4 * 3_600_000).toISOString(), to: to.toISOString() }
    const shown = await open({ path: `/services/checkout?${new URLSearchParams(window)}` })
    const { page } = shown
    await expect.poll(() => page.locator('.widget[data-kind="table"]').count()).toBe(5)
    await expect.poll(() => page.locator('main .skeleton').count()).toBe(0)
    const rows = await page.locator('.widget[data-kind="table"] tbody tr').all()
    expect(rows.length).toBeGreaterThan(8)
    for (const row of rows) {
      const address = new URL((await row.getByRole('link').getAttribute('href')) ?? '', test.app.url)
      const body = { rows: JSON.parse(address.searchParams.get('rows') ?? ''), ...window }
      const { matched_step_count } = await ask<MessageCount>('POST', '/messages/count', body)
      const [count] = await row.locator('td.number').allTextContents()
      expect([body.rows, Number(count?.replace(/\D/g, ''))]).toEqual([body.rows, matched_step_count])
    }
    const peer = page.getByRole('article', { name: 'Calls by peer' }).getByRole('row').nth(1)
    await peer.getByRole('link').click()
    await page.getByText(/service equals "checkout" and io\.kind equals "http" and io\.role equals "output"/).waitFor()
    expect(await countOf(shown)).toBeGreaterThan(0)
  })

  it('a facet whose spans lie outside the time range is not detected, and a wider one makes it reappear', async () => {
    const hour = 3_600_000
    const span = (id: string, hoursAgo: number, pair: Readonly<Record<string, string>>) => {
      const start = BigInt(Date.now() - hoursAgo * hour) * 1_000_000n
      const attributes = Object.entries(pair).map(([key, value]) => ({ key, value: { stringValue: value } }))
      const times = { startTimeUnixNano: String(start), endTimeUnixNano: String(start + 1_000n) }
      return { traceId: id.repeat(32), spanId: id.repeat(16), name: 'run', kind: 1, ...times, attributes }
    }
    const spans = [span('a', 0.1, {}), span('b', 3, { 'io.kind': 'email', 'io.role': 'output' })]
    const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'newsletter' } }] }
    await test.app.sendSpans({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
    const { page } = await open({ path: '/services/newsletter' })
    const sections = () => page.locator('.dashboard-section h2').allTextContents()
    await expect.poll(sections).toEqual([' core', ' worker'])
    await page.goto(`${test.app.url}/services/newsletter?last=6h`)
    await expect.poll(sections).toEqual([' core', ' email-output'])
    await page.goto(`${test.app.url}/services/newsletter?last=1h`)
    await expect.poll(sections).toEqual([' core', ' worker'])
  })

  it('17: overrides are saved together, shown on the dashboard, and never overwrite another person’s', async () => {
    const { page, picture, expectAccessible } = await open({ path: '/services/cart?show=facets' })
    const choose = (slug: string, words: string) =>
      page
        .getByRole('radiogroup', { name: `Override of ${slug}` })
        .getByRole('radio', { name: words })
        .click()
    const row = (slug: string) => page.getByRole('row', { name: new RegExp(`^${slug}`) })
    await choose('email-output', 'Always')
    await choose('http-input', 'Hidden')
    expect(await row('email-output').locator('.facet-state').allTextContents()).toEqual(['manual'])
    expect(await row('http-input').locator('.facet-state').allTextContents()).toEqual(['hidden'])
    expect(await row('core').getByRole('radio').count()).toBe(0)
    await expectAccessible()
    await picture('overrides')
    await page.getByRole('button', { name: 'Save overrides' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Save overrides' }).count()).toBe(0)
    await page.getByRole('radio', { name: 'Dashboard' }).click()
    await page.locator('#facet-email-output').waitFor()
    expect(await page.locator('#facet-http-input').count()).toBe(0)
    const manual = page.getByRole('region', { name: 'email-output' })
    expect(await manual.locator('header .facet-state').allTextContents()).toEqual(['manual'])
    await expect.poll(() => manual.getByText('No data in this time range.').count()).toBeGreaterThan(0)
    await picture('dashboard-manual')
    await page.getByRole('radio', { name: 'Facets' }).click()
    await choose('db-output', 'Always')
    await ask('PUT', overrides('cart'), { include: [], exclude: ['db-output'] })
    await page.getByRole('button', { name: 'Save overrides' }).click()
    const conflict = page.getByRole('alert', { name: 'Conflict' })
    await conflict.getByText('hidden db-output').waitFor()
    await conflict.getByText('always db-output, email-output; hidden http-input').waitFor()
    await expectAccessible()
    await picture('overrides-conflict')
    await conflict.getByRole('button', { name: 'Replace it with mine' }).click()
    await conflict.waitFor({ state: 'detached' })
    const ofDb = row('db-output').locator('.facet-state')
    await expect.poll(() => ofDb.allTextContents()).toEqual(['detected', 'manual'])
  })

  it('a custom facet has no widgets, and an override that is taken back makes a section reappear', async () => {
    await ask('POST', '/service-facets', { name: 'Nightly jobs', description: 'Runs at night' })
    await ask('PUT', overrides('payment'), { include: ['nightly-jobs'], exclude: ['http-output'] })
    const { page, picture } = await open({ path: '/services/payment' })
    const sections = () => page.locator('.dashboard-section h2').allTextContents()
    await expect.poll(sections).toEqual([' core', ' http-input', ' Nightly jobs'])
    const custom = page.getByRole('region', { name: 'Nightly jobs' })
    expect(await custom.locator('header .facet-state').allTextContents()).toEqual(['manual'])
    await custom.getByText('A custom facet has no widgets.').waitFor()
    expect(await custom.getByRole('article').count()).toBe(0)
    await page.getByRole('radio', { name: 'Facets' }).click()
    const states = (slug: string) =>
      page.getByRole('row', { name: new RegExp(`^${slug}`) }).locator('.facet-state, .not-detected')
    await expect.poll(() => states('http-output').allTextContents()).toEqual(['hidden'])
    expect(await states('http-input').allTextContents()).toEqual(['detected'])
    expect(await states('db-output').allTextContents()).toEqual(['not detected'])
    await page
      .getByRole('radiogroup', { name: 'Override of http-output' })
      .getByRole('radio', { name: 'As detected' })
      .click()
    await page.getByRole('button', { name: 'Save overrides' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Save overrides' }).count()).toBe(0)
    await expect.poll(() => states('http-output').allTextContents()).toEqual(['detected'])
    await page.getByRole('radio', { name: 'Dashboard' }).click()
    await expect.poll(sections).toEqual([' core', ' http-input', ' http-output', ' Nightly jobs'])
    await page.getByRole('navigation', { name: 'Sections' }).getByText('nightly-jobs').waitFor()
    await picture('dashboard-custom-facet')
    await ask('PUT', overrides('payment'), { include: [], exclude: [] })
    await ask('DELETE', '/service-facets/nightly-jobs')
  })

  it('nothing is beyond the edge of a narrow window: facets with their overrides, and rules', async () => {
    const rule = { attribute_source: 'span', attribute_key: 'messaging.operation', match_operator: 'exists' }
    await ask('POST', '/services/email/facet-mappings', { ...rule, set_io_kind: 'queue', set_io_role: 'input' })
    const { page, picture, expectAccessible } = await open({ width: 390, path: '/services/email?show=facets' })
    const isInView = async (target: Locator) => {
      const box = await target.boundingBox()
      return box !== null && box.x >= 0 && box.x + box.width <= 390
    }
    const fits = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
    await page.getByRole('radiogroup', { name: 'Override of db-output' }).waitFor()
    for (const group of await page.getByRole('radiogroup', { name: /^Override of/ }).all())
      expect(await isInView(group)).toBe(true)
    expect(await fits()).toBe(true)
    await expectAccessible()
    await picture('overrides-narrow')
    await page.getByRole('radio', { name: 'Classification' }).click()
    await page.getByRole('link', { name: /decided by rule 1$/ }).waitFor()
    expect(await isInView(page.getByRole('link', { name: /decided by rule 1$/ }))).toBe(true)
    expect(await isInView(page.getByRole('button', { name: 'Delete rule 1' }))).toBe(true)
    expect(await fits()).toBe(true)
    await expectAccessible()
    await picture('rules-narrow')
  })

  it('11: a classification rule says how many spans it decided, and its faults stand in the form', async () => {
    const { page, picture, expectAccessible } = await open({ path: '/services/loyalty?show=classification' })
    await page.getByText(/^Of the \d+ newest spans/).waitFor()
    await page.getByRole('button', { name: 'New rule' }).click()
    await page.getByRole('combobox', { name: 'Attribute' }).fill('x'.repeat(300))
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await page.locator('.rule-form .row-fault').waitFor()
    await picture('rule-fault')
    await page.getByRole('combobox', { name: 'Attribute' }).fill('messaging.system')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Kind' }).click()
    await page.getByRole('option', { name: 'stream' }).click()
    await page.getByRole('button', { name: 'Role' }).click()
    await page.getByRole('option', { name: 'input' }).click()
    await page.getByRole('button', { name: 'Add rule' }).click()
    const decided = page.getByRole('link', { name: /decided by rule 1$/ })
    await expect.poll(() => decided.textContent()).toMatch(/^[1-9]\d* spans?$/)
    await expectAccessible()
    await picture('rules')
    await page.getByRole('radio', { name: 'Dashboard' }).click()
    await page.locator('#facet-stream-input').waitFor()
    await page.getByRole('radio', { name: 'Classification' }).click()
    await page.getByRole('button', { name: 'Delete rule 1' }).click()
    await page.getByRole('button', { name: 'Delete rule 1' }).click()
    await page.getByText('The service has no rules.').waitFor()
  })

  it('11, 17: a custom facet is made, changed and deleted, with faults at fields and conflicts', async () => {
    const { page, picture, expectAccessible } = await open({ path: '/services?show=facets' })
    const custom = page.getByRole('region', { name: 'Custom facets' })
    await custom.getByRole('button', { name: 'New facet' }).click()
    await page.getByRole('button', { name: 'Create facet' }).click()
    await custom.locator('.field-fault').waitFor()
    await picture('facet-fault')
    await page.getByRole('textbox', { name: 'Name' }).fill('Billing jobs')
    await page.getByRole('textbox', { name: 'Description' }).fill('Writes invoices')
    await page.getByRole('button', { name: 'Create facet' }).click()
    await custom.getByText('billing-jobs', { exact: true }).waitFor()
    await custom.getByRole('button', { name: 'Edit Billing jobs' }).click()
    await ask('PUT', '/service-facets/billing-jobs', { description: 'Theirs' })
    await page.getByRole('textbox', { name: 'Description' }).fill('Mine')
    await page.getByRole('button', { name: 'Save facet' }).click()
    const conflict = page.getByRole('alert', { name: 'Conflict' })
    await conflict.getByText('Theirs').waitFor()
    await conflict.getByText('Mine', { exact: true }).waitFor()
    await picture('facet-conflict')
    await conflict.getByRole('button', { name: 'Replace it with mine' }).click()
    await custom.getByText('Mine', { exact: true }).waitFor()
    await expectAccessible()
    await picture('facets')
    await custom.getByRole('button', { name: 'Delete Billing jobs' }).click()
    await custom.getByRole('button', { name: 'Delete Billing jobs' }).click()
    await custom.getByText('There are none yet.').waitFor()
    const builtIn = page.getByRole('region', { name: 'Built-in facets' })
    expect(await builtIn.locator('.facet-line').count()).toBe(12)
    expect(await builtIn.getByRole('button').count()).toBe(0)
  })

  it('a viewer changes no facets and rules, and a restricted caller sees granted services only', async () => {
    const viewer = await test.open({ role: 'viewer', path: '/services/checkout?show=facets' })
    await viewer.page.getByText('You need the contributor role to change facets.').waitFor()
    expect(await viewer.page.getByRole('radiogroup', { name: /^Override of/ }).count()).toBe(0)
    await viewer.page.getByRole('radio', { name: 'Classification' }).click()
    await viewer.page.getByText('You need the contributor role to change rules.').waitFor()
    expect(viewer.faults).toEqual([])
    await viewer.context.close()
    const { page } = await open({ role: 'restricted', path: '/services' })
    await page.getByRole('heading', { name: '0 services' }).waitFor()
    await page.goto(`${test.app.url}/services/checkout`)
    await page.getByText('does not exist, or it is not granted to you').waitFor()
  })
})
