import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

const pageSize = 200
/** The number of requests of a page that the server answers at full speed. */
const atOnce = 2

/** Services of which there are more than a page, and dashboards with many widgets. */
describeInChromium('many services', () => {
  const { open } = sharedConsole()

  const nameOf = (number: number) => `service-${String(number).padStart(3, '0')}`

  /** Answers with a full page of services, and with one more service once `release` is called. */
  async function answerInPages(page: Page) {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/v1/services?*', async (route) => {
      const isFirst = !new URL(route.request().url()).searchParams.has('cursor')
      if (!isFirst) await released
      const numbers = isFirst ? Array.from({ length: pageSize }, (_, index) => index) : [pageSize]
      const items = numbers.map((number) => ({
        name: nameOf(number),
        span_count: 1,
        error_count: 0,
        p95_ms: 1,
        facets: [],
      }))
      await route.fulfill({ json: { items, next_cursor: isFirst ? 'more' : null } })
    })
    return release
  }

  it('shows the services of the first page, and finds among them, while more are read', async () => {
    let release = () => {}
    const { page, expectAccessible, picture } = await open({
      path: '/services',
      beforeLoad: async (opened) => {
        release = await answerInPages(opened)
      },
    })
    await page.getByRole('heading', { name: '200 services so far' }).waitFor()
    await page.getByRole('link', { name: nameOf(1), exact: true }).waitFor()
    await expectAccessible()
    await picture('services-so-far')
    const field = page.getByRole('searchbox', { name: 'Find a service' })
    await field.fill(nameOf(pageSize))
    await page.getByRole('heading', { name: '0 services of 200 so far' }).waitFor()
    await page.getByText('Loading more services').waitFor()
    release()
    await page.getByRole('link', { name: nameOf(pageSize), exact: true }).waitFor()
    await page.getByRole('heading', { name: '1 service of 201', exact: true }).waitFor()
    await field.fill('')
    await page.getByRole('heading', { name: '201 services', exact: true }).waitFor()
  })

  it('looks for a name in the services that are still being read', async () => {
    let release = () => {}
    const { page } = await open({
      path: '/about',
      beforeLoad: async (opened) => {
        release = await answerInPages(opened)
      },
    })
    await page.getByRole('heading', { name: 'About', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: 'Command, name, or trace id' }).fill('service-0')
    await page.getByRole('menuitem', { name: nameOf(0) }).waitFor()
    await page.getByRole('searchbox', { name: 'Command, name, or trace id' }).fill(nameOf(pageSize))
    await page.getByText('Reading the names…').waitFor()
    release()
    await page.getByRole('menuitem', { name: nameOf(pageSize) }).waitFor()
  })

  it('asks for the numbers of a dashboard a few widgets at a time', async () => {
    let running = 0
    let most = 0
    const { page } = await open({
      path: '/services/checkout',
      beforeLoad: (opened) =>
        opened.route('**/widgets/*/data?*', async (route) => {
          running += 1
          most = Math.max(most, running)
          const response = await route.fetch()
          running -= 1
          await route.fulfill({ response })
        }),
    })
    await page.locator('.widget-number').first().waitFor()
    await expect.poll(() => page.locator('.widget-waiting').count()).toBe(0)
    expect(await page.locator('.widget').count()).toBeGreaterThan(atOnce)
    expect(most).toBe(atOnce)
  })
})
