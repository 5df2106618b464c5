import { isDeepStrictEqual } from 'node:util'
import type { Selectable } from 'kysely'
import { InvalidQuery, parseConditions, parseMessageFilter, seriesRecords, spanRecords } from '#sql'
import type { components } from '../../../openapi/types.ts'
import type { Versioned } from '../../metadata/record-model.ts'
import type { AlertRulesTable } from '../../metadata/schema.ts'
import { type AlertRuleState, initialState } from './transition.ts'

type AlertRuleRecord = components['schemas']['AlertRule']

/** The fields of an alert rule that callers set, as the API names them. */
export type AlertRuleContent = Omit<AlertRuleRecord, 'id' | 'state' | 'version' | 'created_at' | 'updated_at'>

/** The state of an alert rule and the result of its last evaluation. */
export interface StoredAlertRuleState extends AlertRuleState {
  /** The value of the last evaluation. Null before the first evaluation, and when there was no data. */
  readonly value: number | null
  readonly evaluatedAt: string | null
  /** The id of the open alert. */
  readonly alertId: string | null
  readonly lastError: string | null
}

export interface StoredAlertRule extends Versioned {
  readonly org: string
  readonly content: AlertRuleContent
  readonly state: StoredAlertRuleState
  /** Increases with every change of the content or the state. */
  readonly revision: number
}

/** Returns the state of a rule that has not been evaluated. */
export function newAlertRuleState(now: Date): StoredAlertRuleState {
  return { ...initialState(now.getTime()), value: null, evaluatedAt: null, alertId: null, lastError: null }
}

/**
 * Reports whether two versions of a rule yield the same state. If not, a change from one to the other resets the state.
 * Compares JSON, in which -0 is 0, as in the stored rule.
 */
export function isSameWatch(left: AlertRuleContent, right: AlertRuleContent): boolean {
  return JSON.stringify(watchedBy(left)) === JSON.stringify(watchedBy(right))
}

/** Returns what a rule evaluates. */
function watchedBy(content: AlertRuleContent) {
  const { kind, service, integration_id, measure, metric, window_s } = content
  const { comparator, threshold, for_s, enabled } = content
  const watched = { kind, service, integration_id, filter: parsedFilterOf(content), measure, metric }
  return { ...watched, window_s, comparator, threshold, for_s, enabled }
}

/**
 * Returns the conditions of a rule, parsed, because the same condition can be written in several ways. Those that an
 * earlier version accepted and this one refuses are returned as they are stored, so that they can be replaced.
 */
function parsedFilterOf(content: AlertRuleContent): object {
  const { kind, conditions, rows, relations } = content
  try {
    return { parsed: parseConditions(conditions, recordsOfKind(kind)), filter: parseMessageFilter(content) }
  } catch (error) {
    if (!(error instanceof InvalidQuery)) throw error
    return { conditions, rows, relations }
  }
}

/** Reports whether two versions of a rule evaluate the same and notify alike. */
export function isSameContent(left: AlertRuleContent, right: AlertRuleContent): boolean {
  return isSameWatch(left, right) && isDeepStrictEqual(notifiedBy(left), notifiedBy(right))
}

function notifiedBy({ name, severity, channel_ids, include }: AlertRuleContent) {
  return { name, severity, channel_ids, include }
}

/** Returns the records that the conditions of a kind of rule are about. */
export function recordsOfKind(kind: AlertRuleContent['kind']) {
  return kind === 'metric' ? seriesRecords : spanRecords
}

/** Reports whether a rule counts the messages of a filter, rather than measuring the spans of its conditions. */
export function countsFilter({ rows = [], relations = [] }: Pick<AlertRuleContent, 'rows' | 'relations'>): boolean {
  return rows.length + relations.length > 0
}

/** Returns the rule as the API shows it. */
export function toAlertRuleRecord(stored: StoredAlertRule): AlertRuleRecord {
  const { status, sinceMs, value, evaluatedAt, alertId, lastError } = stored.state
  return {
    id: stored.id,
    ...stored.content,
    state: {
      status,
      since: new Date(sinceMs).toISOString(),
      value,
      evaluated_at: evaluatedAt,
      alert_id: alertId,
      last_error: lastError,
    },
    version: stored.version,
    created_at: stored.created_at,
    updated_at: stored.updated_at,
  }
}

/** Returns the rule without its state, which callers do not change. */
export function toAuditedAlertRule(stored: StoredAlertRule): Omit<AlertRuleRecord, 'state'> {
  const { id, content, version, created_at, updated_at } = stored
  return { id, ...content, version, created_at, updated_at }
}

/**
 * Converts the content of a rule to columns of its row. Those by which rules are searched have a column of their own.
 */
export function contentColumns({ name, integration_id, enabled, ...content }: AlertRuleContent) {
  return {
    name,
    integration_id: integration_id ?? null,
    is_enabled: Number(enabled),
    content: JSON.stringify(content),
  }
}

/** Converts the state of a rule to columns of its row. */
export function stateColumns({ status, sinceMs, value, evaluatedAt, alertId, lastError }: StoredAlertRuleState) {
  return {
    status,
    since: new Date(sinceMs).toISOString(),
    value: value === null ? null : String(value),
    evaluated_at: evaluatedAt,
    alert_id: alertId,
    last_error: lastError,
  }
}

/** Converts a row to the rule that it stores. */
export function toStoredAlertRule(row: Selectable<AlertRulesTable>): StoredAlertRule {
  const { org, id, name, integration_id, version, revision, created_at, updated_at } = row
  const content: AlertRuleContent = {
    ...JSON.parse(row.content),
    name,
    ...(integration_id === null ? {} : { integration_id }),
    enabled: row.is_enabled === 1,
  }
  return { org, id, content, state: toState(row), version, revision, created_at, updated_at }
}

function toState(row: Selectable<AlertRulesTable>): StoredAlertRuleState {
  return {
    status: row.status,
    sinceMs: Date.parse(row.since),
    value: row.value === null ? null : Number(row.value),
    evaluatedAt: row.evaluated_at,
    alertId: row.alert_id,
    lastError: row.last_error,
  }
}
