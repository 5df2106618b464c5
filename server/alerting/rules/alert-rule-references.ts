import type { Transaction } from 'kysely'
import type { Schema } from '../../metadata/schema.ts'
import { type FieldFault, refusedFields, unknownAt } from '../../problem/problem.ts'
import type { AlertRuleContent } from './alert-rule-record.ts'

/**
 * The integration and the channels of a rule that is about to be written. Should one of them go away before it is, the
 * store refuses the rule.
 * @throws Problem 422 at each that is not there
 */
export async function refuseUnknown(
  transaction: Transaction<Schema>,
  org: string,
  { integration_id, channel_ids }: AlertRuleContent,
): Promise<void> {
  const integrations = await idsAmong(transaction, 'integrations', org, integration_id ? [integration_id] : [])
  const channels = await idsAmong(transaction, 'channels', org, channel_ids)
  const faults: FieldFault[] = []
  if (integration_id !== undefined && !integrations.has(integration_id))
    faults.push(unknownAt('/integration_id', 'integration', integration_id))
  for (const [index, id] of channel_ids.entries())
    if (!channels.has(id)) faults.push(unknownAt(`/channel_ids/${index}`, 'channel', id))
  if (faults.length > 0) throw refusedFields(faults)
}

async function idsAmong(
  transaction: Transaction<Schema>,
  table: 'integrations' | 'channels',
  org: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const found = transaction.selectFrom(table).select('id').where('org', '=', org).where('id', 'in', ids)
  return new Set((await found.execute()).map(({ id }) => id))
}
