import type { components } from '../../../../openapi/types.ts'
import { type Operator, operatorNamed, operators, operatorTable } from '../../../../sql/operators.ts'
import { stepConditionWords } from '../../../parts/conditions/condition-words.ts'
import { type MessageRow, needsValue } from '../../../parts/conditions/operators.ts'

export type Integration = components['schemas']['Integration']
export type RuleMatch = components['schemas']['RuleMatch']
type Matcher = components['schemas']['Matcher']
export type MatcherInput = components['schemas']['MatcherInput']
type MatcherOperator = components['schemas']['MatcherOperator']

/** One condition of a rule. `id` is that of its matcher, so that a saved matcher keeps it. */
export interface DraftCondition {
  readonly id?: string
  readonly row: MessageRow
}

/** One rule: conditions that are joined with `and`. Without any, every span of the service satisfies it. */
export interface DraftRule {
  readonly group?: string
  /** The id of the matcher of a rule without conditions. */
  readonly id?: string
  readonly conditions: readonly DraftCondition[]
  readonly includesDescendants: boolean
}

/** One service, or pattern over services, with its rules, which are joined with `or`. */
export interface DraftService {
  readonly service: string
  readonly serviceMatch: components['schemas']['ServiceMatch']
  readonly rules: readonly DraftRule[]
}

/** The draft of an integration. */
export interface Draft {
  readonly name: string
  readonly description: string
  readonly ruleMatch: RuleMatch
  readonly services: readonly DraftService[]
}

/** The position in the draft of a matcher that is sent. */
interface Position {
  readonly service: number
  readonly rule: number
  readonly condition?: number
}

/** The operators that matchers support, in the order in which they are offered. */
export const matcherOperators = operators.filter((operator) => operatorTable[operator].matcherName !== null)

export const emptyCondition: DraftCondition = { row: { operator: 'eq' } as MessageRow }
export const emptyRule: DraftRule = { conditions: [], includesDescendants: false }
export const emptyService: DraftService = { service: '', serviceMatch: 'exact', rules: [emptyRule] }
export const emptyIntegration: Draft = { name: '', description: '', ruleMatch: 'any', services: [emptyService] }

/** Returns a saved integration for editing: its matchers by service, and by rule within the service. */
export function toDraft({ name, description, rule_match, matchers }: Integration): Draft {
  const groups = grouped(matchers, ({ match_group }) => match_group)
  const services = grouped(groups, ([first]) => `${first?.service_match} ${first?.service}`)
  return {
    name,
    description,
    ruleMatch: rule_match,
    services: services.map((rules): DraftService => {
      const first = rules[0]?.[0]
      return {
        service: first?.service ?? '',
        serviceMatch: first?.service_match ?? 'exact',
        rules: rules.map(toRule),
      }
    }),
  }
}

function toRule(matchers: readonly Matcher[]): DraftRule {
  const [first] = matchers
  const conditions = matchers.flatMap((matcher): DraftCondition[] => {
    const row = toRow(matcher)
    return row === undefined ? [] : [{ id: matcher.id, row }]
  })
  return {
    ...(first === undefined ? {} : { group: first.match_group }),
    ...(first === undefined || conditions.length > 0 ? {} : { id: first.id }),
    conditions,
    includesDescendants: matchers.some(({ include_descendants }) => include_descendants),
  }
}

function toRow({
  attribute_source = 'any',
  attribute_key,
  operator = 'equals',
  value,
}: Matcher): MessageRow | undefined {
  if (attribute_key === undefined) return undefined
  const name = operatorNamed(operator, 'matcher') ?? (operator as Operator)
  const source = attribute_source === 'any' ? {} : { attribute_source }
  return {
    ...source,
    attribute_key,
    operator: name,
    ...(needsValue({ operator: name }) ? { value } : {}),
  } as MessageRow
}

/** The matchers of a draft, with the position in the draft of each matcher and each rule. */
export interface SentRules {
  readonly matchers: MatcherInput[]
  readonly positions: readonly Position[]
  readonly rulePositions: readonly Position[]
}

/**
 * Returns the matchers of a draft.
 * @param isCounted leaves out services and conditions that are still being typed, so that the rest can be counted
 */
