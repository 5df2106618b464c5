import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

const channels = '/alerting/channels'

describeInChromium('deliveries', () => {
  const { open, ask } = sharedConsole({ env: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' } })

  it('a delivery that is pending is marked once an attempt has failed', async () => {
    const body = { name: 'Pager', config: { url: 'http://127.0.0.1:9/' } }
    const { id } = await ask<{ id: string }>('POST', channels, body)
    await ask('POST', `${channels}/${id}/test`)
    const { page, picture } = await open({
      path: `/channels/${id}?show=deliveries`,
      // Tests are not repeated. Deliveries of alerts are, and pending meanwhile.
      beforeLoad: (opened) =>
        opened.route('**/deliveries?*', async (route) => {
          const response = await route.fetch()
          const { items } = (await response.json()) as { items: { attempts: object[] }[] }
          const pending = items.flatMap((item) => [item, { ...item, id: 'due', attempts: [] }])
          const json = { items: pending.map((item) => ({ ...item, state: 'pending' })), next_cursor: null }
          await route.fulfill({ response, json })
        }),
    })
    const states = page.getByRole('listitem').locator('.state')
    await expect.poll(() => states.count()).toBe(2)
    await picture('delivery-pending')
    expect(await states.evaluateAll((each) => each.map(({ childElementCount }) => childElementCount))).toEqual([1, 0])
  })
})
