import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInChromium } from '../support/chromium.ts'
import { integrationsConsole, purchases } from './integrations-console.ts'

/** A record and the form that changes it. */
interface Form {
  /** Where the record is created, with which body; absent for what every service has. */
  readonly create?: readonly [path: string, body: object]
  /** What the form changes, below the path where the record was created. */
  readonly part?: string
  readonly address: (id: string) => string
  readonly edit: (page: Page) => Promise<void>
  readonly save: string
  /** What the page shows once the record is saved. */
  readonly isSaved: (page: Page) => Promise<void>
}

const nameField = (page: Page) => page.getByRole('textbox', { name: 'Name', exact: true })
const rename = (page: Page) => nameField(page).fill('After')
const isRenamed = (page: Page) => page.getByRole('heading', { name: 'After' }).waitFor()
const rule = { name: 'Before', kind: 'trace', measure: 'span_count', comparator: 'lt', threshold: 0 }
const config = { url: 'https://receiver.example/', format: 'json' }
const tenant = [{ attribute_key: 'tenant', operator: 'eq', value: 'contoso' }]
const integration = { name: 'Before', matchers: [purchases] }

const forms: Readonly<Record<string, Form>> = {
  integration: {
    create: ['/integrations', integration],
    address: (id) => `/integrations/${id}`,
    async edit(page) {
      await rename(page)
      await page.getByRole('button', { name: 'Add service' }).click()
      await page.getByRole('combobox', { name: 'Name of service 2' }).fill('payment')
      // Tab closes the list of suggestions, which hides the rest of the page.
      await page.keyboard.press('Tab')
    },
    save: 'Save changes',
    isSaved: isRenamed,
  },
  'alert rule': {
    create: ['/alerting/rules', rule],
    address: (id) => `/alerts/rules/${id}`,
    edit: rename,
    save: 'Save changes',
    isSaved: isRenamed,
  },
  channel: {
    create: ['/alerting/channels', { name: 'Before', kind: 'webhook', config }],
    address: (id) => `/channels/${id}`,
    edit: rename,
    save: 'Save changes',
    isSaved: isRenamed,
  },
  view: {
    create: ['/saved-views', { name: 'Opened', rows: tenant, window: { kind: 'relative', last_s: 3_600 } }],
    address: (id) => `/?view=${id}&last=6h&status=error`,
    edit: async () => {},
    save: 'Save changes',
    isSaved: (page) => expect.poll(() => page.getByRole('button', { name: 'Save changes' }).count()).toBe(0),
  },
  'name of a view': {
    create: ['/saved-views', { name: 'Before', rows: tenant, window: { kind: 'relative', last_s: 3_600 } }],
    address: () => '/views',
    async edit(page) {
      await page.getByRole('button', { name: 'Rename Before' }).click()
      await page.getByRole('textbox').last().fill('After')
    },
    save: 'Save',
    isSaved: (page) => page.getByRole('link', { name: 'After' }).waitFor(),
  },
  facet: {
    create: ['/service-facets', { name: 'Before', description: '' }],
    address: () => '/services?show=facets',
    async edit(page) {
      await page.getByRole('button', { name: 'Edit Before' }).click()
      await rename(page)
    },
    save: 'Save facet',
    isSaved: (page) => page.getByText('After', { exact: true }).waitFor(),
  },
  'set of overrides': {
    part: '/services/checkout/facet-overrides',
    address: () => '/services/checkout?show=facets',
    async edit(page) {
      for (const slug of ['worker', 'file-input']) {
        const choice = page.getByRole('radiogroup', { name: `Override of ${slug}` })
        await choice.getByRole('radio', { name: 'Hidden' }).click()
      }
    },
    save: 'Save overrides',
    isSaved: (page) => expect.poll(() => page.getByText('Not saved yet').count()).toBe(0),
  },
  'list of grants': {
    create: ['/integrations', integration],
    part: '/grants',
    address: (id) => `/integrations/${id}/access`,
    async edit(page) {
      for (const subject of ['mallory', 'grace']) {
        await page.getByRole('combobox', { name: 'Subject to add' }).fill(subject)
        await page.getByRole('button', { name: 'Add', exact: true }).click()
      }
    },
    save: 'Save access',
    isSaved: (page) => page.getByText('Saved', { exact: true }).waitFor(),
  },
}

describeInChromium('saves whose answers are lost', () => {
  const { open, ask } = integrationsConsole()

  it.each(Object.entries(forms))('%s: what was stored is no conflict when it is saved again', async (_, form) => {
    const [path = '', body = {}] = form.create ?? []
    const made = path === '' ? {} : await ask<{ id?: string; slug?: string }>('POST', path, body)
    const name = made.id ?? made.slug ?? ''
    const { page } = await open({ path: form.address(name) })
    await form.edit(page)
    const pattern = `**/api/v1${path === '' ? '' : `${path}/${name}`}${form.part ?? ''}`
    await page.route(pattern, async (route) => {
      if (route.request().method() !== 'PUT') return route.fallback()
      await route.fetch()
      await route.abort('connectionreset')
      await page.unroute(pattern)
    })
    const save = page.getByRole('button', { name: form.save, exact: true })
    await save.click()
    await page.getByText('The server does not answer.').waitFor()
    await save.click()
    await form.isSaved(page)
    await expect.poll(() => page.getByText('The server does not answer.').count()).toBe(0)
    expect(await page.getByText(/changed meanwhile/).count()).toBe(0)
    if (path !== '') await ask('DELETE', `${path}/${name}`)
  })
})
