import { checkConditions, checkMessageFilter, metricAggregations, traceMeasures } from '#sql'
import type { components } from '../../../openapi/types.ts'
import { collectFaults, type FieldFault, invalidFields, refused } from '../../problem/problem.ts'
import { checkName, checkStorable } from '../../problem/record-input.ts'
import { type AlertRuleContent, countsFilter, recordsOfKind } from './alert-rule-record.ts'

/** The body of a request that creates an alert rule. Omitted fields have defaults. */
export type AlertRuleInput = components['schemas']['AlertRuleCreate']

/** A change of an alert rule. Omitted fields keep their values; null removes a field. */
type AlertRuleUpdate = components['schemas']['AlertRuleUpdate']

const everything: AlertRuleContent['include'] = {
  link: true,
  summary: true,
  service: true,
  integration: true,
  check: true,
}

const defaults = {
  window_s: 300,
  for_s: 0,
  severity: 'warning',
  enabled: true,
} as const satisfies Partial<AlertRuleContent>

/** Returns the content of a new rule: the fields that were sent, and defaults for all others. */
export function newAlertRuleContent({ include, ...sent }: AlertRuleInput): AlertRuleContent {
  return { ...defaults, conditions: [], channel_ids: [], ...sent, include: { ...everything, ...include } }
}

/** Returns the content of a rule after a change. */
export function changedAlertRuleContent(current: AlertRuleContent, change: AlertRuleUpdate): AlertRuleContent {
  const { service, integration_id, metric, include, ...changes } = change
  const { service: ownService, integration_id: ownIntegration, metric: ownMetric, ...kept } = current
  return {
    ...kept,
    ...changes,
    include: { ...kept.include, ...include },
    ...optional('service', service, ownService),
    ...optional('integration_id', integration_id, ownIntegration),
    ...optional('metric', metric, ownMetric),
  }
}

function optional<Field extends string>(field: Field, sent: string | null | undefined, kept: string | undefined) {
  const value = sent === undefined ? kept : (sent ?? undefined)
  return (value === undefined ? {} : { [field]: value }) as { readonly [_ in Field]?: string }
}

/**
 * Checks each field of a rule independently of the others. `pointer` locates the rule in the request body.
 * @throws Problem 400 with every malformed field
 */
export function checkAlertRule(content: AlertRuleContent, pointer: string): AlertRuleContent {
  const { name, kind, conditions, service = '', metric = '' } = content
  const faults: FieldFault[] = []
  collectFaults(faults, () => checkName(name, `${pointer}/name`))
  collectFaults(faults, () => checkStorable(service, `${pointer}/service`))
  collectFaults(faults, () => checkStorable(metric, `${pointer}/metric`))
  collectFaults(faults, () => {
    checkConditions(conditions, recordsOfKind(kind), `${pointer}/conditions`)
  })
  collectFaults(faults, () => checkMessageFilter(messageFilterOf(content), pointer))
  if (faults.length > 0) throw invalidFields(faults)
  return content
}

/** Returns the rows and relations of a rule as a message filter. */
export function messageFilterOf({ rows, relations }: Pick<AlertRuleContent, 'rows' | 'relations'>) {
  return { ...(rows === undefined ? {} : { rows }), ...(relations === undefined ? {} : { relations }) }
}

/**
 * Refuses combinations of fields that are not supported. `pointer` locates the rule in the request body.
 * @throws Problem 422
 */
export function refuseUnsupported(content: AlertRuleContent, pointer: string): void {
  if (content.service !== undefined && content.integration_id !== undefined)
    throw refused(`${pointer}/service`, 'two_scopes', 'An alert rule takes a service or an integration, not both.')
  if (content.kind === 'metric') refuseUnsupportedByMetrics(content, pointer)
  else refuseUnsupportedByTraces(content, pointer)
  if (countsFilter(content)) refuseUnsupportedByFilters(content, pointer)
}

function refuseUnsupportedByFilters(content: AlertRuleContent, pointer: string): void {
  const { kind, measure, conditions, service, rows = [] } = content
  const field = rows.length > 0 ? 'rows' : 'relations'
  if (kind !== 'trace' || measure !== 'message_count') {
    const message = `Only trace rules with the measure message_count support \`${field}\`.`
    throw refused(`${pointer}/${field}`, 'not_of_kind', message)
  }
  if (conditions.length > 0)
    throw refused(
      `${pointer}/conditions`,
      'not_with_rows',
      `Write the conditions as \`rows\`, because the rule has \`${field}\`.`,
    )
  if (service !== undefined)
    throw refused(
      `${pointer}/service`,
      'not_with_rows',
      `Write the service as a row, because the rule has \`${field}\`.`,
    )
}

function refuseUnsupportedByTraces({ measure, metric }: AlertRuleContent, pointer: string): void {
  refuseOtherMeasure('Trace', traceMeasures, measure, pointer)
  if (metric !== undefined)
    throw refused(`${pointer}/metric`, 'not_of_kind', 'Trace rules do not support `metric`. Use a metric rule instead.')
}

function refuseUnsupportedByMetrics({ measure, metric, integration_id }: AlertRuleContent, pointer: string): void {
  if (metric === undefined) throw refused(`${pointer}/metric`, 'missing', 'A metric rule requires `metric`.')
  refuseOtherMeasure('Metric', metricAggregations, measure, pointer)
  if (integration_id !== undefined) {
    const message = 'Metric rules do not support integrations, which consist of spans and have no metrics.'
    throw refused(`${pointer}/integration_id`, 'not_of_kind', message)
  }
}

function refuseOtherMeasure(kind: string, supported: readonly string[], measure: string, pointer: string): void {
  if (supported.includes(measure)) return
  const message = `${kind} rules do not support the measure ${measure}. Use one of ${supported.join(', ')}.`
  throw refused(`${pointer}/measure`, 'not_of_kind', message)
}