export function toMatchers({ services }: Draft, isCounted: boolean): SentRules {
  const taken = new Set(services.flatMap(({ rules }) => rules.map(({ group }) => group)))
  const matchers: MatcherInput[] = []
  const positions: Position[] = []
  const rulePositions: Position[] = []
  for (const [service, { rules, ...named }] of services.entries()) {
    if (isCounted && named.service === '') continue
    for (const [rule, { group = newGroup(taken), id, conditions, includesDescendants }] of rules.entries()) {
      const base = {
        match_group: group,
        service: named.service,
        service_match: named.serviceMatch,
        include_descendants: includesDescendants,
      }
      const sent = [...conditions.entries()].filter(([, { row }]) => !isCounted || lackOf(row) === undefined)
      rulePositions.push({ service, rule })
      if (sent.length === 0) {
        matchers.push({ ...(id === undefined ? {} : { id }), ...base })
        positions.push({ service, rule })
      }
      for (const [condition, { id: conditionId, row }] of sent) {
        matchers.push({ ...(conditionId === undefined ? {} : { id: conditionId }), ...base, ...toCondition(row) })
        positions.push({ service, rule, condition })
      }
    }
  }
  return { matchers, positions, rulePositions }
}

/**
 * Returns what a condition still needs before it can be saved. A key or value that was explicitly set to the empty text
 * is complete.
 */
export function lackOf(row: MessageRow): 'attribute' | 'value' | undefined {
  if (row.attribute_key === undefined) return 'attribute'
  return needsValue(row) && !('value' in row && row.value !== undefined) ? 'value' : undefined
}

function toCondition(row: MessageRow) {
  const { attribute_key, attribute_source = 'any', operator } = row
  const value = 'value' in row && row.value !== undefined ? { value: row.value } : {}
  const known = operators.find((each) => each === operator)
  const name = (known && operatorTable[known].matcherName) ?? (operator as MatcherOperator)
  return { attribute_source: attribute_source as 'any', attribute_key, operator: name, ...value }
}

function newGroup(taken: Set<string | undefined>): string {
  let number = taken.size + 1
  while (taken.has(`rule ${number}`)) number += 1
  taken.add(`rule ${number}`)
  return `rule ${number}`
}

/** Returns the services with several rules, which are joined with `or`. */
export function joinedServices({ services }: Draft): string[] {
  const named = services.filter(({ service }) => service !== '')
  const byService = grouped(named, ({ service, serviceMatch }) => `${serviceMatch} ${service}`)
  return byService.flatMap((same) => {
    const rules = same.flatMap((each) => each.rules)
    return rules.length > 1 && same[0] !== undefined ? [same[0].service] : []
  })
}

/** Reports whether two drafts would be saved as the same integration. */
export function isSame(left: Draft, right: Draft): boolean {
  return contentOf(left) === contentOf(right)
}

/** Reports whether two drafts have the same rules. Their name and description may differ. */
export function haveSameRules(left: Draft, right: Draft): boolean {
  return isSame({ ...left, name: '', description: '' }, { ...right, name: '', description: '' })
}

function contentOf(draft: Draft): string {
  const { matchers } = toMatchers(draft, false)
  const groups = [...new Set(matchers.map(({ match_group }) => match_group))]
  const rules = matchers.map(({ id: _, match_group, ...rest }) => [groups.indexOf(match_group), sorted(rest)])
  return JSON.stringify([draft.name, draft.description, draft.ruleMatch, rules])
}

function sorted(matcher: object): [string, unknown][] {
  return Object.entries(matcher).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/** Describes a rule in the words of the editor. */
export function describeRule({ service, serviceMatch }: DraftService, rule: DraftRule): string {
  const conditions = stepConditionWords(rule.conditions.map(({ row }) => row))
  const named = `${service}${serviceMatch === 'pattern' ? ' (pattern)' : ''}`
  const where = conditions === '' ? ', every span' : ` where ${conditions}`
  return `${named}${where}${rule.includesDescendants ? ', including child spans' : ''}`
}

/** Groups elements with equal keys, in the order of the first of each group. */
function grouped<Element>(elements: readonly Element[], keyOf: (element: Element) => string): Element[][] {
  const groups = new Map<string, Element[]>()
  for (const element of elements) {
    const key = keyOf(element)
    groups.set(key, [...(groups.get(key) ?? []), element])
  }
  return [...groups.values()]
}
