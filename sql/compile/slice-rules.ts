/** Compiles the rules of a slice: tests of one span, and under `all` tests of a whole trace. */
import { allOf, anyOf, joinSql, type Sql, sql, text, uint64 } from '../fragment.ts'
import { ruleBitsColumn, ruleColumn } from '../identifier.ts'
import type { Attribute } from '../ir/condition.ts'
import { patternOfGlob, type Rule, type ServiceMatch, type Slice } from '../ir/slice.ts'
import { compileEqualsAny, compileSpanCondition } from './condition.ts'

/** Tests whether a span satisfies a rule: its service matches and all conditions are true. */
export function compileRule(rule: Rule): Sql {
  return allOf([compileService(rule.service), ...rule.conditions.map(compileSpanCondition)])
}

function compileService({ kind, text: name }: ServiceMatch): Sql {
  return kind === 'exact' ? sql`(service = ${text(name)})` : sql`match(service, ${text(patternOfGlob(name))})`
}

/**
 * Tests whether a span satisfies at least one of the rules. Rules that differ only in the value that an attribute
 * equals are one test, because planning hundreds of tests takes longer than reading the spans (docs/optimisations.md).
 */
export function compileAnyRule(rules: readonly Rule[]): Sql {
  return anyRule(mergedRules(rules).map((merged) => ({ rule: merged[0], test: compileRules(merged) })))
}

/** A test of a span, or a column with its result, and a rule that it stands for. */
interface RuleTest {
  readonly rule: Rule
  readonly test: Sql
}

/**
 * Tests whether one of the tests is true. `OR` evaluates a test only for the spans for which all before it are false,
 * and selecting these takes longer than most tests, so `bitOr` evaluates them for all. Tests of services alone are
 * faster in one `OR`, which ClickHouse turns into a set (docs/optimisations.md).
 */
export function anyRule(tests: readonly RuleTest[]): Sql {
  const ofServices = tests.filter(({ rule }) => rule.conditions.length === 0).map(({ test }) => test)
  const others = tests.filter(({ rule }) => rule.conditions.length > 0).map(({ test }) => test)
  return eitherBit(ofServices.length === 0 ? others : [anyOf(ofServices), ...others])
}

/** Joins tests with `bitOr` as a balanced tree, because ClickHouse limits how deep an expression is nested. */
function eitherBit(tests: readonly Sql[]): Sql {
  const [first] = tests
  if (first === undefined) return sql`0`
  if (tests.length === 1) return first
  const middle = Math.ceil(tests.length / 2)
  return sql`bitOr(${eitherBit(tests.slice(0, middle))}, ${eitherBit(tests.slice(middle))})`
}

type RuleGroup = readonly [Rule, ...Rule[]]

/** Returns the rules in groups, each of which `compileRules` takes for one test. */
export function mergedRules(rules: readonly Rule[]): readonly RuleGroup[] {
  const groups = new Map<unknown, [Rule, ...Rule[]]>()
  for (const rule of rules) {
    const equality = equalityOf(rule)
    const { kind, text } = rule.service
    const key = equality === undefined ? rule : JSON.stringify([kind, text, equality.attribute])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [rule])
    else group.push(rule)
  }
  return [...groups.values()]
}

interface Equality {
  readonly attribute: Attribute
  readonly value: string
}

/** Returns the only condition of a rule if it is that an attribute equals a value. */
function equalityOf({ conditions }: Rule): Equality | undefined {
  const [condition] = conditions
  if (condition === undefined || conditions.length > 1 || condition.negated) return undefined
  const { attribute, test } = condition
  return test.kind === 'eq' && attribute.source !== 'intrinsic' ? { attribute, value: test.value } : undefined
}

function compileRules(rules: RuleGroup): Sql {
  const [first] = rules
  const equality = equalityOf(first)
  if (equality === undefined) return compileRule(first)
  const values = rules.flatMap((rule) => equalityOf(rule)?.value ?? [])
  return allOf([compileService(first.service), compileEqualsAny(equality.attribute, values)])
}

