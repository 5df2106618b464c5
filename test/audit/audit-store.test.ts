import { encodeTime } from 'ulid'
import { expect, it } from 'vitest'
import { createAudit } from '../../server/audit/audit.ts'
import { type AuditFilter, createAuditStore } from '../../server/audit/audit-store.ts'
import type { HandlerRequest } from '../../server/http/contract/handlers.ts'
import { type AuditedChange, recordChange } from '../../server/metadata/audit-log.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { authorIn } from '../support/author.ts'
import { describeStores, type NewStore, openMigrated } from '../support/stores.ts'

const dayMs = 86_400_000
const start = Date.parse('2026-03-01T09:00:00.000Z')
const everything: AuditFilter = {
  fromMs: 0,
  toMs: start * 2,
  actor_subject: undefined,
  action: undefined,
  record_kind: undefined,
  record_id: undefined,
  request_id: undefined,
}
const page = { limit: 200, before: undefined }
const change: AuditedChange = { action: 'created', kind: 'facet', id: 'a', name: 'A', after: { name: 'A' } }

/** Opens a store and writes a change at each of these times. */
async function open(newStore: NewStore, times: readonly number[], changed: AuditedChange = change) {
  const metadata = await openMigrated(await newStore())
  const ids = times.map((ms, index) => `${encodeTime(ms)}${`${index}`.padStart(16, '0')}`)
  await metadata.transaction(async (transaction) => {
    for (const id of ids) await recordChange(transaction, { id, author: authorIn('acme') }, changed)
  })
  return { metadata, ids, store: createAuditStore(metadata) }
}

describeStores('entries of the audit log', (newStore) => {
  it('are selected by a window of nanoseconds, inclusive at its start and exclusive at its end', async () => {
    const { metadata, ids } = await open(newStore, [start, start + 1, start + 2])
    const deps = {
      metadata,
      config: { auditDays: 1 },
      now: () => new Date(start),
      logger: createLogger({ level: 'silent' }),
    }
    const { listAuditEntries } = createAudit(deps as unknown as Parameters<typeof createAudit>[0]).handlers
    const idsIn = async (query: { from?: string; to?: string }) => {
      const { caller } = authorIn('acme')
      const { body } = await listAuditEntries({ caller, query } as HandlerRequest<'listAuditEntries'>)
      return body.items.map(({ id }) => ids.indexOf(id)).reverse()
    }
    expect(await idsIn({})).toEqual([0, 1, 2])
    expect(await idsIn({ from: '2026-03-01T09:00:00.001Z' })).toEqual([1, 2])
    expect(await idsIn({ from: '2026-03-01T09:00:00.000000001Z', to: '2026-03-01T09:00:00.001000001Z' })).toEqual([1])
    expect(await idsIn({ to: '2026-03-01T09:00:00.001Z' })).toEqual([0])
    expect(await idsIn({ from: '0001-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z' })).toEqual([0, 1, 2])
    await expect(idsIn({ from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  it('are deleted when they are older than AUDIT_DAYS, and no earlier', async () => {
    const times = Array.from({ length: 2_500 }, (_, n) => start + n)
    const { metadata, store } = await open(newStore, times)
    const deps = {
      metadata,
      config: { auditDays: 30 },
      now: () => new Date(start + 30 * dayMs + 2_400),
      logger: createLogger({ level: 'silent' }),
    }
    const [deletion] = createAudit(deps as unknown as Parameters<typeof createAudit>[0]).background
    deletion?.start()
    await deletion?.stop(0)
    const left = await store.list('acme', everything, page)
    expect(left).toHaveLength(100)
    expect(left.at(-1)?.at).toBe(new Date(start + 2_400).toISOString())
  })

  it('contain at most 16 KiB of each side: changed items first, then whole fields', async () => {
    const items = (length: number) => Array.from({ length }, (_, n) => ({ id: n, text: 'ü'.repeat(100) }))
    const [many, more] = [items(200), [...items(200), { id: 999, text: 'new' }]]
    const listed: AuditedChange = { ...change, before: { name: 'A', items: many }, after: { name: 'A', items: more } }
    const { store } = await open(newStore, [start], { ...listed, action: 'updated' })
    expect(await store.list('acme', everything, page)).toMatchObject([
      {
        changed: ['/items'],
        before: { name: 'A', items: [] },
        after: { name: 'A', items: [{ id: 999, text: 'new' }] },
        truncated: true,
      },
    ])
    const grown: AuditedChange = {
      ...change,
      before: { items: [{ id: 0, text: 'ü'.repeat(100) }] },
      after: { items: many },
    }
    const whole = await open(newStore, [start], { ...grown, action: 'updated' })
    expect((await whole.store.list('acme', everything, page))[0]).toMatchObject({
      before: grown.before,
      truncated: true,
    })
    const huge = await open(newStore, [start], { ...change, after: { name: 'A', items: many, text: 'x' } })
    expect((await huge.store.list('acme', everything, page))[0]).toMatchObject({
      after: { name: 'A', text: 'x' },
      truncated: true,
    })
  })
})
