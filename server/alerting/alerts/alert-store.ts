import type { Selectable, Transaction } from 'kysely'
import type { components } from '../../../openapi/types.ts'
import type { Metadata } from '../../metadata/database.ts'
import type { NewestPage } from '../../metadata/record-store.ts'
import type { AlertsTable, Schema } from '../../metadata/schema.ts'
import type { Outbox } from '../../webhooks/deliveries/outbox.ts'
import type { AlertContext, AlertState } from '../../webhooks/templates/template-variables.ts'
import type { StoredAlertRule } from '../rules/alert-rule-record.ts'

export type AlertRecord = components['schemas']['Alert']

/** What ended an alert, other than a value. */
export type EndReason = 'changed' | 'disabled' | 'deleted'

/** Resolves the open alert of a rule that no longer says what it said; does nothing when none is open. */
export type EndAlert = (transaction: Transaction<Schema>, rule: StoredAlertRule, reason: EndReason) => Promise<void>

/** Writes alerts, each together with what its channels are told: both happen or neither. */
export interface AlertWriter {
  fire(transaction: Transaction<Schema>, rule: StoredAlertRule, fired: FiredAlert): Promise<void>
  /** `context` is the notification of the resolution; the channels are those that were told of the firing. */
  resolve(transaction: Transaction<Schema>, org: string, context: AlertContext): Promise<void>
  end: EndAlert
}

export interface FiredAlert {
  readonly context: AlertContext
  readonly value: number
}

export interface AlertPage extends NewestPage {
  readonly state: AlertState | undefined
}

/** Resolved alerts that an organization keeps; older ones go. */
export const resolvedAlertsPerOrgMax = 10_000

export async function listAlerts(
  { db }: Metadata,
  org: string,
  { state, limit, before }: AlertPage,
): Promise<AlertRecord[]> {
  let asked = db.selectFrom('alerts').selectAll().where('org', '=', org)
  if (state !== undefined) asked = asked.where('state', '=', state)
  if (before !== undefined) asked = asked.where('id', '<', before)
  return (await asked.orderBy('id', 'desc').limit(limit).execute()).map(toRecord)
}

/** When an alert began; undefined when there is no such alert. */
export async function startOfAlert({ db }: Metadata, org: string, id: string): Promise<Date | undefined> {
  const one = db.selectFrom('alerts').select('started_at').where('org', '=', org).where('id', '=', id)
  const found = await one.executeTakeFirst()
  return found && new Date(found.started_at)
}

function toRecord({ context, rule_id, state, value, started_at, resolved_at }: Selectable<AlertsTable>): AlertRecord {
  const { alert, rule } = JSON.parse(context) as AlertContext
  return {
    ...{ id: alert.id, rule_id, rule_name: rule.name, state, severity: alert.severity, summary: alert.summary },
    ...{ comparator: rule.comparator, threshold: rule.threshold, value: Number(value), started_at, resolved_at },
  }
}

export interface AlertWriterOptions {
  readonly outbox: Outbox
  readonly now: () => Date
}

export function createAlertWriter({ outbox, now }: AlertWriterOptions): AlertWriter {
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
    async fire(transaction, { org, id, channel_ids }, { context, value }) {
      const row = { ...{ org, id: context.alert.id, rule_id: id, state: 'firing' as const, value: String(value) } }
      const told = { context: JSON.stringify(context), channel_ids: JSON.stringify(channel_ids) }
      const moments = { started_at: context.alert.started_at, resolved_at: null }
      await transaction
        .insertInto('alerts')
        .values({ ...row, ...told, ...moments })
        .execute()
      await forgetOldest(transaction, org)
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

/** The notification of the firing, turned into that of its end: nothing was measured that could be told instead. */
function endedContext(fired: AlertContext, reason: EndReason, now: Date): AlertContext {
  const moment = now.toISOString()
  const summary = `${fired.rule.name}: resolved, because the rule was ${reason}.`
  return { ...fired, alert: { ...fired.alert, state: 'resolved', summary, resolved_at: moment }, sent_at: moment }
}

async function forgetOldest(transaction: Transaction<Schema>, org: string): Promise<void> {
  const resolved = transaction.selectFrom('alerts').select('id').where('org', '=', org).where('state', '=', 'resolved')
  const last = await resolved.orderBy('id', 'desc').limit(1).offset(resolvedAlertsPerOrgMax).executeTakeFirst()
  if (last === undefined) return
  const old = transaction.deleteFrom('alerts').where('org', '=', org).where('state', '=', 'resolved')
  await old.where('id', '<=', last.id).execute()
}
