import type { Selectable } from 'kysely'
import { decodeTime, encodeTime } from 'ulid'
import type { components } from '../../openapi/types.ts'
import type { Metadata } from '../metadata/database.ts'
import type { NewestPage } from '../metadata/record-store.ts'
import type { AuditEntriesTable } from '../metadata/schema.ts'

type AuditEntryRecord = components['schemas']['AuditEntry']

/** Selects entries by the values of columns. A value that is undefined selects all entries. */
export type AuditFilter = {
  readonly [Column in 'actor_subject' | 'action' | 'record_kind' | 'record_id' | 'request_id']:
    | AuditEntriesTable[Column]
    | undefined
} & {
  /** The first millisecond since 1970. */
  readonly fromMs: number
  /** The millisecond after the last one. */
  readonly toMs: number
}

/** Reads and deletes audit entries. `server/metadata/audit-log.ts` writes them. */
export interface AuditStore {
  list(org: string, filter: AuditFilter, page: NewestPage): Promise<AuditEntryRecord[]>
  /** Deletes a batch of entries that are older than a time, and returns the number of deleted entries. */
  deleteBefore(time: Date): Promise<number>
}

const deletedPerBatchMax = 1_000

export function createAuditStore({ db }: Metadata): AuditStore {
  return {
    async list(org, { fromMs, toMs, ...columns }, { limit, before }) {
      let entries = db.selectFrom('audit_entries').selectAll().where('org', '=', org)
      entries = entries.where('id', '>=', encodeTime(fromMs)).where('id', '<', encodeTime(toMs))
      if (before !== undefined) entries = entries.where('id', '<', before)
      for (const [column, value] of Object.entries(columns))
        if (value !== undefined) entries = entries.where(column as keyof typeof columns, '=', value)
      return (await entries.orderBy('id', 'desc').limit(limit).execute()).map(toAuditEntryRecord)
    },
    async deleteBefore(time) {
      const oldest = db
        .selectFrom('audit_entries')
        .select('id')
        .where('id', '<', encodeTime(Math.max(0, time.getTime())))
        .orderBy('id')
        .limit(deletedPerBatchMax)
      const { numDeletedRows } = await db.deleteFrom('audit_entries').where('id', 'in', oldest).executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}

function toAuditEntryRecord(row: Selectable<AuditEntriesTable>): AuditEntryRecord {
  return {
    id: row.id,
    at: new Date(decodeTime(row.id)).toISOString(),
    actor: {
      kind: row.actor_kind,
      subject: row.actor_subject,
      ...(row.actor_role !== null && { role: row.actor_role }),
      ...(row.actor_key_name !== null && { key_name: row.actor_key_name }),
    },
    ...(row.operation !== null && { operation: row.operation }),
    ...(row.request_id !== null && { request_id: row.request_id }),
    action: row.action,
    record: { kind: row.record_kind, id: row.record_id, name: row.record_name },
    changed: JSON.parse(row.changed),
    ...(row.before !== null && { before: JSON.parse(row.before) }),
    ...(row.after !== null && { after: JSON.parse(row.after) }),
    truncated: row.is_partial === 1,
  }
}
