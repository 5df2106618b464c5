import type { Selectable } from 'kysely'
import { decodeTime, encodeTime } from 'ulid'
import type { components } from '../../openapi/types.ts'
import type { Metadata } from '../metadata/database.ts'
import type { NewestPage } from '../metadata/record-store.ts'
import type { AuditEntriesTable } from '../metadata/schema.ts'

type AuditEntryRecord = components['schemas']['AuditEntry']

type FilteredColumn = 'actor_subject' | 'action' | 'record_kind' | 'record_id' | 'request_id'

/** Selects entries by the values of columns. A value that is undefined selects all entries. */
export type AuditFilter = { readonly [Column in FilteredColumn]: AuditEntriesTable[Column] | undefined } & {
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

const deletedPerBatchMax = 200

/** The columns of the indexes, those with the fewest entries of one value first. SQLite does not know these numbers. */
const indexedColumns: readonly (readonly FilteredColumn[])[] = [
  ['request_id'],
  ['record_id'],
  ['record_kind', 'action'],
  ['record_kind'],
  ['action'],
  ['actor_subject'],
]

export function createAuditStore({ db }: Metadata): AuditStore {
  return {
    async list(org, { fromMs, toMs, ...columns }, { limit, before }) {
      // With a second upper bound, SQLite expects ids alone to select so few rows that it takes no other index.
      const end = encodeTime(toMs)
      const first = before !== undefined && before < end ? before : end
      let entries = db.selectFrom('audit_entries').selectAll().where('org', '=', org)
      entries = entries.where('id', '>=', encodeTime(fromMs)).where('id', '<', first)
      const indexed = indexedColumns.find((each) => each.every((column) => columns[column] !== undefined)) ?? []
      for (const [column, value] of Object.entries(columns) as [FilteredColumn, string | undefined][]) {
        if (value === undefined) continue
        // An index is used only for a column that is compared by itself.
        entries = entries.where(({ eb, fn, ref, val }) =>
          eb(indexed.includes(column) ? ref(column) : fn.coalesce(column, val('')), '=', value),
        )
      }
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
