import type { Transaction } from 'kysely'
import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import type { Author } from '../metadata/audit-log.ts'
import { withinQuota } from '../metadata/record-quotas.ts'
import type { Schema } from '../metadata/schema.ts'
import { collectFaults, type FieldFault, invalidFields, problem, raise, refused } from '../problem/problem.ts'
import {
  type ImportCounts,
  type ImportMode,
  Interrupted,
  type PreparedImport,
  type RecordTransfer,
  type TransferredKind,
} from './record-transfer.ts'

/** The version of the export format. */
export const formatVersion = 1

const triesMax = 20

type CheckedImport = readonly (readonly [TransferredKind, PreparedImport])[]

/**
 * Checks every record of every kind.
 * @throws Problem 422 for another version of the format, 400 with every fault of every record
 */
export async function prepareImport(
  transfers: readonly RecordTransfer[],
  body: components['schemas']['ConfigImport'],
): Promise<CheckedImport> {
  if (body.format_version !== formatVersion)
    throw refused('/format_version', 'unknown_version', `Only format_version ${formatVersion} can be imported.`)
  const faults: FieldFault[] = []
  const imports: [TransferredKind, PreparedImport][] = []
  for (const transfer of transfers) {
    const records = body[transfer.name]
    if (records === undefined) continue
    try {
      imports.push([transfer.name, await transfer.prepare(records, `/${transfer.name}`)])
    } catch (error) {
      collectFaults(faults, () => raise(error as Error))
    }
  }
  if (faults.length > 0) throw invalidFields(faults)
  return imports
}

type ImportResults = Partial<Record<TransferredKind, ImportCounts>>

interface ImportOptions {
  readonly mode: ImportMode
  /** Whether to roll everything back at the end. */
  readonly isDryRun: boolean
}

/** Thrown at the end of a dry run, so that its transaction is rolled back. */
class DryRun extends Error {
  readonly results: ImportResults

  constructor(results: ImportResults) {
    super('A dry run changes nothing.')
    this.results = results
  }
}

/**
 * Imports everything or nothing, in one transaction. Concurrent imports of one organization run one after the other.
 */
export async function runImport(
  imports: CheckedImport,
  { metadata, now }: Pick<Deps, 'metadata' | 'now'>,
  author: Author,
  { mode, isDryRun }: ImportOptions,
): Promise<ImportResults> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    try {
      return await metadata.transaction(async (transaction) => {
        const { org } = author.caller
        await lockImports(transaction, org, now())
        const results = await withinQuota(transaction, org, metadata.recordsMax, async () => {
          const counts: ImportResults = {}
          const checks: (() => Promise<void>)[] = []
          for (const [name, run] of imports)
            counts[name] = await run(transaction, author, mode, (check) => checks.push(check))
          for (const check of checks) await check()
          return counts
        })
        if (isDryRun) throw new DryRun(results)
        return results
      })
    } catch (error) {
      if (error instanceof DryRun) return error.results
      if (!(error instanceof Interrupted)) throw error
    }
  }
  throw problem('unavailable', 'Too many concurrent configuration changes. Retry.', { retryAfterSeconds: 1 })
}

/**
 * Locks imports of an organization by writing a shared row. Without it, two imports that write the same names would
 * deadlock.
 */
async function lockImports(transaction: Transaction<Schema>, org: string, now: Date): Promise<void> {
  const imported_at = now.toISOString()
  await transaction
    .insertInto('config_imports')
    .values({ org, imported_at })
    .onConflict((conflict) => conflict.column('org').doUpdateSet({ imported_at }))
    .execute()
}
