/** The draft of an alert rule. Numbers are texts while they are typed. */
import type { components } from '../../../openapi/types.ts'
import { isRelation, type Relation } from '../../app/search.ts'
import { isComplete, isCondition, type MessageRow } from '../../parts/conditions/operators.ts'
import { formatMilliseconds, parseMilliseconds } from '../../parts/time/within.ts'
import { type Aggregation, aggregationWords } from '../metrics/metrics-search.ts'
import type { AlertRule, AlertRuleCreate, AlertRuleUpdate } from './alert-query.ts'

export type Measure = components['schemas']['AlertMeasure']
export type Comparator = components['schemas']['AlertComparator']
type Include = components['schemas']['AlertInclude']

/** Which spans a rule measures. */
export type RuleScope = 'all' | 'service' | 'integration'

export interface RuleDraft {
  readonly name: string
  readonly kind: AlertRule['kind']
  readonly scope: RuleScope
  readonly service: string
  readonly integration: string
  readonly metric: string
  readonly measure: Measure
  /** Whether the conditions are rows of a message filter, and not conditions on one span. */
  readonly isOfMessages: boolean
  readonly conditions: readonly MessageRow[]
  readonly rows: readonly MessageRow[]
  readonly relations: readonly Relation[]
  readonly comparator: Comparator
  readonly threshold: string
  readonly window: string
  readonly for: string
  readonly severity: AlertRule['severity']
  readonly channels: readonly string[]
  readonly include: Include
}

export const traceMeasureWords: Readonly<Record<Exclude<Measure, Aggregation>, string>> = {
  error_count: 'number of failed spans',
  error_rate: 'error rate',
  p95_ms: 'p95 duration',
  span_count: 'number of spans',
  message_count: 'number of messages',
}

/** Returns the words of a measure, which for a metric is an aggregation. */
export function measureWords(measure: Measure): string {
  return { ...traceMeasureWords, ...aggregationWords }[measure] ?? measure
}

const unitsOfMeasures: Partial<Readonly<Record<Measure, string>>> = { p95_ms: 'ms', error_rate: '%' }

/** Returns the unit in which a measure is shown. That of a metric is the metric's own. */
export function unitOfMeasure(measure: Measure): string {
  return unitsOfMeasures[measure] ?? '1'
}

/** Returns a value of the API in the unit in which its measure is shown: an error rate of 0.05 is 5 %. */
export function shownValue(value: number, measure: Measure): number {
  return measure === 'error_rate' ? exactProduct(value, 100) : value
}

/** Returns the value of the API for one that is shown. */
function sentValue(value: number, measure: Measure): number {
  return measure === 'error_rate' ? exactProduct(value, 0.01) : value
}

/** Multiplies and rounds the last digits away: in floating point, 0.07 times 100 is more than 7. */
function exactProduct(value: number, factor: number): number {
  return Number((value * factor).toPrecision(15))
}

export const comparatorWords: Readonly<Record<Comparator, string>> = {
  gt: 'is above',
  gte: 'is at least',
  lt: 'is below',
  lte: 'is at most',
  eq: 'equals',
  neq: 'is not',
}

export const includeWords: readonly (readonly [keyof Include, string])[] = [
  ['link', 'link'],
  ['summary', 'summary'],
  ['service', 'service'],
  ['integration', 'integration'],
  ['check', 'metric check'],
]

export const emptyAlertRule: RuleDraft = {
  name: '',
  kind: 'trace',
  scope: 'all',
  service: '',
  integration: '',
  metric: '',
  measure: 'error_count',
  isOfMessages: false,
  conditions: [],
  rows: [],
  relations: [],
  comparator: 'gt',
  threshold: '0',
  window: '5 min',
  for: '0 s',
  severity: 'warning',
  channels: [],
  include: { link: true, summary: true, service: true, integration: true, check: true },
}

export function draftOfAlertRule(rule: AlertRule): RuleDraft {
  const { service, integration_id: integration, rows = [], relations = [] } = rule
  const scope = integration === undefined ? (service === undefined ? 'all' : 'service') : 'integration'
  return {
    name: rule.name,
    kind: rule.kind,
    scope,
    service: service ?? '',
    integration: integration ?? '',
    metric: rule.metric ?? '',
    measure: rule.measure,
    isOfMessages: rows.length + relations.length > 0,
    conditions: rule.conditions as readonly MessageRow[],
    rows,
    relations,
    comparator: rule.comparator,
    threshold: String(shownValue(rule.threshold, rule.measure)),
    window: secondsWords(rule.window_s),
    for: secondsWords(rule.for_s),
    severity: rule.severity,
    channels: rule.channel_ids,
    include: rule.include,
  }
}

/** Writes seconds in the largest unit that leaves a whole number. */
export function secondsWords(seconds: number): string {
  return seconds === 0 ? '0 s' : formatMilliseconds(seconds * 1_000)
}

