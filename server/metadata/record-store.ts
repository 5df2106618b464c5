import type { InsertObject, Transaction } from 'kysely'
import { type Problem, problem } from '../problem/problem.ts'
import type { Connection, Metadata } from './database.ts'
import type { RecordModel, RecordTable, RecordWrite, Versioned, Visible } from './record-model.ts'
import type { Schema } from './schema.ts'
import { isUniqueViolation } from './store-error.ts'

/** A page of records in descending order of id, starting below the id `before`. */
export interface NewestPage {
  readonly limit: number
  readonly before: string | undefined
}

/** The stored records of one kind. */
export interface RecordStore<Content, Stored> {
  readonly noun: string
  list(visible: Visible, page: NewestPage): Promise<Stored[]>
  find(visible: Visible, id: string): Promise<Stored | undefined>
  /**
   * Inserts a record.
   * @throws Problem `conflict` when the name is taken, `refused` when the organization has too many records
   */
  insert(org: string, content: Content, id?: string): Promise<Stored>
  /**
   * Replaces the content of a record. Returns undefined if the record has changed since it was read.
   * @throws Problem `conflict` when the name is taken
   */
  replace(org: string, current: Stored, content: Content): Promise<Stored | undefined>
  /** Deletes a record. Returns false if the record has changed since it was read. */
  remove(org: string, current: Stored): Promise<boolean>
  /**
   * Returns access to the records of an organization within a transaction, for imports. All writes have the same
   * timestamp and skip `check`.
   */
  within(transaction: Transaction<Schema>, org: string): RecordsInTransaction<Content, Stored>
}

export interface RecordsInTransaction<Content, Stored> {
  all(): Promise<Stored[]>
  insert(content: Content, id?: string): Promise<Stored>
  replace(current: Stored, content: Content): Promise<Stored | undefined>
  remove(current: Stored): Promise<boolean>
}

export interface RecordStoreDeps {
  readonly metadata: Metadata
  readonly now: () => Date
  readonly newId: () => string
}

export function createRecordStore<Content extends { readonly name: string }, Stored extends Versioned>(
  model: RecordModel<Content, Stored>,
  { metadata, now, newId }: RecordStoreDeps,
): RecordStore<Content, Stored> {
  return {
    noun: model.noun,
    list: (visible, page) => listRecords(model, metadata.db, visible, page),
    find: (visible, id) => findRecord(model, metadata.db, visible, id),
    insert: (org, content, id = newId()) =>
      metadata.transaction(async (transaction) => {
        const write = { org, before: undefined, now: now() }
        await model.check?.(transaction, content, write)
        return insertRecord(model, transaction, id, content, write)
      }),
    replace: (org, before, content) =>
      metadata.transaction(async (transaction) => {
        const write = { org, before, now: now() }
        await model.check?.(transaction, content, write)
        return replaceRecord(model, transaction, content, write)
      }),
    remove: (org, before) =>
      metadata.transaction((transaction) => removeRecord(model, transaction, { org, before, now: now() })),
    within(transaction, org) {
      const at = now()
      return {
        all: () => allRecords(model, transaction, org),
        insert: (content, id = newId()) =>
          insertRecord(model, transaction, id, content, { org, before: undefined, now: at }),
        replace: (before, content) => replaceRecord(model, transaction, content, { org, before, now: at }),
        remove: (before) => removeRecord(model, transaction, { org, before, now: at }),
      }
    },
  }
}

function selectRecords<Stored>(model: RecordModel<never, Stored>, connection: Connection, { org, grantedTo }: Visible) {
  const rows = connection.selectFrom(model.table).selectAll().where('org', '=', org)
  const joined = model.joined === undefined ? rows : rows.select(model.joined)
  if (grantedTo === undefined) return joined
  if (model.grantedTo === undefined) throw new Error(`Restricted subjects may see no ${model.noun}.`)
  return joined.where(model.grantedTo(org, grantedTo))
}

async function listRecords<Stored>(
  model: RecordModel<never, Stored>,
  connection: Connection,
  visible: Visible,
  { limit, before }: NewestPage,
): Promise<Stored[]> {
  const all = selectRecords(model, connection, visible)
  const older = before === undefined ? all : all.where(model.key, '<', before)
  const rows = await older.orderBy(model.key, 'desc').limit(limit).execute()
  return rows.map((row) => model.fromRow(row))
}

