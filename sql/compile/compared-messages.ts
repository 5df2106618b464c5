/** The messages of the two sides of a comparison, and their steps (docs/questions.md, section 14). */
import {
  allOf,
  type Bounds,
  fromScoped,
  int64,
  joinSql,
  list,
  param,
  perShard,
  type Sql,
  sql,
  uint64,
} from '../fragment.ts'
import { type ComparedSide, type Comparison, haveOneWindow, type SideName } from '../ir/comparison.ts'
import type { TimeWindow } from '../ir/scope.ts'
import { bucketSeconds } from '../schema/value-buckets.ts'
import { matchingTraces } from './matching-traces.ts'
import { askedMicros } from './stored-rank.ts'

/** A row of `comparedCounts`: the number of messages of each side. Integers are texts. */
export interface ComparedCountsRow {
  readonly a: string
  readonly b: string
  /** The messages of each side; empty if there are more than the limit. */
  readonly few_a: readonly string[]
  readonly few_b: readonly string[]
  /** See `askedMicros`. */
  readonly asked_micros: string
}

/** Selects the `ComparedCountsRow`, with the messages of a side if they are at most `fewMax`. */
export function comparedCounts(comparison: Comparison, fewMax: number): Sql {
  const messages = joinSql(
    sourcesOf(comparison, false).map(({ messages }) => messages),
    sql` UNION ALL `,
  )
  const max = uint64(fewMax)
  return sql`
    SELECT
      countIf(in_a) AS a,
      countIf(in_b) AS b,
      if(a > ${max}, [], groupArrayIf(${max})(trace_id, in_a)) AS few_a,
      if(b > ${max}, [], groupArrayIf(${max})(trace_id, in_b)) AS few_b,
      ${askedMicros} AS asked_micros
    FROM ${perShard(messages)}
  `
}

/** Selects the `MessagePositionRow` of the last of the newest messages of a side. */
export function newestOfSide({ a, b }: Comparison, side: SideName, messages: number): Sql {
  const { query, window } = side === 'a' ? a : b
  const isRest = side === 'b' && b.isRest
  const found = matchingTraces(query, { window }, { trace: ['started_ns'] })
  const isOfSide = isRest ? sql`trace_id NOT IN (${tracesOf(a)})` : sql`1`
  return sql`
    SELECT started_ns, trace_id
    FROM ${perShard(sql`SELECT trace_id, started_ns FROM (${found}) WHERE ${isOfSide}`)}
    ORDER BY started_ns DESC, trace_id DESC
    LIMIT 1 OFFSET ${uint64(messages - 1)}
  `
}

/**
 * Selects the `trace_id` of traces with spans both before a time of the window and from then on, in their order and at
 * most `tracesMax`. The caller sees the same spans as in the whole window.
 */
export function tracesAcross(window: TimeWindow, timeNs: bigint, tracesMax: number): Sql {
  const later = sql`SELECT trace_id FROM ${fromScoped('spans', sql`1`, { window, fromNs: timeNs })}`
  const traces = sql`
    SELECT trace_id
    FROM ${fromScoped('spans', sql`trace_id IN (${later})`, { window })}
    GROUP BY trace_id
    HAVING min(start) < fromUnixTimestamp64Nano(${int64(timeNs)}, 'UTC')
  `
  return sql`SELECT trace_id FROM ${perShard(traces)} ORDER BY trace_id LIMIT ${uint64(tracesMax)}`
}

/** Messages of one window: a row for each message of a side, with `trace_id`, `in_a` and `in_b`. */
interface Source {
  readonly bounds: Bounds
  readonly messages: Sql
}

/**
 * Both sides are one source if they have the same window, so that its steps are read once. If `isTimed`, messages also
 * have `started_ns`.
 */
