import { allOf, anyOf, type Sql, sql, text } from '../fragment.ts'
import { patternOfGlob } from '../ir/service-match.ts'
import type { Rule, ServiceMatch, Slice } from '../ir/slice.ts'
import { compileSpanCondition } from './condition.ts'

/** Whether a span satisfies a rule: its service fits and all conditions are true. */
export function compileRule(rule: Rule): Sql {
  return allOf([compileService(rule.service), ...rule.conditions.map(compileSpanCondition)])
}

function compileService({ kind, text: name }: ServiceMatch): Sql {
  return kind === 'exact' ? sql`(service = ${text(name)})` : sql`match(service, ${text(patternOfGlob(name))})`
}

/** Whether the span satisfies at least one of the rules. */
export function compileAnyRule(rules: readonly Rule[]): Sql {
  return anyOf(rules.map(compileRule))
}

/** Whether the span's service is a member of the slice: it fits some rule, whatever the conditions. */
export function compileMember(slice: Slice): Sql {
  return anyOf(distinctServices(slice).map(compileService))
}

/** The services, or patterns over them, that rules name, each once. */
export function distinctServices({ rules }: Slice): readonly ServiceMatch[] {
  return [...new Map(rules.map(({ service }) => [`${service.kind} ${service.text}`, service])).values()]
}

export function includingRules(slice: Slice): readonly Rule[] {
  return slice.rules.filter((rule) => rule.includesDescendants)
}
