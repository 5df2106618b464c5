/** Numbers of messages over time and by attribute (docs/questions.md, sections 12 and 13). */
import { int64, list, perShard, type Sql, sql, uint8, uint64 } from '../fragment.ts'
import type { GroupAttribute, MessageQuery } from '../ir/message-query.ts'
import { p50Level, p95Level } from '../percentile.ts'
import { matchingTraces } from './matching-traces.ts'
import { columnsOfGroups, type GroupRow, groupLiteral, groupsOfMessage } from './message-groups.ts'

const duration: Sql = sql`ended_ns - started_ns AS duration`

/** Counts and durations of messages. Numbers are decimal texts. */
export interface MessageNumbersRow {
  readonly message_count: string
  readonly error_message_count: string
  readonly p50_ns: string
  readonly p95_ns: string
  readonly max_ns: string
}

const numbers: readonly Sql[] = [
  sql`count() AS message_count`,
  sql`countIf(is_failed) AS error_message_count`,
  sql`quantileExact(${p50Level})(duration) AS p50_ns`,
  sql`quantileExact(${p95Level})(duration) AS p95_ns`,
  sql`max(duration) AS max_ns`,
]

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

/** Selects a `HistogramRow` for each series and bucket with messages. */
export function messageHistogram(query: MessageQuery, options: HistogramOptions): Sql {
  const { stepNs, hasBands, groupBy, groups } = options
  const { trace, carried } = columnsOfGroups(groupBy)
  const matching = matchingTraces(
    query,
    {},
    {
      trace: ['started_ns', 'ended_ns', ...trace],
      status: true,
      ...(groupBy.length === 0 ? {} : { steps: 'counts' }),
      carried,
    },
  )
  const columns = [
    sql`intDiv(started_ns, ${int64(stepNs)}) AS bucket`,
    duration,
    sql`is_failed`,
    ...(groupBy.length === 0 ? [sql`toUInt8(0) AS series`] : seriesOfMessage(groupBy, groups)),
  ]
  const bands = hasBands ? [sql`sumMap([${band}], [toUInt64(1)]) AS bands`] : []
  return sql`
    SELECT series, bucket, ${list([...numbers, ...bands])}
    FROM ${perShard(sql`SELECT ${list(columns)} FROM (${matching})`)}
    GROUP BY series, bucket
    ORDER BY series, bucket
  `
}

/** Returns columns that end in `series` and repeat the message for each of its series. */
function seriesOfMessage(groupBy: readonly GroupAttribute[], groups: readonly GroupRow[]): Sql[] {
  const others = sql`toUInt8(${uint8(groups.length + 1)})`
  const known = groups.length === 0 ? sql`0` : sql`indexOf([${list(groups.map(groupLiteral))}], message_group)`
  const number = sql`if((${known} AS place) = 0, ${others}, toUInt8(place))`
  return [
    ...groupsOfMessage(groupBy),
    sql`
      arrayJoin(
        arrayPushFront(arrayDistinct(arrayMap(message_group -> ${number}, message_groups)), toUInt8(0))
      ) AS series
    `,
  ]
}

/**
 * The lower end of the power-of-two band of milliseconds that holds a duration, in units of 2^-20 ms, which is less
 * than a nanosecond. It is 0 for no duration. Integers keep the ends exact.
 */
const band: Sql = sql`
  if(
    duration < 1000000,
    roundToExp2(intDiv(toUInt64(duration) * 1048576, 1000000)),
    roundToExp2(intDiv(toUInt64(duration), 1000000)) * 1048576
  )
`

export interface BreakdownRow extends MessageNumbersRow {
  /** 1 for the numbers of all messages, which come first. */
  readonly is_total: number
  /** Undefined content in the row of all messages. */
  readonly message_group: GroupRow
  readonly matched_step_count: string
  /** The number of groups in the row of all messages, otherwise 0. */
  readonly group_count: string
}

/** Selects the `BreakdownRow` of all messages and those of the largest groups, by messages and then by value. */
export function messageBreakdown(query: MessageQuery, groupBy: readonly GroupAttribute[], limit: number): Sql {
  const { trace, carried } = columnsOfGroups(groupBy)
  const matching = matchingTraces(
    query,
    {},
    {
      trace: ['started_ns', 'ended_ns', ...trace],
      status: true,
      steps: 'counts',
      carried,
    },
  )
  const unfolded = sql`
    arrayJoin(
      arrayPushFront(
        arrayMap(
          (message_group, group_steps) -> (toUInt8(0), message_group, group_steps),
          message_groups,
          group_step_counts
        ),
        (toUInt8(1), message_groups[1], toUInt64(step_count))
      )
    ) AS unfolded
  `
  const columns = [duration, sql`is_failed`, ...groupsOfMessage(groupBy), unfolded]
  const messages = sql`
    SELECT
      duration,
      is_failed,
      tupleElement(unfolded, 1) AS is_total,
      tupleElement(unfolded, 3) AS steps,
      if(is_total, message_groups, []) AS all_groups,
      if(is_total, ${groupLiteral([0, ...groupBy.map(() => '')])}, tupleElement(unfolded, 2)) AS message_group
    FROM (SELECT ${list(columns)} FROM (${matching}))
  `
  return sql`
    SELECT
      is_total,
      message_group,
      ${list(numbers)},
      sum(steps) AS matched_step_count,
      uniqExactArray(all_groups) AS group_count
    FROM ${perShard(messages)}
    GROUP BY is_total, message_group
    ORDER BY is_total DESC, message_count DESC, message_group
    LIMIT ${uint64(limit + 1)}
  `
}
