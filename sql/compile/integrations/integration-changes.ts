/**
 * Compares two slices in one pass over the spans in scope (docs/questions.md, section 17): which spans and messages
 * enter, leave and stay when one slice replaces the other.
 */
import { allOf, anyOf, fromScoped, joinSql, list, perShard, type Sql, sql, uint8, uint64 } from '../../fragment.ts'
import { ruleColumn } from '../../identifier.ts'
import type { Rule, Slice } from '../../ir/slice.ts'
import { anyRule, compileMember, includingRules, ruleColumns, theseRulesSatisfied } from '../slice-rules.ts'
import { spanArrays, traceArrays } from '../trace-arrays.ts'
import { traceColumns } from '../trace-columns.ts'
import { compileDescendants } from '../walk.ts'

/** A slice, and the one that would replace it. */
export interface SliceChange {
  readonly before: Slice
  readonly after: Slice
}

/** A row of `sliceDiff`. Numbers are decimal texts. */
export interface SliceDiffRow {
  /** 1 for the numbers of all services, which come first. Its `service` is empty. */
  readonly is_total: number
  readonly service: string
  readonly entering_spans: string
  readonly leaving_spans: string
  readonly staying_spans: string
  readonly entering_messages: string
  readonly leaving_messages: string
  readonly staying_messages: string
  readonly newest_entering: readonly DiffMessage[]
  readonly newest_leaving: readonly DiffMessage[]
  /** The number of services with spans in either slice, including those beyond the limit. */
  readonly service_count: string
}

type DiffMessage = readonly [startedNs: string, traceId: string]

export interface SliceDiffLimits {
  /** The maximum number of messages in each list. */
  readonly messagesMax: number
  /** The maximum number of services. */
  readonly servicesMax: number
}

interface IndexedRule {
  readonly rule: Rule
  readonly index: number
}

/** One of the two slices, with the position of its flags in those of a span. */
interface Side {
  readonly slice: Slice
  /** Its rules, with their indices among the rules of both sides. */
  readonly rules: readonly IndexedRule[]
  readonly firstBit: number
  readonly walk: 'rules_before' | 'rules_after'
  /** Names the column that is 1 for traces that satisfy every rule; only under `all`. */
  readonly isWhole: Sql
}

/** The flags of a span for one side, one bit each from the first bit of the side. */
const [inRuleBit, memberBit, anchorBit, bitsOfSide] = [0, 1, 2, 3]

/**
 * Selects the `SliceDiffRow` of all services, and those of the services with the most spans that enter or leave. There
 * are no rows if both slices are empty.
 */
export function sliceDiff(change: SliceChange, { messagesMax, servicesMax }: SliceDiffLimits): Sql {
  const newest = (isOne: Sql) => sql`
    arrayMap(
      message -> (-message.1, bitNot(message.2)),
      groupArraySortedIf(${uint64(messagesMax)})((-started_ns, bitNot(trace_id)), ${isOne})
    )
  `
  const services = sql`
    SELECT
      is_total,
      service,
      sum(entering) AS entering_spans,
      sum(leaving) AS leaving_spans,
      sum(staying) AS staying_spans,
      countIf(is_entering) AS entering_messages,
      countIf(is_leaving) AS leaving_messages,
      countIf(is_staying) AS staying_messages,
      ${newest(sql`is_entering`)} AS newest_entering,
      ${newest(sql`is_leaving`)} AS newest_leaving
    FROM ${perShard(messagesOfServices(change))}
    GROUP BY is_total, service
  `
  return sql`
    SELECT *, count() OVER () - 1 AS service_count
    FROM (${services})
    ORDER BY is_total DESC, entering_spans + leaving_spans DESC, service
    LIMIT ${uint64(servicesMax + 1)}
  `
}

/**
 * Selects a row for each span that enters, leaves or stays, and a total for each trace that has such spans. A row
 * counts its spans, and says whether the message enters, leaves or stays. Within a service only the first row of the
 * message says so, which counts the message once. The total is made of an element before the spans, whose move is 4.
 */
function messagesOfServices(change: SliceChange): Sql {
  const moved = sql`
    SELECT
      trace_id,
      started_ns,
      arrayFilter((service, move) -> move != 0, services_of_spans, moves) AS services,
      arrayFilter(move -> move != 0, moves) AS service_moves,
      countEqual(moves, 1) AS all_leaving,
      countEqual(moves, 2) AS all_entering,
      countEqual(moves, 3) AS all_staying,
      arrayDistinct(arrayFilter((service, move) -> bitTest(move, 0), services, service_moves)) AS services_before,
      arrayDistinct(arrayFilter((service, move) -> bitTest(move, 1), services, service_moves)) AS services_after
    FROM (${movedSpans(change)})
  `
  const isIn = (side: Sql, isAny: Sql) => sql`
    arrayPushFront(
      arrayMap(
        occurrence -> toUInt8(occurrence > 1),
        arraySlice(arrayEnumerateUniq(arrayConcat(${side}, services)), length(${side}) + 1)
      ),
      toUInt8(${isAny})
    )
  `
  return sql`
    SELECT
      trace_id,
      started_ns,
      move = 4 AS is_total,
      service,
      if(is_total, all_entering, toUInt64(move = 2)) AS entering,
      if(is_total, all_leaving, toUInt64(move = 1)) AS leaving,
      if(is_total, all_staying, toUInt64(move = 3)) AS staying,
      number = 1 AND is_after AND NOT is_before AS is_entering,
      number = 1 AND is_before AND NOT is_after AS is_leaving,
      number = 1 AND is_before AND is_after AS is_staying
    FROM (${moved})
    ARRAY JOIN
      arrayPushFront(services, '') AS service,
      arrayPushFront(service_moves, 4) AS move,
      arrayPushFront(arrayEnumerateUniq(services), toUInt32(1)) AS number,
      ${isIn(sql`services_before`, sql`all_leaving + all_staying > 0`)} AS is_before,
      ${isIn(sql`services_after`, sql`all_entering + all_staying > 0`)} AS is_after
    WHERE length(services) > 0
  `
}

