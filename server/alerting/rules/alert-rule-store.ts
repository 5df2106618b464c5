import type { Transaction } from 'kysely'
import { type RecordChange, type RecordWrite, recordModel } from '../../metadata/record-model.ts'
import { createRecordStore, type RecordStore, type RecordStoreDeps } from '../../metadata/record-store.ts'
import type { Schema } from '../../metadata/schema.ts'
import {
  type AlertRuleContent,
  contentColumns,
  isSameWatch,
  newAlertRuleState,
  type StoredAlertRule,
  stateColumns,
  toAuditedAlertRule,
  toStoredAlertRule,
} from './alert-rule-record.ts'
import { requireReferences } from './alert-rule-references.ts'

/**
 * The alert rules of all organizations with their states. A change of what a rule watches resolves its open alert and
 * resets its state; so does the deletion of the rule.
 */
export type AlertRuleStore = RecordStore<AlertRuleContent, StoredAlertRule>

/** Why an alert is resolved without a value. */
export type EndReason = 'changed' | 'disabled' | 'deleted'

/** Resolves the open alert of a rule, if there is one. */
export type EndAlert = (transaction: Transaction<Schema>, rule: StoredAlertRule, reason: EndReason) => Promise<void>

export interface AlertRuleStoreDeps extends RecordStoreDeps {
  readonly endAlert: EndAlert
}

export const alertRulesPerOrgMax = 1_000

export function createAlertRuleStore({ endAlert, ...deps }: AlertRuleStoreDeps): AlertRuleStore {
  return createRecordStore(alertRuleModel(endAlert), deps)
}

function alertRuleModel(endAlert: EndAlert) {
  return recordModel({
    table: 'alert_rules',
    key: 'id',
    noun: 'alert rule',
    plural: 'alert rules',
    perOrgMax: alertRulesPerOrgMax,
    kind: 'alert_rule',
    toAudited: toAuditedAlertRule,
    initial: { revision: 1 },
    toRow: (content: AlertRuleContent, write: RecordWrite<StoredAlertRule>) => ({
      ...contentColumns(content),
      ...stateColumns(stateAfter(content, write)),
    }),
    fromRow: toStoredAlertRule,
    revisionOf: ({ revision }) => revision,
    check: (transaction, content, { org }) => requireReferences(transaction, org, content),
    async written(transaction, change) {
      const reason = endReasonOf(change)
      if (change.before !== undefined && reason !== undefined) await endAlert(transaction, change.before, reason)
      if (change.after !== undefined) await writeChannels(transaction, change.after)
    },
  })
}

function stateAfter(content: AlertRuleContent, { before, now }: RecordWrite<StoredAlertRule>) {
  return before !== undefined && isSameWatch(before.content, content) ? before.state : newAlertRuleState(now)
}

/** Returns why a write ends the open alert of the rule, or undefined when the alert stays open. */
function endReasonOf({ before, after }: RecordChange<StoredAlertRule>): EndReason | undefined {
  if (after === undefined) return 'deleted'
  if (before === undefined || isSameWatch(before.content, after.content)) return undefined
  return after.content.enabled ? 'changed' : 'disabled'
}

/** Writes the rows that prevent the deletion of the channels. The foreign key deletes them together with the rule. */
async function writeChannels(transaction: Transaction<Schema>, { org, id, content }: StoredAlertRule): Promise<void> {
  await transaction.deleteFrom('alert_rule_channels').where('org', '=', org).where('rule_id', '=', id).execute()
  const rows = content.channel_ids.map((channel_id) => ({ org, rule_id: id, channel_id }))
  if (rows.length > 0) await transaction.insertInto('alert_rule_channels').values(rows).execute()
}
