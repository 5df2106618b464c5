import type { Condition } from './condition.ts'
import type { Rule, ServiceMatch, Slice } from './slice.ts'

/** One matcher of an integration; those of one group make one rule (semantics, section 5). */
export interface Matcher {
  /** Left out: a group of its own. */
  readonly group?: string
  readonly service: ServiceMatch
  /** Left out: the bare service rule. */
  readonly condition?: Condition
  readonly includesDescendants: boolean
}

/** In the order of each group's first matcher. One matcher that includes descendants includes them for its group. */
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

/** The services, or patterns, that more than one group names: their conditions are joined with `or`, which `all` forbids. */
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
