import type { Matcher, ServiceMatch } from '../ir/slice.ts'
import { matchersMax } from '../limits.ts'
import { type AcceptPattern, acceptAnyPattern, parseCondition, type RawCondition } from './condition.ts'
import { parseList, type Refuse } from './list.ts'

/** An unparsed matcher of a request. */
export interface RawMatcher extends RawCondition {
  readonly match_group?: unknown
  readonly service?: unknown
  readonly service_match?: unknown
  readonly include_descendants?: unknown
}

const matchersLimit = { max: matchersMax, message: `An integration has at most ${matchersMax} matchers.` }

/**
 * Parses the matchers of an integration. `pointer` locates the list in the request body.
 * @throws InvalidQuery with the faults of all matchers
 */
export function parseMatchers(
  matchers: readonly RawMatcher[],
  pointer = '/matchers',
  acceptPattern: AcceptPattern = acceptAnyPattern,
): Matcher[] {
  const servicesOfGroups = new Map<string, ServiceMatch>()
  return parseList(matchers, { pointer, limit: matchersLimit }, (raw, refuse) =>
    parseMatcher(raw, refuse, { servicesOfGroups, acceptPattern }),
  )
}

interface MatcherOptions {
  /** The service of each group so far. All matchers of a group have the same service. */
  readonly servicesOfGroups: Map<string, ServiceMatch>
  readonly acceptPattern: AcceptPattern
}

function parseMatcher(
  raw: RawMatcher,
  refuse: Refuse,
  { servicesOfGroups, acceptPattern }: MatcherOptions,
): Matcher | undefined {
  const { match_group: group, include_descendants: includesDescendants = false } = raw
  const hasCondition = raw.attribute_key !== undefined
  const service = parseService(raw, refuse)
  const condition = hasCondition ? parseCondition(raw, refuse, { surface: 'matcher', acceptPattern }) : undefined
  if (group !== undefined && typeof group !== 'string')
    return refuse('match_group', 'wrong_type', 'A match group must be a string.')
  if (typeof includesDescendants !== 'boolean')
    return refuse('include_descendants', 'wrong_type', '`include_descendants` must be true or false.')
  if (service === undefined || (hasCondition && condition === undefined)) return undefined
  if (group !== undefined) {
    const known = servicesOfGroups.get(group) ?? service
    servicesOfGroups.set(group, known)
    if (known.kind !== service.kind || known.text !== service.text)
      return refuse('service', 'mixed_group', 'All matchers of a group must have the same service and service match.')
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
  if (typeof service !== 'string') return refuse('service', 'wrong_type', 'A matcher requires a service, as a string.')
  if (match !== 'exact' && match !== 'pattern')
    return refuse('service_match', 'wrong_type', '`service_match` must be exact or pattern.')
  return { kind: match, text: service }
}
