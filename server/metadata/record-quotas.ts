/** How many records an organization may have: of each kind, and of all kinds together. */
import type { Transaction } from 'kysely'
import { type Problem, problem } from '../problem/problem.ts'
import { countedTables, type RecordTable } from './record-model.ts'
import type { Schema } from './schema.ts'

interface Limited {
  readonly table: RecordTable | 'api_keys'
  readonly perOrgMax: number
  readonly plural: string
}

/**
 * Checks before an insert that the organization may have another record of the kind.
 * @throws Problem `refused`
 */
export async function refuseBeyondKind(
  transaction: Transaction<Schema>,
  org: string,
  { table, perOrgMax, plural }: Limited,
): Promise<void> {
  const n = await countRecords(transaction, org, table)
  if (n >= perOrgMax) throw problem('refused', `An organization has at most ${perOrgMax} ${plural}. Delete one first.`)
}

/**
 * Checks before an insert that the organization may have another record at all.
 * @throws Problem `refused`
 */
export async function refuseBeyondQuota(
  transaction: Transaction<Schema>,
  org: string,
  recordsMax: number | undefined,
): Promise<void> {
  if (recordsMax !== undefined && (await countAll(transaction, org)) >= recordsMax) throw beyondQuota(recordsMax)
}

/**
 * Runs `work`, which creates and deletes records, and checks only its result. If the quota was lowered below what is
 * stored, `work` may still change and delete records.
 * @throws Problem `refused` if there are more records than before, and more than the organization may have
 */
export async function withinQuota<T>(
  transaction: Transaction<Schema>,
  org: string,
  recordsMax: number | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (recordsMax === undefined) return work()
  const before = await countAll(transaction, org)
  const result = await work()
  const after = await countAll(transaction, org)
  if (after > before && after > recordsMax) throw beyondQuota(recordsMax)
  return result
}

function beyondQuota(recordsMax: number): Problem {
  return problem('refused', `Your organization has reached its quota of ${recordsMax} records. Delete one first.`)
}

async function countAll(transaction: Transaction<Schema>, org: string): Promise<number> {
  let total = 0
  for (const table of countedTables) total += await countRecords(transaction, org, table)
  return total
}

async function countRecords(transaction: Transaction<Schema>, org: string, table: Limited['table']): Promise<number> {
  const counted = transaction.selectFrom(table).where('org', '=', org).select(transaction.fn.countAll<number>().as('n'))
  return Number((await counted.executeTakeFirstOrThrow()).n)
}
