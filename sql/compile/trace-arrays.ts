/**
 * Represents a trace as arrays with one element per span, as walks along parents require. Slices and message searches
 * both build their traces here, so that a slice means the same in both.
 */
import { allOf, type Bounds, fromScoped, joinSql, list, type Sql, sql } from '../fragment.ts'
import { attributeAlias, rowAttributeArray, ruleColumn, spanAttributeArray } from '../identifier.ts'
import type { Attribute } from '../ir/condition.ts'
import type { Relation } from '../ir/relation.ts'
import type { Slice } from '../ir/slice.ts'
import type { Spanset } from '../ir/spanset.ts'
import { spanRecords } from '../record-kinds/record-kinds.ts'
import { taggedText } from './attribute.ts'
import { relationEnds, relationsMayHold } from './relations.ts'
import { anyRule, compileMember, everyRuleSatisfied, includingRules, ruleColumns } from './slice-rules.ts'
import { spansetBits } from './spansets.ts'
import { compileDescendants } from './walk.ts'

/** Properties of a span, one bit each in the column `flags`, in this order from the lowest. */
type Flag = 'isPositive' | 'isError' | 'isInRule' | 'isMember' | 'isRuleAnchor'

/** The tests of a span in a query, in addition to those of the slice. */
export interface SpanTests {
  readonly slice?: Slice
  /** Tests whether the span satisfies all positive rows. Absent if every span does. */
  readonly positive?: Sql
  /** Tests whether the span refutes a negative row. Absent without negative rows. */
  readonly refuting?: Sql
  readonly relations?: readonly Relation[]
  readonly spansets?: Spanset
  /** Attributes to read of each span. */
  readonly attributes?: readonly Attribute[]
}

/**
 * Selects the spans in scope that satisfy `where`, with `flags`, the columns of the rules, the attributes as tagged
 * texts, with negative rows `is_refuting`, for relations `ends`, and for spansets `spanset_bits`.
 */
export function flaggedSpans(tests: SpanTests, bounds: Bounds, where: Sql = sql`1`): Sql {
  const { slice, refuting, relations = [], spansets, attributes = [] } = tests
  const columns = [
    sql`trace_id, span_id, parent_id, start, duration_ns, service, name, status`,
    ...ruleColumns(slice),
    sql`${compileFlags(tests)} AS flags`,
    ...(refuting === undefined ? [] : [sql`${refuting} AS is_refuting`]),
    ...(relations.length === 0 ? [] : [relationEnds(relations)]),
    ...(spansets === undefined ? [] : [spansetBits(spansets)]),
    ...attributes.map(
      (attribute, index) => sql`CAST(${taggedText(attribute, spanRecords)}, 'String') AS ${attributeAlias(index)}`,
    ),
  ]
  return sql`SELECT ${list(columns)} FROM ${fromScoped('spans', where, bounds)}`
}

function compileFlags({ slice, positive = sql`1` }: SpanTests): Sql {
  const flags: Partial<Record<Flag, Sql>> = { isPositive: positive, isError: sql`(status = 2)`, ...sliceFlags(slice) }
  const weighted = (Object.keys(flags) as Flag[]).map((flag) => sql`${weights[flag]} * ${flags[flag] ?? sql`0`}`)
  return sql`toUInt8(${joinSql(weighted, sql` + `)})`
}

/** Returns the flags of the slice. Members and anchors are needed only if a rule includes descendants. */
function sliceFlags(slice: Slice | undefined): Partial<Record<Flag, Sql>> {
  if (slice === undefined) return {}
  const columns = slice.rules.map((rule, index) => ({ rule, test: ruleColumn(index) }))
  const isInRule = anyRule(columns)
  const including = columns.filter(({ rule }) => rule.includesDescendants)
  if (including.length === 0) return { isInRule }
  return { isInRule, isMember: compileMember(slice), isRuleAnchor: anyRule(including) }
}

const weights: Readonly<Record<Flag, Sql>> = {
  isPositive: sql`1`,
  isError: sql`2`,
  isInRule: sql`4`,
  isMember: sql`8`,
  isRuleAnchor: sql`16`,
}

