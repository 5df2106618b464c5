import type { Connection } from '../../metadata/database.ts'
import type { NewestPage } from '../../metadata/record-store.ts'
import type { StoredAlertRule } from './alert-rule-record.ts'
import { toStoredAlertRule } from './alert-rule-rows.ts'

export async function listAlertRules(
  connection: Connection,
  org: string,
  { limit, before }: NewestPage,
): Promise<StoredAlertRule[]> {
  const all = connection.selectFrom('alert_rules').selectAll().where('org', '=', org)
  const older = before === undefined ? all : all.where('id', '<', before)
  return (await older.orderBy('id', 'desc').limit(limit).execute()).map(toStoredAlertRule)
}

export async function findAlertRule(
  connection: Connection,
  org: string,
  id: string,
): Promise<StoredAlertRule | undefined> {
  const one = connection.selectFrom('alert_rules').selectAll().where('org', '=', org).where('id', '=', id)
  const row = await one.executeTakeFirst()
  return row && toStoredAlertRule(row)
}

/** All rules of an organization, by name. */
export async function allAlertRules(connection: Connection, org: string): Promise<StoredAlertRule[]> {
  const all = connection.selectFrom('alert_rules').selectAll().where('org', '=', org)
  return (await all.orderBy('name').execute()).map(toStoredAlertRule)
}

/** The rules of all organizations that are to be evaluated. */
export async function enabledAlertRules(connection: Connection): Promise<StoredAlertRule[]> {
  const all = connection.selectFrom('alert_rules').selectAll().where('is_enabled', '=', 1)
  return (await all.orderBy('org').orderBy('id').execute()).map(toStoredAlertRule)
}

/** The names of the rules about an integration, for whoever wants to delete it. */
export async function alertRulesOfIntegration(
  connection: Connection,
  org: string,
  integrationId: string,
): Promise<string[]> {
  const about = connection.selectFrom('alert_rules').select('name').where('org', '=', org)
  const rows = await about.where('integration_id', '=', integrationId).orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** The names of the rules that tell a channel, for whoever wants to delete it. */
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
