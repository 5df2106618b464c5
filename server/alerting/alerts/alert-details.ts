import type { IntegrationStore } from '../../integrations/integration-store.ts'
import { groupedBy } from '../../telemetry/grouped-by.ts'
import type { AlertContext } from '../../webhooks/templates/template-variables.ts'
import type { StoredAlertRule } from '../rules/alert-rule-record.ts'
import type { ReadCheckFact } from './check-details.ts'
import type { ReadServiceDetails } from './service-details.ts'

/** What a notification says of that which its rule looks at. */
export type AlertDetails = Pick<AlertContext, 'check' | 'service' | 'integration'>

/** Of rules of one organization and what they measured at a moment, by the ids of the rules. */
export type ReadAlertDetails = (
  measured: readonly { readonly rule: StoredAlertRule; readonly value: number }[],
  atMs: number,
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, AlertDetails>>

export interface AlertFactsParts {
  readonly integrations: Pick<IntegrationStore, 'find'>
  readonly readServices: ReadServiceDetails
  readonly readCheck: ReadCheckFact
}

export function createAlertDetails({ integrations, readServices, readCheck }: AlertFactsParts): ReadAlertDetails {
  const integrationOf = async ({ org, integration_id: id }: StoredAlertRule): Promise<Partial<AlertDetails>> => {
    const found = id === undefined ? undefined : await integrations.find({ org }, id)
    return found === undefined ? {} : { integration: { id: found.id, name: found.name, rule_match: found.rule_match } }
  }
  return async (measured, atMs, signal) => {
    const rules = measured.map(({ rule }) => rule)
    const services = new Map<string, AlertDetails['service']>()
    for (const [windowS, some] of groupedBy(rules, (rule) => rule.window_s)) {
      const facts = await readServices(some, { atMs, windowS }, signal)
      for (const { id, service } of some) if (service !== undefined) services.set(id, facts.get(service))
    }
    const facts = new Map<string, AlertDetails>()
    for (const { rule, value } of measured) {
      const service = services.get(rule.id)
      const check = await readCheck(rule, value, atMs, signal)
      facts.set(rule.id, { ...(check && { check }), ...(service && { service }), ...(await integrationOf(rule)) })
    }
    return facts
  }
}
