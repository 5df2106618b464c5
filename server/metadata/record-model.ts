import type { AliasedExpression, Expression, Selectable, SqlBool, Transaction, UpdateObject } from 'kysely'
import type { Schema } from './schema.ts'

/** The tables whose rows are records of an organization, each with a unique name or slug. */
export type RecordTable = 'alert_rules' | 'channels' | 'custom_facets' | 'integrations' | 'saved_views'

/** What a stored record has besides its content. */
export interface Versioned {
  /** A ULID, or the slug of a record that is keyed by one. */
  readonly id: string
  /** Grows with every change of the content. */
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

/** The records of an organization or, with `grantedTo`, those of them that a restricted subject may see. */
export interface Visible {
  readonly org: string
  readonly grantedTo?: string
}

/** One write of a record. `before` is undefined when the record is created. */
export interface RecordWrite<Stored> {
  readonly org: string
  readonly before: Stored | undefined
  readonly now: Date
}

/** A write that was made. `after` is undefined when the record was deleted. */
export interface RecordChange<Stored> extends RecordWrite<Stored> {
  readonly after: Stored | undefined
}

/** What a model says independently of the columns of its table. */
interface RecordRules<Content, Stored> {
  /** The column of the id. Its name is unique in the organization too, unless the id is a slug. */
  readonly key: 'id' | 'slug'
  /** What problems call one record: `saved view`. */
  readonly noun: string
  readonly plural: string
  readonly perOrgMax: number
  /** Restricts a list to what a restricted subject may see. Without it, restricted subjects may see no record. */
  grantedTo?(org: string, subject: string): Expression<SqlBool>
  /**
   * The column `revision` of a table whose rows also change without a new version. It grows with every write, and a
   * write requires the revision that was read instead of the version.
   */
  revisionOf?(stored: Stored): number
  /**
   * Checks content that a request inserts or replaces, in the same transaction. An import checks its own references.
   */
  check?(transaction: Transaction<Schema>, content: Content, write: RecordWrite<Stored>): Promise<void>
  /** Writes what other tables hold of a record, in the transaction of every write. */
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
  /** The other columns, as they are when a record is created. */
  readonly initial: Omit<ContentColumns<Table>, keyof Columns>
  /** A text that the same statement reads from another table; null when it has no row. */
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
