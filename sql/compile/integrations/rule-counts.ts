/** Counts the traces and spans of each rule of an integration alone, in one pass for all rules. */
import { anyOf, fromScoped, joinSql, list, perShard, type Sql, sql, uint8, uint64 } from '../../fragment.ts'
import { rowRuleBitsArray, ruleBitsColumn, spanRuleBitsArray } from '../../identifier.ts'
import type { Rule, Slice } from '../../ir/slice.ts'
import {
  bitGroups,
  compileBits,
  compileMember,
  compileRule,
  compileSpansOfRules,
  includingRules,
} from '../slice-rules.ts'
import { type ArrayColumnNames, spanArrays, traceArrays } from '../trace-arrays.ts'
import { compileDescendantBits, flagsPerWalk, parentLinks } from '../walk.ts'

/** The counts of a group of rules, each list in the order of the rules. A list without any count is empty. */
export interface RuleCountsRow {
  /** The number of the group. The first has the first `rulesPerGroup` rules, the second those that follow, … */
  readonly rule_group: string
  readonly message_counts: readonly string[]
  readonly error_message_counts: readonly string[]
  readonly matched_step_counts: readonly string[]
  readonly error_step_counts: readonly string[]
}

/** The number of rules of a `RuleCountsRow`. */
export const rulesPerGroup = flagsPerWalk

/** Rules whose bits share a number, so that one walk finds the spans below each of them. */
interface RuleGroup {
  readonly index: number
  /** The indices of its rules, from the lowest bit. */
  readonly rules: readonly number[]
}

/** The bits of `flags`. */
const [errorBit, memberBit] = [0, 1]

/**
 * Selects a `RuleCountsRow` for each group with a rule that some span satisfies. The spans of a rule that includes
 * descendants are also those below, of the services of all rules. The query has few steps, because ClickHouse plans
 * each further step with all rules again.
 */
export function ruleCounts(slice: Slice): Sql {
  const groups = bitGroups(slice.rules.length, rulesPerGroup).map((rules, index): RuleGroup => ({ index, rules }))
  return sql`
    SELECT
      rule_group,
      sumForEach(message_bits) AS message_counts,
      sumForEach(failed_message_bits) AS error_message_counts,
      sumForEachArray(step_bits) AS matched_step_counts,
      sumForEachArray(failed_step_bits) AS error_step_counts
    FROM ${perShard(bitsOfTraces(slice, groups))}
    GROUP BY rule_group
  `
}

/**
 * Selects for each trace and group `rule_group`, `message_bits`, which are 1 for the rules that the trace satisfies,
 * and `step_bits`, a list like that for each of its spans that satisfies a rule; and both for spans with errors alone.
 */
function bitsOfTraces(slice: Slice, groups: readonly RuleGroup[]): Sql {
  const ofError = sql`
    arrayMap((rules, flag) -> rules * bitTest(flag, ${uint8(errorBit)}), rules_of_spans, flags)
  `
  return sql`
    SELECT
      rule_group,
      arrayFilter(rules -> rules != 0, rules_of_spans) AS step_rules,
      arrayFilter(rules -> rules != 0, ${ofError}) AS failed_step_rules,
      ${bitsOf(sql`arrayReduce('groupBitOr', step_rules)`)} AS message_bits,
      ${bitsOf(sql`arrayReduce('groupBitOr', failed_step_rules)`)} AS failed_message_bits,
      arrayMap(rules -> ${bitsOf(sql`rules`)}, step_rules) AS step_bits,
      arrayMap(rules -> ${bitsOf(sql`rules`)}, failed_step_rules) AS failed_step_bits
    FROM (${tracesOfRules(slice, groups)})
    ARRAY JOIN
      [${list(groups.map((group) => rulesOfSpans(slice, group)))}] AS rules_of_spans,
      [${list(groups.map(({ index }) => sql`${uint64(index)}`))}] AS rule_group
  `
}

/** Returns the bits of the rules of a group as a list of 0 and 1, from the lowest. */
function bitsOf(rules: Sql): Sql {
  return sql`arrayMap(bit -> bitAnd(bitShiftRight(${rules}, bit), 1), range(${uint64(rulesPerGroup)}))`
}

/** With more rules than this, planning them a second time takes longer than grouping only their spans saves. */
const rulesTestedFirstMax = 16

/**
 * Selects the traces with spans of some rule as arrays: `flags`, the bits of each group, and `links` where rules
 * include descendants. Without such rules, the arrays hold only the spans of rules.
 */
function tracesOfRules(slice: Slice, groups: readonly RuleGroup[]): Sql {
  const walks = includingRules(slice).length > 0
  const isFirstTested = !walks && slice.rules.length <= rulesTestedFirstMax
  const flags = [
    sql`${uint8(2 ** errorBit)} * (status = 2)`,
    ...(walks ? [sql`${uint8(2 ** memberBit)} * ${compileMember(slice)}`] : []),
  ]
  const columns = [
    sql`trace_id, span_id, parent_id`,
    sql`toUInt8(${joinSql(flags, sql` + `)}) AS flags`,
    ...groups.map((group) => bitsOfRules(slice, group)),
  ]
  const isInRule = anyOf(groups.map(({ index }) => sql`${ruleBitsColumn(index)} != 0`))
  const hasRule = anyOf(groups.map(({ index }) => sql`groupBitOr(${ruleBitsColumn(index)}) != 0`))
  const arrays = groups.map(arrayOfGroup)
  const traces = sql`
    SELECT trace_id, ${traceArrays(arrays, walks ? undefined : isInRule)}
    FROM (SELECT ${list(columns)} FROM ${fromScoped('spans', isFirstTested ? compileSpansOfRules(slice) : sql`1`)})
    GROUP BY trace_id
    HAVING ${hasRule}
  `
  const links = walks ? [sql`${parentLinks(sql`ids`, sql`parents`)} AS links`] : []
  return sql`
    SELECT ${list([spanArrays(arrays), ...links])}
    FROM (${traces})
  `
}

function bitsOfRules({ rules }: Slice, group: RuleGroup): Sql {
  const tests = group.rules.map((index) => compileRule(rules[index] as Rule))
  return sql`toUInt32(${compileBits(tests)}) AS ${ruleBitsColumn(group.index)}`
}

function arrayOfGroup({ index }: RuleGroup): ArrayColumnNames {
  return { collected: ruleBitsColumn(index), rows: rowRuleBitsArray(index), name: spanRuleBitsArray(index) }
}

/** An array beside `ids` with the rules of the group, as bits, whose spans the span belongs to. */
function rulesOfSpans({ rules }: Slice, group: RuleGroup): Sql {
  const own = spanRuleBitsArray(group.index)
  const including = group.rules.reduce(
    (bits, index, bit) => (rules[index]?.includesDescendants ? bits + 2 ** bit : bits),
    0,
  )
  if (including === 0) return own
  const anchors = sql`arrayMap(rules -> toUInt32(bitAnd(rules, ${uint64(including)})), ${own})`
  return sql`
    arrayMap(
      (rules, flag, above) -> toUInt32(bitOr(rules, above * bitTest(flag, ${uint8(memberBit)}))),
      ${own},
      flags,
      ${compileDescendantBits(`rules_${group.index}`, sql`links`, anchors)}
    )
  `
}
