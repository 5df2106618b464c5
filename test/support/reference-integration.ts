import { type Condition, holds } from './reference-condition.ts'
import { descendants, groupByTrace } from './reference-descendants.ts'
import { type MatcherOperator, operatorOfMatcher } from './reference-operators.ts'
import { byStart, populationOf, type Window } from './reference-population.ts'
import type { SpanModel } from './span-model.ts'

/** A matcher, as the API takes it. */
export interface Matcher {
  readonly match_group: string
  readonly service: string
  readonly service_match: 'exact' | 'pattern'
  readonly attribute_source?: Condition['attribute_source']
  /** Absent for a rule about the service alone. */
  readonly attribute_key?: string
  readonly operator?: MatcherOperator
  readonly value?: string
  readonly include_descendants?: boolean
}

export interface Integration {
  readonly rule_match: 'any' | 'all'
  readonly matchers: readonly Matcher[]
}

interface Rule {
  readonly service: string
  readonly serviceMatch: 'exact' | 'pattern'
  readonly conditions: readonly Condition[]
  readonly includesDescendants: boolean
}

/** Combines the matchers of each group into a rule. */
function rulesOf(integration: Integration): Rule[] {
  const groups = new Map<string, Matcher[]>()
  for (const matcher of integration.matchers) {
    groups.set(matcher.match_group, [...(groups.get(matcher.match_group) ?? []), matcher])
  }
  return [...groups.values()].map((group) => ({
    service: group[0]?.service ?? '',
    serviceMatch: group[0]?.service_match ?? 'exact',
    conditions: group.flatMap(conditionsOf),
    includesDescendants: group.some((matcher) => matcher.include_descendants === true),
  }))
}

function conditionsOf(matcher: Matcher): Condition[] {
  if (matcher.attribute_key === undefined || matcher.operator === undefined) return []
  return [
    {
      attribute_source: matcher.attribute_source ?? 'any',
      attribute_key: matcher.attribute_key,
      operator: operatorOfMatcher(matcher.operator),
      ...(matcher.value === undefined ? {} : { value: matcher.value }),
    },
  ]
}

/** Matches a glob with the whole name: `*` is any run of characters, `?` is one code point. */
export function fitsPattern(pattern: string, service: string): boolean {
  const source = [...pattern].map((character) => {
    if (character === '*') return '.*'
    if (character === '?') return '.'
    return character.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')
  })
  return new RegExp(`^${source.join('')}$`, 'su').test(service)
}

function fitsService(rule: Rule, service: string): boolean {
  return rule.serviceMatch === 'exact' ? rule.service === service : fitsPattern(rule.service, service)
}

function satisfies(rule: Rule, span: SpanModel): boolean {
  return fitsService(rule, span.service) && rule.conditions.every((condition) => holds(condition, span))
}

/** Returns the spans of an integration in a population (docs/semantics.md, section 5). */
export function slice(integration: Integration, population: readonly SpanModel[]): Set<SpanModel> {
  const rules = rulesOf(integration)
  const base = new Set(rules.flatMap((rule) => [...baseOf(rule, rules, population)]))
  if (integration.rule_match === 'any' || rules.length === 0) return base
  const complete = new Set<string>()
  for (const [traceId, trace] of groupByTrace(population))
    if (rules.every((rule) => trace.some((span) => satisfies(rule, span)))) complete.add(traceId)
  return new Set([...base].filter((span) => complete.has(span.traceId)))
}

function baseOf(rule: Rule, rules: readonly Rule[], population: readonly SpanModel[]): SpanModel[] {
  const anchors = population.filter((span) => satisfies(rule, span))
  if (!rule.includesDescendants) return anchors
  const isMember = (span: SpanModel): boolean => rules.some((any) => fitsService(any, span.service))
  return [...anchors, ...[...descendants(anchors, population)].filter(isMember)]
}

/**
 * Returns for each rule the spans that satisfy it, and those that are in the slice only because they are below one of
 * these (docs/questions.md, section 15).
 */
export function spansOfRules(integration: Integration, population: readonly SpanModel[]) {
  const rules = rulesOf(integration)
  const inSlice = slice(integration, population)
  const satisfiesAny = (span: SpanModel) => rules.some((rule) => satisfies(rule, span))
  return rules.map((rule) => {
    const witnesses = population.filter((span) => satisfies(rule, span))
    const below = rule.includesDescendants ? [...descendants(witnesses, population)] : []
    return { witnesses, below: below.filter((span) => inSlice.has(span) && !satisfiesAny(span)) }
  })
}

/** Returns the population of a restricted caller: the union of the granted slices (docs/semantics.md, section 1). */
export function visiblePopulation(
  stored: readonly SpanModel[],
  org: string,
  window: Window,
  granted: readonly Integration[],
): SpanModel[] {
  const population = populationOf(stored, org, window)
  const visible = granted.map((integration) => slice(integration, population))
  return population.filter((span) => visible.some((part) => part.has(span))).toSorted(byStart)
}

/** Returns the services of more than one group, which forbid `rule_match: all`. */
export function servicesJoinedWithOr(integration: Integration): string[] {
  const named = rulesOf(integration).map((rule) => JSON.stringify([rule.serviceMatch, rule.service]))
  return [...new Set(named.filter((name, position) => named.indexOf(name) !== position))]
}
