import { beforeAll, describe, expect, it } from 'vitest'
import { noChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

/** How a message is walked by keys, and why it matched. */
describe.skipIf(noChromium !== undefined)(`keys of a message${noChromium ? ` (${noChromium})` : ''}`, () => {
  const { test, open } = sharedConsole()
  let oldest = ''

  beforeAll(async () => {
    const body = JSON.stringify({ order: 'oldest' })
    const sent = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const found = await (await test.app.send('/api/v1/messages/search', sent)).json()
    oldest = (found as { messages: { trace_id: string }[] }).messages[0]?.trace_id ?? ''
  })

  it('12: why a message matched is explained by the steps that are marked, however long ago it was found', async () => {
    const rows = encodeURIComponent(JSON.stringify([{ attribute_key: 'service.name', operator: 'exists' }]))
    const { page, picture } = await open({ path: `/messages/${oldest}?rows=${rows}&last=5m&side=why` })
    await page.locator('.verdict').waitFor()
    await picture('why-later')
    expect(await page.getByText(/outside the time range/).count()).toBe(0)
    expect(await page.locator('.verdict .holds').count()).toBe(1)
  })
})
