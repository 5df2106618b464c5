import { type EditedRecord, updateRecord } from '../metadata/edit-record.ts'
import { problem } from '../problem/problem.ts'
import { haveSameRules, type IntegrationContent, joinedUnderAll, type StoredIntegration } from './integration-record.ts'
import type { IntegrationStore } from './integration-store.ts'
import { type MatcherInput, toStoredMatchers } from './matcher-list.ts'

/**
 * Replaces the content of an integration.
 * @throws Problem 404, 412 when `If-Match` names another version, 409 for `or` under `all`
 */
export function editIntegration(
  store: IntegrationStore,
  edited: EditedRecord,
  change: (current: StoredIntegration) => IntegrationContent,
): Promise<StoredIntegration> {
  return updateRecord(store, edited, (current) => {
    const next = change(current)
    refuseOrUnderAll(next, current)
    return next
  })
}

/** A change of the rules of an integration. What is left out stays as it is. */
interface RuleChange {
  readonly rule_match?: IntegrationContent['rule_match']
  readonly matchers?: readonly MatcherInput[]
}

/**
 * Returns the rules of an integration after a change.
 * @throws Problem 400 with every fault of every matcher
 */
export function changedRules(
  current: IntegrationContent,
  { rule_match = current.rule_match, matchers }: RuleChange,
  newId: () => string,
): Pick<IntegrationContent, 'rule_match' | 'matchers'> {
  if (matchers === undefined) return { rule_match, matchers: current.matchers }
  const options = { pointer: '/matchers', current: current.matchers, newId }
  return { rule_match, matchers: toStoredMatchers(matchers, options) }
}

/**
 * Refuses conditions on one service that are joined with `or` although the rule mode is `all`. An import may have
 * stored such an integration: an edit of it is accepted if it removes the `or`, or changes neither the mode nor the
 * rules.
 * @throws Problem 409 with the services that are joined with `or`
 */
export function refuseOrUnderAll(next: IntegrationContent, current?: IntegrationContent): void {
  const services = joinedUnderAll(next)
  if (services.length === 0) return
  if (current?.rule_match === next.rule_match && haveSameRules(current.matchers, next.matchers)) return
  const names = services.map((service) => JSON.stringify(service)).join(', ')
  throw problem(
    'or_under_all',
    `More than one group names the service ${names}. Merge the groups, or set rule_match to "any".`,
    {
      errors: services.map((service) => ({
        pointer: '/matchers',
        code: 'or_under_all',
        message: `more than one group names the service ${JSON.stringify(service)}`,
      })),
    },
  )
}
