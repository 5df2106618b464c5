import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

/** What a person needs on the way from a failure to its cause and to those who must know. */
describeInChromium('journeys', () => {
  const { test, open } = sharedConsole()

  const zoneButton = (page: Page) => page.getByRole('button', { name: /^Times: / })

  it('18: every page says in which time zone its times are, and changes it', async () => {
    const { page, picture } = await open({ timeZone: 'America/New_York', path: '/alerts' })
    const button = zoneButton(page)
    await expect.poll(() => button.textContent()).toBe('Times: America/New York')
    await button.click()
    await expect.poll(() => button.textContent()).toBe('Times: UTC')
    await page.goto(`${test.app.url}/?last=25m`)
    await page.getByRole('button', { name: 'Time range: Last 25 minutes' }).waitFor()
    await page.getByRole('columnheader', { name: 'Started (UTC)' }).waitFor()
    await picture('time-zone')
  })

  it('18: a browser whose time zone is UTC offers no other one', async () => {
    const { page } = await open()
    await expect.poll(() => zoneButton(page).isDisabled()).toBe(true)
    await page.keyboard.press('t')
    await page.getByText('Times are shown in UTC.').waitFor()
    expect(await page.getByRole('button', { name: /^Show (UTC|local time)$/ }).count()).toBe(0)
  })
})
