import { describe, expect, it } from 'vitest'
import { noChromium } from '../support/chromium.ts'
import { countOf, sharedConsole } from './console-page.ts'

describe.skipIf(noChromium !== undefined)(`names of services${noChromium ? ` (${noChromium})` : ''}`, () => {
  const { test, open } = sharedConsole()

  it('a service whose name is dots leads to its messages, because browsers take dots out of addresses', async () => {
    const startTimeUnixNano = `${Date.now()}000000`
    const resourceSpans = ['.', '..', '...', '%2E%2E', 'a/b'].map((name, at) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: name } }] },
      scopeSpans: [
        {
          spans: [
            {
              traceId: `${`${at}`.repeat(31)}a`,
              spanId: `${`${at}`.repeat(15)}a`,
              name: 'work',
              startTimeUnixNano,
              endTimeUnixNano: startTimeUnixNano,
            },
          ],
        },
      ],
    }))
    await test.app.sendSpans({ resourceSpans })
    const shown = await open({ path: '/services' })
    const { page, picture, expectAccessible } = shown
    const named = (name: string) => page.getByRole('link', { name, exact: true })
    for (const name of ['...', '%2E%2E', 'a/b']) {
      await named(name).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
      await page.locator('.dashboard-section').first().waitFor()
      await page.goBack()
    }
    await picture('services-dots')
    await expectAccessible()
    for (const name of ['.', '..']) {
      await page.goto(`${test.app.url}/services`)
      await named(`Messages of ${name}`).click()
      await expect.poll(() => decodeURIComponent(page.url())).toContain(`"value":"${name}"`)
      expect(await countOf(shown)).toBe(1)
    }
  })
})
