import type { AliasedExpression, Expression, Selectable, SqlBool, Transaction, UpdateObject } from 'kysely'
import type { AuditedChange, AuditedKind, Author } from './audit-log.ts'
import type { AuditedRecord } from './audit-snapshot.ts'
import type { Schema } from './schema.ts'

/** The tables whose rows are records of an organization, each with a unique name or slug. */
const recordTables = ['alert_rules', 'channels', 'custom_facets', 'integrations', 'saved_views'] as const

export type RecordTable = (typeof recordTables)[number]

/** The tables whose rows count as records of an organization. */
export const countedTables = [...recordTables, 'api_keys'] as const

/** The properties of a stored record besides its content. */
export interface Versioned {
  /** A ULID, or the slug of a record with a slug as its key. */
  readonly id: string
  /** Increases with every change of the content. */
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

/** The records of an organization. With `grantedTo`, only those that this restricted subject may see. */
export interface Visible {
  readonly org: string
  readonly grantedTo?: string
}

/** One write of a record. `before` is undefined when the record is created. */
export interface RecordWrite<Stored> {
  readonly org: string
  readonly author: Author
  readonly before: Stored | undefined
  readonly now: Date
}

/** A completed write. `after` is undefined if the record was deleted. */
export interface RecordChange<Stored> extends RecordWrite<Stored> {
  readonly after: Stored | undefined
}

/** The properties of a model that do not depend on the columns of its table. */
interface RecordRules<Content, Stored> {
  /** The key column. Unless it is a slug, the name of a record is unique in the organization too. */
  readonly key: 'id' | 'slug'
  /** The name of one record in problems, such as `saved view`. */
  readonly noun: string
  readonly plural: string
  readonly perOrgMax: number
  /** The kind of the records in the audit log. */
  readonly kind: AuditedKind
  /** Returns a record as the audit log stores it: as the API shows it, but without any secret. */
  toAudited(stored: Stored): AuditedRecord & { readonly name: string }
  /** Returns the JSON pointers of the fields that `toAudited` hides and that differ between two versions. */
  changedSecrets?(before: Stored, after: Stored): readonly string[]
  /** Returns the changes of other records that the deletion of a record causes, before it is deleted. */
  deletedWith?(transaction: Transaction<Schema>, org: string, stored: Stored): Promise<readonly AuditedChange[]>
  /** Restricts a list to what a restricted subject may see. Without it, restricted subjects may see no record. */
  grantedTo?(org: string, subject: string): Expression<SqlBool>
  /**
   * Returns the `revision` of a record, for tables whose rows also change without a new version. The revision increases
   * with every write, and a write requires the revision that was read instead of the version.
   */
  revisionOf?(stored: Stored): number
  /**
   * Returns the columns that also change without a new version, and that `toRow` may copy from the record that was
   * read. A replacement requires their values too.
   */
  copiedColumns?(stored: Stored): Readonly<Record<string, string | null>>
  /**
   * Checks content that a request inserts or replaces, in the transaction of the write. Imports check references
   * themselves.
   */
  check?(transaction: Transaction<Schema>, content: Content, write: RecordWrite<Stored>): Promise<void>
  /** Writes the rows of a record in other tables, in the transaction of every write. */
  written?(transaction: Transaction<Schema>, change: RecordChange<Stored>): Promise<void>
}

type ContentColumns<Table extends RecordTable> = Omit<
  Schema[Table],
  'org' | 'id' | 'slug' | 'version' | 'created_at' | 'updated_at'
>

/** A model, typed by the columns of its table. */
interface RecordDefinition<
  Table extends RecordTable,
  Content,
  Stored,
  Columns extends Partial<ContentColumns<Table>>,
  Joined extends string,
> extends RecordRules<Content, Stored> {
  readonly table: Table
  /** Returns the columns that every write of the content sets. */
  toRow(content: Content, write: RecordWrite<Stored>): Columns
  /** The values of the other columns when a record is created. */
  readonly initial: Omit<ContentColumns<Table>, keyof Columns>
  /** A text from another table, read in the same statement; null if that table has no matching row. */
  readonly joined?: AliasedExpression<string | null, Joined>
  fromRow(row: Selectable<Schema[Table]> & { readonly [Name in Joined]: string | null }): Stored
}

/** How the records of one kind are stored: their table, columns, limits and rules. */
export interface RecordModel<Content, Stored> extends RecordRules<Content, Stored> {
  readonly table: RecordTable
  toRow(content: Content, write: RecordWrite<Stored>): UpdateObject<Schema, RecordTable>
  readonly initial: UpdateObject<Schema, RecordTable>
  readonly joined?: AliasedExpression<string | null, string>
  fromRow(row: unknown): Stored
}

/** Declares a model. The compiler checks `toRow`, `initial` and `fromRow` against the columns of the table. */
export function recordModel<
  Table extends RecordTable,
  Content extends { readonly name: string },
  Stored extends Versioned,
  Columns extends Partial<ContentColumns<Table>>,
  Joined extends string = never,
>(definition: RecordDefinition<Table, Content, Stored, Columns, Joined>): RecordModel<Content, Stored> {
  return definition as RecordModel<Content, Stored>
}
