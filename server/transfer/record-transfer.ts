import type { Transaction } from 'kysely'
import type { components } from '../../openapi/types.ts'
import type { Schema } from '../metadata/schema.ts'

type ConfigExport = components['schemas']['ConfigExport']

/** The parts of an export, in the order in which they are written and read: a record may name only records of parts before its own. */
export const transferredKinds = [
  'integrations',
  'saved_views',
  'facets',
  'facet_overrides',
  'facet_mappings',
  'channels',
  'alert_rules',
] as const satisfies readonly Exclude<keyof ConfigExport, 'format_version'>[]

export type TransferredKind = (typeof transferredKinds)[number]

export type ImportMode = components['schemas']['ImportMode']

export type ImportCounts = components['schemas']['ConfigSectionResult']

/** Writes the records of one part that were found valid. Raises `Interrupted` when what it read has changed meanwhile. */
export type PreparedImport = (transaction: Transaction<Schema>, org: string, mode: ImportMode) => Promise<ImportCounts>

/** One kind of record that exports and imports carry. Another kind joins by an entry in the list of them (server/app.ts). */
export interface RecordTransfer {
  readonly name: TransferredKind
  /** The records of an organization without ids, versions and credentials. */
  read(transaction: Transaction<Schema>, org: string): Promise<unknown[]>
  /**
   * Checks all records before anything is written; `pointer` is where they stand in the request's body.
   * @throws Problem 400 with every fault
   */
  prepare(records: readonly unknown[], pointer: string): PreparedImport
}

/** Somebody else changed a record in the middle of an import, which therefore has to begin again. */
export class Interrupted extends Error {}
