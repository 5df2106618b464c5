import { InvalidQuery, type QueryFault } from '../errors.ts'
import type { Matcher } from '../ir/matcher.ts'
import type { ServiceMatch } from '../ir/slice.ts'
import { matchersMax } from '../limits.ts'
import { parseCondition, type RawCondition, type Refuse, refuseAt } from './condition.ts'

/** A matcher as it comes over the wire. */
export interface RawMatcher extends RawCondition {
  readonly match_group?: unknown
  readonly service?: unknown
  readonly service_match?: unknown
  readonly include_descendants?: unknown
}

/**
 * Matchers -> IR. `pointer` is where the list stands in the request's body.
 * @throws InvalidQuery with every fault of every matcher
 */
export function parseMatchers(matchers: readonly RawMatcher[], pointer = '/matchers'): Matcher[] {
  const faults: QueryFault[] = []
  if (matchers.length > matchersMax)
    throw new InvalidQuery([
      { pointer, code: 'too_many_conditions', message: `An integration has at most ${matchersMax} matchers.` },
    ])
  const services = new Map<string, ServiceMatch>()
  const parsed = matchers.map((raw, index) => parseMatcher(raw, services, refuseAt(`${pointer}/${index}`, faults)))
  if (faults.length > 0) throw new InvalidQuery(faults)
  return parsed.filter((matcher) => matcher !== undefined)
}

/** `services`: what the groups so far are about; a group is about one. */
function parseMatcher(raw: RawMatcher, services: Map<string, ServiceMatch>, refuse: Refuse): Matcher | undefined {
  const { match_group: group, include_descendants: includesDescendants = false } = raw
  const service = parseService(raw, refuse)
  const condition = raw.attribute_key === undefined ? undefined : parseCondition(raw, refuse, 'matcher')
  if (group !== undefined && typeof group !== 'string')
    return refuse('match_group', 'wrong_type', 'A match group is a text.')
  if (typeof includesDescendants !== 'boolean')
    return refuse('include_descendants', 'wrong_type', 'include_descendants is true or false.')
  if (service === undefined || (raw.attribute_key !== undefined && condition === undefined)) return undefined
  if (group !== undefined) {
    const known = services.get(group) ?? service
    services.set(group, known)
    if (known.kind !== service.kind || known.text !== service.text)
      return refuse('service', 'mixed_group', 'All matchers of a group name the same service in the same way.')
  }
  return {
    service,
    includesDescendants,
    ...(group === undefined ? {} : { group }),
    ...(condition === undefined ? {} : { condition }),
  }
}

function parseService(
  { service, service_match: match = 'exact' }: RawMatcher,
  refuse: Refuse,
): ServiceMatch | undefined {
  if (typeof service !== 'string') return refuse('service', 'wrong_type', 'A matcher names a service.')
  if (match !== 'exact' && match !== 'pattern')
    return refuse('service_match', 'wrong_type', 'A service is matched exact or as a pattern.')
  return { kind: match, text: service }
}