/** Tests of the elements of each list of a draft, because an address may contain anything. */
const elementTests: Readonly<Record<string, (element: unknown) => boolean>> = {
  conditions: isCondition,
  rows: isCondition,
  relations: isRelation,
  channels: (id) => typeof id === 'string',
}

/** Applies the edits of an address to a draft. Members of another type than in the draft are ignored. */
export function withEdits(draft: RuleDraft, edits: Readonly<Record<string, unknown>> = {}): RuleDraft {
  const kept = Object.entries(edits).filter(([key, value]) => {
    if (!Object.hasOwn(draft, key) || value === null) return false
    const before = draft[key as keyof RuleDraft]
    if (Array.isArray(before)) return Array.isArray(value) && value.every(elementTests[key] ?? (() => false))
    return typeof value === typeof before && !Array.isArray(value)
  })
  return { ...draft, ...Object.fromEntries(kept) }
}

/** Returns the members of a draft that differ, for the address; undefined without any. */
export function editsOf(draft: RuleDraft, from: RuleDraft): Record<string, unknown> | undefined {
  const edits = Object.entries(draft).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(from[key as keyof RuleDraft]),
  )
  return edits.length === 0 ? undefined : Object.fromEntries(edits)
}

/** Whether a rule counts messages by the rows of a message filter. */
export function isMessageFilter({ kind, measure, isOfMessages }: RuleDraft): boolean {
  return kind === 'trace' && measure === 'message_count' && isOfMessages
}

/** Returns which spans a rule measures. A metric has no integration, and a message filter no service. */
export function scopeOf(draft: RuleDraft): RuleScope {
  const { kind, scope } = draft
  if (scope === 'service') return isMessageFilter(draft) ? 'all' : scope
  return kind === 'trace' ? scope : 'all'
}

/**
 * Returns the faults that the server could not find, because a request has no place for what was typed. Without its
 * name, for example, a rule for one service would measure all of them.
 */
export function draftFaultsOf(draft: RuleDraft): Map<string, string> {
  const { service, integration, threshold, window, for: held } = draft
  const faults = new Map<string, string>()
  const scope = scopeOf(draft)
  if (scope === 'service' && service === '') faults.set('/service', 'must be named')
  if (scope === 'integration' && integration === '') faults.set('/integration_id', 'must be chosen')
  if (threshold.trim() === '' || !Number.isFinite(Number(threshold))) faults.set('/threshold', 'must be a number')
  for (const [pointer, text] of [['/window_s', window] as const, ['/for_s', held] as const]) {
    const ms = parseMilliseconds(text)
    if (ms === undefined || ms % 1_000 !== 0) faults.set(pointer, 'must be a time such as 30 s, 5 min or 1 h')
  }
  return faults
}

/**
 * Returns the fault of a rule with incomplete rows, which would be saved without them. They are not sent, so they have
 * no position in a request; their pointer is -1.
 */
export function unfinishedRowsOf(draft: RuleDraft): Map<string, string> {
  const list = isMessageFilter(draft) ? 'rows' : 'conditions'
  if (draft[list].every(isComplete)) return new Map()
  return new Map([[`/${list}/-1`, 'Complete the condition, or remove it.']])
}

/** Returns the body that creates or previews a rule, or undefined while a number cannot be read. */
export function alertRuleCreateOf(draft: RuleDraft): AlertRuleCreate | undefined {
  if (draftFaultsOf(draft).size > 0) return undefined
  const { name, kind, service, integration, metric, measure, comparator, severity, channels, include } = draft
  const isOfMessages = isMessageFilter(draft)
  const scope = scopeOf(draft)
  return {
    name,
    kind,
    measure,
    comparator,
    threshold: sentValue(Number(draft.threshold), measure),
    window_s: (parseMilliseconds(draft.window) ?? 0) / 1_000,
    for_s: (parseMilliseconds(draft.for) ?? 0) / 1_000,
    severity,
    channel_ids: [...channels],
    include,
    conditions: isOfMessages ? [] : (draft.conditions.filter(isComplete) as AlertRuleCreate['conditions'] & object),
    rows: isOfMessages ? draft.rows.filter(isComplete) : [],
    relations: isOfMessages ? [...draft.relations] : [],
    ...(scope === 'service' ? { service } : {}),
    ...(scope === 'integration' ? { integration_id: integration } : {}),
    ...(kind === 'metric' && metric !== '' ? { metric } : {}),
  }
}

/** Returns the body that changes a rule. Members that the rule no longer has are removed. */
export function alertRuleUpdateOf(draft: RuleDraft): AlertRuleUpdate | undefined {
  const body = alertRuleCreateOf(draft)
  return body && { service: null, integration_id: null, metric: null, ...body }
}
