/** What the rules of a slice say of one span, and what they say of a whole trace under `all`. */
import { allOf, anyOf, joinSql, type Sql, sql, text, uint64 } from '../fragment.ts'
import { ruleBitsColumn, ruleColumn } from '../identifier.ts'
import { patternOfGlob, type Rule, type ServiceMatch, type Slice } from '../ir/slice.ts'
import { compileSpanCondition } from './condition.ts'

/** Whether a span satisfies a rule: its service fits and all conditions are true. */
function compileRule(rule: Rule): Sql {
  return allOf([compileService(rule.service), ...rule.conditions.map(compileSpanCondition)])
}

function compileService({ kind, text: name }: ServiceMatch): Sql {
  return kind === 'exact' ? sql`(service = ${text(name)})` : sql`match(service, ${text(patternOfGlob(name))})`
}

/** Whether a span satisfies at least one of the rules. */
export function compileAnyRule(rules: readonly Rule[]): Sql {
  return anyOf(rules.map(compileRule))
}

/** Whether a span's service is a member of the slice: it fits some rule, whatever the rule's conditions. */
export function compileMember(slice: Slice): Sql {
  return anyOf(distinctServices(slice).map(compileService))
}

/** The services, or patterns over services, that the rules name, each once. */
export function distinctServices({ rules }: Slice): readonly ServiceMatch[] {
  return [...new Map(rules.map(({ service }) => [`${service.kind} ${service.text}`, service])).values()]
}

export function includingRules(slice: Slice): readonly Rule[] {
  return slice.rules.filter((rule) => rule.includesDescendants)
}

/** Columns of a span that hold 1 for the rules that it satisfies, and under `all` the same as bits of numbers. */
export function ruleColumns(slice: Slice | undefined): Sql[] {
  const rules = slice?.rules ?? []
  const columns = rules.map((rule, index) => sql`${compileRule(rule)} AS ${ruleColumn(index)}`)
  return slice?.mode === 'all' ? [...columns, ...bitGroups(rules.length).map(bitsColumn)] : columns
}

/**
 * Conditions of a trace, grouped over `ruleColumns`: under `all`, every rule is satisfied by some span. They are
 * decided in the pass that finds the spans, without a second scan.
 */
export function everyRuleSatisfied(slice: Slice | undefined): Sql[] {
  if (slice?.mode !== 'all') return []
  return bitGroups(slice.rules.length).map((indices, group) => {
    const everyBit = uint64(2n ** BigInt(indices.length) - 1n)
    return sql`groupBitOr(${ruleBitsColumn(group)}) = ${everyBit}`
  })
}

/** Rules whose bits share a number. An aggregate for each of hundreds of rules would take seconds to plan. */
const rulesPerNumber = 63

function bitGroups(ruleCount: number): number[][] {
  const groups: number[][] = []
  for (let first = 0; first < ruleCount; first += rulesPerNumber) {
    const size = Math.min(rulesPerNumber, ruleCount - first)
    groups.push(Array.from({ length: size }, (_, offset) => first + offset))
  }
  return groups
}

function bitsColumn(indices: readonly number[], group: number): Sql {
  const bits = indices.map((index, bit) => sql`bitShiftLeft(toUInt64(${ruleColumn(index)}), ${uint64(bit)})`)
  return sql`${joinSql(bits, sql` + `)} AS ${ruleBitsColumn(group)}`
}
