import { sql } from 'kysely'
import { decodeTime } from 'ulid'
import { expect, it } from 'vitest'
import { type AuditFilter, createAuditStore } from '../../server/audit/audit-store.ts'
import type { Metadata } from '../../server/metadata/database.ts'
import { plansOf } from '../support/query-plans.ts'
import { describeStores, openMigrated } from '../support/stores.ts'

const entryCount = 100_000
/** The parts of an id before and after the number of its entry. */
const [era, rest] = ['01KH', '0'.repeat(16)]
const idOf = (n: number) => `${era}${`${n}`.padStart(6, '0')}${rest}`
const page = { limit: 201, before: idOf(90_000) }
const unfiltered = {
  actor_subject: undefined,
  action: undefined,
  record_kind: undefined,
  record_id: undefined,
  request_id: undefined,
}
const everything: AuditFilter = { fromMs: 0, toMs: 2 * decodeTime(idOf(0)), ...unfiltered }

const filters: readonly (readonly [string, AuditFilter])[] = [
  ['everything', everything],
  ['a window', { ...everything, fromMs: decodeTime(idOf(40_000)), toMs: decodeTime(idOf(60_000)) }],
  ['a record', { ...everything, record_id: 'record-7' }],
  ['an actor', { ...everything, actor_subject: 'subject-7' }],
  ['a request', { ...everything, request_id: 'request-7' }],
  ['an action', { ...everything, action: 'retried' }],
  ['a kind', { ...everything, record_kind: 'delivery' }],
  ['an action on a kind', { ...everything, record_kind: 'integration', action: 'deleted' }],
]

/** Filters of several columns, with the index of the column that has the fewest entries of one value. */
const leading: readonly (readonly [string, AuditFilter, string])[] = [
  ['an action on a record', { ...everything, action: 'updated', record_id: 'record-7' }, 'record_id'],
  ['a kind in a request', { ...everything, record_kind: 'integration', request_id: 'request-7' }, 'request_id'],
  ['an action of an actor', { ...everything, action: 'retried', actor_subject: 'subject-7' }, 'action'],
]

/** Writes entries of two organizations, of which one has almost all. Their times follow each other. */
async function fill({ db, kind }: Metadata): Promise<void> {
  await sql`
    INSERT INTO audit_entries
      (org, id, actor_kind, actor_subject, action, record_kind, record_id, record_name, request_id, changed, is_partial)
    SELECT
      CASE WHEN n % 100 = 0 THEN 'small' ELSE 'large' END,
      ${era} || substr(CAST(1000000 + n AS text), 2) || ${rest},
      'token',
      'subject-' || CAST(n % 50 AS text),
      CASE WHEN n % 1000 = 7 THEN 'retried' WHEN n % 10 = 0 THEN 'deleted' ELSE 'updated' END,
      CASE WHEN n % 1000 = 7 THEN 'delivery' ELSE 'integration' END,
      'record-' || CAST(n % 1000 AS text),
      'Name',
      'request-' || CAST(n AS text),
      '[]',
      0
    FROM (
      WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${sql.lit(entryCount - 1)})
      SELECT n FROM numbers
    ) AS numbered
  `.execute(db)
  // Postgres does so by itself, and SQLite never does.
  if (kind === 'postgres') await sql`ANALYZE audit_entries`.execute(db)
}

describeStores(`a page of ${entryCount} audit entries`, (newStore) => {
  it('is read from an index, without a scan of the table and without a sort', async () => {
    const metadata = await openMigrated(await newStore())
    await fill(metadata)
    for (const org of ['large', 'small'])
      for (const [name, filter] of filters) {
        const plans = await plansOf(metadata, (watched) =>
          createAuditStore(watched as Metadata).list(org, filter, page),
        )
        expect(plans, name).toHaveLength(1)
        expect(plans[0], `${name} of ${org}`).toMatch(/Index Scan|USING INDEX/)
        expect(plans[0], `${name} of ${org}`).not.toMatch(/Seq Scan|Sort|SCAN audit|TEMP B-TREE/)
      }
    for (const [name, filter, column] of leading) {
      const [plan] = await plansOf(metadata, (watched) =>
        createAuditStore(watched as Metadata).list('large', filter, page),
      )
      expect(plan, name).toContain(`audit_entries_by_${column} `)
    }
    // SQLite would explain a deletion in a transaction, which its driver commits too early.
    if (metadata.kind === 'libsql') return
    const store = (watched: Pick<Metadata, 'db'>) => createAuditStore(watched as Metadata)
    const [plan] = await plansOf(metadata, (watched) => store(watched).deleteBefore(new Date(decodeTime(idOf(0)))))
    expect(plan).toMatch(/audit_entries_by_id/)
  })
})
