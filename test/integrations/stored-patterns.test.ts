import { beforeAll, expect, it } from 'vitest'
import { matcher, sharedApp, storeOrders, type Tenant } from '../support/integration-app.ts'

const newTenant = sharedApp()
const subject = 'partner'
const restricted = { role: 'restricted', subject } as const
let tenant: Tenant
/** An integration with a regular expression that an earlier version accepted, and ClickHouse does not compile. */
let id: string

beforeAll(async () => {
  tenant = newTenant()
  await storeOrders(tenant)
  const matchers = [matcher('shop', { operator: 'regex', value: 't-(1)' })]
  id = (await tenant.create({ matchers })).id
  await tenant.ask('PUT', `/integrations/${id}/grants`, { body: { subjects: [subject] }, ifMatch: '*' })
  const { db } = tenant.app.app.metadata
  const stored = db.selectFrom('integrations').select('matchers').where('id', '=', id)
  const { matchers: text } = await stored.executeTakeFirstOrThrow()
  await db
    .updateTable('integrations')
    .set({ matchers: text.replace('t-(1)', 't-(1') })
    .where('id', '=', id)
    .execute()
})

const everything = { rows: [] }

it.each([
  ['a count', 'POST', '/messages/count', everything],
  ['a page', 'POST', '/messages/search', everything],
  ['an export', 'POST', '/messages/export', everything],
  ['the services', 'GET', '/services', undefined],
])(
  '%s within a granted integration whose pattern does not compile says that the grant is at fault',
  async (...call) => {
    const [, method, path, body] = call
    const answer = await tenant.ask(method, path, { body, whom: restricted })
    expect(answer).toMatchObject({
      status: 422,
      body: {
        code: 'refused',
        detail:
          'A regular expression of an integration that is granted to you is not valid RE2 syntax, so nothing can be ' +
          'shown to you. Ask an administrator to replace it.',
      },
    })
  },
)

it('a query of others is not said to be at fault for a grant', async () => {
  expect(await tenant.ask('POST', '/messages/count', { body: everything })).toMatchObject({ status: 200 })
  expect((await tenant.ask('GET', `/integrations/${id}/stats`)).body).toMatchObject({
    detail: expect.stringContaining('Replace it in the conditions or in those of the integration.'),
  })
})
