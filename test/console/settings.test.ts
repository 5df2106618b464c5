import { readFileSync } from 'node:fs'
import type { Route } from 'playwright-core'
import { expect, it } from 'vitest'
import { serverVersion } from '#sql'
import { describeInChromium } from '../support/chromium.ts'
import { markOf, sharedConsole } from './console-page.ts'

describeInChromium('the settings', () => {
  const { test, open, ask } = sharedConsole()

  it('a key is made and shown once, works, and is refused after it was revoked', async () => {
    const { page, picture } = await open({ path: '/settings' })
    await page.getByText('There is no API key yet.').waitFor()
    await page.getByRole('textbox', { name: 'What the key is for' }).fill('auditor')
    await page.getByRole('button', { name: /Role of the key/ }).click()
    await page.getByRole('option', { name: 'viewer' }).click()
    await page.getByRole('button', { name: /Expiry/ }).click()
    await page.getByRole('option', { name: 'expires in 30 days' }).click()
    await page.getByText('sees everything, and changes nothing').waitFor()
    await page.getByRole('button', { name: 'Create a key' }).click()
    const key = (await page.locator('.made-key code').textContent()) ?? ''
    await picture('settings-key-made')
    const me = () => fetch(`${test.app.url}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
    expect(await (await me()).json()).toMatchObject({ role: 'viewer', org: test.app.org })
    await page.reload()
    const line = page.getByRole('row', { name: /auditor/ })
    await line.waitFor()
    expect(await line.textContent()).toContain(key.slice(-4))
    expect(await page.content()).not.toContain(key)
    const days =
      (Date.parse((await ask<Keys>('GET', '/api-keys')).items[0]?.expires_at ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)
    await page.getByRole('button', { name: 'Revoke auditor' }).click()
    await page.getByRole('button', { name: 'Revoke the key auditor' }).click()
    await page.getByText('There is no API key yet.').waitFor()
    expect((await me()).status).toBe(401)
  })

  it('a key whose answer was lost is listed, and the question before it is revoked fits beside its name', async () => {
    const name = 'collector of the cluster in eu-west'
    const { page, picture } = await open({ path: '/settings' })
    await page.getByText('There is no API key yet.').waitFor()
    await page.getByRole('textbox', { name: 'What the key is for' }).fill(name)
    const lose = async (route: Route) => {
      await route.fetch()
      await route.abort('connectionreset')
    }
    await page.route('**/api/v1/api-keys', lose, { times: 1 })
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('button', { name: `Revoke ${name}` }).click()
    await picture('settings-revoke')
    const keep = await page.getByRole('button', { name: 'Keep it' }).boundingBox()
    const box = await page.locator('.messages-box').boundingBox()
    expect((keep?.x ?? 0) + (keep?.width ?? 0)).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0))
    await page.getByRole('button', { name: `Revoke the key ${name}` }).click()
    await page.getByText('There is no API key yet.').waitFor()
  })

  it('an import shows what it would change, by name, before anything changes', async () => {
    await ask('POST', '/saved-views', { name: 'Kept', rows: [] })
    await ask('POST', '/saved-views', { name: 'Gone', rows: [] })
    const { page, picture, expectAccessible } = await open({ path: '/settings?tab=transfer' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export the configuration' }).click(),
    ])
    const config = JSON.parse(readFileSync(await download.path(), 'utf8')) as Config
    expect(config.saved_views.map(({ name }) => name)).toEqual(['Gone', 'Kept'])
    const views = [...config.saved_views.filter(({ name }) => name === 'Kept'), { name: 'New' }]
    const file = (content: string) => ({
      name: 'shop.json',
      mimeType: 'application/json',
      buffer: Buffer.from(content),
    })
    const input = page.locator('input[type=file]')
    await input.setInputFiles(file('{'))
    await page.getByText('shop.json is not JSON.').waitFor()
    await input.setInputFiles(file(JSON.stringify({ ...config, saved_views: [{ name: '' }] })))
    await page.getByRole('alert').getByText('/saved_views/0/name', { exact: true }).waitFor()
    await input.setInputFiles(file(JSON.stringify({ ...config, saved_views: views })))
    const row = page.getByRole('row', { name: /^Views/ })
    await expect.poll(() => row.locator('td').allTextContents()).toEqual(['1 New', '–', '–', '1'])
    await page.getByRole('radio', { name: 'Delete other records' }).click()
    await expect.poll(() => row.locator('td').allTextContents()).toEqual(['1 New', '–', '1 Gone', '1'])
    await expectAccessible()
    await picture('settings-import')
    expect(await namesOfViews()).toEqual(['Gone', 'Kept'])
    await page.getByRole('button', { name: 'Import, and delete 1 record' }).click()
    await page.getByRole('heading', { name: 'Imported' }).waitFor()
    expect(await namesOfViews()).toEqual(['Kept', 'New'])
  })

  it('20: an import that got no answer is planned again, and nothing else is chosen while one runs', async () => {
    const config = await ask<Config>('GET', '/config/export')
    const views = [...config.saved_views, { name: 'Imported late' }]
    const { page, picture } = await open({ path: '/settings?tab=transfer' })
    const answer = { isLost: true, apply: () => {} }
    const mayApply = new Promise<void>((resolve) => {
      answer.apply = resolve
    })
    await page.route('**/api/v1/config/import*', async (route) => {
      if (answer.isLost) return route.abort('connectionrefused')
      if (route.request().url().includes('dry_run=false')) await mayApply
      return route.continue()
    })
    const buffer = Buffer.from(JSON.stringify({ ...config, saved_views: views }))
    await page.locator('input[type=file]').setInputFiles({ name: 'late.json', mimeType: 'application/json', buffer })
    await page.getByRole('alert').getByText('No answer').waitFor()
    answer.isLost = false
    await page.getByRole('button', { name: 'Retry', exact: true }).click()
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const other = page.getByRole('radio', { name: 'Delete other records' })
    await expect.poll(() => other.isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: 'Choose another file' }).isDisabled()).toBe(true)
    await picture('settings-importing')
    answer.apply()
    await page.getByRole('heading', { name: 'Imported', exact: true }).waitFor()
    expect(await other.isDisabled()).toBe(false)
    expect(await namesOfViews()).toContain('Imported late')
  })

  const namesOfViews = async () => (await ask<Views>('GET', '/saved-views')).items.map(({ name }) => name).toSorted()

  it('the audit log is filtered by kind, action and record, and says what an update changed', async () => {
    const view = await ask<{ id: string }>('POST', '/saved-views', { name: 'Watched', rows: [] })
    await ask('PUT', `/saved-views/${view.id}`, { name: 'Renamed' })
    await ask('POST', '/integrations', { name: 'Unrelated' })
    const { page, picture, expectAccessible } = await open({ path: '/settings?tab=audit' })
    await page.getByText('integration Unrelated').waitFor()
    await page.getByRole('button', { name: /Kind of record/ }).click()
    await page.getByRole('option', { name: 'view', exact: true }).click()
    await expect.poll(() => page.getByText('integration Unrelated').count()).toBe(0)
    const lines = page.locator('.audit-entry summary')
    expect(await markOf(lines.first())).toEqual({ isShown: true, isTurned: false })
    await page.getByText('view Renamed').first().click()
    await expect.poll(() => markOf(lines.first())).toEqual({ isShown: true, isTurned: true })
    await page.getByRole('rowheader', { name: '/name' }).waitFor()
    expect(
      await page
        .getByRole('row', { name: /^\/name/ })
        .locator('td')
        .allTextContents(),
    ).toEqual(['Watched', 'Renamed'])
    await picture('settings-audit')
    await page.getByRole('button', { name: 'All of this record' }).click()
    await expect.poll(() => page.locator('.audit-action').allTextContents()).toEqual(['updated', 'created'])
    await page.getByRole('button', { name: /^Action|any action/ }).click()
    await page.getByRole('option', { name: 'created' }).click()
    await expect.poll(() => page.locator('.audit-action').allTextContents()).toEqual(['created'])
    await page.reload()
    await expect.poll(() => page.locator('.audit-action').allTextContents()).toEqual(['created'])
    await expectAccessible()
    await page.getByRole('button', { name: `Remove the filter record ${view.id}` }).click()
    await expect.poll(() => page.locator('.audit-action').count()).toBeGreaterThan(1)
  })

  it('3: the audit log says any time that its address names', async () => {
    const { page } = await open({ path: '/settings?tab=audit&last=2d' })
    const time = page.getByRole('button', { name: 'Time of the change' })
    await time.getByText('in the last 2 days').waitFor()
    await time.click()
    await page.getByRole('option', { name: 'at any time' }).click()
    await expect.poll(() => page.url()).not.toContain('last=')
  })

  it('a link for a colleague is a command, with the role and the name that were chosen', async () => {
    const { page, picture } = await open({ path: '/settings?tab=people' })
    await page.getByRole('textbox', { name: 'Name of the colleague' }).fill("O'Hara")
    await page.getByRole('button', { name: /Role of the colleague/ }).click()
    await page.getByRole('option', { name: 'contributor' }).click()
    const who = `--org ${test.app.org} --role contributor --sub 'O'\\''Hara'`
    const command = `npx tracefold login-link ${who} --url ${test.app.url}`
    expect(await page.locator('pre').textContent()).toBe(command)
    await picture('settings-people')
  })

  it('a viewer exports and does not import; keys and the audit log say which role they need', async () => {
    const { page, picture } = await open({ role: 'viewer', path: '/settings' })
    await page.getByText('You need the admin role for this part of the settings. Your role is viewer.').waitFor()
    await page.getByRole('radio', { name: 'Audit log' }).click()
    await page.getByText('You need the admin role for this part of the settings. Your role is viewer.').waitFor()
    await page.getByRole('radio', { name: 'Export and import' }).click()
    await page.getByText('You need the contributor role to import. Your role is viewer.').waitFor()
    expect(await page.locator('input[type=file]').count()).toBe(0)
    await page.getByRole('button', { name: 'Export the configuration' }).waitFor()
    await picture('settings-viewer')
  })

  it('About shows the version of ClickHouse to every caller, and the server to none without a session', async () => {
    const { page } = await open({ role: 'restricted', path: '/about' })
    const { rows } = await test.app.app.clickhouse.read<{ version: string }>(serverVersion, {
      for: 'system',
      label: 'the version',
    })
    const shown = page.locator('dl > div', { hasText: 'ClickHouse' }).locator('dd')
    await expect.poll(() => shown.textContent()).toBe(rows[0]?.version)
    const refused = await fetch(`${test.app.url}/api/v1/server`)
    expect(refused.status).toBe(401)
    expect(await refused.text()).not.toContain(rows[0]?.version)
  })

  it('axe finds no violation on any part of the settings and on About, in either theme', async () => {
    const { key: _, ...made } = await ask<{ key: string }>('POST', '/api-keys', { name: 'collector', role: 'ingest' })
    expect(made).toMatchObject({ name: 'collector' })
    for (const theme of ['light', 'dark'] as const) {
      const { page, context, expectAccessible, picture } = await test.open({ theme, path: '/settings' })
      await page.getByRole('row', { name: /collector/ }).waitFor()
      await expectAccessible()
      await picture(`settings-keys-${theme}`)
      for (const [tab, words] of [
        ['Export and import', 'Choose a file'],
        ['People', 'A colleague signs in'],
        ['Audit log', 'API key collector'],
      ] as const) {
        await page.getByRole('radio', { name: tab }).click()
        await page.getByText(words).first().waitFor()
        await expectAccessible()
      }
      await picture(`settings-audit-${theme}`)
      await page.goto(`${test.app.url}/about`)
      await page.getByText('works').first().waitFor()
      await expectAccessible()
      await picture(`about-${theme}`)
      await context.close()
    }
  })
})

interface Keys {
  readonly items: readonly { readonly expires_at: string | null }[]
}

interface Views {
  readonly items: readonly { readonly name: string }[]
}

interface Config {
  readonly saved_views: readonly { readonly name: string }[]
}