/** Tests of the flags of a span. */
export interface StepTests {
  /** Tests whether the span is a matched step. Absent if every span that is read is one. */
  readonly isMatched?: Sql
  /** Tests whether the span is a matched step that failed. */
  readonly isFailed: Sql
}

/**
 * Returns the tests of `flaggedSpans` for a query in which each span alone decides if it is a matched step. Each test
 * that an aggregate makes takes milliseconds for a million spans.
 */
export function testsOfSteps({ slice, positive }: SpanTests): StepTests {
  if (slice !== undefined) return { isMatched: sql`bitAnd(flags, 5) = 5`, isFailed: sql`bitAnd(flags, 7) = 7` }
  if (positive === undefined) return { isFailed: sql`bitTest(flags, 1)` }
  return { isMatched: sql`bitTest(flags, 0)`, isFailed: sql`bitAnd(flags, 3) = 3` }
}

/** Columns of spans that a query can add to a trace as further arrays. */
export type ArrayColumn = 'start' | 'service' | 'ends' | 'spanset_bits'

export interface ArrayColumnNames {
  /** The array with one element per stored row, and the column that it collects. */
  readonly rows: Sql
  readonly collected: Sql
  /** The array with one element per span. */
  readonly name: Sql
}

/** Names the array of an attribute that `flaggedSpans` reads. */
export function attributeArray(index: number): ArrayColumnNames {
  return { rows: rowAttributeArray(index), collected: attributeAlias(index), name: spanAttributeArray(index) }
}

const arrayColumns: Readonly<Record<ArrayColumn, ArrayColumnNames>> = {
  start: { rows: sql`row_starts`, collected: sql`start`, name: sql`starts` },
  service: { rows: sql`row_services`, collected: sql`service`, name: sql`services_of_spans` },
  ends: { rows: sql`row_ends`, collected: sql`ends`, name: sql`ends_of_spans` },
  spanset_bits: { rows: sql`row_spanset_bits`, collected: sql`spanset_bits`, name: sql`bits_of_spans` },
}

/**
 * Returns aggregates of a trace over `flaggedSpans`: arrays with one element per stored row, or per row for which
 * `where` is true.
 */
export function traceArrays(columns: readonly (ArrayColumn | ArrayColumnNames)[], where?: Sql): Sql {
  const always: readonly ArrayColumnNames[] = [
    { collected: sql`span_id`, rows: sql`row_ids`, name: sql`ids` },
    { collected: sql`parent_id`, rows: sql`row_parents`, name: sql`parents` },
    { collected: sql`flags`, rows: sql`row_flags`, name: sql`flags` },
  ]
  return list(
    [...always, ...columns.map(namesOf)].map(
      ({ collected, rows }) => sql`${collectedRows(collected, where)} AS ${rows}`,
    ),
  )
}

/** Returns an array of a column, with one element per row, or per row for which `where` is true. */
export function collectedRows(column: Sql, where?: Sql): Sql {
  return where === undefined ? sql`groupArray(${column})` : sql`groupArrayIf(${column}, ${where})`
}

function namesOf(column: ArrayColumn | ArrayColumnNames): ArrayColumnNames {
  return typeof column === 'string' ? arrayColumns[column] : column
}

/**
 * Tests whether a trace is worth a walk: it may have an anchor, nothing refutes it, under `all` it satisfies every
 * rule, and its spans have the ends of every relation.
 */
export function traceMayMatch({ slice, refuting, relations = [] }: SpanTests): Sql {
  const mayHaveAnchor = slice === undefined ? sql`bitTest(groupBitOr(flags), 0)` : sql`bitAnd(groupBitOr(flags), 5) = 5`
  return allOf([
    mayHaveAnchor,
    ...nothingRefutes(refuting),
    ...everyRuleSatisfied(slice),
    ...relationsMayHold(relations),
  ])
}

/** Returns the condition on a trace that none of its spans refutes a negative row, if there is one. */
export function nothingRefutes(refuting: Sql | undefined): Sql[] {
  return refuting === undefined ? [] : [sql`NOT max(is_refuting)`]
}

