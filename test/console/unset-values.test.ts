import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

/** Values, bodies and ids that senders leave out. */
describeInChromium('what was sent without', () => {
  const { test, open } = sharedConsole()
  const traceId = 'f'.repeat(32)
  const spanId = 'f'.repeat(16)
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'unset' } }] }
  const time = String(BigInt(Date.now() - 60_000) * 1_000_000n)

  async function sendStep() {
    const span = { traceId, spanId, name: 'unset', startTimeUnixNano: time, endTimeUnixNano: time }
    const attributes = [{ key: 'coupon', value: {} }]
    const links = [{ attributes: [{ key: 'queue', value: { stringValue: 'orders' } }] }, { traceId: 'e'.repeat(32) }]
    const spans = [{ ...span, attributes, links }]
    await test.app.sendSpans({ resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
    const { page } = await open({ path: `/messages/${traceId}?span=${spanId}` })
    return { page, panel: page.getByRole('complementary', { name: 'Step unset' }) }
  }

  it('a value: the attribute leads to the messages with it', async () => {
    const { page, panel } = await sendStep()
    await panel.getByRole('button', { name: 'Search with coupon' }).click()
    await page.getByRole('menuitem', { name: 'Messages with this value' }).click()
    await page.getByText('coupon equals ""').waitFor()
    await expect.poll(() => page.locator('.messages tbody tr').count()).toBe(1)
  })

  it('ids: a link shows its attributes, and leads to a message if it names one', async () => {
    const { panel } = await sendStep()
    const links = panel.locator('section', { has: panel.page().getByRole('heading', { name: 'Links to' }) })
    await links.getByText('Sent without a trace id').waitFor()
    expect(await links.getByRole('rowheader').allTextContents()).toEqual(['queue'])
    const [link, ...others] = await links.getByRole('link').all()
    expect(others).toEqual([])
    expect(new URL((await link?.getAttribute('href')) ?? '', test.app.url).searchParams.has('span')).toBe(false)
  })

  it('a body: the record shows the name of its event', async () => {
    const record = { timeUnixNano: time, eventName: 'session.start', traceId, spanId }
    await test.app.sendLogs({ resourceLogs: [{ resource, scopeLogs: [{ logRecords: [record] }] }] })
    const { page } = await open({ path: '/explore/logs' })
    await page.getByText('session.start', { exact: true }).click()
    await page.getByText('The record has no body.').waitFor()
    const { panel } = await sendStep()
    await panel.getByText('session.start', { exact: true }).waitFor()
  })

  it('a character that is seen, as in a service named by a space: its links are seen and have a name', async () => {
    const blank = { attributes: [{ key: 'service.name', value: { stringValue: ' ' } }] }
    const span = { traceId: 'c'.repeat(32), spanId, name: '\u200b', startTimeUnixNano: time, endTimeUnixNano: time }
    const attributes = [{ key: '\t', value: { stringValue: ' ' } }]
    const spans = [{ ...span, attributes }]
    await test.app.sendSpans({ resourceSpans: [{ resource: blank, scopeSpans: [{ spans }] }] })
    const { page, picture, expectAccessible } = await open({ path: '/services' })
    await page.getByRole('link', { name: '"\\u0020"', exact: true }).click()
    await page.getByRole('heading', { name: 'Services / "\\u0020"' }).waitFor()
    await page.getByRole('link', { name: 'Messages with "\\u200b"' }).click()
    await page.getByRole('link', { name: '"\\u0020" "\\u200b"' }).click()
    await page.getByRole('rowheader', { name: '"\\u0009"' }).waitFor()
    await expectAccessible()
    await picture('blank-names')
  })
})
