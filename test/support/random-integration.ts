import { randomOperand } from './random-operand.ts'
import type { Random } from './random-source.ts'
import type { RandomTraces } from './random-traces.ts'
import { readAttribute, textOf } from './reference-attribute.ts'
import type { Integration, Matcher } from './reference-integration.ts'
import { matcherOperators, operatorOfMatcher } from './reference-operators.ts'
import type { SpanModel } from './span-model.ts'

/** Draws an integration of one to four rules about services of the traces. Under `all`, no service has two rules. */
export function randomIntegration(random: Random, traces: RandomTraces): Integration {
  const ruleCount = 1 + random.below(4)
  const rules = Array.from({ length: ruleCount }, (_, position) => randomRule(random, traces, `g${position}`))
  const rule_match = random.pick(['any', 'all'] as const)
  return { rule_match, matchers: (rule_match === 'all' ? rules.filter(namesFirst) : rules).flat() }
}

/** Draws an integration that rarely has no rules at all. */
export function randomOrNoIntegration(random: Random, traces: RandomTraces): Integration {
  return random.chance(0.05) ? { rule_match: 'any', matchers: [] } : randomIntegration(random, traces)
}

function namesFirst(rule: readonly Matcher[], position: number, rules: readonly (readonly Matcher[])[]): boolean {
  const nameOf = (matchers: readonly Matcher[] | undefined) =>
    `${matchers?.[0]?.service_match} ${matchers?.[0]?.service}`
  return rules.findIndex((other) => nameOf(other) === nameOf(rule)) === position
}

function randomRule(random: Random, traces: RandomTraces, match_group: string): Matcher[] {
  const target = random.pick(traces.rows)
  const service = randomService(random, target.service)
  const bare: Matcher = { match_group, ...service, ...(random.chance(0.35) ? { include_descendants: true } : {}) }
  const conditionCount = random.pick([0, 0, 1, 1, 1, 2])
  if (conditionCount === 0) return [bare]
  return Array.from({ length: conditionCount }, () => ({ ...bare, ...randomCondition(random, traces, target) }))
}

function randomService(random: Random, name: string): Pick<Matcher, 'service' | 'service_match'> {
  if (random.chance(0.6)) return { service: name, service_match: 'exact' }
  const characters = [...name]
  const cut = random.below(characters.length + 1)
  const hole = random.below(characters.length)
  const pattern = random.pick([
    '*',
    `${characters.slice(0, cut).join('')}*`,
    `*${characters.slice(cut).join('')}`,
    characters.with(hole, '?').join(''),
    name,
  ])
  return { service: pattern, service_match: 'pattern' }
}

function randomCondition(random: Random, traces: RandomTraces, target: SpanModel): Partial<Matcher> {
  const operator = random.pick(matcherOperators)
  const carried = random.pick([target.attributes, target.attributes, target.resourceAttributes])
  const key = carried.length > 0 && random.chance(0.8) ? random.pick(carried)[0] : random.pick(traces.keys)
  const value = readAttribute(target, 'any', key)
  const operand = randomOperand(random, operatorOfMatcher(operator), value === undefined ? 'nowhere' : textOf(value))
  return {
    attribute_source: random.pick(['any', 'any', 'span', 'resource'] as const),
    attribute_key: key,
    operator,
    ...(operand === undefined ? {} : { value: String(operand) }),
  }
}
