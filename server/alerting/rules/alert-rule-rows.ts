import type { Selectable } from 'kysely'
import type { AlertRulesTable } from '../../metadata/schema.ts'
import type { AlertRuleContent, StoredAlertRule, StoredAlertRuleState } from './alert-rule-record.ts'

export type RuleRow = Selectable<AlertRulesTable>

/** The columns of what a rule says. */
export function contentColumns({ name, integration_id, enabled, ...content }: AlertRuleContent) {
  const columns = { name, is_enabled: Number(enabled), content: JSON.stringify(content) }
  return { ...columns, integration_id: integration_id ?? null }
}

export function stateColumns({ status, sinceMs, value, evaluatedAt, alertId, lastError }: StoredAlertRuleState) {
  return {
    ...{ status, since: new Date(sinceMs).toISOString(), value: value === null ? null : String(value) },
    ...{ evaluated_at: evaluatedAt, alert_id: alertId, last_error: lastError },
  }
}

export function toStoredAlertRule(row: RuleRow): StoredAlertRule {
  const { org, id, name, integration_id, version, revision, created_at, updated_at } = row
  return {
    ...JSON.parse(row.content),
    ...(integration_id === null ? {} : { integration_id }),
    ...{ org, id, name, enabled: row.is_enabled === 1 },
    ...{ state: toState(row), version, revision, created_at, updated_at },
  }
}

function toState({ status, since, value, evaluated_at, alert_id, last_error }: RuleRow): StoredAlertRuleState {
  return {
    ...{ status, sinceMs: Date.parse(since), value: value === null ? null : Number(value) },
    ...{ evaluatedAt: evaluated_at, alertId: alert_id, lastError: last_error },
  }
}
