import { randomOperand } from './random-operand.ts'
import type { Random } from './random-source.ts'
import type { RandomTraces } from './random-traces.ts'
import { intrinsicKeys, readAttribute, textOf } from './reference-attribute.ts'
import { groupBy } from './reference-descendants.ts'
import type { Integration, Matcher } from './reference-integration.ts'
import { matcherOperators, operatorOfMatcher } from './reference-operators.ts'
import type { SpanModel } from './span-model.ts'

/**
 * Draws an integration of a few rules about services of the traces, or of more than are compiled one by one. Under
 * `all`, no service has two rules. The matchers of a rule may stand apart, and one of them is enough to include
 * descendants.
 */
export function randomIntegration(random: Random, traces: RandomTraces): Integration {
  const drawn = randomImportedIntegration(random, traces)
  if (drawn.rule_match === 'any') return drawn
  const rules = [...groupBy(drawn.matchers, ({ match_group }) => match_group).values()]
  const kept = new Set(rules.filter(namesFirst).flat())
  return { ...drawn, matchers: drawn.matchers.filter((matcher) => kept.has(matcher)) }
}

/**
 * Draws an integration like `randomIntegration`, but under `all`, a service may have several rules. Only an import
 * stores such an integration.
 */
export function randomImportedIntegration(random: Random, traces: RandomTraces): Integration {
  const ruleCount = random.chance(0.03) ? 17 + random.below(24) : 1 + random.below(4)
  const matchers = Array.from({ length: ruleCount }, (_, position) => randomRule(random, traces, `g${position}`)).flat()
  const rule_match = random.pick(['any', 'all'] as const)
  return { rule_match, matchers: random.chance(0.2) ? random.sample(matchers, matchers.length) : matchers }
}

/** Draws an integration that rarely has no rules at all. */
export function randomOrNoIntegration(random: Random, traces: RandomTraces, draw = randomIntegration): Integration {
  return random.chance(0.05) ? { rule_match: 'any', matchers: [] } : draw(random, traces)
}

function namesFirst(rule: readonly Matcher[], position: number, rules: readonly (readonly Matcher[])[]): boolean {
  const nameOf = (matchers: readonly Matcher[] | undefined) =>
    `${matchers?.[0]?.service_match} ${matchers?.[0]?.service}`
  return rules.findIndex((other) => nameOf(other) === nameOf(rule)) === position
}

function randomRule(random: Random, traces: RandomTraces, match_group: string): Matcher[] {
  const target = random.pick(traces.rows)
  const isIncluding = random.chance(0.35)
  // Every span of its services satisfies a rule without conditions, which thus adds no descendants among them.
  const ofAll = { service: '*', service_match: 'pattern' } as const
  const service = isIncluding && random.chance(0.4) ? ofAll : randomService(random, target.service)
  const bare: Matcher = { match_group, ...service }
  const conditionCount = random.pick(isIncluding ? [1, 1, 1, 2] : [0, 0, 1, 1, 1, 2])
  const matchers = Array.from({ length: conditionCount }, () => ({
    ...bare,
    ...randomCondition(random, traces, target),
  }))
  const rule = matchers.length === 0 ? [bare] : matchers
  const including = isIncluding ? random.below(rule.length) : -1
  return rule.map((matcher, position) => (position === including ? { ...matcher, include_descendants: true } : matcher))
}

function randomService(random: Random, name: string): Pick<Matcher, 'service' | 'service_match'> {
  if (random.chance(0.6)) return { service: name, service_match: 'exact' }
  const characters = [...name]
  const cut = random.below(characters.length + 1)
  const hole = random.below(characters.length)
  const pattern = random.pick([
    '*',
    '**?',
    `${characters.slice(0, cut).join('')}*`,
    `*${characters.slice(cut).join('')}`,
    characters.with(hole, '?').join(''),
    name,
  ])
  return { service: pattern, service_match: 'pattern' }
}

function randomCondition(random: Random, traces: RandomTraces, target: SpanModel): Partial<Matcher> {
  const operator = random.pick(matcherOperators)
  const attribute_source = random.weighted({ any: 45, span: 20, resource: 20, intrinsic: 15 })
  const carried = attribute_source === 'resource' ? target.resourceAttributes : target.attributes
  const own = carried.length > 0 && random.chance(0.8) ? random.pick(carried)[0] : random.pick(traces.keys)
  const key = attribute_source === 'intrinsic' ? random.pick(intrinsicKeys) : own
  const value = readAttribute(target, attribute_source, key)
  const operand = randomOperand(random, operatorOfMatcher(operator), value === undefined ? 'nowhere' : textOf(value))
  return {
    attribute_source,
    attribute_key: key,
    operator,
    ...(operand === undefined ? {} : { value: String(operand) }),
  }
}