/** Tests whether a span's service is a member of the slice: it matches a rule, whatever the conditions of the rule. */
export function compileMember(slice: Slice): Sql {
  return anyOf(distinctServices(slice).map(compileService))
}

/** With more services than this, planning their names takes longer than testing them first saves. */
const servicesTestedFirstMax = 16

/**
 * Selects the spans of the slice's rules. Reading attributes costs ten times as much as reading the service, so the
 * service is tested first and the rules only for spans with a matching service (docs/optimisations.md).
 */
export function compileSpansOfRules(slice: Slice): Sql {
  const isAnyRule = compileAnyRule(slice.rules)
  return distinctServices(slice).length > servicesTestedFirstMax ? isAnyRule : allOf([compileMember(slice), isAnyRule])
}

/** Returns the distinct services, or patterns of services, that the rules name. */
function distinctServices({ rules }: Slice): readonly ServiceMatch[] {
  return [...new Map(rules.map(({ service }) => [`${service.kind} ${service.text}`, service])).values()]
}

/** Returns the rules that include descendants. */
export function includingRules(slice: Slice): readonly Rule[] {
  return slice.rules.filter((rule) => rule.includesDescendants)
}

/**
 * Returns columns of a span that contain 1 for each rule that it satisfies. Under `all`, adds columns with these values
 * as bits of numbers.
 */
export function ruleColumns(slice: Slice | undefined): Sql[] {
  const rules = slice?.rules ?? []
  const columns = rules.map((rule, index) => sql`${compileRule(rule)} AS ${ruleColumn(index)}`)
  return slice?.mode === 'all' ? [...columns, ...bitGroups(rules.length).map(bitsColumn)] : columns
}

/**
 * Returns conditions on a trace, for a query that groups `ruleColumns`: under `all`, every rule is satisfied by some
 * span. They are evaluated in the pass that finds the spans, without a second scan.
 */
export function everyRuleSatisfied(slice: Slice | undefined): Sql[] {
  if (slice?.mode !== 'all') return []
  return bitGroups(slice.rules.length).map((indices, group) => {
    const everyBit = uint64(2n ** BigInt(indices.length) - 1n)
    return sql`groupBitOr(${ruleBitsColumn(group)}) = ${everyBit}`
  })
}

/** Returns conditions on a trace like `everyRuleSatisfied`, for some of the rules of `ruleColumns` by their indices. */
export function theseRulesSatisfied(rules: readonly number[]): Sql[] {
  const masks = new Map<number, bigint>()
  for (const rule of rules) {
    const group = Math.floor(rule / rulesPerNumber)
    masks.set(group, (masks.get(group) ?? 0n) | (1n << BigInt(rule % rulesPerNumber)))
  }
  return [...masks].map(
    ([group, mask]) => sql`bitAnd(groupBitOr(${ruleBitsColumn(group)}), ${uint64(mask)}) = ${uint64(mask)}`,
  )
}

/** The number of rules whose bits share a number. Hundreds of separate aggregates would take seconds to plan. */
const rulesPerNumber = 63

/** Returns the indices of rules in groups of a size. */
export function bitGroups(ruleCount: number, groupSize: number = rulesPerNumber): number[][] {
  const groups: number[][] = []
  for (let first = 0; first < ruleCount; first += groupSize) {
    const size = Math.min(groupSize, ruleCount - first)
    groups.push(Array.from({ length: size }, (_, offset) => first + offset))
  }
  return groups
}

function bitsColumn(indices: readonly number[], group: number): Sql {
  return sql`${compileBits(indices.map(ruleColumn))} AS ${ruleBitsColumn(group)}`
}

/** Returns a number with a bit for each test, from the lowest. */
export function compileBits(tests: readonly Sql[]): Sql {
  const bits = tests.map((test, bit) => sql`bitShiftLeft(toUInt64(${test}), ${uint64(bit)})`)
  return joinSql(bits, sql` + `)
}
