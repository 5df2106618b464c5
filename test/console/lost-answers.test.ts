import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

/** What the console does without an answer, or without a part of itself. */
describeInChromium('lost answers', () => {
  const { test, open, ask } = sharedConsole()
  const made = { integration: '', channel: '' }

  beforeAll(async () => {
    const integration = { name: 'Shop', matchers: [{ service: 'checkout' }, { service: 'payment' }] }
    made.integration = (await ask<{ id: string }>('POST', '/integrations', integration)).id
    const channel = { name: 'Pager', config: { url: 'https://receiver.example' } }
    made.channel = (await ask<{ id: string }>('POST', '/alerting/channels', channel)).id
  })

  const parts = '**/assets/part-*.js'
  const isGone = (route: Route) => route.fulfill({ status: 404 })
  const alert = (page: Page) => page.getByRole('alert').first()
  const retry = (page: Page) => page.getByRole('button', { name: 'Retry', exact: true }).first()
  const name = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })

  it.each(['light', 'dark'] as const)(
    '20: a page that the server does not have any more is said in its place (%s), and there after a reload',
    async (theme) => {
      const { page, expectAccessible, picture } = await open({ theme })
      await page.route(parts, isGone)
      await page.getByRole('link', { name: 'Services' }).click()
      await alert(page).getByText('A part of the page could not be loaded').waitFor()
      expect(new URL(page.url()).pathname).toBe('/services')
      await expectAccessible()
      await picture(`missing-page-${theme}`)
      await page.getByRole('link', { name: 'Messages' }).click()
      await page.getByRole('heading', { name: /with errors/ }).waitFor()
      await page.getByRole('link', { name: 'Services' }).click()
      // The page is requested twice before it counts as gone.
      await alert(page).getByText('A part of the page could not be loaded').waitFor()
      await page.unroute(parts)
      await page.getByRole('button', { name: 'Reload the page' }).click()
      await page.getByRole('link', { name: 'checkout' }).first().waitFor()
    },
  )

  it('20: a page that is first opened while the server is down is shown by a retry', async () => {
    const { page, context, picture } = await open()
    await page.getByRole('heading', { name: /with errors/ }).waitFor()
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Views' }).click()
    await alert(page).getByText('No answer').waitFor()
    await picture('page-without-server')
    // The fault stays while the page is requested again, and so says nothing of the retry.
    const isUnanswered = page.waitForEvent('requestfailed', (request) => request.method() === 'HEAD')
    await retry(page).click()
    await isUnanswered
    await alert(page).getByText('No answer').waitFor()
    await context.setOffline(false)
    await retry(page).click()
    await page.getByRole('heading', { name: 'Views', level: 1 }).waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  it('20: a page is not taken for missing when the network comes back while it is loaded', async () => {
    const { page, context } = await open()
    await page.getByRole('heading', { name: /with errors/ }).waitFor()
    await page.route('**/*', async (route) => {
      if (route.request().method() === 'HEAD') await context.setOffline(false)
      await route.continue()
    })
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Views' }).click()
    await page.getByRole('heading', { name: 'Views', level: 1 }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  it('20: an editor that cannot be loaded leaves the form as it is', async () => {
    const { page, expectAccessible, picture } = await open({ path: '/channels/new' })
    page.on('dialog', (dialog) => void dialog.accept())
    await name(page).fill('Precious')
    await page.route(parts, isGone)
    await page.getByRole('radio', { name: 'Custom body' }).click()
    await alert(page).getByText('A part of the page could not be loaded').waitFor()
    await expectAccessible()
    await picture('missing-editor')
    expect(await name(page).inputValue()).toBe('Precious')
    await page.unroute(parts)
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByRole('textbox', { name: 'Body template' }).waitFor()
    expect(await name(page).inputValue()).toBe('Precious')
  })

  it('20: the graph of a flow is drawn by a retry once the server answers again', async () => {
    const { page } = await open({ path: `/integrations/${made.integration}/flow?show=table` })
    await page.getByRole('radio', { name: 'Table' }).waitFor()
    await page.route('**', (route) => route.abort('connectionrefused'))
    await page.getByRole('radio', { name: 'Graph' }).click()
    await alert(page).getByText('No answer').waitFor()
    await page.unroute('**')
    await retry(page).click()
    await page.locator('.react-flow__node').first().waitFor()
  })

  const starting = (route: Route) => {
    const body = { type: 'x', title: 'Starting', status: 503, detail: 'The server is starting.', code: 'unavailable' }
    const headers = { 'content-type': 'application/problem+json' }
    return route.fulfill({ status: 503, headers, body: JSON.stringify(body) })
  }

  it.each([
    ['does not respond', 'No answer', (route: Route) => route.abort('connectionrefused')],
    ['is starting', 'Starting', starting],
    ['is behind a proxy that lost it', 'Unexpected answer', (route: Route) => route.fulfill({ status: 502 })],
  ] as const)('20: after the server %s, one retry is enough for all parts of a page', async (_, words, fail) => {
    let isAway = true
    const answer = (route: Route) => (isAway ? fail(route) : route.continue())
    const beforeLoad = (page: Page) => page.route('**/api/v1/services/checkout/widgets/*/data*', answer)
    const { page } = await open({ path: '/services/checkout', beforeLoad })
    const faults = page.getByRole('alert').getByText(words)
    await expect.poll(() => faults.count(), { timeout: 60_000 }).toBeGreaterThan(1)
    isAway = false
    await retry(page).click()
    await expect.poll(() => faults.count(), { timeout: 60_000 }).toBe(0)
  })

  it.each(['/', '/settings'])('20: one retry shows %s that was opened while the server was starting', async (path) => {
    const { page, picture } = await open({ path, beforeLoad: (page) => page.route('**/api/v1/**', starting) })
    await alert(page).getByText('The server is starting.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    await picture(`starting${path === '/' ? '' : '-settings'}`)
    await page.unroute('**/api/v1/**')
    await retry(page).click()
    await page.getByText('ada · admin').waitFor()
    await page.getByRole(path === '/' ? 'heading' : 'button', { name: /with errors|Create a key/ }).waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  it('20: without a network questions and saves fail, and nothing is saved later', async () => {
    const { page, context } = await open({ path: `/channels/${made.channel}` })
    await name(page).fill('Saved offline')
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await alert(page).getByText('No answer').waitFor()
    await context.setOffline(false)
    await page.getByRole('radio', { name: 'Deliveries' }).click()
    await page
      .getByText(/^No deliver|^Nothing/)
      .first()
      .waitFor()
    expect((await ask<{ name: string }>('GET', `/alerting/channels/${made.channel}`)).name).toBe('Pager')
    await page.getByRole('radio', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await context.setOffline(true)
    await page.getByRole('link', { name: 'Views' }).click()
    await alert(page).getByText('No answer').waitFor()
    await context.setOffline(false)
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  it('20: deliveries that cannot be read are not said to be none', async () => {
    const beforeLoad = (page: Page) => page.route('**/deliveries?*', (route) => route.fulfill({ status: 502 }))
    const { page } = await open({ path: `/channels/${made.channel}?show=deliveries`, beforeLoad })
    await alert(page).getByText('Unexpected answer').waitFor()
    expect(await page.getByText('Nothing was delivered yet').count()).toBe(0)
    await page.unroute('**/deliveries?*')
    await retry(page).click()
    await page.getByText('Nothing was delivered yet').waitFor()
  })

  it.each([
    ['count', '.answer-line', /with errors/],
    ['summary', '.sentence', /^Messages/],
  ])('20: the %s of a search that fails is said, and read again', async (operation, place, words) => {
    const pattern = `**/api/v1/messages/${operation}`
    const body = JSON.stringify({ type: 'x', title: 'Internal', status: 500, detail: 'Broken.', code: 'internal' })
    const headers = { 'content-type': 'application/problem+json' }
    const beforeLoad = (page: Page) => page.route(pattern, (route) => route.fulfill({ status: 500, headers, body }))
    const { page, picture } = await open({ beforeLoad })
    await page.locator(place).getByRole('alert').getByText('Broken.').waitFor()
    await picture(`failed-${operation}`)
    const edit = page.getByRole('button', { name: 'Edit as text' })
    if (operation === 'summary') expect(await edit.isDisabled()).toBe(true)
    await page.unroute(pattern)
    await page.locator(place).getByRole('button', { name: 'Retry' }).click()
    await page.locator(place).getByText(words).first().waitFor()
    await expect.poll(() => edit.isEnabled()).toBe(true)
  })

  it('20: an export that fails is offered again, and a sign-in where the session has ended', async () => {
    const { page, context } = await open()
    const pattern = '**/api/v1/messages/export'
    const body = JSON.stringify({ type: 'x', title: 'Busy', status: 429, detail: 'Wait.', code: 'too_many_requests' })
    const headers = { 'content-type': 'application/problem+json', 'retry-after': '10' }
    await page.route(pattern, (route) => route.fulfill({ status: 429, headers, body }))
    const exportAll = async () => {
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem').first().click()
    }
    await exportAll()
    await page.getByRole('button', { name: /^Retry in \d+ s$/ }).waitFor()
    await page.unroute(pattern)
    const [download] = await Promise.all([page.waitForEvent('download'), retry(page).click()])
    expect(download.suggestedFilename()).toBe('messages.csv')
    await context.clearCookies()
    await exportAll()
    const signIn = page.getByRole('dialog', { name: 'Sign in' })
    await signIn.waitFor()
    // It covers the page, so an outline around it would only frame the window.
    expect(await signIn.evaluate((each) => each.computedStyleMap().get('outline-style')?.toString())).toBe('none')
  })

  it('20: a sign-out without an answer is said', async () => {
    const { page, context, expectAccessible, picture } = await open()
    await page.getByRole('heading', { name: /with errors/ }).waitFor()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('dialog', { name: 'Could not sign out' }).waitFor()
    await expectAccessible()
    await picture('not-signed-out')
    await context.setOffline(false)
    await retry(page).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect((await context.request.get(`${test.app.url}/api/v1/me`)).status()).toBe(401)
  })

  it.each(['null', '[]', '<h1>Welcome to our hotel</h1>', '{"items":[{"id":'])(
    '20: what answers %s in place of the server, such as the sign-in of a network, is said',
    async (body) => {
      const answer = (route: Route) => route.fulfill({ body })
      const { page } = await open({ path: '/views', beforeLoad: (page) => page.route('**/saved-views?*', answer) })
      await alert(page).getByText('Unexpected answer').waitFor()
      await alert(page)
        .getByText(/not from this server/)
        .waitFor()
      await page.unroute('**/saved-views?*')
      await retry(page).click()
      await page.getByText('No views yet.').waitFor()
    },
  )

  it('20: a page in place of an export, such as the sign-in of a network, is not saved', async () => {
    const { page } = await open()
    const answer = (route: Route) => route.fulfill({ contentType: 'text/html', body: '<h1>Welcome to our hotel</h1>' })
    await page.route('**/messages/export', answer)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Messages as CSV' }).click()
    await alert(page)
      .getByText(/not from this server/)
      .waitFor()
  })

  it('20: a page that has failed to show an answer is shown by a retry', async () => {
    const answer = (route: Route) => route.fulfill({ json: { message: 'Welcome to our hotel' } })
    const { page, faults } = await open({ beforeLoad: (page) => page.route('**/api/v1/messages/count', answer) })
    await alert(page).getByText('The console has failed').waitFor()
    faults.length = 0
    await page.unroute('**/api/v1/messages/count')
    await retry(page).click()
    await page.getByRole('heading', { name: /with errors/ }).waitFor()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  it('a browser that refuses to copy is said', async () => {
    const refuse = `Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: () => Promise.reject(new DOMException('denied', 'NotAllowedError')) },
    })`
    const { page } = await open({ beforeLoad: (page) => page.addInitScript(refuse) })
    // The button says so for a moment only.
    const refused = page.getByRole('button', { name: 'Could not copy' }).waitFor()
    await page.getByRole('button', { name: 'Copy the sentence' }).click()
    await refused
  })

  it.each(['/from must be a timestamp.', '/from: must be a timestamp', 'must be a timestamp'])(
    '11: a fault of one field that the server words as %j is said once',
    async (detail) => {
      const errors = [{ pointer: '/from', code: 'format', message: 'must be a timestamp' }]
      const problem = { type: 'x', title: 'Invalid request', status: 400, detail, code: 'invalid_request', errors }
      const headers = { 'content-type': 'application/problem+json' }
      const answer = (route: Route) => route.fulfill({ status: 400, headers, body: JSON.stringify(problem) })
      const { page } = await open({ beforeLoad: (page) => page.route('**/api/v1/messages/search', answer) })
      await alert(page).getByText('Invalid request').waitFor()
      expect((await alert(page).innerText()).match(/must be/g)).toHaveLength(1)
    },
  )
})
