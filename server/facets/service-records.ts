import type { Transaction } from 'kysely'
import type { Connection, Metadata } from '../metadata/database.ts'
import type { Schema } from '../metadata/schema.ts'
import { problem } from '../problem/problem.ts'

/** What is set up for one service, and its version: 0 before the first change. */
export interface ServiceRecord<Content> {
  readonly service: string
  readonly content: Content
  readonly version: number
}

/** One table of such records, the content of each as one JSON text. */
export interface ServiceRecords<Content> {
  readonly table: 'facet_overrides' | 'facet_mappings'
  /** What a service has that nothing was set up for. */
  readonly empty: Content
  isEmpty(content: Content): boolean
  /** @throws Problem `refused` when all services of an organization together have more than they may */
  checkTogether(contents: readonly Content[]): void
}

/** Services of one organization that anything is set up for in one table: exports carry as many. */
const servicesPerOrgMax = 1_000

export async function findServiceRecord<Content>(
  { table, empty }: ServiceRecords<Content>,
  connection: Connection,
  org: string,
  service: string,
): Promise<ServiceRecord<Content>> {
  const selected = connection.selectFrom(table).select(['content', 'version']).where('org', '=', org)
  const row = await selected.where('service', '=', service).executeTakeFirst()
  return row === undefined
    ? { service, content: empty, version: 0 }
    : { service, content: JSON.parse(row.content), version: row.version }
}

/** Of every service that something is set up for, by name. */
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

/** The change in one step, or undefined when the record is no longer the one that was read. */
export async function writeServiceRecord<Content>(
  { table }: ServiceRecords<Content>,
  transaction: Transaction<Schema>,
  org: string,
  { service, version }: ServiceRecord<Content>,
  next: Content,
): Promise<ServiceRecord<Content> | undefined> {
  const content = JSON.stringify(next)
  const written = { service, content: next, version: version + 1 }
  if (version === 0) {
    const insert = transaction.insertInto(table).values({ org, service, content, version: 1 })
    const { numInsertedOrUpdatedRows } = await insert.onConflict((conflict) => conflict.doNothing()).executeTakeFirst()
    return (numInsertedOrUpdatedRows ?? 0n) > 0n ? written : undefined
  }
  const { numUpdatedRows } = await transaction
    .updateTable(table)
    .set({ content, version: version + 1 })
    .where('org', '=', org)
    .where('service', '=', service)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? written : undefined
}

/** After the last write of a transaction, which ends without effect when there is too much. @throws Problem `refused` */
export async function checkServiceRecords<Content>(
  records: ServiceRecords<Content>,
  transaction: Transaction<Schema>,
  org: string,
): Promise<void> {
  const all = await allServiceRecords(records, transaction, org)
  if (all.length > servicesPerOrgMax)
    throw problem('refused', `This can be set up for at most ${servicesPerOrgMax} services. Clear another one first.`)
  records.checkTogether(all.map(({ content }) => content))
}

/** One record, brought to its next content when it is still the one that was read; otherwise undefined. @throws Problem `refused` */
export function replaceServiceRecord<Content>(
  records: ServiceRecords<Content>,
  metadata: Metadata,
  org: string,
  current: ServiceRecord<Content>,
  next: Content,
): Promise<ServiceRecord<Content> | undefined> {
  return metadata.transaction(async (transaction) => {
    const written = await writeServiceRecord(records, transaction, org, current, next)
    if (written !== undefined) await checkServiceRecords(records, transaction, org)
    return written
  })
}
