import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import type { Metadata } from '../metadata/database.ts'
import { type NewestPage, refuseBeyond, uniquely } from '../metadata/org-records.ts'
import type { Schema } from '../metadata/schema.ts'
import type { EndAlert } from './alert-store.ts'
import { findRule, listRules } from './rule-queries.ts'
import { type EvaluatedState, type RuleContent, type StoredRule, watchedBy } from './rule-record.ts'
import { refuseUnknown } from './rule-references.ts'
import { contentColumns, type RuleRow, stateColumns } from './rule-rows.ts'
import { initialState } from './transition.ts'

/** Alert rules at rest, with their states. Every call takes the organization. */
export interface RuleStore {
  list(org: string, page: NewestPage): Promise<StoredRule[]>
  find(org: string, id: string): Promise<StoredRule | undefined>
  /**
   * Throws the problems `conflict` for a name that is taken and `refused` when the organization has too many, or for an
   * integration or a channel that is not there.
   */
  insert(org: string, content: RuleContent): Promise<StoredRule>
  /**
   * The change in one step, or undefined when the rule or its state is no longer what was read. A change of what the rule
   * watches ends its open alert, and its state begins anew. Throws the problem `conflict` for a name that is taken, and
   * `refused` for an integration or a channel that is not there.
   */
  replace(current: StoredRule, content: RuleContent): Promise<StoredRule | undefined>
  /** Whether the rule was still the one that was read; its open alert ends with it. */
  remove(current: StoredRule): Promise<boolean>
}

export interface RuleStoreOptions {
  readonly metadata: Metadata
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
  readonly endAlert: EndAlert
}

export const rulesPerOrgMax = 1_000

export function createRuleStore({ metadata, now, newId, endAlert }: RuleStoreOptions): RuleStore {
  return {
    list: (org, page) => listRules(metadata.db, org, page),
    find: (org, id) => findRule(metadata.db, org, id),
    insert: (org, content) =>
      metadata.transaction(async (transaction) => {
        await refuseUnknown(transaction, org, content)
        return insertRule(transaction, org, content, { id: newId(), now: now() })
      }),
    replace: (current, content) =>
      metadata.transaction(async (transaction) => {
        await refuseUnknown(transaction, current.org, content)
        return replaceRule(transaction, current, content, { endAlert, now: now() })
      }),
    remove: (current) =>
      metadata.transaction((transaction) => removeRule(transaction, current, { endAlert, now: now() })),
  }
}

export async function insertRule(
  transaction: Transaction<Schema>,
  org: string,
  content: RuleContent,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<StoredRule> {
  await refuseBeyond(transaction, org, { table: 'alert_rules', max: rulesPerOrgMax, plural: 'alert rules' })
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

export async function replaceRule(
  transaction: Transaction<Schema>,
  current: StoredRule,
  content: RuleContent,
  { endAlert, now }: RuleChange,
): Promise<StoredRule | undefined> {
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

export async function removeRule(
  transaction: Transaction<Schema>,
  current: StoredRule,
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
export async function unlockedRules(
  transaction: Transaction<Schema>,
  kind: Metadata['kind'],
  rules: readonly StoredRule[],
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
export function writeState(
  transaction: Transaction<Schema>,
  current: StoredRule,
  state: EvaluatedState,
): Promise<boolean> {
  return updateRule(transaction, current, stateColumns(state))
}

async function updateRule(
  transaction: Transaction<Schema>,
  { org, id, revision }: StoredRule,
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

function newState(now: Date): EvaluatedState {
  return { ...initialState(now.getTime()), value: null, evaluatedAt: null, alertId: null, lastError: null }
}

/** What keeps a channel from being deleted as long as a rule tells it. */
async function insertChannels(transaction: Transaction<Schema>, { org, id, channel_ids }: StoredRule): Promise<void> {
  const rows = channel_ids.map((channel_id) => ({ org, rule_id: id, channel_id }))
  if (rows.length > 0) await transaction.insertInto('alert_rule_channels').values(rows).execute()
}
