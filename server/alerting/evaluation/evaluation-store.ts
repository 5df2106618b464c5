import type { Transaction } from 'kysely'
import type { Deps } from '../../feature.ts'
import type { Metadata } from '../../metadata/database.ts'
import type { Lease, Leases } from '../../metadata/lease.ts'
import type { Schema } from '../../metadata/schema.ts'
import type { AlertContext } from '../../webhooks/templates/template-variables.ts'
import type { NotifiedEvaluation } from '../alerts/alert-notifications.ts'
import type { AlertWriter } from '../alerts/alert-store.ts'
import { type StoredAlertRule, stateColumns, toStoredAlertRule } from '../rules/alert-rule-record.ts'
import type { Evaluation } from './evaluate.ts'

/**
 * Reads the rules to evaluate and writes their new states. Writes require the lease, and a state is only written if
 * neither the rule nor its state changed after it was read. A rule that is not written is due again in the next pass.
 */
export interface EvaluationStore {
  /** Reads the enabled rules of all organizations. */
  enabledRules(): Promise<StoredAlertRule[]>
  /** Writes the states of evaluations without an event, all of one organization. @throws LeaseLost */
  keep(lease: Lease, evaluations: readonly Evaluation[]): Promise<void>
  /**
   * Writes the state, the alert and its deliveries in one transaction. Returns false if the rule or its state has
   * changed since it was read; then nothing is written.
   * @throws LeaseLost
   */
  notify(lease: Lease, evaluation: Evaluation & NotifiedEvaluation, context: AlertContext): Promise<boolean>
}

/** Thrown when another server holds the lease to evaluate alert rules. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export interface EvaluationStoreDeps extends Pick<Deps, 'metadata'> {
  readonly leases: Pick<Leases, 'confirm'>
  readonly alerts: AlertWriter
}

export function createEvaluationStore({ metadata, leases, alerts }: EvaluationStoreDeps): EvaluationStore {
  const underLease = <T>(lease: Lease, write: (transaction: Transaction<Schema>) => Promise<T>) =>
    metadata.transaction(async (transaction) => {
      if (!(await leases.confirm(transaction, lease))) throw new LeaseLost()
      return write(transaction)
    })
  return {
    async enabledRules() {
      const enabled = metadata.db.selectFrom('alert_rules').selectAll().where('is_enabled', '=', 1)
      return (await enabled.orderBy('org').orderBy('id').execute()).map(toStoredAlertRule)
    },
    async keep(lease, evaluations) {
      if (evaluations.length === 0) return
      await underLease(lease, async (transaction) => {
        const rules = evaluations.map(({ rule }) => rule)
        const unlocked = await lockRules(transaction, metadata.kind, rules)
        for (const evaluation of evaluations)
          if (unlocked.has(evaluation.rule.id)) await writeState(transaction, evaluation)
      })
    },
    notify: (lease, evaluation, context) =>
      underLease(lease, async (transaction) => {
        const { rule, event } = evaluation
        if (!(await writeState(transaction, evaluation))) return false
        if (event.state === 'resolved') await alerts.resolve(transaction, rule.org, context)
        else await alerts.fire(transaction, rule, { context, value: event.value })
        return true
      }),
  }
}

/**
 * Locks rules of one organization, except those that another transaction has locked, and returns their ids. On
 * Postgres, waiting for the others could deadlock with an import, which writes many rules too. libsql has one writer.
 */
async function lockRules(
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

/**
 * Writes the state of a rule. Returns false if the rule or its state has changed since it was read; then nothing is
 * written.
 */
export async function writeState(
  transaction: Transaction<Schema>,
  { rule: { org, id, revision }, state }: Pick<Evaluation, 'rule' | 'state'>,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('alert_rules')
    .set({ ...stateColumns(state), revision: revision + 1 })
    .where('org', '=', org)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
