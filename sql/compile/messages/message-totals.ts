/** Numbers of messages over time and by attribute (docs/questions.md, sections 12 and 13). */
import { type Bounds, int64, list, perShard, type Sql, sql, uint8, uint64 } from '../../fragment.ts'
import type { GroupAttribute, MessageQuery } from '../../ir/message-query.ts'
import { p50Level, p95Level } from '../../percentile.ts'
import { traceDuration } from '../trace-columns.ts'
import { matchingTraces } from './matching-traces.ts'
import {
  areOfSteps,
  beyondGroups,
  columnsOfGroups,
  type GroupRow,
  groupLiteral,
  groupsOfMessage,
} from './message-groups.ts'

const duration: Sql = sql`${traceDuration} AS duration`

/** Counts and durations of messages. Numbers are decimal texts. */
export interface MessageNumbersRow {
  readonly message_count: string
  readonly error_message_count: string
  readonly p50_ns: string
  readonly p95_ns: string
  readonly max_ns: string
}

/** Returns the columns of a `MessageNumbersRow` over the rows for which a test is true, one for each message. */
function numbers(isCounted: Sql): Sql[] {
  return [
    sql`countIf(${isCounted}) AS message_count`,
    sql`countIf(is_failed AND ${isCounted}) AS error_message_count`,
    sql`(quantilesExactIf(${p50Level}, ${p95Level})(duration, ${isCounted}) AS percentiles)[1] AS p50_ns`,
    sql`percentiles[2] AS p95_ns`,
    sql`max(duration) AS max_ns`,
  ]
}

export interface HistogramOptions {
  readonly stepNs: bigint
  /** Whether each bucket has counts by band of duration. */
  readonly hasBands: boolean
  readonly groupBy: readonly GroupAttribute[]
  /** The groups that have a series of their own. Messages of any other group are in one more series. */
  readonly groups: readonly GroupRow[]
}

export interface HistogramRow extends MessageNumbersRow {
  /** 0 for all messages, n for group n of the options, counted from 1, and one more for all other groups. */
  readonly series: number
  /** The number of the bucket since 1970. */
  readonly bucket: string
  /** The lower ends of the bands in units of 2^-20 ms, and the number of messages in each. */
  readonly bands?: readonly [ends: readonly string[], counts: readonly string[]]
}

/**
 * Selects a `HistogramRow` for each series and bucket with messages. The bounds must contain all spans of every
 * matching message.
 */
export function messageHistogram(query: MessageQuery, options: HistogramOptions, bounds: Bounds = {}): Sql {
  const { stepNs, hasBands, groupBy, groups } = options
  const read = columnsOfGroups(groupBy)
  const matching = matchingTraces(query, bounds, {
    ...read,
    trace: ['started_ns', 'ended_ns', ...read.trace],
    status: true,
  })
  const columns = [
    sql`intDiv(started_ns, ${int64(stepNs)}) AS bucket`,
    duration,
    sql`is_failed`,
    ...(groupBy.length === 0 ? [sql`toUInt8(0) AS series`] : seriesOfMessage(groupBy, groups)),
  ]
  const bands = hasBands ? [sql`sumMap([${band}], [toUInt64(1)]) AS bands`] : []
  return sql`
    SELECT series, bucket, ${list([...numbers(sql`1`), ...bands])}
    FROM ${perShard(sql`SELECT ${list(columns)} FROM (${matching})`)}
    GROUP BY series, bucket
    ORDER BY series, bucket
  `
}

/** Returns columns that end in `series` and repeat the message for each of its series. */
function seriesOfMessage(groupBy: readonly GroupAttribute[], groups: readonly GroupRow[]): Sql[] {
  const others = sql`toUInt8(${uint8(groups.length + 1)})`
  const known = groups.length === 0 ? sql`0` : sql`indexOf([${list(groups.map(groupLiteral))}], message_group)`
  const number = sql`if((${known} AS position) = 0, ${others}, toUInt8(position))`
  return [
    groupsOfMessage(groupBy),
    sql`
      arrayJoin(
        arrayPushFront(arrayDistinct(arrayMap(message_group -> ${number}, message_groups)), toUInt8(0))
      ) AS series
    `,
  ]
}

/**
 * The lower end of the power-of-two band of milliseconds that holds a duration, in units of 2^-20 ms, which is less
 * than a nanosecond. It is 0 for no duration. Integers keep the ends exact; that of the longest durations takes 65
 * bits.
 */
const band: Sql = sql`
  if(
    duration < 1000000,
    roundToExp2(intDiv(duration * 1048576, 1000000)),
    toUInt128(roundToExp2(intDiv(duration, 1000000))) * 1048576
  )
`

export interface BreakdownRow extends MessageNumbersRow {
  /** 1 for the numbers of all messages, which come first. */
  readonly is_total: number
  /** Undefined content in the row of all messages. */
  readonly message_group: GroupRow
  readonly matched_step_count: string
  /** The number of groups, the same in every row. */
  readonly group_count: string
}

/**
 * Selects the `BreakdownRow` of all messages and those of the largest groups, by messages and then by value. The bounds
 * must contain all spans of every matching message.
 */
export function messageBreakdown(
  query: MessageQuery,
  groupBy: readonly GroupAttribute[],
  limit: number,
  bounds: Bounds = {},
): Sql {
  const read = columnsOfGroups(groupBy)
  const matching = matchingTraces(query, bounds, {
    ...read,
    trace: ['started_ns', 'ended_ns', ...read.trace],
    status: true,
    steps: 'counts',
  })
  // A row for each step of a group. The first of a message and group stands for the message.
  const rows = sql`
    SELECT duration, is_failed, step_count, message_group, number = 1 AS is_first
    FROM (SELECT ${list([duration, sql`is_failed`, sql`step_count`, groupsOfMessage(groupBy)])} FROM (${matching}))
    ARRAY JOIN
      arrayPushFront(message_groups, ${beyondGroups(groupBy)}) AS message_group,
      arrayPushFront(arrayEnumerateUniq(message_groups), toUInt32(1)) AS number
  `
  const isOfSteps = areOfSteps(groupBy) ? sql`tupleElement(message_group, 1) = 0` : sql`0`
  const groups = sql`
    SELECT
      tupleElement(message_group, 1) = 2 AS is_total,
      message_group,
      ${list(numbers(sql`is_first`))},
      sum(if(${isOfSteps}, 1, step_count)) AS matched_step_count
    FROM ${perShard(rows)}
    GROUP BY message_group
  `
  return sql`
    SELECT *, count() OVER () - 1 AS group_count
    FROM (${groups})
    ORDER BY is_total DESC, message_count DESC, message_group
    LIMIT ${uint64(limit + 1)}
  `
}

/** A row of `largestGroups`. */
export interface LargestGroupRow {
  readonly message_group: GroupRow
}

/**
 * Selects a `LargestGroupRow` for each of the largest groups, in the order of `messageBreakdown`, at half the cost. The
 * bounds must contain all spans of every matching message.
 */
export function largestGroups(
  query: MessageQuery,
  groupBy: readonly GroupAttribute[],
  limit: number,
  bounds: Bounds = {},
): Sql {
  const matching = matchingTraces(query, bounds, columnsOfGroups(groupBy))
  const groups = sql`
    SELECT arrayJoin(arrayDistinct(message_groups)) AS message_group
    FROM (SELECT ${groupsOfMessage(groupBy)} FROM (${matching}))
  `
  return sql`
    SELECT message_group
    FROM ${perShard(groups)}
    GROUP BY message_group
    ORDER BY count() DESC, message_group
    LIMIT ${uint64(limit)}
  `
}
