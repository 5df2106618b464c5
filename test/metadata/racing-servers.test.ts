/** Two servers over one Postgres that change one record at the same time. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type Postgres, startPostgres } from '../support/postgres.ts'

type AuditEntry = components['schemas']['AuditEntry']

const rounds = 4
const org = `racing-${randomUUID()}`
let postgres: Postgres
let apps: readonly TestApp[]
beforeAll(async () => {
  postgres = await startPostgres()
  const METADATA_URL = await postgres.createDatabase()
  const env = { METADATA_URL, SECRETS_KEY: '7'.repeat(64), LOG_LEVEL: 'error' }
  apps = await Promise.all([startApp({ env }), startApp({ env })])
})
afterAll(async () => {
  for (const app of apps ?? []) await app.close()
  await postgres?.remove()
})

interface Change {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: object
  readonly ifMatch?: string
}

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: the bodies of several kinds of records.
  readonly body: any
}

/** Sends a change to one of the servers. */
async function ask(server: number, { method, path, body, ifMatch }: Change): Promise<Answer> {
  const app = apps[server % 2] as TestApp
  const headers = ifMatch === undefined ? {} : { 'if-match': ifMatch }
  const response = await app.send(`/api/v1${path}`, { method, headers, json: body, whom: { org } })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Sends changes at the same time, each to the server after that of the one before. */
const race = (...changes: readonly Change[]) => Promise.all(changes.map((change, server) => ask(server, change)))

const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort()

/** Returns the audit entries of a record, oldest first, and checks that each begins with the result of the last. */
async function historyOf(id: string): Promise<AuditEntry['action'][]> {
  const { body } = await ask(0, { method: 'GET', path: `/audit-log?limit=200&record_id=${id}` })
  const entries = (body.items as AuditEntry[]).reverse()
  for (const [index, { before }] of entries.entries()) expect(before).toEqual(entries[index - 1]?.after)
  return entries.map(({ action }) => action)
}

const rule = { kind: 'trace', measure: 'error_count', comparator: 'gt', threshold: 5, enabled: false }
const kinds = {
  integration: { path: '/integrations', body: { matchers: [{ service: 'shop' }] } },
  'saved view': { path: '/saved-views', body: {} },
  facet: { path: '/service-facets', body: {} },
  channel: { path: '/alerting/channels', body: { config: { url: 'https://receiver.example/' } } },
  'alert rule': { path: '/alerting/rules', body: rule },
}

async function create({ path, body }: { readonly path: string; readonly body: object }) {
  const made = await ask(0, { method: 'POST', path, body: { ...body, name: `Name ${randomUUID()}` } })
  expect(made.status).toBe(201)
  const id: string = made.body.id ?? made.body.slug
  return { id, path: `${path}/${id}`, name: made.body.name as string }
}

const rename = (path: string): Change => ({
  method: 'PUT',
  path,
  body: { name: `New ${randomUUID()}` },
  ifMatch: '"1"',
})

it.each(Object.entries(kinds))(
  'of two PUTs with If-Match of one %s one wins, and the other gets 412',
  async (_, kind) => {
    for (let round = 0; round < rounds; round += 1) {
      const { id, path } = await create(kind)
      const answers = await race(rename(path), rename(path))
      expect(statuses(answers)).toEqual([200, 412])
      const [stored] = await race({ method: 'GET', path })
      expect(stored?.body).toMatchObject(answers.find(({ status }) => status === 200)?.body)
      expect(await historyOf(id)).toEqual(['created', 'updated'])
    }
  },
)

it.each(Object.entries(kinds))('of a PUT and a DELETE with If-Match of one %s one wins', async (_, kind) => {
  for (let round = 0; round < rounds; round += 1) {
    const { id, path } = await create(kind)
    const [put, deletion] = await race(rename(path), { method: 'DELETE', path, ifMatch: '"1"' })
    // A PUT that reads after the deletion finds nothing.
    const isDeleted = deletion?.status === 204
    expect([put?.status, deletion?.status]).toEqual(isDeleted ? [expect.toBeOneOf([404, 412]), 204] : [200, 412])
    expect((await ask(1, { method: 'GET', path })).status).toBe(isDeleted ? 404 : 200)
    expect(await historyOf(id)).toEqual(['created', isDeleted ? 'deleted' : 'updated'])
  }
})

it.each(Object.entries(kinds))('of two %ss with one name one is created, and the other gets 409', async (_, kind) => {
  for (let round = 0; round < rounds; round += 1) {
    const made = { method: 'POST', path: kind.path, body: { ...kind.body, name: `Name ${randomUUID()}` } } as const
    expect(statuses(await race(made, made))).toEqual([201, 409])
  }
})

it('matchers that both servers append are all kept, and the audit log has every version in order', async () => {
  const { id, path } = await create(kinds.integration)
  const services = Array.from({ length: 16 }, (_, at) => `service-${at}`)
  const append = (service: string): Change => ({ method: 'POST', path: `${path}/matchers`, body: { service } })
  expect(statuses(await race(...services.map(append)))).toEqual(services.map(() => 201))
  const { body } = await ask(1, { method: 'GET', path })
  const stored = body.matchers.map(({ service }: { service: string }) => service)
  expect(stored.toSorted()).toEqual(['shop', ...services].sort())
  expect(await historyOf(id)).toEqual(['created', ...services.map(() => 'updated')])
})

it('an import and a PUT with If-Match follow each other, or the PUT gets 412', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const { id, path, name } = await create(kinds.integration)
    const imported = [{ name, matchers: [{ service: `imported-${round}` }] }]
    const body = { format_version: 1, integrations: imported }
    const change = { method: 'PUT', path, body: { description: 'put' }, ifMatch: '"1"' } as const
    const [put, answer] = await race(change, { method: 'POST', path: '/config/import', body })
    expect(answer?.status).toBe(200)
    expect(put?.status).toBeOneOf([200, 412])
    const { body: stored } = await ask(1, { method: 'GET', path })
    expect(stored.matchers).toMatchObject([{ service: `imported-${round}` }])
    const updates = put?.status === 200 ? ['updated', 'updated'] : ['updated']
    expect(await historyOf(id)).toEqual(['created', ...updates])
  }
})

it('an import takes over the records that other requests create meanwhile', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const names = Array.from({ length: 40 }, (_, at) => `Name ${round} ${at} ${randomUUID()}`)
    const integrations = names.map((name) => ({ name, matchers: [{ service: 'imported' }] }))
    const creations = names.map(
      (name): Change => ({ method: 'POST', path: '/integrations', body: { name, matchers: [{ service: 'created' }] } }),
    )
    const imports = { method: 'POST', path: '/config/import', body: { format_version: 1, integrations } } as const
    const [answer, ...created] = await race(imports, ...creations.reverse())
    expect(answer).toMatchObject({ status: 200 })
    for (const { status } of created) expect(status).toBeOneOf([201, 409])
    const { body } = await ask(0, { method: 'GET', path: '/config/export' })
    const stored = (body.integrations as typeof integrations).filter(({ name }) => names.includes(name))
    expect(stored).toMatchObject(names.toSorted().map(() => ({ matchers: [{ service: 'imported' }] })))
  }
})
