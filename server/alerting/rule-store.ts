import { isDeepStrictEqual } from 'node:util'
import type { Kysely, Transaction } from 'kysely'
import { problem } from '../http/problem.ts'
import type { Metadata } from '../metadata/database.ts'
import type { Schema } from '../metadata/schema.ts'
import { isUniqueViolation } from '../metadata/store-error.ts'
import type { EndAlert } from './alert-store.ts'
import { type EvaluatedState, type RuleContent, type StoredRule, watchedBy } from './rule-record.ts'
import { refuseUnknown } from './rule-references.ts'
import { contentColumns, type RuleRow, stateColumns, toStoredRule } from './rule-rows.ts'
import { initialState } from './transition.ts'

/** The store, or one transaction of it. */
export type Connection = Kysely<Schema> | Transaction<Schema>

/** Alert rules at rest, with their states. Every call takes the organization. */
export interface RuleStore {
  /** Newest first: those older than the id `before`. */
  list(org: string, page: { limit: number; before: string | undefined }): Promise<StoredRule[]>
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
  const { db } = metadata
  return {
    async list(org, { limit, before }) {
      const all = db.selectFrom('alert_rules').selectAll().where('org', '=', org)
      const older = before === undefined ? all : all.where('id', '<', before)
      return withChannels(db, await older.orderBy('id', 'desc').limit(limit).execute())
    },
    async find(org, id) {
      const one = db.selectFrom('alert_rules').selectAll().where('org', '=', org).where('id', '=', id)
      return (await withChannels(db, await one.execute()))[0]
    },
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

/** All rules of an organization, by name. */
export async function allRules(connection: Connection, org: string): Promise<StoredRule[]> {
  const all = connection.selectFrom('alert_rules').selectAll().where('org', '=', org)
  return withChannels(connection, await all.orderBy('name').execute())
}

/** The rules of all organizations that are to be evaluated. */
export async function enabledRules(connection: Connection): Promise<StoredRule[]> {
  const all = connection.selectFrom('alert_rules').selectAll().where('is_enabled', '=', 1)
  return withChannels(connection, await all.orderBy('org').orderBy('id').execute())
}

/** The names of the rules that tell a channel, for whoever wants to delete it. */
export async function rulesTelling(connection: Connection, org: string, channelId: string): Promise<string[]> {
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

export async function insertRule(
  transaction: Transaction<Schema>,
  org: string,
  content: RuleContent,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<StoredRule> {
  const counted = transaction.selectFrom('alert_rules').where('org', '=', org)
  const { rules } = await counted.select(transaction.fn.countAll<number>().as('rules')).executeTakeFirstOrThrow()
  if (rules >= rulesPerOrgMax) throw tooManyRules()
  const moment = now.toISOString()
  const state = newState(now)
  const stored = { ...content, org, id, state, version: 1, revision: 1, created_at: moment, updated_at: moment }
  const columns = { ...contentColumns(content), ...stateColumns(state), org, id, version: 1, revision: 1 }
  const row = { ...columns, created_at: moment, updated_at: moment }
  await uniquely(content.name, () => transaction.insertInto('alert_rules').values(row).execute())
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
  const isWritten = await uniquely(content.name, () => updateRule(transaction, current, columns))
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

async function insertChannels(transaction: Transaction<Schema>, { org, id, channel_ids }: StoredRule): Promise<void> {
  const rows = channel_ids.map((channel_id, position) => ({ org, rule_id: id, channel_id, position }))
  if (rows.length > 0) await transaction.insertInto('alert_rule_channels').values(rows).execute()
}

/** Rules of one organization or of all, with the channels that they tell. */
async function withChannels(connection: Connection, rows: readonly RuleRow[]): Promise<StoredRule[]> {
  if (rows.length === 0) return []
  const orgs = [...new Set(rows.map(({ org }) => org))]
  const told = await connection
    .selectFrom('alert_rule_channels')
    .selectAll()
    .where('org', 'in', orgs)
    .$if(rows.length === 1, (one) => one.where('rule_id', '=', rows[0]?.id ?? ''))
    .orderBy('position')
    .execute()
  const ofRules = new Map(rows.map(({ org, id }) => [`${org} ${id}`, [] as string[]]))
  for (const { org, rule_id, channel_id } of told) ofRules.get(`${org} ${rule_id}`)?.push(channel_id)
  return rows.map((row) => toStoredRule(row, ofRules.get(`${row.org} ${row.id}`) ?? []))
}

async function uniquely<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (isUniqueViolation(error)) throw problem('conflict', `There is an alert rule ${JSON.stringify(name)} already.`)
    throw error
  }
}

function tooManyRules(): Error {
  return problem('refused', `An organization has at most ${rulesPerOrgMax} alert rules. Delete one first.`)
}
