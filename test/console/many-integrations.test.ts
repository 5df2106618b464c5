import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

const shownAtOnce = 50
/** The height of the window, and less than that of a line. */
const windowPixels = 860
const linePixels = 30

/** More integrations than a window shows. */
describeInChromium('many integrations', () => {
  const { open, ask } = sharedConsole()

  it('the messages of an integration are counted when its line is seen', async () => {
    for (let number = 0; number < shownAtOnce; number += 1) {
      const matchers = [{ service: `service-${number}`, service_match: 'exact' }]
      await ask('POST', '/integrations', { name: `Orders ${number}`, rule_match: 'any', matchers })
    }
    const counted: string[] = []
    const { page } = await open({
      path: '/integrations',
      beforeLoad: async (opened) => {
        opened.on('requestfinished', (request) => {
          if (/\/stats\?/.test(request.url())) counted.push(request.url())
        })
      },
    })
    const lines = page.getByRole('row', { name: /^Orders/ })
    await lines.first().getByText('0', { exact: true }).first().waitFor()
    await page.getByText(`${shownAtOnce} integrations`).waitFor({ state: 'attached' })
    await page.waitForLoadState('networkidle')
    await expect.poll(() => counted.length).toBeGreaterThan(5)
    expect(counted.length).toBeLessThan(windowPixels / linePixels)
    await lines.last().scrollIntoViewIfNeeded()
    await lines.last().getByText('0', { exact: true }).first().waitFor()
    expect(new Set(counted).size).toBe(counted.length)
  })
})
