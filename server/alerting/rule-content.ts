import type { components } from '../../openapi/types.ts'
import { collectFaults } from '../problem/collect-faults.ts'
import { type FieldFault, invalidFields, refused } from '../problem/problem.ts'
import { checkName, checkStorable } from '../problem/record-text.ts'
import type { RuleReaders } from './rule-reader.ts'
import type { RuleContent } from './rule-record.ts'

/** A rule as it is sent: what is left out has a default. */
export type RuleInput = components['schemas']['AlertRuleCreate']

/** The fields to change: what is left out stays, null takes away. */
type RuleChange = components['schemas']['AlertRuleUpdate']

const everything: RuleContent['include'] = { link: true, summary: true, service: true, integration: true, check: true }

const defaults = {
  conditions: [],
  window_s: 300,
  for_s: 0,
  severity: 'warning',
  channel_ids: [],
  enabled: true,
} as const satisfies Partial<RuleContent>

export function newContent({ include, ...sent }: RuleInput): RuleContent {
  return { ...defaults, conditions: [], channel_ids: [], ...sent, include: { ...everything, ...include } }
}

export function changedContent(current: RuleContent, change: RuleChange): RuleContent {
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
export function checkContent(readers: RuleReaders, content: RuleContent, pointer: string): RuleContent {
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
export function refuseContent(readers: RuleReaders, content: RuleContent, pointer: string): void {
  if (content.service !== undefined && content.integration_id !== undefined)
    throw refused(`${pointer}/service`, 'two_scopes', 'A rule is about a service or about an integration, not both.')
  readers[content.kind].refuse(content, pointer)
}
