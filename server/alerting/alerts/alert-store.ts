import type { Selectable, Transaction } from 'kysely'
import type { components } from '../../../openapi/types.ts'
import type { Deps } from '../../feature.ts'
import type { Metadata } from '../../metadata/database.ts'
import type { NewestPage } from '../../metadata/record-store.ts'
import type { AlertsTable, Schema } from '../../metadata/schema.ts'
import type { Outbox } from '../../webhooks/deliveries/outbox.ts'
import type { AlertContext, AlertState } from '../../webhooks/templates/template-variables.ts'
import type { StoredAlertRule } from '../rules/alert-rule-record.ts'
import type { EndAlert, EndReason } from '../rules/alert-rule-store.ts'

type AlertRecord = components['schemas']['Alert']

/**
 * Writes alerts and enqueues their notifications in the caller's transaction, so that both are committed or neither is.
 */
export interface AlertWriter {
  fire(transaction: Transaction<Schema>, rule: StoredAlertRule, fired: FiredAlert): Promise<void>
  /**
   * Resolves an alert and notifies the channels that were notified when it fired. `context` describes the resolution.
   */
  resolve(transaction: Transaction<Schema>, org: string, context: AlertContext): Promise<void>
  end: EndAlert
}

export interface FiredAlert {
  /** The context of the firing notification. */
  readonly context: AlertContext
  readonly value: number
}

/** Maximum number of resolved alerts kept for an organization. Older ones are deleted. */
export const resolvedAlertsPerOrgMax = 10_000

export function createAlertWriter({ outbox, now }: Pick<Deps, 'now'> & { readonly outbox: Outbox }): AlertWriter {
  const resolve: AlertWriter['resolve'] = async (transaction, org, context) => {
    const { id, resolved_at } = context.alert
    const resolved = await transaction
      .updateTable('alerts')
      .set({ state: 'resolved', resolved_at })
      .where('org', '=', org)
      .where('id', '=', id)
      .where('state', '=', 'firing')
      .returning('channel_ids')
      .executeTakeFirst()
    if (resolved) await outbox.enqueue(transaction, { org, channelIds: JSON.parse(resolved.channel_ids), context })
  }
  return {
    async fire(transaction, { org, id, content: { channel_ids } }, { context, value }) {
      await transaction
        .insertInto('alerts')
        .values({
          org,
          id: context.alert.id,
          rule_id: id,
          state: 'firing',
          value: String(value),
          context: JSON.stringify(context),
          channel_ids: JSON.stringify(channel_ids),
          started_at: context.alert.started_at,
          resolved_at: null,
        })
        .execute()
      await deleteOldest(transaction, org)
      await outbox.enqueue(transaction, { org, channelIds: channel_ids, context })
    },
    resolve,
    async end(transaction, { org, state }, reason) {
      if (state.alertId === null) return
      const one = transaction.selectFrom('alerts').select('context').where('org', '=', org)
      const open = await one.where('id', '=', state.alertId).executeTakeFirst()
      if (open) await resolve(transaction, org, endedContext(JSON.parse(open.context), reason, now()))
    },
  }
}

/**
 * Returns the context for resolving an alert whose rule was changed, disabled or deleted. It repeats the details of the
 * firing.
 */
function endedContext(fired: AlertContext, reason: EndReason, now: Date): AlertContext {
  const sent_at = now.toISOString()
  const { started_at } = fired.alert
  // The clock of the server that evaluated the rule may be ahead.
  const resolved_at = sent_at < started_at ? started_at : sent_at
  const summary = `${fired.rule.name}: resolved, because the rule was ${reason}.`
  return { ...fired, alert: { ...fired.alert, state: 'resolved', summary, resolved_at }, sent_at }
}

async function deleteOldest(transaction: Transaction<Schema>, org: string): Promise<void> {
  const resolved = transaction.selectFrom('alerts').select('id').where('org', '=', org).where('state', '=', 'resolved')
  const last = await resolved.orderBy('id', 'desc').limit(1).offset(resolvedAlertsPerOrgMax).executeTakeFirst()
  if (last === undefined) return
  const old = transaction.deleteFrom('alerts').where('org', '=', org).where('state', '=', 'resolved')
  await old.where('id', '<=', last.id).execute()
}

export interface AlertPage extends NewestPage {
  readonly state: AlertState | undefined
  readonly ruleId?: string | undefined
}

export async function listAlerts(
  { db }: Metadata,
  org: string,
  { state, ruleId, limit, before }: AlertPage,
): Promise<AlertRecord[]> {
  let alerts = db.selectFrom('alerts').selectAll().where('org', '=', org)
  if (state !== undefined) alerts = alerts.where('state', '=', state)
  if (ruleId !== undefined) alerts = alerts.where('rule_id', '=', ruleId)
  if (before !== undefined) alerts = alerts.where('id', '<', before)
  return (await alerts.orderBy('id', 'desc').limit(limit).execute()).map(toRecord)
}

/** Reads an alert, or returns undefined when there is no such alert. */
export async function findAlert({ db }: Metadata, org: string, id: string): Promise<AlertRecord | undefined> {
  const one = db.selectFrom('alerts').selectAll().where('org', '=', org).where('id', '=', id)
  const stored = await one.executeTakeFirst()
  return stored && toRecord(stored)
}

function toRecord(stored: Selectable<AlertsTable>): AlertRecord {
  const { rule_id, state, value, started_at, resolved_at } = stored
  const { alert, rule } = JSON.parse(stored.context) as AlertContext
  return {
    id: alert.id,
    rule_id,
    rule_name: rule.name,
    state,
    severity: alert.severity,
    summary: alert.summary,
    comparator: rule.comparator,
    threshold: rule.threshold,
    value: Number(value),
    channel_ids: JSON.parse(stored.channel_ids),
    started_at,
    resolved_at,
  }
}
