import type { InsertObject, Transaction } from 'kysely'
import { byCodePoint } from '#sql'
import { readInSteps } from '../background/read-in-steps.ts'
import { type Problem, problem } from '../problem/problem.ts'
import type { Author } from './audit-log.ts'
import { type AuditedModel, withAudit } from './audited-model.ts'
import type { Connection, Metadata } from './database.ts'
import type { RecordModel, RecordTable, RecordWrite, Versioned, Visible } from './record-model.ts'
import { refuseBeyondKind, refuseBeyondQuota } from './record-quotas.ts'
import type { Schema } from './schema.ts'
import { isUniqueViolation } from './store-error.ts'

/** A page of records in descending order of id, starting below the id `before`. */
export interface NewestPage {
  readonly limit: number
  readonly before: string | undefined
}

/** The stored records of one kind. Every write adds an entry to the audit log, in the same transaction. */
export interface RecordStore<Content, Stored> {
  readonly noun: string
  list(visible: Visible, page: NewestPage): Promise<Stored[]>
  find(visible: Visible, id: string): Promise<Stored | undefined>
  /**
   * Inserts a record.
   * @throws Problem `conflict` when the name is taken, `refused` when the organization has too many records
   */
  insert(author: Author, content: Content, id?: string): Promise<Stored>
  /**
   * Replaces the content of a record. Returns undefined if the record has changed since it was read.
   * @throws Problem `conflict` when the name is taken
   */
  replace(author: Author, current: Stored, content: Content): Promise<Stored | undefined>
  /** Deletes a record. Returns false if the record has changed since it was read. */
  remove(author: Author, current: Stored): Promise<boolean>
  /** Reads all records of an organization in the order of their names or slugs, for exports. */
  all(connection: Connection, org: string): Promise<Stored[]>
  /**
   * Returns access to the records of the author's organization within a transaction, for imports. All writes have the
   * same timestamp and skip `check` and the quota of all records, which an import may exceed until its end.
   */
  within(transaction: Transaction<Schema>, author: Author): RecordsInTransaction<Content, Stored>
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

/** Creates the store of one kind of record. Every change is audited in its transaction. */
export function createRecordStore<Content extends { readonly name: string }, Stored extends Versioned>(
  model: RecordModel<Content, Stored>,
  { metadata, now, newId }: RecordStoreDeps,
): RecordStore<Content, Stored> {
  const audited = withAudit(model, newId)
  return {
    noun: model.noun,
    list: (visible, page) => listRecords(model, metadata.db, visible, page),
    find: (visible, id) => findRecord(model, metadata.db, visible, id),
    all: (connection, org) => allRecords(model, connection, org),
    insert: (author, content, id = newId()) =>
      metadata.transaction(async (transaction) => {
        const write = { org: author.caller.org, author, before: undefined, now: now() }
        await model.check?.(transaction, content, write)
        await refuseBeyondKind(transaction, write.org, model)
        await refuseBeyondQuota(transaction, write.org, metadata.recordsMax)
        return insertRecord(audited, transaction, id, content, write)
      }),
    replace: (author, before, content) =>
      metadata.transaction(async (transaction) => {
        const write = { org: author.caller.org, author, before, now: now() }
        await model.check?.(transaction, content, write)
        return replaceRecord(audited, transaction, content, write)
      }),
    remove: (author, before) =>
      metadata.transaction((transaction) =>
        removeRecord(audited, transaction, { org: author.caller.org, author, before, now: now() }),
      ),
    within(transaction, author) {
      const { org } = author.caller
      const at = now()
      return {
        all: () => allRecords(model, transaction, org),
        async insert(content, id = newId()) {
          await refuseBeyondKind(transaction, org, model)
          return insertRecord(audited, transaction, id, content, { org, author, before: undefined, now: at })
        },
        replace: (before, content) => replaceRecord(audited, transaction, content, { org, author, before, now: at }),
        remove: (before) => removeRecord(audited, transaction, { org, author, before, now: at }),
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

/**
 * Reads all records of an organization in the order of their names or slugs. They are read by their keys, which never
 * change, so that a record that is renamed meanwhile is neither missed nor repeated.
 */
export async function allRecords<Stored>(
  model: RecordModel<never, Stored>,
  connection: Connection,
  org: string,
): Promise<Stored[]> {
  const all = selectRecords(model, connection, { org })
  const names = model.key === 'slug' ? 'slug' : 'name'
  const read = await readInSteps<Keyed<Stored>>(Number.POSITIVE_INFINITY, async (count, last) => {
    const next = last === undefined ? all : all.where(model.key, '>', last.key)
    const rows = await next.orderBy(model.key).limit(count).execute()
    return rows.map((row) => {
      const columns = row as unknown as Readonly<Record<string, string>>
      return { key: `${columns[model.key]}`, name: `${columns[names]}`, stored: model.fromRow(row) }
    })
  })
  return read.sort((left, right) => byCodePoint(left.name, right.name)).map(({ stored }) => stored)
}

interface Keyed<Stored> {
  readonly key: string
  readonly name: string
  readonly stored: Stored
}

async function insertRecord<Content extends { readonly name: string }, Stored extends Versioned>(
  model: AuditedModel<Content, Stored>,
  transaction: Transaction<Schema>,
  id: string,
  content: Content,
  write: RecordWrite<Stored>,
): Promise<Stored> {
  const { org, now } = write
  const at = now.toISOString()
  const columns = { ...model.initial, ...model.toRow(content, write) }
  const row = { ...columns, org, [model.key]: id, version: 1, created_at: at, updated_at: at }
  const insert = transaction
    .insertInto(model.table)
    .values(row as InsertObject<Schema, RecordTable>)
    .returningAll()
  const joined = model.joined === undefined ? insert : insert.returning(model.joined)
  const after = model.fromRow(await uniquely(model, id, content, () => joined.executeTakeFirstOrThrow()))
  await model.written(transaction, { ...write, after })
  return after
}

/** A write of an existing record. */
type RecordRewrite<Stored> = RecordWrite<Stored> & { readonly before: Stored }

async function replaceRecord<Content extends { readonly name: string }, Stored extends Versioned>(
  model: AuditedModel<Content, Stored>,
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
    .where(({ and, eb, ref }) =>
      and(
        Object.entries(model.copiedColumns?.(before) ?? {}).map(([column, value]) =>
          eb(ref(column as 'version'), 'is not distinct from', value as never),
        ),
      ),
    )
    .returningAll()
  const joined = model.joined === undefined ? update : update.returning(model.joined)
  const row = await uniquely(model, before.id, content, () => joined.executeTakeFirst())
  if (row === undefined) return undefined
  const after = model.fromRow(row)
  await model.written(transaction, { ...write, after })
  return after
}

async function removeRecord<Content, Stored extends Versioned>(
  model: AuditedModel<Content, Stored>,
  transaction: Transaction<Schema>,
  write: RecordRewrite<Stored>,
): Promise<boolean> {
  const { org, before } = write
  const revision = model.revisionOf?.(before)
  const deleted = await model.deletedWith?.(transaction, org, before)
  const { numDeletedRows } = await transaction
    .deleteFrom(model.table)
    .where('org', '=', org)
    .where(model.key, '=', before.id)
    .where(revision === undefined ? 'version' : 'revision', '=', revision ?? before.version)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await model.written(transaction, { ...write, after: undefined }, deleted)
  return true
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

/** Returns the problem of a name that another record of the organization has. */
export function nameTaken(noun: string, name: string): Problem {
  return problem('conflict', `The ${noun} ${JSON.stringify(name)} already exists. Choose another name.`)
}
