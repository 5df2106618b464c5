import type { Condition } from './condition.ts'

/** A service, and conditions joined with `and` (docs/semantics.md, section 5). */
export interface Rule {
  readonly service: ServiceMatch
  readonly conditions: readonly Condition[]
  readonly includesDescendants: boolean
}

/** The spans of an integration, defined by its rules. A slice without rules has no spans. */
export interface Slice {
  readonly mode: 'any' | 'all'
  readonly rules: readonly Rule[]
}

/** One service by name, or several by a pattern. */
export interface ServiceMatch {
  /** A `pattern` is a glob over the whole name: `*` is any run of characters, `?` is one character. */
  readonly kind: 'exact' | 'pattern'
  readonly text: string
}

/** Returns the RE2 pattern of a glob. */
export function patternOfGlob(glob: string): string {
  const quoted = [...glob].map((character) => {
    if (character === '*') return '.*'
    if (character === '?') return '.'
    return `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`
  })
  return `(?s)\\A${quoted.join('')}\\z`
}

/** Reports whether a service has the name, or matches the pattern, of a rule. */
export function serviceFits({ kind, text }: ServiceMatch, name: string): boolean {
  return kind === 'exact' ? name === text : globMatches([...text], [...name])
}

/**
 * Matches without compiling a regular expression, because a list of services asks for each service and each pattern.
 * After a mismatch, only the last `*` can take more characters, so the time is at most the product of both lengths.
 */
function globMatches(glob: readonly string[], name: readonly string[]): boolean {
  let at = 0
  let star: { readonly at: number; taken: number } | undefined
  let position = 0
  while (position < name.length) {
    if (glob[at] === '*') {
      star = { at, taken: position }
      at += 1
    } else if (glob[at] === '?' || glob[at] === name[position]) {
      at += 1
      position += 1
    } else if (star !== undefined) {
      star.taken += 1
      position = star.taken
      at = star.at + 1
    } else return false
  }
  return glob.slice(at).every((character) => character === '*')
}

/** A matcher of an integration. The matchers of one group form one rule (docs/semantics.md, section 5). */
export interface Matcher {
  /** The group of the matcher. Each matcher without a group forms a separate group. */
  readonly group?: string
  readonly service: ServiceMatch
  /** The condition of the matcher. Without one, it selects every span of its service. */
  readonly condition?: Condition
  readonly includesDescendants: boolean
}

/**
 * Returns the rules in the order of the first matcher of each group. A rule includes descendants if any of its matchers
 * does.
 */
export function rulesOf(matchers: readonly Matcher[]): Rule[] {
  return groupsOf(matchers).map(([first, ...others]) => ({
    service: first.service,
    conditions: [first, ...others].flatMap(({ condition }) => condition ?? []),
    includesDescendants: [first, ...others].some(({ includesDescendants }) => includesDescendants),
  }))
}

/** Returns the slice that matchers select. */
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
 * Returns the services and patterns that more than one rule names. Their conditions are joined with `or`, which `all`
 * forbids.
 */
export function servicesJoinedByOr(rules: readonly Rule[]): string[] {
  const seen = new Set<string>()
  const joined = new Map<string, string>()
  for (const { service } of rules) {
    const identity = `${service.kind} ${service.text}`
    if (seen.has(identity)) joined.set(identity, service.text)
    seen.add(identity)
  }
  return [...joined.values()]
}
