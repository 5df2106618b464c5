import type { Transaction } from 'kysely'
import { type AuditedKind, type Author, recordChange } from '../metadata/audit-log.ts'
import type { AuditedRecord } from '../metadata/audit-snapshot.ts'
import type { Connection } from '../metadata/database.ts'
import type { RecordStoreDeps } from '../metadata/record-store.ts'
import type { Schema } from '../metadata/schema.ts'
import { problem } from '../problem/problem.ts'

/** The settings of one service. The version is 0 before the first change. */
export interface ServiceRecord<Content> {
  readonly service: string
  readonly content: Content
  readonly version: number
}

/** A table of settings by service, each stored as one JSON text. */
export interface ServiceRecords<Content> {
  /** The table, and the kind of the records in the audit log. */
  readonly table: 'facet_overrides' | 'facet_mappings'
  /** What the settings are called in problems. */
  readonly plural: string
  toAudited(content: Content): AuditedRecord
  /** The settings of a service that has no record. */
  readonly empty: Content
  isEmpty(content: Content): boolean
  /** @throws Problem `refused` when the settings of all services of an organization together exceed a limit */
  checkTogether(contents: readonly Content[]): void
}

/** The maximum number of services with settings in one table. An export contains as many. */
const servicesPerOrgMax = 1_000

/** Reads the settings of a service; the empty ones, at version 0, if none are stored. */
export async function findServiceRecord<Content>(
  { table, empty }: ServiceRecords<Content>,
  connection: Connection,
  org: string,
  service: string,
): Promise<ServiceRecord<Content>> {
  const unset = { service, content: empty, version: 0 }
  // Telemetry may have the null character in a name, and no record has it, because Postgres cannot even compare it.
  if (service.includes('\0')) return unset
  const selected = connection.selectFrom(table).select(['content', 'version']).where('org', '=', org)
  const row = await selected.where('service', '=', service).executeTakeFirst()
  return row === undefined ? unset : { service, content: JSON.parse(row.content), version: row.version }
}

/** Reads the records that are not empty, sorted by service. */
export async function allServiceRecords<Content>(
  { table, isEmpty }: ServiceRecords<Content>,
  connection: Connection,
  org: string,
): Promise<ServiceRecord<Content>[]> {
  const rows = connection.selectFrom(table).select(['service', 'content', 'version']).where('org', '=', org)
  const records = (await rows.orderBy('service').execute()).map(
    (row): ServiceRecord<Content> => ({ ...row, content: JSON.parse(row.content) }),
  )
  return records.filter(({ content }) => !isEmpty(content))
}

/** The author of writes, and the ids of their audit entries. */
export interface ServiceWrite extends Pick<RecordStoreDeps, 'newId'> {
  readonly author: Author
}

/** Replaces a record and audits the change. Returns undefined if the record has changed since it was read. */
export async function writeServiceRecord<Content>(
  records: ServiceRecords<Content>,
  transaction: Transaction<Schema>,
  { author, newId }: ServiceWrite,
  current: ServiceRecord<Content>,
  next: Content,
): Promise<ServiceRecord<Content> | undefined> {
  const { service } = current
  const written = { service, content: next, version: current.version + 1 }
  if (!(await storeContent(records, transaction, author.caller.org, written))) return undefined
  const audited = ({ content, version }: ServiceRecord<Content>) => ({ ...records.toAudited(content), version })
  await recordChange(
    transaction,
    { id: newId(), author },
    {
      action: 'updated',
      kind: records.table satisfies AuditedKind,
      id: service,
      name: service,
      before: audited(current),
      after: audited(written),
    },
  )
  return written
}

/** Stores the next version of a record. Returns false if another writer has already stored it. */
async function storeContent<Content>(
  { table }: ServiceRecords<Content>,
  transaction: Transaction<Schema>,
  org: string,
  { service, content, version }: ServiceRecord<Content>,
): Promise<boolean> {
  const text = JSON.stringify(content)
  if (version === 1) {
    const insert = transaction.insertInto(table).values({ org, service, content: text, version })
    const { numInsertedOrUpdatedRows } = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
    return (numInsertedOrUpdatedRows ?? 0n) > 0n
  }
  const { numUpdatedRows } = await transaction
    .updateTable(table)
    .set({ content: text, version })
    .where('org', '=', org)
    .where('service', '=', service)
    .where('version', '=', version - 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Checks the limits of an organization after the last write of a transaction, which is rolled back if they are
 * exceeded.
 * @throws Problem `refused`
 */
export async function checkServiceRecords<Content>(
  records: ServiceRecords<Content>,
  transaction: Transaction<Schema>,
  org: string,
): Promise<void> {
  const all = await allServiceRecords(records, transaction, org)
  if (all.length > servicesPerOrgMax)
    throw problem(
      'refused',
      `At most ${servicesPerOrgMax} services can have ${records.plural}. Remove those of another service first.`,
    )
  records.checkTogether(all.map(({ content }) => content))
}

/**
 * Replaces a record in a new transaction. Returns undefined if the record has changed since it was read.
 * @throws Problem `refused`
 */
export function replaceServiceRecord<Content>(
  records: ServiceRecords<Content>,
  { metadata, newId }: Pick<RecordStoreDeps, 'metadata' | 'newId'>,
  author: Author,
  current: ServiceRecord<Content>,
  next: Content,
): Promise<ServiceRecord<Content> | undefined> {
  return metadata.transaction(async (transaction) => {
    const written = await writeServiceRecord(records, transaction, { author, newId }, current, next)
    if (written !== undefined) await checkServiceRecords(records, transaction, author.caller.org)
    return written
  })
}
