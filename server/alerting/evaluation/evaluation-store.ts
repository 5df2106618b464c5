import type { Transaction } from 'kysely'
import type { Metadata } from '../../metadata/database.ts'
import type { Lease, Leases } from '../../metadata/lease.ts'
import type { Schema } from '../../metadata/schema.ts'
import type { AlertContext } from '../../webhooks/templates/template-variables.ts'
import type { AlertWriter } from '../alerts/alert-store.ts'
import { unlockedAlertRules, writeAlertRuleState } from '../rules/alert-rule-store.ts'
import type { Evaluation, EvaluationEvent } from './evaluate.ts'

/** An evaluation of which there is something to tell, and what. */
export interface Notice extends Evaluation {
  readonly event: EvaluationEvent
  readonly context: AlertContext
}

/**
 * Writes what evaluations made of rules, only while the lease is held, and of each rule only when neither it nor its state
 * has changed since it was read. What is not written is evaluated anew the next time.
 */
export interface EvaluationStore {
  /** Of one organization, with nothing to tell; yields how many were written. @throws LeaseLost */
  keep(lease: Lease, evaluations: readonly Evaluation[]): Promise<number>
  /** State, alert and deliveries, all or nothing; whether they were written. @throws LeaseLost */
  tell(lease: Lease, notice: Notice): Promise<boolean>
}

/** Another server evaluates rules now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

export interface EvaluationRecordParts {
  readonly metadata: Metadata
  readonly leases: Pick<Leases, 'confirm'>
  readonly alerts: AlertWriter
}

export function createEvaluationStore({ metadata, leases, alerts }: EvaluationRecordParts): EvaluationStore {
  const underLease = <T>(lease: Lease, write: (transaction: Transaction<Schema>) => Promise<T>) =>
    metadata.transaction(async (transaction) => {
      if (!(await leases.confirm(transaction, lease))) throw new LeaseLost()
      return write(transaction)
    })
  return {
    async keep(lease, evaluations) {
      if (evaluations.length === 0) return 0
      return underLease(lease, async (transaction) => {
        const rules = evaluations.map(({ rule }) => rule)
        const free = await unlockedAlertRules(transaction, metadata.kind, rules)
        let written = 0
        for (const { rule, state } of evaluations)
          if (free.has(rule.id) && (await writeAlertRuleState(transaction, rule, state))) written += 1
        return written
      })
    },
    tell: (lease, { rule, state, event, context }) =>
      underLease(lease, async (transaction) => {
        if (!(await writeAlertRuleState(transaction, rule, state))) return false
        if (event.state === 'resolved') await alerts.resolve(transaction, rule.org, context)
        else await alerts.fire(transaction, rule, { context, value: event.value })
        return true
      }),
  }
}