function sourcesOf({ a, b }: Comparison, isTimed: boolean): Source[] {
  const ofA = inSides(a, isTimed, sql`1`, sql`0`)
  const ofB = inSides(b, isTimed, sql`0`, sql`1`)
  if (!haveOneWindow(a, b))
    return [
      { bounds: boundsOf([a]), messages: ofA },
      {
        bounds: boundsOf([b]),
        messages: b.isRest ? sql`${ofB} WHERE trace_id NOT IN (${allTracesOf(a, b.window)})` : ofB,
      },
    ]
  if (b.isRest) return [{ bounds: boundsOf([a, b]), messages: withRest(a, b, isTimed) }]
  const columns = [
    sql`trace_id`,
    sql`max(side.in_a) AS in_a`,
    sql`max(side.in_b) AS in_b`,
    ...(isTimed ? [sql`min(side.started_ns) AS started_ns`] : []),
  ]
  const messages = sql`
    SELECT ${list(columns)}
    FROM (${ofA} UNION ALL ${ofB}) AS side
    GROUP BY trace_id
  `
  return [{ bounds: boundsOf([a, b]), messages }]
}

/** Returns the bounds of all steps of a comparison, which may overlap. */
export function comparedBounds({ a, b }: Comparison): Bounds[] {
  return haveOneWindow(a, b) ? [boundsOf([a, b])] : [boundsOf([a]), boundsOf([b])]
}

/** Returns the bounds of the steps of sides with one window. */
function boundsOf(sides: readonly [ComparedSide, ...ComparedSide[]]): Bounds {
  const [{ window }] = sides
  const traceIds = sides.flatMap((side) => side.traceIds ?? [])
  return sides.every((side) => side.traceIds !== undefined) ? { window, traceIds } : { window }
}

function inSides(side: ComparedSide, isTimed: boolean, inA: Sql, inB: Sql): Sql {
  const columns = [sql`trace_id`, sql`toUInt8(${inA}) AS in_a`, sql`toUInt8(${inB}) AS in_b`, ...startIf(isTimed)]
  return sql`SELECT ${list(columns)} FROM (${tracesOf(side, isTimed)})`
}

function startIf(isTimed: boolean): Sql[] {
  return isTimed ? [sql`started_ns`] : []
}

/** Selects the messages of `a` and all others of its window and integration. */
function withRest(a: ComparedSide, b: ComparedSide, isTimed: boolean): Sql {
  const needsStarts = isTimed || a.oldest !== undefined || b.oldest !== undefined
  const all = matchingTraces(b.query, { window: b.window }, { trace: needsStarts ? ['started_ns'] : [] })
  const columns = [sql`trace_id`, sql`in_a`, sql`in_b`, ...startIf(isTimed)]
  const inner = [
    sql`trace_id`,
    ...startIf(isTimed),
    sql`trace_id IN (${allTracesOf(a, b.window)}) AS is_of_a`,
    sql`toUInt8(${allOf([sql`is_of_a`, isCompared(a)])}) AS in_a`,
    sql`toUInt8(${allOf([sql`NOT is_of_a`, isCompared(b)])}) AS in_b`,
  ]
  return sql`
    SELECT ${list(columns)}
    FROM (SELECT ${list(inner)} FROM (${all}))
    WHERE in_a OR in_b
  `
}

/**
 * Selects the `trace_id` of the messages that a side's query finds, from its oldest message on. Messages whose ids are
 * known are so few that `numberedSteps` needs no order of them, so all get the time 0.
 */
function tracesOf(side: ComparedSide, isTimed = false): Sql {
  const { query, window, oldest, traceIds } = side
  if (traceIds !== undefined) {
    const known = sql`arrayJoin(${param('Array(UInt128)', `[${traceIds.join(',')}]`)}) AS trace_id`
    return sql`SELECT ${list([known, ...(isTimed ? [sql`toInt64(0) AS started_ns`] : [])])}`
  }
  const found = matchingTraces(query, { window }, { trace: isTimed || oldest !== undefined ? ['started_ns'] : [] })
  return sql`SELECT ${list([sql`trace_id`, ...startIf(isTimed)])} FROM (${found}) WHERE ${isCompared(side)}`
}

