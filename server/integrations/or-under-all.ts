import { problem } from '../problem/problem.ts'
import { type IntegrationContent, joinedUnderAll } from './integration-record.ts'
import { sayTheSame } from './matcher-list.ts'

/**
 * Under `all`, conditions on one service are joined with `and` only. An import may have brought an integration that joins
 * them with `or`: it may be edited as long as the edit mends that, or leaves mode and matchers alone.
 * @throws Problem 409 with the services that are joined with `or`
 */
export function refuseOrUnderAll(next: IntegrationContent, current?: IntegrationContent): void {
  const services = joinedUnderAll(next)
  if (services.length === 0) return
  if (current?.rule_match === next.rule_match && sayTheSame(current.matchers, next.matchers)) return
  const names = services.map((service) => JSON.stringify(service)).join(', ')
  throw problem(
    'or_under_all',
    `More than one group names the service ${names}. Put their conditions into one group, or choose any.`,
    {
      errors: services.map((service) => ({
        pointer: '/matchers',
        code: 'or_under_all',
        message: `more than one group names the service ${JSON.stringify(service)}`,
      })),
    },
  )
}
