import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { holdBack } from './console-page.ts'
import { integrationsConsole, purchases } from './integrations-console.ts'

describeInChromium('conflicts of two people', () => {
  const { open, ask, create } = integrationsConsole()

  /** Answers the next requests of a method as a server that is busy, until the function that it returns is called. */
  async function refuse(page: Page, method: string, path: string): Promise<() => Promise<void>> {
    const problem = { type: 'about:blank', title: 'Busy', status: 503, detail: 'Try again.', code: 'busy', errors: [] }
    const pattern = `**/api/v1${path}`
    await page.route(pattern, (route) => {
      if (route.request().method() !== method) return route.fallback()
      return route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) })
    })
    return () => page.unroute(pattern)
  }

  it('the version of another person that cannot be read is said, and read again', async () => {
    const rule = { kind: 'trace', measure: 'span_count', comparator: 'lt', threshold: 0 }
    const config = { url: 'https://receiver.example/', format: 'json' }
    for (const [path, address, body] of [
      ['/alerting/rules', '/alerts/rules', { name: 'Before', ...rule }],
      ['/alerting/channels', '/channels', { name: 'Before', kind: 'webhook', config }],
    ] as const) {
      const { id } = await ask<{ id: string }>('POST', path, body)
      const { page, context, faults } = await open({ path: `${address}/${id}` })
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine')
      await ask('PUT', `${path}/${id}`, { name: 'Theirs' })
      const answerAgain = await refuse(page, 'GET', `${path}/${id}`)
      await page.getByRole('button', { name: 'Save changes' }).click()
      const conflict = page.getByRole('alert', { name: 'Conflict' })
      await conflict.getByText('Busy').waitFor()
      await answerAgain()
      await conflict.getByRole('button', { name: 'Retry' }).click()
      await conflict.getByText('Theirs', { exact: true }).waitFor()
      await conflict.getByRole('button', { name: 'Replace it with mine' }).click()
      await page.getByRole('heading', { name: 'Mine' }).waitFor()
      expect(faults).toEqual([])
      await context.close()
    }
  })

  it('17: the versions of an alert rule say everything that they differ in', async () => {
    const measured = { kind: 'trace', measure: 'span_count', comparator: 'lt', threshold: 0 }
    const conditions = [{ attribute_source: 'resource', attribute_key: 'tenant', operator: 'eq', value: 'contoso' }]
    const all = { link: true, summary: true, service: true, integration: true, check: true }
    const channel = { name: 'Night shift', config: { url: 'https://receiver.example/', format: 'json' } }
    const { id: pager } = await ask<{ id: string }>('POST', '/alerting/channels', channel)
    const { id } = await ask<{ id: string }>('POST', '/alerting/rules', { name: 'Both change it', ...measured })
    const { page, picture, expectAccessible } = await open({ path: `/alerts/rules/${id}` })
    await page.getByRole('radio', { name: 'critical' }).click()
    await ask('PUT', `/alerting/rules/${id}`, {
      conditions,
      for_s: 600,
      channel_ids: [pager],
      include: { ...all, link: false },
    })
    await page.getByRole('button', { name: 'Save changes' }).click()
    const conflict = page.getByRole('alert', { name: 'Conflict' })
    const [theirs, mine] = [conflict.locator('> div').first(), conflict.locator('> div').last()]
    for (const [version, words] of [
      [theirs, ['resource attribute tenant equals "contoso"', '10 min', 'warning', 'Night shift', 'summary, service']],
      [mine, ['no conditions', '0 s', 'critical', 'no channels', 'link, summary']],
    ] as const)
      for (const each of words) await version.getByText(each).waitFor()
    // What is alike is said once, by the first line of both.
    expect(await conflict.getByText('number of spans is below 0 over 5 min').count()).toBe(2)
    await expectAccessible()
    await picture('conflict-alert-rule')
    const { width = 0 } = (await conflict.boundingBox()) ?? {}
    for (const version of [theirs, mine]) expect((await version.boundingBox())?.width).toBeGreaterThan(0.4 * width)
  })

  it('17: the versions of an integration say where their attributes are', async () => {
    const { id } = await create({ name: 'Before', matchers: [purchases] })
    const { page } = await open({ path: `/integrations/${id}` })
    await page.getByRole('textbox', { name: 'Description' }).fill('mine')
    await ask('PUT', `/integrations/${id}`, { matchers: [{ ...purchases, attribute_source: 'resource' }] })
    await page.getByRole('button', { name: 'Save changes' }).click()
    const versions = page.getByRole('dialog').getByRole('table')
    await versions.getByText('frontend where http.route equals "/checkout" (only in mine)').waitFor()
    await versions.getByText('where resource attribute http.route equals "/checkout" (only in theirs)').waitFor()
  })

  it('only the version that was shown is replaced: overrides and custom facets', async () => {
    const path = '/services/checkout/facet-overrides'
    const { page } = await open({ path: '/services/checkout?show=facets' })
    const conflict = page.getByRole('alert', { name: 'Conflict' })
    await page.getByRole('radiogroup', { name: 'Override of worker' }).getByRole('radio', { name: 'Hidden' }).click()
    await ask('PUT', path, { include: ['worker'], exclude: [] })
    await page.getByRole('button', { name: 'Save overrides' }).click()
    await conflict.getByText('always worker').waitFor()
    await ask('PUT', path, { include: [], exclude: ['queue-input'] })
    await conflict.getByRole('button', { name: 'Replace it with mine' }).click()
    await conflict.getByText('hidden queue-input').waitFor()
    expect(await ask('GET', path)).toMatchObject({ include: [], exclude: ['queue-input'] })
    await conflict.getByRole('button', { name: 'Replace it with mine' }).click()
    await expect.poll(() => ask('GET', path)).toMatchObject({ include: [], exclude: ['worker'] })

    const { slug } = await ask<{ slug: string }>('POST', '/service-facets', { name: 'Tier one', description: '' })
    await page.goto(page.url().replace(/\/services\/.*/, '/services?show=facets'))
    await page.getByRole('button', { name: 'Edit Tier one' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('mine')
    await ask('PUT', `/service-facets/${slug}`, { description: 'theirs' })
    await page.getByRole('button', { name: 'Save facet' }).click()
    await conflict.getByText('theirs', { exact: true }).waitFor()
    await ask('PUT', `/service-facets/${slug}`, { description: 'even later' })
    await conflict.getByRole('button', { name: 'Replace it with mine' }).click()
    await conflict.getByText('even later').waitFor()
    expect(await ask('GET', `/service-facets/${slug}`)).toMatchObject({ description: 'even later' })
    await conflict.getByRole('button', { name: 'Replace it with mine' }).click()
    await expect.poll(() => ask('GET', `/service-facets/${slug}`)).toMatchObject({ description: 'mine' })
  })

  it('a channel or a facet that another person changed since is read again once a change is refused', async () => {
    const config = { url: 'https://receiver.example/', format: 'json' }
    const { id } = await ask<{ id: string }>('POST', '/alerting/channels', { name: 'Before', kind: 'webhook', config })
    const { page } = await open({ path: `/channels/${id}` })
    await page.getByRole('heading', { name: 'Before', level: 1 }).waitFor()
    await ask('PUT', `/alerting/channels/${id}`, { name: 'Theirs' })
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('alert').getByText('Record has changed since it was read').waitFor()
    await page.getByRole('heading', { name: 'Theirs', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await ask('PUT', `/alerting/channels/${id}`, { name: 'Theirs again' })
    const remove = page.getByRole('button', { name: 'Delete the channel' })
    await remove.click()
    await remove.click()
    await page.getByRole('heading', { name: 'Theirs again', level: 1 }).waitFor()
    await remove.click()
    await remove.click()
    await page.getByRole('heading', { name: 'Channels', level: 1 }).waitFor()

    const { slug } = await ask<{ slug: string }>('POST', '/service-facets', { name: 'Tier two', description: '' })
    await page.goto(page.url().replace(/\/channels$/, '/services?show=facets'))
    await page.getByRole('button', { name: 'Delete Tier two' }).waitFor()
    await ask('PUT', `/service-facets/${slug}`, { description: 'theirs' })
    await page.getByRole('button', { name: 'Delete Tier two' }).click()
    await page.getByRole('button', { name: 'Delete Tier two' }).click()
    await page.getByText('theirs', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Delete Tier two' }).click()
    await page.getByRole('button', { name: 'Delete Tier two' }).click()
    await expect.poll(() => page.getByText('Tier two').count()).toBe(0)
  })

  it('an integration that another person saved since is shown, also after a refused deletion', async () => {
    const { id } = await create({ name: 'Before', matchers: [purchases] })
    const { page } = await open({ path: `/integrations/${id}` })
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.waitFor()
    await page.getByRole('link', { name: 'Integrations' }).first().click()
    const before = page.getByRole('link', { name: 'Before', exact: true })
    await before.waitFor()
    await ask('PUT', `/integrations/${id}`, { name: 'Theirs' })
    await before.click()
    await page.getByRole('heading', { name: 'Theirs' }).waitFor()
    expect(await name.inputValue()).toBe('Theirs')

    await page.getByRole('link', { name: 'Integrations' }).first().click()
    await page.getByRole('link', { name: 'Theirs', exact: true }).waitFor()
    await ask('PUT', `/integrations/${id}`, { name: 'Theirs again' })
    await page.getByRole('button', { name: 'More about Theirs' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete the integration' }).click()
    await page.getByRole('button', { name: 'Look at their version' }).click()
    await page.getByRole('link', { name: 'Theirs again', exact: true }).waitFor()
    await page.getByRole('button', { name: 'More about Theirs again' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('button', { name: 'Delete the integration' }).click()
    await page.getByRole('heading', { name: 'No integrations yet' }).waitFor()
  })

  it('grants that another person took back while a list was edited are given again only on request', async () => {
    const { id } = await create({ name: 'Orders', matchers: [purchases] })
    const grants = `/integrations/${id}/grants`
    await ask('PUT', grants, { subjects: ['grace', 'mallory'] })
    const { page } = await open({ path: `/integrations/${id}/access` })
    await page.getByText('mallory', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Services' }).last().click()
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor()
    await ask('PUT', grants, { subjects: ['grace'] })
    // The list of before is shown and edited while the one of now is on its way.
    let answer: () => void = () => {}
    const isEdited = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(`**/api/v1${grants}`, async (route) => {
      if (route.request().method() === 'GET') await isEdited
      await route.continue()
    })
    await page.getByRole('link', { name: 'Access' }).click()
    await page.getByRole('combobox', { name: 'Subject to add' }).fill('hopper')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    const answered = page.waitForResponse(`**/api/v1${grants}`)
    answer()
    await answered
    await page.getByRole('button', { name: 'Save access' }).click()
    await page.getByText('The access was changed meanwhile, by another person or in another tab.').waitFor()
    expect(await ask('GET', grants)).toMatchObject({ subjects: ['grace'] })
  })

  it('what is typed while a change is saved stays, and is saved by the next one', async () => {
    const rule = { name: 'Slow', kind: 'trace', measure: 'span_count', comparator: 'lt', threshold: 0 }
    const config = { url: 'https://receiver.example/', format: 'json' }
    for (const [path, address, body] of [
      ['/alerting/rules', '/alerts/rules', rule],
      ['/alerting/channels', '/channels', { name: 'Slow', kind: 'webhook', config }],
      ['/integrations', '/integrations', { name: 'Slow', matchers: [purchases] }],
    ] as const) {
      const { id } = await ask<{ id: string }>('POST', path, body)
      const { page, context, faults } = await open({ path: `${address}/${id}` })
      let answer: () => void = () => {}
      const isTyped = new Promise<void>((resolve) => {
        answer = resolve
      })
      await page.route(`**/api/v1${path}/${id}`, async (route) => {
        if (route.request().method() === 'PUT') await isTyped
        await route.continue()
      })
      const name = page.getByRole('textbox', { name: 'Name', exact: true })
      await name.fill('First')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await name.fill('First and second')
      answer()
      await page.getByRole('heading', { name: /First$/ }).waitFor()
      expect(await name.inputValue()).toBe('First and second')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('heading', { name: 'First and second' }).waitFor()
      expect(faults).toEqual([])
      await context.close()
    }
  })

  it('an override that is chosen while others are saved stays, and is saved by the next request', async () => {
    const path = '/services/cart/facet-overrides'
    const { page } = await open({ path: '/services/cart?show=facets' })
    const answer = await holdBack(page, `**/api/v1${path}`)
    const hide = (slug: string) =>
      page
        .getByRole('radiogroup', { name: `Override of ${slug}` })
        .getByRole('radio', { name: 'Hidden' })
        .click()
    const save = page.getByRole('button', { name: 'Save overrides' })
    await hide('worker')
    await save.click()
    await hide('queue-input')
    answer()
    await expect.poll(() => save.getAttribute('aria-disabled')).not.toBe('true')
    await page.getByText('Not saved yet: hidden queue-input, worker.').waitFor()
    await save.click()
    await expect.poll(() => save.count()).toBe(0)
    expect(await ask('GET', path)).toMatchObject({ exclude: ['queue-input', 'worker'] })
    await ask('PUT', path, { include: [], exclude: [] })
  })
})
