import type { Transaction } from 'kysely'
import type { components } from '../../openapi/types.ts'
import type { Metadata } from '../metadata/database.ts'
import type { Schema } from '../metadata/schema.ts'
import { collectFaults } from '../problem/collect-faults.ts'
import { type FieldFault, invalidFields, problem, refused } from '../problem/problem.ts'
import {
  type ImportCounts,
  type ImportMode,
  Interrupted,
  type PreparedImport,
  type RecordTransfer,
  type TransferredKind,
} from './record-transfer.ts'

export const formatVersion = 1

const triesMax = 20

type ConfigImport = components['schemas']['ConfigImport']

export interface ImportPlan {
  readonly imports: readonly (readonly [TransferredKind, PreparedImport])[]
}

/**
 * Checks every record of every part.
 * @throws Problem 422 for another version of the format, 400 with every fault of every record
 */
export function prepareImport(transfers: readonly RecordTransfer[], body: ConfigImport): ImportPlan {
  refuseOtherVersion(body)
  const faults: FieldFault[] = []
  const imports = transfers.flatMap((transfer) => {
    const records = body[transfer.name]
    if (records === undefined) return []
    const prepared = collectFaults(faults, () => transfer.prepare(records, `/${transfer.name}`))
    return prepared === undefined ? [] : [[transfer.name, prepared] as const]
  })
  if (faults.length > 0) throw invalidFields(faults)
  return { imports }
}

function refuseOtherVersion({ format_version }: ConfigImport): void {
  if (format_version === formatVersion) return
  const message = `This version reads format_version ${formatVersion} only.`
  throw refused('/format_version', 'unknown_version', message)
}

export interface ImportTarget {
  readonly metadata: Metadata
  readonly now: () => Date
  readonly org: string
  readonly mode: ImportMode
}

/** All of it or nothing, in one transaction, one import of an organization after the other. */
export async function runImport(
  { imports }: ImportPlan,
  { metadata, now, org, mode }: ImportTarget,
): Promise<Partial<Record<TransferredKind, ImportCounts>>> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    try {
      return await metadata.transaction(async (transaction) => {
        await awaitTurn(transaction, org, now())
        const results: Partial<Record<TransferredKind, ImportCounts>> = {}
        for (const [name, run] of imports) results[name] = await run(transaction, org, mode)
        return results
      })
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
    }
  }
  throw problem('unavailable', 'The configuration is being changed by many at once.', { retryAfterSeconds: 1 })
}

/** Two imports that write the same names in one transaction each would lock each other out, so they share one row. */
async function awaitTurn(transaction: Transaction<Schema>, org: string, now: Date): Promise<void> {
  const imported_at = now.toISOString()
  await transaction
    .insertInto('config_imports')
    .values({ org, imported_at })
    .onConflict((conflict) => conflict.column('org').doUpdateSet({ imported_at }))
    .execute()
}
