import { expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { readDocument } from '../../server/http/contract/document.ts'
import { listOperations } from '../../server/http/contract/operations.ts'
import { type Answer, sharedApp, type Tenant } from '../support/integration-app.ts'
import { startReceiver } from '../support/receiver.ts'
import { describeStores } from '../support/stores.ts'
import { type AuditedRequest, auditedRequests, marker } from './audited-operations.ts'

type AuditEntry = components['schemas']['AuditEntry']

const writing = /^(create|replace|update|delete|add|clone|test|retry|import)[A-Z]/
const handled = listOperations(readDocument()).filter(({ isHandled }) => isHandled)

it('every operation that changes records is covered, and every other one only reads', () => {
  const changing = handled.filter(({ id }) => writing.test(id))
  expect(changing.map(({ id }) => id).sort()).toEqual(Object.keys(auditedRequests).sort())
  const reading = handled.filter(({ id }) => !writing.test(id))
  expect(reading.filter(({ method }) => method === 'PUT' || method === 'DELETE')).toEqual([])
})

/** Returns all entries of an organization, oldest first. */
async function entriesOf(tenant: Tenant, query = ''): Promise<AuditEntry[]> {
  const { status, body } = await tenant.ask<{ items: AuditEntry[] }>('GET', `/audit-log?limit=200${query}`)
  expect([status, body]).toEqual([200, expect.anything()])
  return body.items.toReversed()
}

const send = (tenant: Tenant, { method, path, body }: AuditedRequest): Promise<Answer<{ id?: string }>> =>
  tenant.ask(method, path, body === undefined ? {} : { body })

/** Reads a record as the log stores it, or returns undefined if it does not exist. */
async function readRecord(tenant: Tenant, path: string): Promise<object | undefined> {
  const whom = path.endsWith('/grants') ? {} : ({ role: 'viewer', subject: 'eve' } as const)
  const { status, body } = await tenant.ask<Record<string, unknown>>('GET', path, { whom })
  // The states of alert rules and the services with a facet are not part of the record.
  const { state: _, services: __, ...record } = body
  return status === 404 ? undefined : record
}

describeStores('the audit log', (newStore) => {
  const newTenant = sharedApp(async () => {
    const { metadataUrl } = await newStore()
    return { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', ...(metadataUrl && { METADATA_URL: metadataUrl }) }
  })

  it.each(Object.keys(auditedRequests))('%s leaves its entries, with author, before and after', async (operation) => {
    const tenant = newTenant()
    const receiver = await startReceiver(() => ({ status: 400, body: marker }))
    const request = await auditedRequests[operation]?.(tenant, new URL(receiver.url).origin)
    if (request === undefined) throw new Error('The operation has no request.')
    const earlier = await entriesOf(tenant)
    const target = earlier.at(-1)?.record.id
    const before = target && request.read && (await readRecord(tenant, request.read(target)))
    const { status } = await send(tenant, request)
    expect(status).toBeLessThan(300)

    const all = await entriesOf(tenant)
    const entries = all.slice(earlier.length)
    expect(all.slice(0, earlier.length)).toEqual(earlier)
    expect(entries.map(({ action, record }) => [action, record.kind])).toEqual(request.leaves)
    const actor = { kind: 'token', subject: 'ada', role: 'admin' }
    for (const entry of entries) expect(entry).toMatchObject({ actor, operation, truncated: false })
    expect(new Set(entries.map(({ request_id }) => request_id)).size).toBe(1)
    expect(await entriesOf(tenant, `&request_id=${entries[0]?.request_id}`)).toEqual(entries)

    const [entry] = entries
    const [action] = request.leaves[0] ?? []
    expect(entry && 'before' in entry).toBe(action === 'updated' || action === 'deleted')
    expect(entry && 'after' in entry).toBe(action === 'created' || action === 'updated')
    if (!entry || !request.read) return
    expect(entry.after).toEqual(await readRecord(tenant, request.read(entry.record.id)))
    if (action !== 'created') expect([entry.record.id, entry.before]).toEqual([target, before])
    expect(entry.record.name).toBe((entry.after ?? entry.before)?.name ?? entry.record.name)
    expect(entry.changed.length > 0).toBe(action === 'updated')
  })

  it('contains no secret of a channel and no text of an API key', async () => {
    const tenant = newTenant()
    const receiver = await startReceiver(() => ({ status: 400, body: marker }))
    const keys: string[] = []
    for (const [operation, requestOf] of Object.entries(auditedRequests)) {
      if (!/Channel|Delivery|ApiKey|Config/.test(operation)) continue
      const answer = await send(tenant, await requestOf(tenant, new URL(receiver.url).origin))
      expect(answer.status, operation).toBeLessThan(300)
      if (operation === 'createApiKey') keys.push((answer.body as unknown as { key: string }).key)
      const { body } = await tenant.ask<{ items: { id: string }[] }>('GET', '/alerting/channels')
      for (const { id } of body.items ?? []) await tenant.ask('PUT', `/alerting/channels/${id}`, { body: { name: id } })
    }
    const rows = await tenant.app.app.metadata.db.selectFrom('audit_entries').selectAll().execute()
    const stored = await tenant.app.app.metadata.db.selectFrom('api_keys').select('hash').execute()
    const text = JSON.stringify(rows.filter(({ org }) => org === tenant.org))
    expect(receiver.received.length).toBeGreaterThan(0)
    for (const secret of [marker, Buffer.from(marker).toString('base64').slice(0, -4), ...keys])
      expect(text).not.toContain(secret)
    for (const { hash } of stored) expect(text).not.toContain(hash)
  })

  it('names masked fields that change', async () => {
    const tenant = newTenant()
    const made = await auditedRequests.updateChannel?.(tenant, 'https://hooks.example')
    if (made) await send(tenant, made)
    const [entry] = (await entriesOf(tenant)).slice(-1)
    expect(entry?.changed).toEqual(['/config/url', '/credentials/auth_header', '/credentials/signing_secret'])
  })

  it('names the API key that authorized a change', async () => {
    const tenant = newTenant()
    const body = { name: 'deployer', role: 'contributor' }
    const { id, key } = (await tenant.ask<{ id: string; key: string }>('POST', '/api-keys', { body })).body
    const sent = { headers: { authorization: `Bearer ${key}` }, json: { name: 'Slow' } }
    expect((await tenant.app.send('/api/v1/saved-views', sent)).status).toBe(201)
    const actor = { kind: 'api_key', subject: `key:${id}`, role: 'contributor', key_name: 'deployer' }
    expect((await entriesOf(tenant, `&actor=key:${id}`)).map((entry) => entry.actor)).toEqual([actor])
  })

  it('is filtered by action and by the kind of the record', async () => {
    const tenant = newTenant()
    const { id } = await tenant.create({})
    await tenant.ask('POST', '/saved-views', { body: { name: 'Slow' } })
    await tenant.ask('DELETE', `/integrations/${id}`)
    const found = async (query: string) =>
      (await entriesOf(tenant, query)).map(({ action, record }) => `${action} ${record.kind}`)
    expect(await found('&action=created')).toEqual(['created integration', 'created saved_view'])
    expect(await found('&record_kind=integration')).toEqual(['created integration', 'deleted integration'])
    expect(await found('&action=deleted&record_kind=integration')).toEqual(['deleted integration'])
  })

  it('has no entry for a change that is refused', async () => {
    const tenant = newTenant()
    const { id } = await tenant.create({ name: 'Shop' })
    await tenant.ask('POST', '/alerting/rules', { body: { name: 'r', integration_id: id } })
    const earlier = await entriesOf(tenant)
    const put = { body: { name: 'Other' } }
    const refused = [
      await tenant.ask('PUT', `/integrations/${id}`, { ...put, ifMatch: '"9"' }),
      await tenant.ask('DELETE', `/integrations/${id}`, { ifMatch: '"9"' }),
      await tenant.ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['eve'] }, ifMatch: '"9"' }),
      await tenant.ask('PUT', `/integrations/${id}`, { ...put, whom: { role: 'viewer' } }),
      await tenant.ask('POST', '/integrations', { body: { name: 'Shop' } }),
      await tenant.ask('PUT', '/saved-views/01JNB4Y8Z0V6Q3W2R7T5X9K1MD', put),
      await tenant.ask('DELETE', '/api-keys/01JNB4Y8Z0V6Q3W2R7T5X9K1MD'),
      await tenant.ask('POST', '/saved-views', { body: { name: 'v', integration_id: '01JNB4Y8Z0V6Q3W2R7T5X9K1MD' } }),
      await tenant.ask('POST', '/config/import', {
        body: { format_version: 1, facets: [{ slug: 'a', name: 'a' }], saved_views: [{ name: 'v', integration: '?' }] },
      }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([412, 412, 412, 403, 409, 404, 404, 422, 422])
    expect(await entriesOf(tenant)).toEqual(earlier)
  })

  it('has one entry for each of 20 concurrent edits, whose versions follow each other', async () => {
    const tenant = newTenant()
    const { id } = await tenant.create({})
    const edits = Array.from({ length: 20 }, (_, n) =>
      tenant.ask('PUT', `/integrations/${id}`, { body: { description: `${n}` } }),
    )
    expect((await Promise.all(edits)).map(({ status }) => status)).toEqual(edits.map(() => 200))
    const entries = (await entriesOf(tenant, `&record_id=${id}`)).slice(1)
    const versions = entries.map(({ before, after }) => [before?.version, after?.version])
    expect(versions.sort((left, right) => Number(left[0]) - Number(right[0]))).toEqual(
      edits.map((_, n) => [n + 1, n + 2]),
    )
  })

  it('refuses filters with a null character, which Postgres cannot compare', async () => {
    for (const filter of ['actor', 'record_id']) {
      const { refusal } = await newTenant().ask('GET', `/audit-log?${filter}=a%00`)
      expect(refusal).toEqual(['invalid_request', `#/query/${filter}`])
    }
  })

  it('is readable by admins of its organization only', async () => {
    const [tenant, other] = [newTenant(), newTenant()]
    await tenant.create({})
    await other.create({})
    for (const role of ['ingest', 'restricted', 'viewer', 'contributor'] as const)
      expect((await tenant.ask('GET', '/audit-log', { whom: { role } })).status, role).toBe(403)
    const [entry, ...more] = await entriesOf(tenant)
    expect(more).toEqual([])
    expect(await entriesOf(other, `&record_id=${entry?.record.id}`)).toEqual([])
    const first = await tenant.ask<{ next_cursor: string }>('GET', '/audit-log?limit=1')
    expect(first.body.next_cursor).toBeNull()
  })
})
