import type { components } from '../../../openapi/types.ts'
import { collectFaults, type FieldFault, invalidFields, refused } from '../../problem/problem.ts'
import { checkName, checkStorable } from '../../problem/record-input.ts'
import type { AlertRuleReaders } from '../readings/alert-rule-reader.ts'
import type { AlertRuleContent } from './alert-rule-record.ts'

/** A rule as it is sent: what is left out has a default. */
export type AlertRuleInput = components['schemas']['AlertRuleCreate']

/** The fields to change: what is left out stays, null takes away. */
type AlertRuleUpdate = components['schemas']['AlertRuleUpdate']

const everything: AlertRuleContent['include'] = {
  link: true,
  summary: true,
  service: true,
  integration: true,
  check: true,
}

const defaults = {
  conditions: [],
  window_s: 300,
  for_s: 0,
  severity: 'warning',
  channel_ids: [],
  enabled: true,
} as const satisfies Partial<AlertRuleContent>

export function newAlertRuleContent({ include, ...sent }: AlertRuleInput): AlertRuleContent {
  return { ...defaults, conditions: [], channel_ids: [], ...sent, include: { ...everything, ...include } }
}

export function changedAlertRuleContent(current: AlertRuleContent, change: AlertRuleUpdate): AlertRuleContent {
  const { service, integration_id, metric, include, ...changes } = change
  const { service: ownService, integration_id: ownIntegration, metric: ownMetric, ...kept } = current
  return {
    ...{ ...kept, ...changes, include: { ...kept.include, ...include } },
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
 * Holds a rule against what it can be; `pointer` is where the rule stands in the request's body.
 * @throws Problem 400 with every field that is malformed
 */
export function checkAlertRule(
  readers: AlertRuleReaders,
  content: AlertRuleContent,
  pointer: string,
): AlertRuleContent {
  const { name, kind, service = '', metric = '' } = content
  const faults: FieldFault[] = []
  collectFaults(faults, () => checkName(name, `${pointer}/name`))
  collectFaults(faults, () => checkStorable(service, `${pointer}/service`))
  collectFaults(faults, () => checkStorable(metric, `${pointer}/metric`))
  collectFaults(faults, () => readers[kind].check(content, pointer))
  if (faults.length > 0) throw invalidFields(faults)
  return content
}

/** @throws Problem 422 for a rule that is well formed but cannot be watched */
export function refuseAlertRule(readers: AlertRuleReaders, content: AlertRuleContent, pointer: string): void {
  if (content.service !== undefined && content.integration_id !== undefined)
    throw refused(`${pointer}/service`, 'two_scopes', 'A rule is about a service or about an integration, not both.')
  readers[content.kind].refuse(content, pointer)
}
