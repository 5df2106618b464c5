/**
 * A trace as arrays: what a walk along parents needs of its spans, one element a span. `sliceSpans` and messages.ts make
 * their traces here, so that both mean the same by a slice.
 */
import { allOf, anyOf, type Bounds, fromScoped, joinSql, list, type Sql, sql, uint64 } from '../fragment.ts'
import { ruleBitsColumn, ruleColumn } from '../identifier.ts'
import type { Slice } from '../ir/slice.ts'
import { compileMember, compileRule, includingRules } from './rule.ts'
import { compileDescendants } from './walk.ts'

/** One bit each in `flags`, in this order from the lowest. */
type Flag = 'isPositive' | 'isError' | 'isInRule' | 'isMember' | 'isRuleAnchor'

/** What is asked of each span beside the slice. */
export interface StepQuestion {
  readonly slice?: Slice
  /** Whether all positive rows are true of the span. */
  readonly positive: Sql
  /** Whether the span refutes a negative row. */
  readonly refuting: Sql
}

/** `trace_id, span_id, parent_id, start, …` and `flags` of the spans of the population for which `where` is true. */
export function stepRows({ slice, positive, refuting }: StepQuestion, bounds: Bounds, where: Sql = sql`1`): Sql {
  const columns = [
    sql`trace_id, span_id, parent_id, start, duration_ns, service, name, status`,
    ...ruleColumns(slice),
    sql`${compileFlags(slice, positive)} AS flags`,
    sql`${refuting} AS is_refuting`,
  ]
  return sql`SELECT ${list(columns)} FROM ${fromScoped('spans', where, bounds)}`
}

function compileFlags(slice: Slice | undefined, positive: Sql): Sql {
  const flags: Partial<Record<Flag, Sql>> = { isPositive: positive, isError: sql`(status = 2)`, ...sliceFlags(slice) }
  const weighted = (Object.keys(flags) as Flag[]).map((flag) => sql`${weights[flag]} * ${flags[flag] ?? sql`0`}`)
  return sql`toUInt8(${joinSql(weighted, sql` + `)})`
}

/** Members and anchors play a part only where a rule includes descendants. */
function sliceFlags(slice: Slice | undefined): Partial<Record<Flag, Sql>> {
  if (slice === undefined) return {}
  const columns = slice.rules.map((rule, index) => ({ rule, column: ruleColumn(index) }))
  const isInRule = anyOf(columns.map(({ column }) => column))
  const including = columns.filter(({ rule }) => rule.includesDescendants)
  if (including.length === 0) return { isInRule }
  return { isInRule, isMember: compileMember(slice), isRuleAnchor: anyOf(including.map(({ column }) => column)) }
}

const weights: Readonly<Record<Flag, Sql>> = {
  isPositive: sql`1`,
  isError: sql`2`,
  isInRule: sql`4`,
  isMember: sql`8`,
  isRuleAnchor: sql`16`,
}

/** `rule_0`, `rule_1`, …: which rules a span satisfies; where a trace needs every rule also `rules_0`, …, the same as bits. */
export function ruleColumns(slice: Slice | undefined): Sql[] {
  const rules = slice?.rules ?? []
  const columns = rules.map((rule, index) => sql`${compileRule(rule)} AS ${ruleColumn(index)}`)
  return slice?.mode === 'all' ? [...columns, ...bitGroups(rules.length).map(bitsColumn)] : columns
}

/** Of a trace, grouped over `ruleColumns`: `all` is decided in the pass that finds the spans, never in a second one. */
export function everyRuleSatisfied(slice: Slice | undefined): Sql[] {
  if (slice?.mode !== 'all') return []
  return bitGroups(slice.rules.length).map((indices, group) => {
    const everyBit = uint64(2n ** BigInt(indices.length) - 1n)
    return sql`groupBitOr(${ruleBitsColumn(group)}) = ${everyBit}`
  })
}

/** Rules whose bits share a number: an aggregate for each of hundreds of rules would take seconds to plan. */
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

/** Columns of spans that a trace carries as further arrays, where a reader asks for them. */
export type ArrayColumn = 'start' | 'service' | 'duration'

const arrayColumns: Readonly<Record<ArrayColumn, { readonly rows: Sql; readonly collected: Sql; readonly name: Sql }>> =
  {
    start: { rows: sql`row_starts`, collected: sql`groupArray(start)`, name: sql`starts` },
    service: { rows: sql`row_services`, collected: sql`groupArray(service)`, name: sql`services_of_spans` },
    duration: { rows: sql`row_durations`, collected: sql`groupArray(duration_ns)`, name: sql`durations` },
  }

/** Aggregates of a trace over `stepRows`, one element a stored row. */
export function traceArrays(columns: readonly ArrayColumn[]): Sql {
  const more = columns.map((column) => sql`${arrayColumns[column].collected} AS ${arrayColumns[column].rows}`)
  return list([
    sql`groupArray(span_id) AS row_ids, groupArray(parent_id) AS row_parents, groupArray(flags) AS row_flags`,
    ...more,
  ])
}

/** What can be said of a whole trace before its spans are walked: it may have an anchor, and nothing refutes it. */
export function traceMayMatch(slice: Slice | undefined): Sql {
  const flags = slice === undefined ? [sql`bitTest(groupBitOr(flags), 0)`] : [sql`bitAnd(groupBitOr(flags), 5) = 5`]
  return allOf([...flags, sql`NOT max(is_refuting)`, ...everyRuleSatisfied(slice)])
}

/**
 * `ids`, `parents`, `flags` and what else was asked for (`starts`, `services_of_spans`, `durations`) of a trace, one element
 * a span: rows of one span whose starts differ by more than the sort key forgives are still two rows.
 */
export function spanArrays(columns: readonly ArrayColumn[]): Sql {
  return list([
    sql`arrayEnumerateUniq(row_ids) AS occurrences`,
    sql`${firstOccurrences(sql`row_ids`)} AS ids`,
    sql`${firstOccurrences(sql`row_parents`)} AS parents`,
    sql`${firstOccurrences(sql`row_flags`)} AS flags`,
    ...columns.map((column) => sql`${firstOccurrences(arrayColumns[column].rows)} AS ${arrayColumns[column].name}`),
  ])
}

function firstOccurrences(rows: Sql): Sql {
  return sql`arrayFilter((row, occurrence) -> occurrence = 1, ${rows}, occurrences)`
}

/** Of the arrays of a trace: 1 for the spans of the slice, which are its rules' and the members' below including rules'. */
export function inSlice(slice: Slice | undefined): Sql {
  if (slice === undefined) return sql`arrayMap(flag -> toUInt8(1), flags)`
  if (includingRules(slice).length === 0) return sql`arrayMap(flag -> bitTest(flag, 2), flags)`
  const below = compileDescendants('rules', sql`ids`, sql`parents`, sql`arrayMap(flag -> bitTest(flag, 4), flags)`)
  return sql`arrayMap((flag, below) -> toUInt8(bitTest(flag, 2) OR (bitTest(flag, 3) AND below)), flags, ${below})`
}
