import { monotonicFactory } from 'ulid'
import { expect, it } from 'vitest'
import { createOutbox } from '../../server/webhooks/deliveries/outbox.ts'
import { sampleContext } from '../../server/webhooks/templates/template-variables.ts'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

const channels = '/alerting/channels'

describeInChromium('deliveries', () => {
  const { test, open, ask } = sharedConsole({ env: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' } })

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

  it('an enabled channel whose receiver fails says since when, in the list and on its page', async () => {
    const { id } = await ask<{ id: string }>('POST', channels, {
      name: 'Broken pager',
      config: { url: 'http://127.0.0.1:9/' },
    })
    const outbox = createOutbox({ now: () => new Date(), newId: monotonicFactory() })
    await test.app.app.metadata.transaction((transaction) =>
      outbox.enqueue(transaction, { org: test.app.org, channelIds: [id], context: sampleContext }),
    )
    const failingSince = async () =>
      (await ask<{ failing_since?: string }>('GET', `${channels}/${id}`)).failing_since?.slice(0, 19).replace('T', ' ')
    await expect.poll(failingSince).toBeDefined()
    const words = `failing since ${await failingSince()}`
    const { page, picture, expectAccessible } = await open({ path: '/channels' })
    const row = page.getByRole('row', { name: /Broken pager/ })
    await row.getByText(words, { exact: true }).waitFor()
    await picture('channel-failing')
    await expectAccessible()
    await row.getByRole('link', { name: 'Broken pager' }).click()
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    await page.getByText(words, { exact: true }).waitFor()
  })
})
