/**
 * Compiles relations between the steps of a message (docs/questions.md, section 16). Each end of a relation becomes a
 * bit of a span, and each relation an array of a trace with 1 for the steps that satisfy it. Relations in time are
 * decided in one pass along the spans sorted by start, relations of the tree by a walk.
 */
import { allOf, anyOf, int64, joinSql, list, type Sql, sql, uint8, uint64 } from '../fragment.ts'
import { relatedName, relationColumn } from '../identifier.ts'
import type { Relation } from '../ir/relation.ts'
import { compileSpanCondition } from './condition.ts'
import { compileAncestors, compileDescendants } from './walk.ts'

/** Returns the column `ends` of a span: for each relation a bit for its `from`, and one for its `to`. */
export function relationEnds(relations: readonly Relation[]): Sql {
  const bits = relations.flatMap(({ from, to }, index) => [
    sql`${uint64(2 ** fromBit(index))} * ${testOf(from)}`,
    sql`${uint64(2 ** toBit(index))} * ${testOf(to)}`,
  ])
  return sql`toUInt16(${joinSql(bits, sql` + `)}) AS ends`
}

function testOf(conditions: Relation['from']): Sql {
  return allOf(conditions.map(compileSpanCondition))
}

function fromBit(index: number): number {
  return 2 * index
}

function toBit(index: number): number {
  return 2 * index + 1
}

/** Tests whether a span is an end of a relation. */
export function isEndOfRelation(relations: readonly Relation[]): Sql {
  return anyOf(relations.flatMap(({ from, to }) => [testOf(from), testOf(to)]))
}

/** Returns conditions on a trace, for a query that groups `ends`: it has the ends without which no relation holds. */
export function relationsMayHold(relations: readonly Relation[]): Sql[] {
  if (relations.length === 0) return []
  const needed = relations.reduce(
    (bits, { negated }, index) => bits + 2 ** fromBit(index) + (negated ? 0 : 2 ** toBit(index)),
    0,
  )
  return [sql`bitAnd(groupBitOr(ends), ${uint64(needed)}) = ${uint64(needed)}`]
}

/** Returns conditions on a trace as arrays: every relation is satisfied by some step. */
export function relationsHold(relations: readonly Relation[]): Sql[] {
  return relations.map((_, index) => sql`has(${relationColumn(index)}, 1)`)
}

/** Reports whether a relation compares the starts of spans, so that the arrays of a trace have to include them. */
export function isInTime({ link }: Relation): boolean {
  return link === 'followed_by'
}

/**
 * Returns the columns `relation_0`, `relation_1`, …: arrays beside `ids` with 1 for the steps that satisfy a relation.
 * They read `ids`, `parents`, `ends_of_spans` and, for relations in time, `starts`.
 */
export function relationColumns(relations: readonly Relation[]): Sql[] {
  const columns = relations.map((relation, index) => {
    const counterpart = isInTime(relation) ? hasFollower(index) : hasRelative(relation, index)
    const satisfies = relation.negated ? sql`NOT has_one` : sql`has_one`
    return sql`
      arrayMap(
        (end, has_one) -> toUInt8(bitTest(end, ${uint8(fromBit(index))}) AND ${satisfies}),
        ends_of_spans,
        ${counterpart}
      ) AS ${relationColumn(index)}
    `
  })
  const inTime = relations.flatMap((relation, index) => (isInTime(relation) ? [{ relation, index }] : []))
  return inTime.length === 0 ? columns : [...sortedByStart, followers(inTime), ...columns]
}

/** An array beside `ids` with 1 for the spans with a `to` of the relation below them, or above them. */
function hasRelative({ link }: Relation, index: number): Sql {
  const flags = sql`arrayMap(end -> bitTest(end, ${uint8(toBit(index))}), ends_of_spans)`
  const walk = link === 'contains' ? compileAncestors : compileDescendants
  return walk(`relation_${index}`, sql`ids`, sql`parents`, flags)
}

/** An array beside `ids` with 1 for the spans that a `to` of the relation follows. */
function hasFollower(index: number): Sql {
  return sql`arrayMap(bits -> bitTest(bits, ${uint8(index)}), followed)`
}

/** The spans of a trace sorted by start: their starts in nanoseconds, their ends of relations and their positions. */
const sortedByStart: readonly Sql[] = [
  sql`
    arraySort(
      arrayZip(
        arrayMap(start -> toUnixTimestamp64Nano(start), starts),
        arrayEnumerate(ids),
        ends_of_spans
      )
    ) AS sorted_spans
  `,
  sql`tupleElement(sorted_spans, 1) AS sorted_starts`,
  sql`tupleElement(sorted_spans, 3) AS sorted_ends`,
]

interface InTime {
  readonly relation: Relation
  readonly index: number
}

/** The array `followed` beside `ids`: for each relation in time a bit for the spans that a `to` of it follows. */
function followers(inTime: readonly InTime[]): Sql {
  const each = inTime.map(({ relation, index }) => followedInOrder(relation, index))
  const names = inTime.map(({ index }) => relatedName(index))
  const bits = inTime.map(({ index }) => sql`${uint64(2 ** index)} * ${relatedName(index)}`)
  const inOrder = sql`
    arrayMap(
      (${list(names)}) -> toUInt8(${joinSql(bits, sql` + `)}),
      ${list(each)}
    )
  `
  return sql`arraySort((bits, position) -> position, ${inOrder}, tupleElement(sorted_spans, 2)) AS followed`
}

/** After every time that can be stored, and before it. */
const [never, before] = [int64(2n ** 63n - 1n), int64(-1n)]

/**
 * An array beside `sorted_starts` with 1 for the spans that another `to` follows in time. It compares the span with the
 * next `to` in the order and, because spans with one start follow each other, with the previous one.
 */
function followedInOrder({ withinMs }: Relation, index: number): Sql {
  const isTo = sql`arrayMap(end -> bitTest(end, ${uint8(toBit(index))}), sorted_ends)`
  const next = sql`
    arrayPopFront(
      arrayReverseFill(
        (start, is_to) -> is_to,
        arrayPushBack(sorted_starts, ${never}),
        arrayPushBack(${isTo}, 1)
      )
    )
  `
  const previous = sql`
    arrayPopBack(
      arrayFill(
        (start, is_to) -> is_to,
        arrayPushFront(sorted_starts, ${before}),
        arrayPushFront(${isTo}, 1)
      )
    )
  `
  const isInReach = withinMs === undefined ? sql`1` : sql`next - start <= ${int64(BigInt(withinMs) * 1_000_000n)}`
  return sql`
    arrayMap(
      (start, next, previous) -> toUInt8((next != ${never} AND ${isInReach}) OR previous = start),
      sorted_starts,
      ${next},
      ${previous}
    )
  `
}
