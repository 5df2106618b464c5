/** The alert rules over an integration, with their values before and after a change of it. */
import type { components } from '../../../openapi/types.ts'
import type { ChangedIntegration } from '../../integrations/integration-diff.ts'
import { Problem, refused } from '../../problem/problem.ts'
import { comparators } from '../../telemetry/comparator.ts'
import { checkAlertRule } from '../rules/alert-rule-content.ts'
import type { StoredAlertRule } from '../rules/alert-rule-record.ts'
import type { MeasuredValue } from '../rules/transition.ts'
import { readValuesWithin, type TraceReaderDeps } from './trace-alert-rules.ts'

type Affected = Pick<components['schemas']['IntegrationDiff'], 'alert_rules' | 'alert_rule_count'>

/** The maximum number of rules whose values are read. */
const rulesMax = 100

/** Returns the function that reads the rules over an integration in the order of their names. */
export function readAffectedAlertRules(
  deps: TraceReaderDeps,
  rulesOf: (org: string) => Promise<readonly StoredAlertRule[]>,
): (changed: ChangedIntegration) => Promise<Affected> {
  return async ({ org, integrationId, change, atNs, signal }) => {
    const rules = (await rulesOf(org)).filter(({ content }) => content.integration_id === integrationId)
    const listed = rules.slice(0, rulesMax)
    listed.forEach(refuseInvalid)
    const telemetry = { ...deps, org, signal, isBackground: false }
    const before = await readValuesWithin(telemetry, listed, change.before, atNs)
    const after = await readValuesWithin(telemetry, listed, change.after, atNs)
    const alert_rules = listed.map((rule) => ({
      id: rule.id,
      name: rule.content.name,
      enabled: rule.content.enabled,
      before: toReading(rule, before.get(rule) ?? null),
      after: toReading(rule, after.get(rule) ?? null),
    }))
    return { alert_rules, alert_rule_count: rules.length }
  }
}

/**
 * Refuses a rule that an earlier version accepted and this one does not: its faults are at no pointer of the request,
 * so only its name says what to replace.
 * @throws Problem 422
 */
function refuseInvalid({ id, content }: StoredAlertRule): void {
  try {
    checkAlertRule(content, '')
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const named = `The alert rule ${JSON.stringify(content.name)} (${id}) over this integration is no longer valid`
    throw refused('', 'invalid_alert_rule', `${named}: ${error.message} Replace or delete it.`)
  }
}

function toReading({ content: { comparator, threshold } }: StoredAlertRule, value: MeasuredValue) {
  return { value, violated: value !== null && comparators[comparator].holds(value, threshold) }
}
