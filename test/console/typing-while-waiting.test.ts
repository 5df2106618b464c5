import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { holdBack, holdBackAnswer, sharedConsole } from './console-page.ts'

const json = (value: object) => encodeURIComponent(JSON.stringify(value))
const name = { attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value: 'POST /orders' }
const relation = (within_ms: number) => ({ kind: 'followed_by', from: [name], to: [name], within_ms })

/** What is typed or saved while an answer is on its way, or changed by something else than typing. */
describeInChromium('typing while an answer is awaited', () => {
  const { open, ask } = sharedConsole()

  it('3, 4: the time of a relation is that of the address, and stays as it is typed', async () => {
    const { page } = await open({ path: `/?relations=${json([relation(300_000), relation(10_000)])}` })
    const within = page.getByRole('textbox', { name: 'Relation 1: within' })
    await page.getByRole('button', { name: 'Remove relation 1', exact: true }).click()
    await expect.poll(() => within.inputValue()).toBe('10 s')
    await page.goBack()
    await expect.poll(() => within.inputValue()).toBe('5 min')
    await within.fill('')
    await within.pressSequentially('60 s')
    await expect.poll(() => page.url()).toContain('within_ms%22%3A60000')
    expect(await within.inputValue()).toBe('60 s')
  })

  it('4, 7: a sentence that is changed while it is read stays open, and its last text is sent', async () => {
    const { page } = await open()
    await page.getByRole('button', { name: 'Edit as text' }).click()
    const sentence = page.getByRole('textbox', { name: 'The search as a sentence' })
    const first = await holdBackAnswer(page, '**/api/v1/messages/parse')
    await sentence.fill('Messages with status ok')
    await sentence.press('Enter')
    await sentence.fill('Messages with status error')
    const isRead = page.waitForResponse('**/api/v1/messages/parse')
    await first.letGo()
    await isRead
    expect(await sentence.inputValue()).toBe('Messages with status error')
    await sentence.press('Enter')
    await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('error')
  })

  it('7: a sentence that is edited right after the filter was changed is that of the changed filter', async () => {
    const { page } = await open({ path: '/?status=error' })
    await page.getByText('Messages with status error, in the last hour.').waitFor()
    const answer = await holdBack(page, '**/api/v1/messages/summary')
    await page.getByRole('button', { name: 'Status of the message' }).click()
    await page.getByRole('option', { name: 'without errors' }).click()
    await page.getByRole('button', { name: 'Edit as text' }).click()
    answer()
    const sentence = page.getByRole('textbox', { name: 'The search as a sentence' })
    await expect.poll(() => sentence.inputValue()).toBe('Messages with status ok, in the last hour.')
    await sentence.fill('')
    expect(await sentence.inputValue()).toBe('')
  })

  it('4: variables of a template that arrive after their sign was typed are suggested', async () => {
    const { page } = await open({ path: '/channels/new' })
    const answer = await holdBack(page, '**/api/v1/alerting/template-context-schema?*')
    await page.getByRole('radio', { name: 'Custom body' }).click()
    await page.getByRole('textbox', { name: 'Body template' }).click()
    await page.keyboard.press('Control+a')
    // The preview is requested after a longer pause of the keys than variables are suggested.
    const isPreviewed = page.waitForRequest(
      (request) => request.url().endsWith('/templates/preview') && request.postData()?.includes('$alert.su') === true,
    )
    await page.keyboard.type('$alert.su')
    await isPreviewed
    answer()
    await page.getByRole('option', { name: /alert\.summary/ }).waitFor()
  })

  it('4: what is typed while an API key is made stays, as the name of the next one', async () => {
    const { page } = await open({ path: '/settings' })
    const answer = await holdBack(page, '**/api/v1/api-keys')
    const name = page.getByRole('textbox', { name: 'What the key is for' })
    await name.fill('First')
    await name.press('Enter')
    await name.fill('Second')
    answer()
    await page.getByText('First: copy the key now.').waitFor()
    expect(await name.inputValue()).toBe('Second')
    await name.press('Enter')
    await page.getByText('Second: copy the key now.').waitFor()
    await expect.poll(() => name.inputValue()).toBe('')
  })

  it('4: what is typed while a facet is made stays, as a change of it', async () => {
    const { page } = await open({ path: '/services?show=facets' })
    const answer = await holdBack(page, '**/api/v1/service-facets')
    await page.getByRole('button', { name: 'New facet' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Billing')
    await page.getByRole('button', { name: 'Create facet' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('Writes invoices')
    answer()
    await page.getByRole('form', { name: 'Facet billing' }).waitFor()
    await page.getByRole('button', { name: 'Save facet' }).click()
    await page.getByText('Writes invoices', { exact: true }).waitFor()
    await ask('DELETE', '/service-facets/billing')
  })

  it('4: what is typed while a rule is added stays, as the next one', async () => {
    const path = '/services/cart/facet-mappings'
    const { page } = await open({ path: '/services/cart?show=classification' })
    const answer = await holdBack(page, `**/api/v1${path}`)
    await page.getByRole('button', { name: 'New rule' }).click()
    const attribute = page.getByRole('combobox', { name: 'Attribute' })
    const add = page.getByRole('button', { name: 'Add rule' })
    await attribute.fill('messaging.system')
    await attribute.press('Tab')
    await add.click()
    await attribute.fill('db.system')
    await attribute.press('Tab')
    answer()
    await page.getByRole('button', { name: 'Delete rule 1' }).waitFor()
    await add.click()
    await page.getByRole('button', { name: 'Delete rule 2' }).waitFor()
    await expect.poll(() => attribute.count()).toBe(0)
    for (const { id } of (await ask<Rules>('GET', path)).items) await ask('DELETE', `${path}/${id}`)
  })

  it('4: what is typed while a view is saved stays, as another name of it', async () => {
    const { page } = await open({ path: '/?status=error' })
    const answer = await holdBack(page, '**/api/v1/saved-views')
    await page.getByRole('button', { name: 'Save as view' }).click()
    const name = page.getByRole('textbox', { name: 'Name of the view' })
    await name.fill('First')
    await name.press('Enter')
    await name.fill('Second')
    answer()
    await expect.poll(() => new URL(page.url()).searchParams.has('view')).toBe(true)
    await name.press('Enter')
    await page.getByText('View Second', { exact: true }).waitFor()
    const { items } = await ask<{ items: { name: string }[] }>('GET', '/saved-views')
    expect(items.map((each) => each.name)).toEqual(['Second'])
  })

  it('4: what is typed while a view is renamed in the list stays, as the next name', async () => {
    const { id } = await ask<{ id: string }>('POST', '/saved-views', { name: 'Before', rows: [] })
    const { page } = await open({ path: '/views?find=Before' })
    await page.getByRole('button', { name: 'Rename Before' }).click()
    const answer = await holdBack(page, `**/api/v1/saved-views/${id}`)
    const name = page.getByRole('textbox', { name: 'Name of the view' })
    await name.fill('Before noon')
    await name.press('Enter')
    await name.fill('Before midnight')
    answer()
    await page.getByRole('listitem', { name: 'Before noon' }).waitFor()
    expect(await name.inputValue()).toBe('Before midnight')
    await name.press('Enter')
    await page.getByRole('link', { name: 'Before midnight' }).waitFor()
    await ask('DELETE', `/saved-views/${id}`)
  })

  it('4: what is typed while an integration is created stays, as a change of it', async () => {
    const { page } = await open({ path: '/integrations/new' })
    const answer = await holdBack(page, '**/api/v1/integrations')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop')
    const service = page.getByRole('combobox', { name: 'Name of service 1' })
    await service.fill('frontend')
    await service.press('Tab')
    await page.getByRole('button', { name: 'Create integration' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('Sells things')
    answer()
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    const list = () => ask<{ items: object[] }>('GET', '/integrations')
    await expect.poll(list).toMatchObject({ items: [{ name: 'Shop', description: 'Sells things' }] })
  })

  it('4: what is typed while an alert rule is created stays, as a change of it', async () => {
    const { page } = await open({ path: '/alerts/rules/new' })
    const answer = await holdBack(page, '**/api/v1/alerting/rules')
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Loud')
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByRole('textbox', { name: 'Threshold' }).fill('9')
    answer()
    await page.getByRole('heading', { name: 'Loud', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    const list = () => ask<{ items: object[] }>('GET', '/alerting/rules')
    await expect.poll(list).toMatchObject({ items: [{ name: 'Loud', threshold: 9 }] })
  })

  it('4: what is typed while a channel is created stays, as a change of it', async () => {
    const { page, picture } = await open({ path: '/channels/new' })
    const answer = await holdBack(page, '**/api/v1/alerting/channels')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Pager')
    await page.getByRole('textbox', { name: 'URL of the receiver' }).fill('https://receiver.example/a')
    await page.getByRole('button', { name: 'Create channel' }).click()
    await name.fill('Night pager')
    answer()
    await page.getByRole('heading', { name: 'Pager was created' }).waitFor()
    await page.getByText('What you typed meanwhile is not saved yet.').waitFor()
    // Heard as well, because the focus goes on past the heading.
    await expect.poll(() => page.locator('[data-announcements]').textContent()).toBe('Pager was created')
    await picture('channel-typed-meanwhile')
    await page.getByRole('link', { name: 'Continue to the channel' }).click()
    await expect.poll(() => name.inputValue()).toBe('Night pager')
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('whsec_')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'Night pager', level: 1 }).waitFor()
    const { items } = await ask<{ items: { id: string }[] }>('GET', '/alerting/channels')
    expect(items).toMatchObject([{ name: 'Night pager', config: { url: 'https://receiver.example/a' } }])
    for (const { id } of items) await ask('DELETE', `/alerting/channels/${id}`)
  })

  it('4: what is typed while an integration is cloned stays, as another name of the clone', async () => {
    const { id } = await ask<{ id: string }>('POST', '/integrations', {
      name: 'Mail',
      matchers: [{ service: 'email' }],
    })
    const { page } = await open({ path: `/integrations/${id}` })
    const answer = await holdBack(page, '**/api/v1/integrations/*/clone')
    await page.getByRole('button', { name: 'More about Mail' }).click()
    await page.getByRole('menuitem', { name: 'Clone…' }).click()
    const name = page.getByRole('textbox', { name: 'Name of the clone' })
    await name.fill('Mail of today')
    await name.press('Enter')
    await name.fill('Mail of tomorrow')
    answer()
    await page.getByRole('heading', { name: 'Mail of today', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('heading', { name: 'Mail of tomorrow', level: 1 }).waitFor()
    for (const each of (await ask<Rules>('GET', '/integrations')).items) await ask('DELETE', `/integrations/${each.id}`)
  })

  it('20: a rule that is added before the rules were read is in their table', async () => {
    const path = '/services/checkout/facet-mappings'
    const { page } = await open({ path: '/services/checkout' })
    const rules = await holdBackAnswer(page, `**/api/v1${path}?explain=true*`)
    await page.getByRole('radio', { name: 'Classification' }).click()
    await rules.isAnswered
    await page.getByRole('button', { name: 'New rule' }).click()
    await page.getByRole('combobox', { name: 'Attribute' }).fill('messaging.system')
    await page.keyboard.press('Tab')
    const isAdded = page.waitForResponse((response) => response.request().method() === 'POST')
    await page.getByRole('button', { name: 'Add rule' }).click()
    await isAdded
    await rules.letGo()
    await page.getByRole('cell', { name: 'span attribute messaging.system exists' }).waitFor()
    for (const { id } of (await ask<Rules>('GET', path)).items) await ask('DELETE', `${path}/${id}`)
  })

  it('17: a channel that is saved while it is read again stays as it was saved', async () => {
    const channel = { name: 'Pager', config: { url: 'https://receiver.example' } }
    const { id } = await ask<{ id: string }>('POST', '/alerting/channels', channel)
    const { page } = await open({ path: `/channels/${id}` })
    const title = (name: string) => page.getByRole('heading', { name, level: 1 })
    await title('Pager').waitFor()
    await page.getByRole('link', { name: 'Channels' }).first().click()
    await title('Channels').waitFor()
    const older = await holdBackAnswer(page, `**/api/v1/alerting/channels/${id}`)
    await page.getByRole('link', { name: 'Pager' }).click()
    await older.isAnswered
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Night pager')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await title('Night pager').waitFor()
    await older.letGo()
    // A channel as it was before the change cannot be disabled: it has another version.
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await title('Night pager').waitFor()
  })
})

interface Rules {
  readonly items: readonly { readonly id: string }[]
}
