import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { noteRequests } from './console-page.ts'
import { integrationsConsole } from './integrations-console.ts'

describeInChromium('typing', () => {
  const { open, ask } = integrationsConsole()
  const problem = { type: 'about:blank', title: 'Busy', status: 503, detail: 'Try again.', code: 'busy', errors: [] }
  const busy = { status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) }
  const emptyTime = 'from=2020-01-01T00:00:00Z&to=2020-01-01T01:00:00Z'

  it('4: letters stay where they are typed in fields whose text is in the address', async () => {
    const { page } = await open()
    const conditions = JSON.stringify([{ attribute_key: 'a', operator: 'eq', value: 'first' }])
    const fields = [
      ['/integrations', 'Find an integration'],
      ['/services', 'Find a service'],
      ['/views', 'Find a view'],
      ['/explore/metrics', 'Find a metric'],
      ['/explore/logs', 'Text in the body'],
      [`/explore/logs?conditions=${encodeURIComponent(conditions)}`, 'Condition 1: value'],
      [`/explore/metrics?metric=m&conditions=${encodeURIComponent(conditions)}`, 'Condition 1: value'],
    ] as const
    const origin = new URL(page.url()).origin
    for (const [path, name] of fields) {
      await page.goto(origin + path)
      const field = page.getByRole('searchbox', { name }).or(page.getByRole('combobox', { name }))
      await field.fill('first')
      await field.press('Home')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.type('XYZ')
      await expect.poll(() => decodeURIComponent(page.url())).toContain('fXYZirst')
      expect([path, await field.inputValue()]).toEqual([path, 'fXYZirst'])
      await page.goto(origin + path)
      await expect.poll(() => field.inputValue()).toBe(path.includes('first') ? 'first' : '')
    }
    await page.goto(`${origin}/services?q=check`)
    await page.getByRole('link', { name: 'checkout' }).click()
    await page.getByRole('heading', { name: 'checkout' }).waitFor()
    await page.goBack()
    expect(await page.getByRole('searchbox', { name: 'Find a service' }).inputValue()).toBe('check')
  })

  it('4: where an attribute is stays as it was chosen while a key is typed that begins like a field', async () => {
    const { page } = await open()
    const origin = new URL(page.url()).origin
    const row = encodeURIComponent(JSON.stringify([{ attribute_source: 'resource', operator: 'eq', value: 'shop' }]))
    for (const path of ['/?rows=', '/explore/logs?conditions=', '/explore/metrics?metric=m&conditions=']) {
      await page.goto(origin + path + row)
      const key = page.getByRole('combobox', { name: 'Condition 1: attribute' })
      await key.pressSequentially('service.name')
      await expect.poll(() => decodeURIComponent(page.url())).toContain('"service.name"')
      expect([path, decodeURIComponent(page.url())]).toEqual([path, expect.stringContaining('"resource"')])
    }
  })

  it('a name that a view could not get is still in its field', async () => {
    await ask('POST', '/saved-views', { name: 'Slow ones' })
    const { page } = await open({ path: '/views' })
    await page.route('**/api/v1/saved-views/*', (route) => route.fulfill(busy))
    await page.getByRole('button', { name: 'Rename Slow ones' }).click()
    await page.getByRole('textbox', { name: 'Name of the view' }).fill('Slower than a second')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Busy').waitFor()
    expect(await page.getByRole('textbox', { name: 'Name of the view' }).inputValue()).toBe('Slower than a second')
    await page.unroute('**/api/v1/saved-views/*')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Slower than a second' }).waitFor()
  })

  it('a page of views that cannot be read is not requested again and again', async () => {
    let requests: Awaited<ReturnType<typeof noteRequests>> | undefined
    const { page } = await open({
      beforeLoad: async (opened) => {
        requests = await noteRequests(opened)
        await opened.route('**/api/v1/saved-views?*', (route) => {
          const isFirst = !route.request().url().includes('cursor=')
          return route.fulfill(isFirst ? { json: { items: [], next_cursor: 'more' } } : busy)
        })
      },
    })
    await page.getByRole('link', { name: 'Views' }).click()
    await page.getByText('Busy').waitFor()
    // The drawing that shows the refusal would have begun the next request.
    const begun = (await requests?.())?.begun ?? []
    expect(begun.filter((url) => url.includes('saved-views') && url.includes('cursor='))).toHaveLength(1)
  })

  it('an empty absolute time range is left for the last seven days', async () => {
    const { page } = await open()
    for (const path of ['/services', '/explore/metrics']) {
      await page.goto(`${new URL(page.url()).origin}${path}?${emptyTime}`)
      await page.getByRole('button', { name: 'Search the last 7 days' }).click()
      await page.getByRole('button', { name: 'Time range: Last 7 days' }).waitFor()
    }
    await page.getByText('No metrics arrived').waitFor()
    expect(await page.getByRole('button', { name: 'Search the last 7 days' }).count()).toBe(0)
  })

  it('a template with line breaks of Windows is not changed by being shown', async () => {
    const config = {
      url: 'https://receiver.example/',
      format: 'template',
      body_template: '{\r\n  "a": "$alert.state"\r\n}',
    }
    const { id } = await ask<{ id: string }>('POST', '/alerting/channels', { kind: 'webhook', name: 'Pager', config })
    const { page } = await open({ path: `/channels/${id}` })
    await page.getByRole('region', { name: 'Preview of the body' }).getByText('firing').waitFor()
    expect(await page.getByRole('button', { name: 'Discard changes' }).count()).toBe(0)
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.locator('.cm-line').nth(1).click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const stored = await ask<{ config: { body_template: string } }>('GET', `/alerting/channels/${id}`)
    expect(stored.config.body_template.replaceAll(/\n\s*\n/g, '\n').match(/\r/g)).toHaveLength(2)
  })

  it('a key is revoked once, however often the button is pressed', async () => {
    await ask('POST', '/api-keys', { name: 'Collector', role: 'ingest' })
    const { page } = await open({ path: '/settings' })
    await page.getByRole('button', { name: 'Revoke Collector' }).click()
    await page.getByRole('button', { name: 'Revoke the key Collector' }).dblclick()
    await page.getByText('There is no API key yet.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})
