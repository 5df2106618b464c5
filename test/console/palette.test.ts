import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { noteRequests, sharedConsole, untilQuiet } from './console-page.ts'

describeInChromium('the palette', () => {
  const { test, open, ask } = sharedConsole()
  const made = { integration: '', view: '', rule: '', channel: '' }

  beforeAll(async () => {
    const make = async (path: string, body: object) => (await ask<{ id: string }>('POST', path, body)).id
    made.integration = await make('/integrations', { name: 'Parcels: orders', matchers: [{ service: 'checkout' }] })
    made.view = await make('/saved-views', {
      name: 'Parcels: failed',
      rows: [],
      status: 'error',
      window: { kind: 'relative', last_s: 7_200 },
    })
    made.channel = await make('/alerting/channels', {
      name: 'Parcels: pager',
      config: { url: 'https://pager.example' },
    })
    const measured = { measure: 'span_count', comparator: 'gt', threshold: 1_000_000 }
    made.rule = await make('/alerting/rules', { name: 'Parcels: many', kind: 'trace', enabled: false, ...measured })
    for (let number = 1; number <= 9; number++)
      await make('/integrations', { name: `Queue ${number}`, matchers: [{ service: 'cart' }] })
  })

  it('finds what pages list by a part of its name, and opens it', async () => {
    const { page, picture, expectAccessible } = await open({ path: '/services?last=6h' })
    const found: readonly (readonly [words: string, title: string, path: string])[] = [
      ['heckou', 'Services', '/services/checkout?last=6h'],
      ['parcels: ORD', 'Integrations', `/integrations/${made.integration}?last=6h`],
      ['parcels: f', 'Views', `/?view=${made.view}&status=error&last=2h`],
      ['parcels: m', 'Alerts', `/alerts/rules/${made.rule}`],
      ['parcels: p', 'Channels', `/channels/${made.channel}`],
      ['audit', '', '/settings?tab=audit'],
    ]
    for (const [words, title, path] of found) {
      await page.goto(`${test.app.url}/services?last=6h`)
      await page.getByRole('heading', { name: 'Services', level: 1 }).waitFor()
      await openPalette(page)
      await wordsOf(page).fill(words)
      if (title === '') await page.getByRole('menuitem', { name: 'Settings: Audit log' }).waitFor()
      else await page.getByRole('group', { name: title }).getByRole('menuitem').waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe(path)
    }
    await openPalette(page)
    await wordsOf(page).fill('a')
    await page.getByRole('group', { name: 'Channels' }).waitFor()
    await picture('palette-names')
    await expectAccessible()
    await wordsOf(page).fill('no such name')
    await page.getByText('Nothing has this name.').waitFor()
  })

  it('says how many names there are if it does not show all of them', async () => {
    const { page } = await open()
    await openPalette(page)
    await wordsOf(page).fill('queue')
    await page.getByRole('group', { name: 'Integrations, 8 of 9' }).waitFor()
    expect(await page.getByRole('menuitem', { name: /^Queue/ }).count()).toBe(8)
  })

  it.each([
    ['two words', ' '],
    ['a path', '/'],
  ])('opens a step by the ids of trace and span as %s', async (_, separator) => {
    const [message] = (
      await ask<{ messages: { trace_id: string; matched_step_ids: string[] }[] }>('POST', '/messages/search', {})
    ).messages
    const [trace = '', span = ''] = [message?.trace_id, message?.matched_step_ids[1]]
    const { page } = await open()
    await openPalette(page)
    await wordsOf(page).fill(`${trace.toUpperCase()}${separator}${span}`)
    await page.getByRole('menuitem', { name: `Open message ${trace} at step ${span}` }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('tree').waitFor()
    expect(new URL(page.url()).searchParams.get('span')).toBe(span)
    await openPalette(page)
    await wordsOf(page).fill(`00-${trace}-${span}-01`)
    await page.getByRole('menuitem', { name: `Open message ${trace} at step ${span}` }).waitFor()
  })

  it('20: keeps its text while a session ends and begins again', async () => {
    const { page } = await open({ path: '/about' })
    const requests = await noteRequests(page)
    await page.goto(test.app.url)
    // A request of the page would end its session, and with it the palette, while the text is filled in.
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await untilQuiet(requests)
    const session = await page.context().cookies()
    await openPalette(page)
    await page.context().clearCookies()
    await wordsOf(page).fill('parcels: ord')
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor()
    // A request that is refused late reads again who is signed in, which would close the sign-in before the click.
    await untilQuiet(requests)
    await page.context().addCookies(session)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('menuitem', { name: 'Parcels: orders' }).waitFor()
    expect(await wordsOf(page).inputValue()).toBe('parcels: ord')
    await page.getByRole('menuitem', { name: 'Parcels: orders' }).click()
    await page.getByRole('heading', { name: /Parcels: orders/, level: 1 }).waitFor()
    await openPalette(page)
    expect(await wordsOf(page).inputValue()).toBe('')
  })

  it('asks nothing before something is typed, and nothing that a role may not read', async () => {
    const listed: string[] = []
    const lists = /\/api\/v1\/(services|integrations|saved-views|alerting\/\w+)\?/
    const { page } = await open({ role: 'restricted', path: '/about' })
    page.on('request', (request) => {
      const [, list] = lists.exec(request.url()) ?? []
      if (list !== undefined) listed.push(list)
    })
    await page.getByRole('heading', { name: 'About', level: 1 }).waitFor()
    await openPalette(page)
    await page.getByRole('menuitem', { name: 'Messages' }).waitFor()
    expect(listed).toEqual([])
    await wordsOf(page).fill('parcels')
    await page.getByText('Nothing has this name.').waitFor()
    expect(listed.toSorted()).toEqual(['integrations', 'saved-views', 'services'])
    await wordsOf(page).fill('settings')
    await page.getByRole('menuitem', { name: 'Settings: People' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Settings: Audit log' }).count()).toBe(0)
  })

  it('finds the other names when one list cannot be read, and reads it again', async () => {
    const { page, picture, expectAccessible } = await open()
    const refusal = JSON.stringify({
      type: 'about:blank',
      title: 'Internal server error',
      status: 500,
      code: 'internal',
    })
    await page.route('**/alerting/channels?*', (route) => route.fulfill({ status: 500, body: refusal }))
    await openPalette(page)
    await wordsOf(page).fill('parcels')
    await page.getByText('Channels could not be read.').waitFor()
    await page.getByRole('group', { name: 'Integrations' }).waitFor()
    await picture('palette-without-channels')
    await expectAccessible()
    await page.unroute('**/alerting/channels?*')
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByRole('group', { name: 'Channels' }).getByRole('menuitem', { name: 'Parcels: pager' }).waitFor()
    await page.getByText('Channels could not be read.').waitFor({ state: 'detached' })
  })
})

async function openPalette(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.keyboard.press('Control+k')
}

function wordsOf(page: Page) {
  return page.getByRole('dialog', { name: 'Command palette' }).getByRole('searchbox')
}