/**
 * Selects `trace_id`, `started_ns`, `services_of_spans` and beside it `moves` of each trace that may have spans in
 * either slice: 1 for a span that leaves, 2 for one that enters, 3 for one that stays.
 */
function movedSpans(change: SliceChange): Sql {
  const { rules, sides } = sidesOf(change)
  const walks = sides.some(({ slice }) => includingRules(slice).length > 0)
  const mode = sides.some(({ slice }) => slice.mode === 'all') ? 'all' : 'any'
  const columns = [
    sql`trace_id, span_id, parent_id, start, service`,
    ...ruleColumns({ mode, rules }),
    sql`toUInt8(${joinSql(sides.flatMap(flagsOf), sql` + `)}) AS flags`,
  ]
  const isWhole = sides.flatMap(({ slice, rules: own, isWhole: name }) =>
    slice.mode === 'all' ? [sql`${allOf(theseRulesSatisfied(own.map(({ index }) => index)))} AS ${name}`] : [],
  )
  const inRules = sides.reduce((bits, { firstBit }) => bits + 2 ** (firstBit + inRuleBit), 0)
  const traces = sql`
    SELECT
      ${list([
        sql`trace_id`,
        ...traceColumns(['started_ns']),
        traceArrays([], walks ? undefined : sql`flags != 0`),
        // Most spans are of no service of either slice, and collecting texts takes longest.
        sql`groupArrayIf(service, flags != 0) AS row_services`,
        ...isWhole,
      ])}
    FROM (SELECT ${list(columns)} FROM ${fromScoped('spans')})
    GROUP BY trace_id
    HAVING bitAnd(groupBitOr(flags), ${uint8(inRules)}) != 0
  `
  const [before, after] = sides
  const moves = sql`arrayMap((is_before, is_after) -> is_before + 2 * is_after, ${inSide(before)}, ${inSide(after)})`
  return sql`
    SELECT
      trace_id,
      started_ns,
      ${spanArrays([])},
      arrayFilter((occurrence, flag) -> flag != 0, occurrences, row_flags) AS candidate_occurrences,
      arrayFilter((service, occurrence) -> occurrence = 1, row_services, candidate_occurrences) AS services_of_spans,
      arrayFilter((move, flag) -> flag != 0, ${moves}, flags) AS moves
    FROM (${traces})
  `
}

interface Sides {
  /** The distinct rules of both sides. */
  readonly rules: readonly Rule[]
  readonly sides: readonly [before: Side, after: Side]
}

/** Most changes keep most rules, which are tested once. */
function sidesOf({ before, after }: SliceChange): Sides {
  const rules = new Map<string, IndexedRule>()
  const indexed = (rule: Rule) => {
    const key = JSON.stringify(rule)
    const known = rules.get(key) ?? { rule, index: rules.size }
    rules.set(key, known)
    return known
  }
  const [ofBefore, ofAfter] = [before.rules.map(indexed), after.rules.map(indexed)]
  return {
    rules: [...rules.values()].map(({ rule }) => rule),
    sides: [
      { slice: before, rules: ofBefore, firstBit: 0, walk: 'rules_before', isWhole: sql`is_whole_before` },
      { slice: after, rules: ofAfter, firstBit: bitsOfSide, walk: 'rules_after', isWhole: sql`is_whole_after` },
    ],
  }
}

/** Returns the weighted flags of a span for a side. Members and anchors are needed only by a walk. */
function flagsOf({ slice, rules, firstBit }: Side): Sql[] {
  const weighted = (bit: number, test: Sql) => sql`${uint8(2 ** (firstBit + bit))} * ${test}`
  const tests = rules.map(({ rule, index }) => ({ rule, test: ruleColumn(index) }))
  const inRule = weighted(inRuleBit, anyRule(tests))
  const anchors = tests.filter(({ rule }) => rule.includesDescendants)
  if (anchors.length === 0) return [inRule]
  return [inRule, weighted(memberBit, compileMember(slice)), weighted(anchorBit, anyRule(anchors))]
}

/** Returns an array beside `ids` with 1 for the spans of the slice of a side. */
function inSide({ slice, firstBit, walk, isWhole }: Side): Sql {
  const has = (bit: number) => sql`bitTest(flag, ${uint8(firstBit + bit)})`
  const whole = slice.mode === 'all' ? [isWhole] : []
  if (includingRules(slice).length === 0) {
    return sql`arrayMap(flag -> toUInt8(${allOf([has(inRuleBit), ...whole])}), flags)`
  }
  const below = compileDescendants(walk, sql`ids`, sql`parents`, sql`arrayMap(flag -> ${has(anchorBit)}, flags)`)
  const isInBase = anyOf([has(inRuleBit), allOf([has(memberBit), sql`below`])])
  return sql`arrayMap((flag, below) -> toUInt8(${allOf([isInBase, ...whole])}), flags, ${below})`
}