async function findRecord<Stored>(
  model: RecordModel<never, Stored>,
  connection: Connection,
  visible: Visible,
  id: string,
): Promise<Stored | undefined> {
  const row = await selectRecords(model, connection, visible).where(model.key, '=', id).executeTakeFirst()
  return row && model.fromRow(row)
}

/** Reads all records of an organization in the order of their names or slugs. */
export async function allRecords<Stored>(
  model: RecordModel<never, Stored>,
  connection: Connection,
  org: string,
): Promise<Stored[]> {
  const all = selectRecords(model, connection, { org })
  const rows = await all.orderBy(model.key === 'slug' ? 'slug' : 'name').execute()
  return rows.map((row) => model.fromRow(row))
}

async function insertRecord<Content extends { readonly name: string }, Stored extends Versioned>(
  model: RecordModel<Content, Stored>,
  transaction: Transaction<Schema>,
  id: string,
  content: Content,
  write: RecordWrite<Stored>,
): Promise<Stored> {
  const { org, now } = write
  await refuseBeyond(transaction, org, model)
  const at = now.toISOString()
  const columns = { ...model.initial, ...model.toRow(content, write) }
  const row = { ...columns, org, [model.key]: id, version: 1, created_at: at, updated_at: at }
  const insert = transaction
    .insertInto(model.table)
    .values(row as InsertObject<Schema, RecordTable>)
    .returningAll()
  const joined = model.joined === undefined ? insert : insert.returning(model.joined)
  const after = model.fromRow(await uniquely(model, id, content, () => joined.executeTakeFirstOrThrow()))
  await model.written?.(transaction, { ...write, after })
  return after
}

/** A write of an existing record. */
type RecordRewrite<Stored> = RecordWrite<Stored> & { readonly before: Stored }

async function replaceRecord<Content extends { readonly name: string }, Stored extends Versioned>(
  model: RecordModel<Content, Stored>,
  transaction: Transaction<Schema>,
  content: Content,
  write: RecordRewrite<Stored>,
): Promise<Stored | undefined> {
  const { org, before, now } = write
  const revision = model.revisionOf?.(before)
  const update = transaction
    .updateTable(model.table)
    .set({
      ...model.toRow(content, write),
      ...(revision === undefined ? {} : { revision: revision + 1 }),
      version: before.version + 1,
      updated_at: now.toISOString(),
    })
    .where('org', '=', org)
    .where(model.key, '=', before.id)
    .where(revision === undefined ? 'version' : 'revision', '=', revision ?? before.version)
    .returningAll()
  const joined = model.joined === undefined ? update : update.returning(model.joined)
  const row = await uniquely(model, before.id, content, () => joined.executeTakeFirst())
  if (row === undefined) return undefined
  const after = model.fromRow(row)
  await model.written?.(transaction, { ...write, after })
  return after
}

async function removeRecord<Content, Stored extends Versioned>(
  model: RecordModel<Content, Stored>,
  transaction: Transaction<Schema>,
  write: RecordRewrite<Stored>,
): Promise<boolean> {
  const { org, before } = write
  const revision = model.revisionOf?.(before)
  const { numDeletedRows } = await transaction
    .deleteFrom(model.table)
    .where('org', '=', org)
    .where(model.key, '=', before.id)
    .where(revision === undefined ? 'version' : 'revision', '=', revision ?? before.version)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await model.written?.(transaction, { ...write, after: undefined })
  return true
}

interface Limited {
  readonly table: RecordTable | 'api_keys'
  readonly perOrgMax: number
  readonly plural: string
}

/** Checks before an insert that the organization may have another record. @throws Problem `refused` */
export async function refuseBeyond(
  transaction: Transaction<Schema>,
  org: string,
  { table, perOrgMax, plural }: Limited,
): Promise<void> {
  const counted = transaction.selectFrom(table).where('org', '=', org).select(transaction.fn.countAll<number>().as('n'))
  const { n } = await counted.executeTakeFirstOrThrow()
  if (n >= perOrgMax) throw problem('refused', `An organization has at most ${perOrgMax} ${plural}. Delete one first.`)
}

/** Runs a write. @throws Problem `conflict` when it violates the unique name */
async function uniquely<T>(
  { noun, key }: Pick<RecordModel<never, never>, 'noun' | 'key'>,
  id: string,
  { name }: { readonly name: string },
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken(noun, key === 'slug' ? id : name) : error
  }
}

export function nameTaken(noun: string, name: string): Problem {
  return problem('conflict', `The ${noun} ${JSON.stringify(name)} already exists. Choose another name.`)
}
