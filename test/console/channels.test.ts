import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { startReceiver } from '../support/receiver.ts'
import { type ConsolePage, sharedConsole } from './console-page.ts'

describeInChromium('the pages of channels', () => {
  const { test, open, ask } = sharedConsole({ env: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' } })
  const channels = '/alerting/channels'
  const variables = '/alerting/template-context-schema?limit=200'
  const template = '{"text": "${alert.state}: $alert.summary", "value": "$check.value"}'

  let made = 0
  async function add(config: object): Promise<{ id: string; name: string; version: number }> {
    made += 1
    return ask('POST', channels, { name: `Channel ${made}`, config })
  }

  /** Replaces the text of the editor as typing does, without the brackets that it would close. */
  async function write({ page }: ConsolePage, text: string): Promise<void> {
    const editor = page.getByRole('textbox', { name: 'Body template' })
    await editor.click()
    await page.keyboard.press('Control+a')
    await page.keyboard.insertText(text)
  }

  const posted = (shown: ConsolePage) => shown.page.getByRole('region', { name: 'Preview of the body' })

  it('an empty list leads to the form, a channel is created, and its secret is shown once', async () => {
    const receiver = await startReceiver()
    const shown = await open({ path: '/channels' })
    const { page } = shown
    await page.getByRole('link', { name: 'Add the first channel' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('On-call')
    await page.getByRole('textbox', { name: 'URL of the receiver' }).fill('ftp://nowhere')
    await page.getByRole('button', { name: 'Create channel' }).click()
    await page.getByText('must be an http or https URL').waitFor()
    expect(await page.getByRole('textbox', { name: 'URL of the receiver' }).getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('textbox', { name: 'URL of the receiver' }).fill(receiver.url)
    const withouts = page.getByRole('button', { name: /^Go without / })
    expect(await withouts.allTextContents()).toEqual(['Go without Signing secret'])
    await page.getByRole('button', { name: 'Enter Authorization header' }).click()
    await page.getByLabel('Authorization header').fill('Bearer the-receivers-7d65')
    await page.getByRole('button', { name: 'Create channel' }).click()
    await page.getByText('Give it to the receiver now').waitFor()
    expect(await page.locator('.secret').textContent()).toMatch(/^whsec_/)
    await page.getByRole('link', { name: 'Continue to the channel' }).click()
    await page.getByText('Set, ends with “7d65”').waitFor()
    expect(await page.content()).not.toContain('the-receivers')
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('region', { name: 'Test' }).getByText('status 200').waitFor()
    expect(receiver.received[0]?.headers.authorization).toBe('Bearer the-receivers-7d65')
    await page.reload()
    await page.getByText('Set, ends with “7d65”').waitFor()
    expect(await page.locator('.secret').count()).toBe(0)
    await page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Channels' }).click()
    await page.getByRole('row', { name: /On-call enabled Alert JSON/ }).waitFor()
  })

  it('a template is typed with suggestions, previewed by the renderer of deliveries, and sent', async () => {
    const receiver = await startReceiver()
    const { id } = await add({ url: receiver.url })
    const shown = await open({ path: `/channels/${id}` })
    const { page, picture } = shown
    await page.getByRole('radio', { name: 'Custom body' }).click()
    await write(shown, '{"value": "", "text": "Tracefold: ')
    await page.keyboard.insertText('"}')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('$alert.su')
    const option = page.getByRole('option', { name: /alert\.summary/ })
    await option.waitFor()
    expect(await option.textContent()).toContain('string · ')
    await picture('template-completion')
    await page.keyboard.press('Enter')
    await posted(shown).getByText('Tracefold: Checkout is slow').waitFor()
    await page.getByRole('radio', { name: 'Variables' }).click()
    const { items } = await ask<{ items: { path: string; type: string; sample: unknown }[] }>('GET', variables)
    const listed = page.getByRole('region', { name: 'Variables' }).getByRole('button')
    expect(await listed.locator('code').allTextContents()).toEqual(items.map(({ path }) => `Insert $${path}`))
    expect(await listed.locator('small:first-of-type').allTextContents()).toEqual(items.map(({ type }) => type))
    for (const sample of await listed.locator('.mono').allTextContents()) expect(sample).not.toBe('')
    await page.getByRole('button', { name: 'Insert $check.unit' }).click()
    await page.getByRole('radio', { name: 'Preview' }).click()
    await posted(shown).getByText('above 500.ms').waitFor()
    // Tab leads out of the editor.
    await page.getByRole('textbox', { name: 'Body template' }).click()
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.activeElement.closest('.cm-editor') === null")).toBe(true)
    await page.getByText('your edits').waitFor()
    const preview = await posted(shown).locator('pre').textContent()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByRole('region', { name: 'Test' }).getByText('delivered').waitFor()
    expect(receiver.received[0]?.body).toBe(preview)
  })

  it('faults of a template stand at their characters, and a template that is too large is counted', async () => {
    const { id } = await add({ url: 'http://127.0.0.1:9/', format: 'template', body_template: template })
    const shown = await open({ path: `/channels/${id}` })
    const { page, picture } = shown
    await posted(shown).getByText('firing: Checkout is slow').waitFor()
    await write(shown, '{"💳": "é",\n "b": "x $alert.states y", "c": "$service.metadata.team"}')
    const faults = page.getByRole('list', { name: 'Template errors' }).getByRole('listitem')
    await expect.poll(() => faults.count()).toBe(2)
    expect(await faults.first().textContent()).toContain('Line 2, column 10The template refers to "alert.states"')
    await expect
      .poll(() => page.locator('.cm-lintRange-error').allTextContents())
      .toEqual(['$alert.states', '$service.metadata.team'])
    await picture('template-faults')
    await faults.getByRole('button').nth(1).click()
    expect(await page.evaluate('getSelection().toString()')).toBe('$service.metadata.team')
    const refusal = page.waitForResponse((response) => response.request().method() === 'PUT')
    await page.getByRole('button', { name: 'Save changes' }).click()
    expect((await refusal).status()).toBe(422)
    await expect.poll(() => page.getByRole('button', { name: 'Save changes' }).isEnabled()).toBe(true)
    expect((await ask<{ config: object }>('GET', `${channels}/${id}`)).config).toMatchObject({
      body_template: template,
    })
    await write(shown, '{"a": }')
    await page.getByRole('button', { name: 'Line 1, column 7' }).waitFor()
    await write(shown, `{"a":"${'é'.repeat(16_381)}"}`)
    await page.getByText('32,770 of 32,768 bytes, 2 too many').waitFor()
    await page.getByText('at most 32768 are allowed').waitFor()
    await write(shown, '[]')
    await page.getByText('The template must be a JSON object.').waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await posted(shown).getByText('firing: Checkout is slow').waitFor()
  })

  it('another origin asks for the credential again, and edits are lost only on request', async () => {
    const { id } = await add({ url: 'http://127.0.0.1:9/a', auth_header: 'Bearer 0001' })
    const { page } = await open({ path: `/channels/${id}` })
    await page.getByRole('textbox', { name: 'URL of the receiver' }).fill('http://127.0.0.1:9/b')
    await page.getByText('Set, ends with “0001”').waitFor()
    expect(await page.getByText('Enter the credential again').count()).toBe(0)
    await page.getByRole('textbox', { name: 'URL of the receiver' }).fill('http://127.0.0.2:9/b')
    await page.getByText('Enter the credential again').waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('requires `auth_header` again').waitFor()
    await page.getByRole('link', { name: 'Alerts' }).click()
    await page.getByRole('heading', { name: 'Leave without saving?' }).waitFor()
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.getByRole('button', { name: 'Remove Authorization header' }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()
    expect(await ask('GET', `${channels}/${id}`)).toMatchObject({ credentials: { auth_header: { set: false } } })
  })

  it('what another person has stored meanwhile is shown beside the own version, and one is chosen', async () => {
    const { id } = await add({ url: 'http://127.0.0.1:9/' })
    const { page, picture } = await open({ path: `/channels/${id}` })
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine')
    await ask('PUT', `${channels}/${id}`, { name: 'Theirs' })
    await page.getByRole('button', { name: 'Save changes' }).click()
    const conflict = page.getByRole('alert', { name: 'Conflict' })
    await conflict.getByText('Theirs', { exact: true }).waitFor()
    await picture('channel-conflict')
    await conflict.getByRole('button', { name: 'Replace it with mine' }).click()
    await page.getByRole('heading', { name: 'Mine' }).waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Mine again')
    await ask('PUT', `${channels}/${id}`, { name: 'Theirs again' })
    let [reads, show] = [0, () => {}]
    const shown = new Promise<void>((resolve) => {
      show = resolve
    })
    await page.route(`**${channels}/${id}`, async (route) => {
      if (route.request().method() === 'GET' && reads++ > 0) await shown
      await route.fallback()
    })
    await page.getByRole('button', { name: 'Save changes' }).click()
    // The save reads the version first. Neither version is chosen before both are shown.
    await conflict.getByText('Reading it…').waitFor()
    const choices = conflict.getByRole('button').filter({ hasText: /Take|Replace/ })
    expect(await Promise.all((await choices.all()).map((choice) => choice.isEnabled()))).toEqual([false, false])
    show()
    await conflict.getByRole('button', { name: 'Take their version' }).click()
    await page.getByRole('heading', { name: 'Theirs again' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Theirs again')
  })

  it('deliveries show their attempts and what the receiver answered, and are retried', async () => {
    const receiver = await startReceiver((number) => ({ status: number === 1 ? 401 : 200, body: 'who are you?' }))
    const { id } = await add({ url: receiver.url })
    const { page, picture, expectAccessible } = await open({ path: `/channels/${id}` })
    await page.getByRole('button', { name: 'Send a test' }).click()
    const result = page.getByRole('region', { name: 'Test' })
    await result.getByText('failed').waitFor()
    await result.getByText('who are you?').waitFor()
    await page.getByRole('radio', { name: 'Deliveries' }).click()
    await expect.poll(() => page.url()).toContain('show=deliveries')
    const delivery = page.getByRole('region', { name: 'Deliveries' }).getByRole('listitem').first()
    await delivery.getByText('1 attempt, last: the receiver responded with status 401').click()
    await expectAccessible()
    await picture('deliveries')
    await delivery.getByRole('button', { name: 'Retry now' }).click()
    await delivery.getByText('2 attempts').waitFor()
    expect(receiver.received).toHaveLength(2)
  })

  it('a template that cannot be rendered is said at the test, which posted the alert JSON in its place', async () => {
    const receiver = await startReceiver()
    const { id } = await add({ url: receiver.url, format: 'template', body_template: template })
    const { page } = await open({ path: `/channels/${id}` })
    // A template is checked when it is saved, so only a template of another version of the server fails later.
    await page.route('**/test', async (route) => {
      const response = await route.fetch()
      const template_error = 'The variable alert.nothing does not exist.'
      await route.fulfill({ response, json: { ...(await response.json()), template_error } })
    })
    await page.getByRole('button', { name: 'Send a test' }).click()
    const result = page.getByRole('region', { name: 'Test' })
    await result.getByText(/so the alert JSON was posted in its place: The variable alert\.nothing/).waitFor()
  })

  it('a channel that a rule names is not deleted, one that none names is', async () => {
    const { id, name } = await add({ url: 'http://127.0.0.1:9/' })
    const rule = {
      name: 'Naming',
      kind: 'trace',
      measure: 'span_count',
      comparator: 'lt',
      threshold: 0,
      enabled: false,
    }
    const stored = await ask<{ id: string }>('POST', '/alerting/rules', { ...rule, channel_ids: [id] })
    const { page } = await open({ path: `/channels/${id}` })
    const remove = async () => {
      await page.getByRole('button', { name: 'Delete the channel' }).click()
      await page.getByRole('button', { name: 'Delete the channel' }).click()
    }
    await remove()
    await page.getByText(/Naming/).waitFor()
    await ask('DELETE', `/alerting/rules/${stored.id}`)
    await remove()
    await page.getByRole('heading', { name: 'Channels', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('link', { name, exact: true }).count()).toBe(0)
  })

  it('disabling and enabling are one click, and a disabled channel says why', async () => {
    const { id, name } = await add({ url: 'http://127.0.0.1:9/' })
    const { page } = await open({ path: `/channels/${id}` })
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('A person disabled this channel.').waitFor()
    await page.getByRole('heading', { level: 1 }).getByRole('link', { name: 'Channels' }).click()
    await page.getByRole('row', { name: new RegExp(`${name} disabled`) }).waitFor()
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Renamed meanwhile')
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'Renamed meanwhile' }).waitFor()
  })

  it('a viewer sees channels masked and changes nothing, and a restricted caller none', async () => {
    const config = { url: 'http://127.0.0.1:9/secret-path', format: 'template', body_template: template }
    const { id } = await add(config)
    const viewer = await test.open({ role: 'viewer', path: `/channels/${id}` })
    await viewer.page.getByText('[masked]', { exact: true }).waitFor()
    expect(await viewer.page.content()).not.toContain('secret-path')
    for (const name of ['Send a test', 'Save changes', 'Disable', 'Delete the channel'])
      expect(await viewer.page.getByRole('button', { name }).count()).toBe(0)
    expect(viewer.faults).toEqual([])
    await viewer.context.close()
    const restricted = await open({ role: 'restricted', path: '/channels' })
    await restricted.page.getByText('Channels are not visible to the role restricted.').waitFor()
    expect(await restricted.page.getByRole('alert').count()).toBe(0)
    expect(await restricted.page.getByRole('link', { name: 'New channel' }).count()).toBe(0)
  })

  it('axe finds no violation in either theme, also in the editor with its suggestions', async () => {
    const { id } = await add({ url: 'http://127.0.0.1:9/', format: 'template', body_template: template })
    for (const theme of ['light', 'dark'] as const) {
      const shown = await test.open({ theme, path: '/channels' })
      const { page } = shown
      await page.getByRole('row').nth(1).waitFor()
      await shown.expectAccessible()
      await shown.picture(`channels-${theme}`)
      await page.goto(`${test.app.url}/channels/${id}`)
      await posted(shown).getByText('firing').waitFor()
      await shown.expectAccessible()
      await page.getByRole('textbox', { name: 'Body template' }).click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('$')
      await page.getByRole('option').first().waitFor()
      await page.getByRole('list', { name: 'Template errors' }).waitFor()
      await shown.expectAccessible()
      await shown.picture(`channel-${theme}`)
      await page.getByRole('radio', { name: 'Variables' }).click()
      await page.getByRole('button', { name: 'Insert $alert.id' }).waitFor()
      await shown.expectAccessible()
      expect(shown.faults).toEqual([])
      await shown.context.close()
    }
    const narrow = await open({ width: 600, path: `/channels/${id}` })
    await posted(narrow).getByText('firing').waitFor()
    expect(await narrow.page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true)
    await narrow.picture('channel-narrow')
  })
})
