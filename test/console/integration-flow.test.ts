import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { countOf } from './console-page.ts'
import { integrationsConsole } from './integrations-console.ts'

/** The flow graph and the grants of an integration, and the page of saved views. */
describeInChromium('flow, access and views', () => {
  const { test, open, ask, create } = integrationsConsole()

  it('services with the names of members of objects have their places in the graph', async () => {
    const now = BigInt(Date.now()) * 1_000_000n
    const services = ['__proto__', 'constructor', 'toString']
    const resourceSpans = services.map((service, index) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeSpans: [
        {
          spans: [
            {
              traceId: 'f10a'.repeat(8),
              spanId: `${index + 1}`.padStart(16, '0'),
              parentSpanId: index === 0 ? '' : `${index}`.padStart(16, '0'),
              name: 'call',
              kind: 2,
              startTimeUnixNano: `${now - 9_000_000n + BigInt(index)}`,
              endTimeUnixNano: `${now}`,
            },
          ],
        },
      ],
    }))
    await test.app.sendSpans({ resourceSpans })
    const { id } = await create({ name: 'Members', matchers: services.map((service) => ({ service })) })
    const { page } = await open({ path: `/integrations/${id}/flow` })
    await page.getByRole('link', { name: '1 call from __proto__ to constructor' }).waitFor()
    expect(await page.getByRole('link', { name: /^Messages of / }).count()).toBe(services.length)
  })

  it('the flow graph shows calls, failures and facets; each leads to its messages, also as a table', async () => {
    const { id } = await create({ name: 'Shop', matchers: [{ service: '*', service_match: 'pattern' }] })
    interface Flow {
      readonly nodes: readonly { readonly service: string }[]
      readonly edges: readonly { readonly from: string; readonly to: string; readonly call_count: number }[]
    }
    const flow = await ask<Flow>('GET', `/integrations/${id}/flow-graph`)
    const calls = flow.edges.find(({ from, to }) => from === 'frontend' && to === 'checkout')?.call_count
    expect(calls).toBeGreaterThan(0)
    const glyph = (page: Page) =>
      page
        .getByRole('link', { name: /^Messages of checkout/ })
        .getByRole('img')
        .getAttribute('aria-label')
    for (const theme of ['light', 'dark'] as const) {
      const shown = await test.open({ theme, path: `/integrations/${id}/flow` })
      await shown.page.getByRole('link', { name: `${calls} calls from frontend to checkout` }).waitFor()
      expect(await shown.page.getByRole('link', { name: /^Messages of / }).count()).toBe(flow.nodes.length)
      expect(await glyph(shown.page)).toBe('in: http; out: http, queue, db')
      await shown.expectAccessible()
      await shown.picture(`flow-${theme}`)
      expect(shown.faults).toEqual([])
      await shown.context.close()
    }
    const shown = await open({ path: `/integrations/${id}/flow` })
    const { page, expectAccessible, picture } = shown
    // Keys reach every service and connection: they are links.
    await page.getByRole('link', { name: `${calls} calls from frontend to checkout` }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('integration')).toBe(id)
    await page
      .getByText('a step with (service equals "frontend") contains a step with (service equals "checkout")')
      .waitFor()
    expect(await countOf(shown)).toBe(calls)
    await page.goBack()
    await page.getByRole('radio', { name: 'Table' }).click()
    await expect.poll(() => page.url()).toContain('show=table')
    await page.getByRole('row', { name: new RegExp(`^frontend checkout ${calls} calls`) }).waitFor()
    expect(await page.getByRole('table', { name: 'Services', exact: true }).getByRole('row').count()).toBe(
      flow.nodes.length + 1,
    )
    await expectAccessible()
    await picture('flow-table')
  })

  it('Tab goes to the services of the graph and then to the calls between them, and both can be clicked', async () => {
    const { id } = await create({ name: 'Shop', matchers: [{ service: '*', service_match: 'pattern' }] })
    const { page } = await open({ path: `/integrations/${id}/flow` })
    const flow = page.getByRole('region', { name: 'Flow graph' })
    const [services, calls] = [flow.getByRole('link', { name: /^Messages of / }), flow.locator('.flow-edge a')]
    await calls.first().waitFor()
    await page.getByRole('radio', { name: 'Graph' }).focus()
    const focused: string[] = []
    for (let left = (await services.count()) + (await calls.count()); left > 0; left--) {
      await page.keyboard.press('Tab')
      focused.push(String(await page.evaluate('document.activeElement.textContent')))
    }
    expect(focused).toEqual([...(await services.allTextContents()), ...(await calls.allTextContents())])
    for (const link of [services.filter({ hasText: 'frontend' }), calls.filter({ hasText: 'from frontend' })]) {
      await flow.getByRole('button', { name: 'Fit View' }).click()
      await link.first().click()
      await expect.poll(() => new URL(page.url()).pathname).toBe('/')
      await page.goBack()
      await calls.first().waitFor()
    }
  })

  it('in a narrow window the flow can be read, begins with the first service, and follows the focus', async () => {
    const { id } = await create({ name: 'Shop', matchers: [{ service: '*', service_match: 'pattern' }] })
    const { page, picture, expectAccessible } = await open({ width: 390, path: `/integrations/${id}/flow` })
    const flow = page.getByRole('region', { name: 'Flow graph' })
    const service = (name: string) => flow.getByRole('link', { name: new RegExp(`^Messages of ${name} `) })
    const isInView = async (target: Locator) => {
      const [part, whole] = [await target.boundingBox(), await flow.boundingBox()]
      if (part === null || whole === null) return false
      const isWithin = (start: number, length: number, from: number, space: number) =>
        start >= from && start + length <= from + space
      return isWithin(part.x, part.width, whole.x, whole.width) && isWithin(part.y, part.height, whole.y, whole.height)
    }
    await service('frontend').waitFor()
    await expect.poll(() => isInView(service('frontend'))).toBe(true)
    // At this zoom the text of 12 pixels has 9.
    expect((await service('frontend').boundingBox())?.height).toBeGreaterThan(60)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await expectAccessible()
    await picture('flow-narrow')
    const last = service('cart')
    expect(await isInView(last)).toBe(false)
    // Keys came here, so that the focus is shown.
    await page.keyboard.press('Tab')
    await last.focus()
    await expect.poll(() => isInView(last)).toBe(true)
    await picture('flow-narrow-focused')
    await flow.getByRole('button', { name: 'Fit View' }).click()
    await expect.poll(() => isInView(service('frontend'))).toBe(true)
  })

  it('one of many subjects is found by a part of it, and taken off the list without the others', async () => {
    const { id } = await create({ name: 'Shared by many', matchers: [{ service: 'checkout' }] })
    const subjects = Array.from({ length: 1_000 }, (_, at) => `person-${at}`)
    await ask('PUT', `/integrations/${id}/grants`, { subjects })
    const { page, picture, expectAccessible } = await open({ path: `/integrations/${id}/access` })
    await page.getByRole('searchbox', { name: 'Find a subject' }).fill('PERSON-77')
    await page.getByText('11 subjects of 1,000').waitFor()
    await picture('grants-found')
    await expectAccessible()
    await page.getByRole('button', { name: 'Remove person-770' }).press('Enter')
    await page.getByText('10 subjects of 999').waitFor()
    await page.getByRole('button', { name: 'Save access' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const saved = await ask<{ subjects: string[] }>('GET', `/integrations/${id}/grants`)
    expect(new Set(saved.subjects)).toEqual(new Set(subjects.filter((each) => each !== 'person-770')))
  })

  it('an admin grants an integration; grants that another person saved are overwritten only on request', async () => {
    const { id } = await create({ name: 'Shared', matchers: [{ service: 'checkout' }] })
    const key = await ask<{ id: string }>('POST', '/api-keys', { name: 'partner', role: 'restricted' })
    const grants = async () => (await ask<{ subjects: string[] }>('GET', `/integrations/${id}/grants`)).subjects
    const { page, picture, expectAccessible } = await open({ path: `/integrations/${id}` })
    await page.getByRole('link', { name: 'Access' }).click()
    await page.getByText('No restricted caller sees it yet.').waitFor()
    const field = page.getByRole('combobox', { name: 'Subject to add' })
    await field.fill('grace')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await field.fill('partner')
    await page.getByRole('option', { name: /API key partner/ }).click()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Save access' }).click()
    await expect.poll(grants).toEqual(['grace', `key:${key.id}`])
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Remove grace' }).click()
    await ask('PUT', `/integrations/${id}/grants`, { subjects: ['linus'] })
    await page.getByRole('button', { name: 'Save access' }).click()
    await page.getByText('Theirs, saved: linus').waitFor()
    await expectAccessible()
    await picture('grants-conflict')
    await page.getByRole('button', { name: 'Take their list' }).click()
    await page.getByRole('button', { name: 'Remove linus' }).waitFor()
    expect(await grants()).toEqual(['linus'])
    await page.context().close()
    const viewer = await open({ role: 'contributor', path: `/integrations/${id}/access` })
    await viewer.page.getByText('You need the admin role').waitFor()
    expect(await viewer.page.getByRole('link', { name: 'Access' }).count()).toBe(0)
  })

  it('saved views are listed with their sentence, opened, renamed and deleted', async () => {
    const rows = [{ attribute_key: 'order.id', operator: 'exists' }]
    await ask('POST', '/saved-views', { name: 'Orders', rows })
    await ask('POST', '/saved-views', { name: 'Failures', rows: [], status: 'error' })
    const { page, picture, expectAccessible } = await open({ path: '/views' })
    await page.getByText('Messages where order.id is present').waitFor()
    await expectAccessible()
    await picture('views')
    await page.getByRole('button', { name: 'Rename Orders' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Failures')
    await page.keyboard.press('Enter')
    await page.getByRole('listitem', { name: 'Orders' }).getByText('already exists').waitFor()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('All orders')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'All orders' }).waitFor()
    await page.getByRole('button', { name: 'Delete Failures' }).click()
    await page.getByText('Delete it for everybody?').waitFor()
    await page.getByRole('button', { name: 'Delete Failures' }).click()
    await page.getByText('1 view', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'All orders' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('rows')).toContain('order.id')
    await page.context().close()
    const viewer = await open({ role: 'viewer', path: '/views' })
    await viewer.page.getByRole('link', { name: 'All orders' }).waitFor()
    await viewer.page.getByText('You need the contributor role to change views.').waitFor()
    expect(await viewer.page.getByRole('button', { name: /^Rename/ }).count()).toBe(0)
    const { items } = await ask<{ items: { id: string }[] }>('GET', '/saved-views')
    for (const view of items) await ask('DELETE', `/saved-views/${view.id}`)
  })
})