function isCompared({ oldest, begunEarlier = [] }: ComparedSide): Sql {
  if (oldest === undefined) return sql`1`
  return allOf([
    sql`(started_ns, trace_id) >= (${int64(oldest.startedNs)}, ${param('UInt128', oldest.traceId)})`,
    ...(begunEarlier.length === 0 ? [] : [sql`trace_id NOT IN ${param('Array(UInt128)', `[${begunEarlier.join()}]`)}`]),
  ])
}

/** Selects the messages that a side finds in a window like `tracesOf`, whether or not they are compared. */
function allTracesOf({ oldest: _, ...side }: ComparedSide, window: TimeWindow): Sql {
  return tracesOf({ ...side, window })
}

/**
 * Selects the columns of each step of the compared messages, with `in_a` and `in_b`. Messages are sets, which takes
 * less than joining them.
 */
export function comparedSteps({ a, b }: Comparison, columns: readonly Sql[]): Sql {
  const isOfA = sql`trace_id IN (${tracesOf(a)})`
  const isOfB = b.isRest ? isOfRest(a, b) : sql`trace_id IN (${tracesOf(b)})`
  if (haveOneWindow(a, b)) return stepsIn(boundsOf([a, b]), [isOfA, isOfB], columns)
  const none = sql`toUInt8(0)`
  return sql`
    ${stepsIn(boundsOf([a]), [isOfA, none], columns)}
    UNION ALL
    ${stepsIn(boundsOf([b]), [none, isOfB], columns)}
  `
}

/** Tests whether a span belongs to a message that `b` finds and `a` does not. */
function isOfRest(a: ComparedSide, b: ComparedSide): Sql {
  const isNotOfA = sql`trace_id NOT IN (${allTracesOf(a, b.window)})`
  return findsAll(b) ? isNotOfA : allOf([sql`trace_id IN (${tracesOf(b)})`, isNotOfA])
}

/** Reports whether a side has all messages of its window. */
function findsAll({ query, oldest }: ComparedSide): boolean {
  const { rows, relations = [], slice, status, spansets } = query
  const conditions = [slice, status, spansets, oldest]
  return rows.length + relations.length === 0 && conditions.every((condition) => condition === undefined)
}

function stepsIn(bounds: Bounds, [isOfA, isOfB]: readonly [Sql, Sql], columns: readonly Sql[]): Sql {
  const read = list([sql`${isOfA} AS in_a`, sql`${isOfB} AS in_b`, ...columns])
  return sql`
    SELECT *
    FROM (SELECT ${read} FROM ${fromScoped('spans', sql`1`, bounds)})
    WHERE in_a OR in_b
  `
}

/**
 * Selects the columns like `comparedSteps`, of steps that satisfy a condition on the columns, with `number`, the number
 * of the step's message. Numbers are distinct within a side and a shard. They grow in the order in which `spans` is
 * sorted, because a bitmap takes a number beyond its last one five times as fast as any other.
 */
export function numberedSteps(comparison: Comparison, columns: readonly Sql[], condition = sql`1`): Sql {
  const order = sql`intDiv(started_ns, ${uint64(bucketSeconds * 1e9)}), trace_id`
  const sources = sourcesOf(comparison, true).map(({ bounds, messages }) => ({
    bounds,
    messages: sql`
      SELECT trace_id, in_a, in_b, toUInt32(row_number() OVER (ORDER BY ${order})) AS number
      FROM (${messages})
    `,
  }))
  const pieces = sources.map(
    ({ bounds, messages }) => sql`
      SELECT *
      FROM (
        SELECT *
        FROM (SELECT ${list([sql`trace_id`, ...columns])} FROM ${fromScoped('spans', sql`1`, bounds)})
        WHERE ${condition}
      ) AS steps
      INNER JOIN (${messages}) AS messages
      USING (trace_id)
    `,
  )
  return joinSql(pieces, sql` UNION ALL `)
}
