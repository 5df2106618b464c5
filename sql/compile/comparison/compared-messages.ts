/**
 * Finds the messages of the two sides of a comparison (docs/questions.md, section 14). They are found once: further
 * queries get them as `comparedTable`.
 */
import { list, perShard, type Sql, sql, uint8, uint64 } from '../../fragment.ts'
import { type ComparedSide, type Comparison, comparedTable, haveOneWindow } from '../../ir/comparison.ts'
import type { TimeWindow } from '../../ir/scope.ts'
import { bucketSeconds } from '../../schema/value-buckets.ts'
import { matchingTraces } from '../messages/matching-traces.ts'
import { askedMicros } from '../stored-rank.ts'

/** A row of `comparedMessages` or `newestCompared`. Integers are texts. */
export interface ComparedMessagesRow {
  /** The numbers of messages of each side. */
  readonly a: string
  readonly b: string
  /** The start of the oldest message of each side in nanoseconds since 1970. */
  readonly oldest_a: string
  readonly oldest_b: string
  /** The rows of `comparedTable` in base64; empty if a side has more messages than may be compared. */
  readonly messages: string
  /** See `askedMicros`. */
  readonly asked_micros: string
}

/** Selects the `ComparedMessagesRow` of all messages. */
export function comparedMessages(comparison: Comparison, messagesMax: number): Sql {
  return listedMessages(perShard(messagesOfSides(comparison)), messagesMax)
}

/** Selects the `ComparedMessagesRow` of the newest messages of each side. */
export function newestCompared(comparison: Comparison, messagesMax: number): Sql {
  const newestOf = (messages: Sql) => sql`
    SELECT trace_id, side, started_ns
    FROM ${messages}
    ORDER BY started_ns DESC, trace_id DESC
    LIMIT ${uint64(messagesMax)} BY side
  `
  const ofShard = newestOf(sql`(${messagesOfSides(comparison)})`)
  return listedMessages(sql`(${newestOf(perShard(ofShard))})`, messagesMax)
}

/**
 * Lists messages in the order in which `spans` is sorted, so that the numbers of `comparedSteps` mostly grow. A message
 * is one number, because numbers sort several times as fast as tuples or texts: its bucket, its trace and its side. In
 * little-endian order, trace and side are the first bytes.
 */
function listedMessages(messages: Sql, messagesMax: number): Sql {
  const bucket = sql`toUInt256(intDiv(started_ns, ${uint64(bucketSeconds * 1e9)}))`
  const message = sql`bitOr(bitShiftLeft(${bucket}, 136), bitOr(bitShiftLeft(toUInt256(trace_id), 8), side))`
  const rows = sql`
    arrayMap(
      message -> substring(reinterpretAsFixedString(message), 1, ${uint64(comparedTable.rowBytes)}),
      arraySort(groupArray(${uint64(2 * messagesMax)})(${message}))
    )
  `
  return sql`
    SELECT
      countIf(side = 1) AS a,
      countIf(side = 2) AS b,
      minIf(started_ns, side = 1) AS oldest_a,
      minIf(started_ns, side = 2) AS oldest_b,
      if(greatest(a, b) > ${uint64(messagesMax)}, '', base64Encode(arrayStringConcat(${rows}))) AS messages,
      ${askedMicros} AS asked_micros
    FROM ${messages}
  `
}

/** Selects `trace_id`, `side` and `started_ns` of the messages of each side. One that is on both sides is two rows. */
function messagesOfSides({ a, b }: Comparison): Sql {
  const start = { trace: ['started_ns'] } as const
  if (b.isRest && haveOneWindow(a, b)) {
    const isOfA = sql`trace_id IN (${tracesOf(a, b.window)})`
    const all = matchingTraces(b.query, { window: b.window }, start)
    return sql`SELECT trace_id, if(${isOfA}, toUInt8(1), toUInt8(2)) AS side, started_ns FROM (${all})`
  }
  const messagesOf = ({ query, window }: ComparedSide, side: number) => {
    const columns = [sql`trace_id`, sql`${uint8(side)} AS side`, sql`started_ns`]
    return sql`SELECT ${list(columns)} FROM (${matchingTraces(query, { window }, start)})`
  }
  const isOfB = b.isRest ? sql`trace_id NOT IN (${tracesOf(a, b.window)})` : sql`1`
  return sql`${messagesOf(a, 1)} UNION ALL ${messagesOf(b, 2)} WHERE ${isOfB}`
}

function tracesOf({ query }: ComparedSide, window: TimeWindow): Sql {
  return sql`SELECT trace_id FROM (${matchingTraces(query, { window }, {})})`
}
