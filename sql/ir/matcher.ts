import type { Condition } from './condition.ts'
import type { ServiceMatch } from './service-match.ts'
import type { Rule, Slice } from './slice.ts'

/** A matcher of an integration. The matchers of one group make one rule (docs/semantics.md, section 5). */
export interface Matcher {
  /** A matcher without a group is a group of its own. */
  readonly group?: string
  readonly service: ServiceMatch
  /** A matcher without a condition selects every span of its service. */
  readonly condition?: Condition
  readonly includesDescendants: boolean
}

/** Returns the rules in the order of each group's first matcher. One matcher can include descendants for its group. */
export function rulesOf(matchers: readonly Matcher[]): Rule[] {
  return groupsOf(matchers).map(([first, ...others]) => ({
    service: first.service,
    conditions: [first, ...others].flatMap(({ condition }) => condition ?? []),
    includesDescendants: [first, ...others].some(({ includesDescendants }) => includesDescendants),
  }))
}

export function sliceOf(mode: Slice['mode'], matchers: readonly Matcher[]): Slice {
  return { mode, rules: rulesOf(matchers) }
}

function groupsOf(matchers: readonly Matcher[]): [Matcher, ...Matcher[]][] {
  const groups: [Matcher, ...Matcher[]][] = []
  const named = new Map<string, Matcher[]>()
  for (const matcher of matchers) {
    const group = matcher.group === undefined ? undefined : named.get(matcher.group)
    if (group !== undefined) {
      group.push(matcher)
      continue
    }
    const added: [Matcher, ...Matcher[]] = [matcher]
    groups.push(added)
    if (matcher.group !== undefined) named.set(matcher.group, added)
  }
  return groups
}

/**
 * Returns the services and patterns of more than one group. Their conditions are joined with `or`, which `all` forbids.
 */
export function servicesJoinedByOr(matchers: readonly Matcher[]): string[] {
  const seen = new Set<string>()
  const joined = new Map<string, string>()
  for (const { service } of rulesOf(matchers)) {
    const identity = `${service.kind} ${service.text}`
    if (seen.has(identity)) joined.set(identity, service.text)
    seen.add(identity)
  }
  return [...joined.values()]
}
