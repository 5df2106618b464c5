import type { Transaction } from 'kysely'
import type { components } from '../../openapi/types.ts'
import type { Caller } from '../auth/caller.ts'
import { Pace } from '../background/pace.ts'
import type { Author } from '../metadata/audit-log.ts'
import type { Schema } from '../metadata/schema.ts'
import { collectFaults, type FieldFault, faultsMax, invalidFields, Problem, raise } from '../problem/problem.ts'

/**
 * The kinds of record in an export, in the order of export and import. A record may refer only to records of earlier
 * kinds.
 */
export const transferredKinds = [
  'integrations',
  'saved_views',
  'facets',
  'facet_overrides',
  'facet_mappings',
  'channels',
  'alert_rules',
] as const satisfies readonly Exclude<keyof components['schemas']['ConfigExport'], 'format_version'>[]

export type TransferredKind = (typeof transferredKinds)[number]

export type ImportMode = components['schemas']['ImportMode']

export type ImportCounts = components['schemas']['ConfigSectionResult']

/** Adds a check of the result of an import, which runs when the records of every kind have been written. */
export type AtEnd = (check: () => Promise<void>) => void

/**
 * Writes the checked records of one kind.
 * @throws Interrupted when a record changed after it was read
 */
export type PreparedImport = (
  transaction: Transaction<Schema>,
  author: Author,
  mode: ImportMode,
  atEnd: AtEnd,
) => Promise<ImportCounts>

/**
 * Exports and imports one kind of record. A feature returns its transfers as `transfers`, and `app.ts` collects them.
 */
export interface RecordTransfer {
  readonly name: TransferredKind
  /**
   * Reads the records of the caller's organization without ids, versions and credentials, and without whatever the role
   * of the caller may not read elsewhere.
   */
  read(transaction: Transaction<Schema>, caller: Caller): Promise<unknown[]>
  /**
   * Checks all records before the first is written. `pointer` locates them in the request body.
   * @throws Problem 400 with every fault
   */
  prepare(records: readonly unknown[], pointer: string): Promise<PreparedImport>
}

/** Thrown when another writer changed a record during an import, which then starts over. */
export class Interrupted extends Error {
  constructor() {
    super('A record changed during an import.')
  }
}

interface Named {
  readonly name: string
}

/**
 * Reads each record of an import with `read`, which gets the pointer of the record, and lets other requests run in
 * between. `nameField` is the field by which records are matched.
 * @throws Problem 400 with the faults of the records, including names that occur twice
 */
export async function readNamedRecords<Sent, Content>(
  records: readonly Sent[],
  pointer: string,
  read: (record: Sent, pointer: string) => Content,
  nameField: keyof Sent & string = 'name' as keyof Sent & string,
): Promise<readonly Content[]> {
  const faults: FieldFault[] = []
  const names = new Set<unknown>()
  const contents: Content[] = []
  const pace = new Pace()
  for (const [index, record] of records.entries()) {
    const at = `${pointer}/${index}`
    if (names.has(record[nameField]))
      faults.push({
        pointer: `${at}/${nameField}`,
        code: 'duplicate',
        message: `repeats the ${nameField} of an earlier record`,
      })
    names.add(record[nameField])
    const content = collectFaults(faults, () => read(record, at))
    if (content !== undefined) contents.push(content)
    if (faults.length >= faultsMax) break
    await pace.rest()
  }
  if (faults.length > 0) throw invalidFields(faults)
  return contents
}

/**
 * The records of one organization, for an import. `replace` resolves to undefined, and `remove` to false, if the record
 * has changed since it was read.
 */
export interface NamedRecords<Content extends Named, Stored extends Named> {
  all(): Promise<readonly Stored[]>
  isUnchanged(stored: Stored, content: Content): boolean
  insert(content: Content): Promise<unknown>
  replace(stored: Stored, content: Content): Promise<unknown>
  remove(stored: Stored): Promise<unknown>
}

/**
 * Makes the stored records equal to the imported ones, matched by name. A merge keeps records that are not in the
 * import.
 */
export async function importByName<Content extends Named, Stored extends Named>(
  contents: readonly Content[],
  mode: ImportMode,
  records: NamedRecords<Content, Stored>,
): Promise<ImportCounts> {
  const counts = { created: 0, updated: 0, unchanged: 0, deleted: 0 }
  const changes: components['schemas']['ConfigChange'][] = []
  const byName = new Map(contents.map((content) => [content.name, content]))
  const pace = new Pace()
  for (const stored of await records.all()) {
    const content = byName.get(stored.name)
    byName.delete(stored.name)
    if (content === undefined && mode === 'merge') continue
    const action = await importOver(stored, content, records)
    counts[action] += 1
    if (action !== 'unchanged') changes.push({ action, name: stored.name })
    await pace.rest()
  }
  for (const content of byName.values()) {
    await records.insert(content).catch((error: Error) => raise(isConflict(error) ? new Interrupted() : error))
    counts.created += 1
    changes.push({ action: 'created', name: content.name })
    await pace.rest()
  }
  return { ...counts, changes }
}

/** Replaces a stored record, or deletes it if the import does not contain it. */
async function importOver<Content extends Named, Stored extends Named>(
  stored: Stored,
  content: Content | undefined,
  records: NamedRecords<Content, Stored>,
): Promise<'updated' | 'unchanged' | 'deleted'> {
  if (content !== undefined && records.isUnchanged(stored, content)) return 'unchanged'
  const written = content === undefined ? await records.remove(stored) : await records.replace(stored, content)
  if (written === undefined || written === false) throw new Interrupted()
  return content === undefined ? 'deleted' : 'updated'
}

/** Reports whether the name is taken, by a record that another writer stored after `all` read the records. */
function isConflict(error: Error): boolean {
  return error instanceof Problem && error.code === 'conflict'
}
