/** References from alert rules to integrations and channels. */
import type { Transaction } from 'kysely'
import type { Connection } from '../../metadata/database.ts'
import type { Schema } from '../../metadata/schema.ts'
import { type FieldFault, refusedFields, unknownAt } from '../../problem/problem.ts'
import type { AlertRuleContent } from './alert-rule-record.ts'

type ReferencedTable = 'integrations' | 'channels'

interface NamedRecord {
  readonly id: string
  readonly name: string
}

/**
 * Checks that the integration and the channels of a rule exist. If one is deleted before the rule is written, the
 * foreign keys refuse the rule.
 * @throws Problem 422 with each reference that does not exist
 */
export async function requireReferences(
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
  table: ReferencedTable,
  org: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const found = transaction.selectFrom(table).select('id').where('org', '=', org).where('id', 'in', ids)
  return new Set((await found.execute()).map(({ id }) => id))
}

/** Reads the ids and names of all records that rules of an organization may refer to. */
export function readReferenced(
  transaction: Transaction<Schema>,
  table: ReferencedTable,
  org: string,
): Promise<NamedRecord[]> {
  return transaction.selectFrom(table).select(['id', 'name']).where('org', '=', org).execute()
}

/** Returns the names of the rules over an integration, which prevent its deletion. */
export async function alertRulesOfIntegration(
  connection: Connection,
  org: string,
  integrationId: string,
): Promise<string[]> {
  const rules = connection.selectFrom('alert_rules').select('name').where('org', '=', org)
  const rows = await rules.where('integration_id', '=', integrationId).orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** Returns the names of the rules that notify a channel, which prevent its deletion. */
export async function alertRulesOfChannel(connection: Connection, org: string, channelId: string): Promise<string[]> {
  const rows = await connection
    .selectFrom('alert_rule_channels')
    .innerJoin('alert_rules', (join) =>
      join
        .onRef('alert_rules.org', '=', 'alert_rule_channels.org')
        .onRef('alert_rules.id', '=', 'alert_rule_channels.rule_id'),
    )
    .select('alert_rules.name')
    .where('alert_rule_channels.org', '=', org)
    .where('channel_id', '=', channelId)
    .orderBy('alert_rules.name')
    .execute()
  return rows.map(({ name }) => name)
}