/**
 * Returns `ids`, `parents`, `flags` and the arrays of `columns`, with one element per span. A span may still be stored
 * as two rows if their starts differ by more than the rounding of the table's sort key.
 */
export function spanArrays(columns: readonly (ArrayColumn | ArrayColumnNames)[]): Sql {
  return list([
    sql`arrayEnumerateUniq(row_ids) AS occurrences`,
    sql`${firstOccurrences(sql`row_ids`)} AS ids`,
    sql`${firstOccurrences(sql`row_parents`)} AS parents`,
    sql`${firstOccurrences(sql`row_flags`)} AS flags`,
    ...columns.map(namesOf).map(({ rows, name }) => sql`${firstOccurrences(rows)} AS ${name}`),
  ])
}

function firstOccurrences(rows: Sql, occurrences: Sql = sql`occurrences`): Sql {
  return sql`arrayFilter((row, occurrence) -> occurrence = 1, ${rows}, ${occurrences})`
}

/** Columns of the spans of a slice that a query can add to a trace as arrays. */
export type SliceColumn = 'service' | 'duration'

const sliceColumns: Readonly<Record<SliceColumn, ArrayColumnNames>> = {
  service: { rows: sql`row_services`, collected: sql`service`, name: sql`slice_services` },
  duration: { rows: sql`row_durations`, collected: sql`duration_ns`, name: sql`slice_durations` },
}

/** Tests the flags of a span for those without which it is not in the slice: it is in a rule or a member. */
const mayBeInSlice = sql`bitAnd(flag, 12) != 0`

/**
 * Returns aggregates of a trace over `flaggedSpans`, for `sliceArrays`. They collect only the spans that may be in the
 * slice, which are few in most traces: collecting the services of all spans would take as long as half of the query.
 */
export function candidateArrays(columns: readonly SliceColumn[]): Sql[] {
  return columns
    .map((column) => sliceColumns[column])
    .map(({ collected, rows }) => sql`groupArrayIf(${collected}, bitAnd(flags, 12) != 0) AS ${rows}`)
}

/** Returns arrays beside `spanArrays` and `in_slice` with one element per span of the slice, in the order of `ids`. */
export function sliceArrays(slice: Slice, columns: readonly SliceColumn[]): Sql[] {
  const candidates = [
    sql`arrayFilter((occurrence, flag) -> ${mayBeInSlice}, occurrences, row_flags) AS candidate_occurrences`,
    sql`arrayFilter((is_in_slice, flag) -> ${mayBeInSlice}, in_slice, flags) AS candidates_in_slice`,
  ]
  const areCandidatesIn = includingRules(slice).length === 0
  const arrays = columns
    .map((column) => sliceColumns[column])
    .map(({ rows, name }) => {
      const array = firstOccurrences(rows, sql`candidate_occurrences`)
      const inSlice = sql`arrayFilter((row, is_in_slice) -> is_in_slice, ${array}, candidates_in_slice)`
      return sql`${areCandidatesIn ? array : inSlice} AS ${name}`
    })
  return [
    ...candidates,
    ...arrays,
    sql`arrayFilter((flag, is_in_slice) -> is_in_slice, flags, in_slice) AS slice_flags`,
  ]
}

/**
 * Returns an array parallel to `ids` with 1 for the spans of the slice: the spans of its rules, and members below a
 * span of a rule that includes descendants.
 */
export function inSlice(slice: Slice | undefined): Sql {
  if (slice === undefined) return sql`arrayMap(flag -> toUInt8(1), flags)`
  if (includingRules(slice).length === 0) return sql`arrayMap(flag -> bitTest(flag, 2), flags)`
  const below = compileDescendants('rules', sql`ids`, sql`parents`, sql`arrayMap(flag -> bitTest(flag, 4), flags)`)
  return sql`
    arrayMap(
      (flag, below) -> toUInt8(bitTest(flag, 2) OR (bitTest(flag, 3) AND below)),
      flags,
      ${below}
    )
  `
}
