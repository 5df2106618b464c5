/** What holds for records of every kind: each has a name of its own in its organization, and there are only so many. */
import type { Transaction } from 'kysely'
import { type Problem, problem } from '../problem/problem.ts'
import type { Schema } from './schema.ts'
import { isUniqueViolation } from './store-error.ts'

type CountedTable = 'alert_rules' | 'api_keys' | 'channels' | 'custom_facets' | 'integrations' | 'saved_views'

/** To be asked before a record is written. `plural`: what the records are called. @throws Problem `refused` */
export async function refuseBeyond(
  transaction: Transaction<Schema>,
  org: string,
  { table, max, plural }: { readonly table: CountedTable; readonly max: number; readonly plural: string },
): Promise<void> {
  const counted = transaction.selectFrom(table).where('org', '=', org).select(transaction.fn.countAll<number>().as('n'))
  const { n } = await counted.executeTakeFirstOrThrow()
  if (n >= max) throw problem('refused', `An organization has at most ${max} ${plural}. Delete one first.`)
}

/** Writes a record. `noun`: what it is called, with its article. @throws Problem `conflict` when the name is taken */
export async function uniquely<T>(noun: string, name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken(noun, name) : error
  }
}

export function nameTaken(noun: string, name: string): Problem {
  return problem('conflict', `There is ${noun} ${JSON.stringify(name)} already.`)
}
