import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { Metadata } from '../../metadata/database.ts'
import { refuseBeyond, uniquely } from '../../metadata/org-records.ts'
import type { NewestPage } from '../../metadata/record-store.ts'
import type { Schema } from '../../metadata/schema.ts'
import type { EndAlert } from '../alerts/alert-store.ts'
import { findAlertRule, listAlertRules } from './alert-rule-queries.ts'
import {
  type AlertRuleContent,
  type StoredAlertRule,
  type StoredAlertRuleState,
  watchedBy,
} from './alert-rule-record.ts'
import { refuseUnknown } from './alert-rule-references.ts'
import { contentColumns, type RuleRow, stateColumns } from './alert-rule-rows.ts'
import { initialState } from './transition.ts'

/** Alert rules at rest, with their states. Every call takes the organization. */
export interface AlertRuleStore {
  list(org: string, page: NewestPage): Promise<StoredAlertRule[]>
  find(org: string, id: string): Promise<StoredAlertRule | undefined>
  /**
   * Throws the problems `conflict` for a name that is taken and `refused` when the organization has too many, or for an
   * integration or a channel that is not there.
   */
  insert(org: string, content: AlertRuleContent): Promise<StoredAlertRule>
  /**
   * The change in one step, or undefined when the rule or its state is no longer what was read. A change of what the rule
   * watches ends its open alert, and its state begins anew. Throws the problem `conflict` for a name that is taken, and
   * `refused` for an integration or a channel that is not there.
   */
  replace(current: StoredAlertRule, content: AlertRuleContent): Promise<StoredAlertRule | undefined>
  /** Whether the rule was still the one that was read; its open alert ends with it. */
  remove(current: StoredAlertRule): Promise<boolean>
}

export interface RuleStoreOptions {
  readonly metadata: Metadata
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
  readonly endAlert: EndAlert
}

export const alertRulesPerOrgMax = 1_000

export function createAlertRuleStore({ metadata, now, newId, endAlert }: RuleStoreOptions): AlertRuleStore {
  return {
    list: (org, page) => listAlertRules(metadata.db, org, page),
    find: (org, id) => findAlertRule(metadata.db, org, id),
    insert: (org, content) =>
      metadata.transaction(async (transaction) => {
        await refuseUnknown(transaction, org, content)
        return insertAlertRule(transaction, org, content, { id: newId(), now: now() })
      }),
    replace: (current, content) =>
      metadata.transaction(async (transaction) => {
        await refuseUnknown(transaction, current.org, content)
        return replaceAlertRule(transaction, current, content, { endAlert, now: now() })
      }),
    remove: (current) =>
      metadata.transaction((transaction) => removeAlertRule(transaction, current, { endAlert, now: now() })),
  }
}

export async function insertAlertRule(
  transaction: Transaction<Schema>,
  org: string,
  content: AlertRuleContent,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<StoredAlertRule> {
  await refuseBeyond(transaction, org, { table: 'alert_rules', max: alertRulesPerOrgMax, plural: 'alert rules' })
  const moment = now.toISOString()
  const state = newState(now)
  const stored = { ...content, org, id, state, version: 1, revision: 1, created_at: moment, updated_at: moment }
  const columns = { ...contentColumns(content), ...stateColumns(state), org, id, version: 1, revision: 1 }
  const row = { ...columns, created_at: moment, updated_at: moment }
  await uniquely('an alert rule', content.name, () => transaction.insertInto('alert_rules').values(row).execute())
  await insertChannels(transaction, stored)
  return stored
}

interface RuleChange {
  readonly endAlert: EndAlert
  readonly now: Date
}

export async function replaceAlertRule(
  transaction: Transaction<Schema>,
  current: StoredAlertRule,
  content: AlertRuleContent,
  { endAlert, now }: RuleChange,
): Promise<StoredAlertRule | undefined> {
  const { org, id, version, revision, created_at } = current
  const isSameWatch = isDeepStrictEqual(watchedBy(current), watchedBy(content))
  const state = isSameWatch ? current.state : newState(now)
  const updated_at = now.toISOString()
  const columns = { ...contentColumns(content), ...stateColumns(state), version: version + 1, updated_at }
  const isWritten = await uniquely('an alert rule', content.name, () => updateRule(transaction, current, columns))
  if (!isWritten) return undefined
  if (!isSameWatch) await endAlert(transaction, current, content.enabled ? 'changed' : 'disabled')
  const stored = { ...content, org, id, state, version: version + 1, revision: revision + 1, created_at, updated_at }
  await transaction.deleteFrom('alert_rule_channels').where('org', '=', org).where('rule_id', '=', id).execute()
  await insertChannels(transaction, stored)
  return stored
}

export async function removeAlertRule(
  transaction: Transaction<Schema>,
  current: StoredAlertRule,
  { endAlert }: RuleChange,
): Promise<boolean> {
  const { org, id, revision } = current
  const { numDeletedRows } = await transaction
    .deleteFrom('alert_rules')
    .where('org', '=', org)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await endAlert(transaction, current, 'deleted')
  return true
}

/**
 * The ids of those rules, of one organization, that nobody else is changing: on Postgres a transaction that writes many
 * rules would otherwise wait for an import, which may wait for it. libsql has one writer.
 */
export async function unlockedAlertRules(
  transaction: Transaction<Schema>,
  kind: Metadata['kind'],
  rules: readonly StoredAlertRule[],
): Promise<ReadonlySet<string>> {
  const ids = rules.map(({ id }) => id)
  if (kind === 'libsql') return new Set(ids)
  const locked = transaction
    .selectFrom('alert_rules')
    .select('id')
    .where('org', '=', rules[0]?.org ?? '')
    .where('id', 'in', ids)
    .forUpdate()
    .skipLocked()
  return new Set((await locked.execute()).map(({ id }) => id))
}

/** Whether the new state was written: only when neither the rule nor its state has changed since they were read. */
export function writeAlertRuleState(
  transaction: Transaction<Schema>,
  current: StoredAlertRule,
  state: StoredAlertRuleState,
): Promise<boolean> {
  return updateRule(transaction, current, stateColumns(state))
}

async function updateRule(
  transaction: Transaction<Schema>,
  { org, id, revision }: StoredAlertRule,
  columns: Partial<RuleRow>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('alert_rules')
    .set({ ...columns, revision: revision + 1 })
    .where('org', '=', org)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function newState(now: Date): StoredAlertRuleState {
  return { ...initialState(now.getTime()), value: null, evaluatedAt: null, alertId: null, lastError: null }
}

/** What keeps a channel from being deleted as long as a rule tells it. */
async function insertChannels(
  transaction: Transaction<Schema>,
  { org, id, channel_ids }: StoredAlertRule,
): Promise<void> {
  const rows = channel_ids.map((channel_id) => ({ org, rule_id: id, channel_id }))
  if (rows.length > 0) await transaction.insertInto('alert_rule_channels').values(rows).execute()
}
