import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { sharedConsole } from './console-page.ts'

describeInChromium('secrets that are shown once', () => {
  const { open } = sharedConsole({ env: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' } })

  const question = (page: Page) => page.getByRole('dialog', { name: 'Leave without copying it?' })
  const stay = (page: Page) => question(page).getByRole('button', { name: 'Stay' }).click()
  const goTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first().click()
  const arrive = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  /** Waits until the page has copied, so that it lets a person go. */
  const copy = async (page: Page, name: string) => {
    const isCopied = page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    await page.getByRole('button', { name }).click()
    await isCopied
  }
  const makeKey = async (page: Page, name: string) => {
    await page.getByRole('textbox', { name: 'What the key is for' }).fill(name)
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByText(`${name}: copy the key now.`).waitFor()
  }

  it('a new API key is left only after a question, unless it was copied or closed', async () => {
    const { page, picture, expectAccessible } = await open({ path: '/settings' })
    await makeKey(page, 'collector')
    await goTo(page, 'Views')
    await question(page).getByText('The key is not shown again.').waitFor()
    await expectAccessible()
    await picture('leave-key')
    await stay(page)
    await page.getByRole('radio', { name: 'People' }).click()
    await stay(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    const signOut = page.getByRole('dialog', { name: 'Sign out without saving?' })
    await signOut.getByText('is shown once and was not copied').waitFor()
    await expectAccessible()
    await signOut.getByRole('button', { name: 'Stay' }).click()
    const opened = page.waitForEvent('dialog')
    await page.evaluate('setTimeout(() => location.reload())')
    const dialog = await opened
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await page.getByText('collector: copy the key now.').waitFor()
    await copy(page, 'Copy the key')
    await goTo(page, 'Views')
    await arrive(page, 'Views')
    await goTo(page, 'Settings')
    // What was copied of one key says nothing about the next.
    await makeKey(page, 'first')
    await copy(page, 'Copy the key')
    await makeKey(page, 'second')
    expect(await page.getByText('copy the key now').count()).toBe(1)
    await goTo(page, 'Views')
    await stay(page)
    // A key that was not copied stays beside the next one.
    await makeKey(page, 'third')
    await page.getByRole('button', { name: 'Copy the key third' }).click()
    await goTo(page, 'Views')
    await stay(page)
    await picture('two-keys')
    await page.getByText('second: copy the key now.').waitFor()
    await page.getByRole('button', { name: 'Done with second' }).click()
    await goTo(page, 'Views')
    await arrive(page, 'Views')
    await goTo(page, 'Settings')
    await makeKey(page, 'fourth')
    await goTo(page, 'Views')
    await question(page).getByRole('button', { name: 'Leave' }).click()
    await arrive(page, 'Views')
  })

  it('a key in the environment of a program counts as copied when it was selected and copied', async () => {
    const { page } = await open({ path: '/start' })
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByText('it is not shown again').waitFor()
    await goTo(page, 'Views')
    await stay(page)
    await page.locator('pre').first().selectText()
    await page.keyboard.press('Control+c')
    await goTo(page, 'Views')
    await arrive(page, 'Views')
  })

  it('the signing secret of a new channel is left only after a question, or for the channel', async () => {
    const { page } = await open({ path: '/channels/new' })
    const create = async (name: string) => {
      await page.getByRole('textbox', { name: 'Name' }).fill(name)
      await page.getByRole('textbox', { name: 'URL of the receiver' }).fill('http://127.0.0.1:9/')
      await page.getByRole('button', { name: 'Create channel' }).click()
      await page.getByText('Give it to the receiver now').waitFor()
    }
    await create('On-call')
    await goTo(page, 'Views')
    await question(page).getByText('The secret is not shown again.').waitFor()
    await stay(page)
    await page.getByRole('link', { name: 'Continue to the channel' }).click()
    await arrive(page, 'Channels / On-call')
    expect(await question(page).count()).toBe(0)
    await page.goto(page.url().replace(/[^/]+$/, 'new'))
    await create('Nights')
    await copy(page, 'Copy the signing secret')
    await goTo(page, 'Views')
    await arrive(page, 'Views')
  })
})
