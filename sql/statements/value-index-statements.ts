/**
 * Statements that add spans to the value index which were stored without entries: by an earlier version, or while the
 * index was off. They compute the same hashes as ingest (value-hash.ts) and concern all organizations.
 */

import { rankMax } from '../compile/stored-rank.ts'
import { type Query, render, type Sql, sql, uint64 } from '../fragment.ts'
import { integerLiteral, quoteName, tableName } from '../identifier.ts'
import { slotBits } from '../schema/value-buckets.ts'
import { hashFactors, hashOfText, intrinsicKeys } from '../value-hash.ts'

/** A day of spans without entries. */
export interface UnindexedDay {
  /** The partition of the table, such as `20260921`. */
  readonly day: number
  /** The number of spans, as a decimal text. */
  readonly spans: string
  /** The first start and the last one, in seconds since 1970. */
  readonly first_seconds: number
  readonly last_seconds: number
}

/** Spans that were stored before a time, which begin in `[fromSeconds, toSeconds)`. */
export interface UnindexedSpans {
  readonly fromSeconds: number
  readonly toSeconds: number
  /** The smallest `stored_rank`, as `storedRankBefore` reads it. */
  readonly rankMin: string
}

/** Reads the `rank` above which rows were stored at least some seconds ago. */
export function storedRankBefore(seconds: number): Query {
  return render(sql`
    SELECT
      toString(
        toUInt64(${uint64(rankMax)} - toUInt64(toUnixTimestamp64Micro(now64(6))) + ${uint64(seconds * 1e6)})
      ) AS rank
  `)
}

/** Reads the days on which spans start that have no entries, newest first. */
export function unindexedDays(rankMin: string): Query {
  return render(sql`
    SELECT
      toYYYYMMDD(start) AS day,
      toString(count()) AS spans,
      toUnixTimestamp(min(start)) AS first_seconds,
      toUnixTimestamp(max(start)) AS last_seconds
    FROM ${tableName('spans')}
    WHERE is_indexed = 0 AND stored_rank >= ${uint64(BigInt(rankMin))}
    GROUP BY day
    ORDER BY day DESC
  `)
}

/** Adds the entries of spans to the index in a database, which may be a distributed table. */
export function addEntries(database: string, spans: UnindexedSpans): Query {
  return render(sql`
    INSERT INTO ${quoteName(database)}.${tableName('value_index')} (org, hash, bucket, slots)
    SELECT org, hash, bucket, groupBitOr(slot)
    FROM (
      SELECT
        org,
        toStartOfInterval(start, INTERVAL 10 SECOND) AS bucket,
        bitShiftLeft(toUInt16(1), toUInt8(bitShiftRight(trace_id, ${uint64(128 - slotBits)}))) AS slot,
        ${ownPairs} AS own,
        ${resourcePairs} AS shared,
        arrayConcat(own, shared) AS pairs,
        arrayFilter(pair -> NOT startsWith(pair.2, 'd') OR match(pair.2, '^d-?[0-9]+$'), pairs) AS valued,
        arrayJoin(
          arrayDistinct(
            arrayConcat(
              arrayMap(pair -> ${hashOfPresence(sql`pair.1`)}, pairs),
              arrayMap(pair -> ${hashOfValue(sql`xxHash32(pair.1)`, sql`substring(pair.2, 2)`)}, valued),
              ${intrinsic('service', sql`service`)},
              ${intrinsic('name', sql`name`)},
              ${intrinsic('scope_name', sql`scope_name`)},
              ${intrinsic('status_message', sql`status_message`)},
              [${hashOfValue(keyHash('trace_id'), sql`reinterpretAsFixedString(trace_id)`)}]
            )
          )
        ) AS hash
      FROM ${tableName('spans')}
      WHERE ${isUnindexed(spans)}
    )
    GROUP BY org, hash, bucket
    SETTINGS distributed_foreground_insert = 1, max_block_size = 4096, max_threads = 2
  `)
}

/** Records that spans have entries, after `addEntries`. Resolves when ClickHouse has rewritten the column. */
export function markIndexed(day: number, { rankMin }: Pick<UnindexedSpans, 'rankMin'>): Query {
  return render(sql`
    ALTER TABLE ${tableName('spans')} UPDATE is_indexed = 1
    IN PARTITION ${integerLiteral(day)}
    WHERE is_indexed = 0 AND stored_rank >= ${uint64(BigInt(rankMin))}
    SETTINGS mutations_sync = 2
  `)
}

/**
 * Records that spans may have no entries: those that started more than `days` days ago, or all. Searches then read them
 * without the index, until `tracefold migrate --backfill` adds their entries again.
 */
export function forgetEntries(days?: number): Query {
  const older = days === undefined ? sql`1` : sql`start < now64(9, 'UTC') - toIntervalDay(${integerLiteral(days)})`
  return render(sql`
    ALTER TABLE ${tableName('spans')} UPDATE is_indexed = 0
    WHERE is_indexed = 1 AND ${older}
    SETTINGS mutations_sync = 2
  `)
}

function isUnindexed({ fromSeconds, toSeconds, rankMin }: UnindexedSpans): Sql {
  return sql`
    is_indexed = 0
    AND stored_rank >= ${uint64(BigInt(rankMin))}
    AND start >= fromUnixTimestamp64Nano(toInt64(${uint64(fromSeconds)}) * 1000000000, 'UTC')
    AND start < fromUnixTimestamp64Nano(toInt64(${uint64(toSeconds)}) * 1000000000, 'UTC')
  `
}

/** The attributes of a span as pairs of key and tagged text. A path without a value is a hot key that is absent. */
const ownPairs: Sql = sql`
  arrayMap(
    pair -> (if(pair.1 = '%', '', decodeURLComponent(pair.1)), pair.2),
    arrayFilter(pair -> pair.2 != '', JSONExtractKeysAndValues(toJSONString(attributes), 'String'))
  )
`

/** The attributes of a resource (attribute-text.ts) as pairs of key and tagged text. */
const resourcePairs: Sql = sql`
  arrayMap(
    part -> (${unescaped(sql`substring(part, 2, position(part, char(2)) - 2)`)}, ${unescaped(
      sql`substring(part, position(part, char(2)) + 1)`,
    )}),
    arrayFilter(part -> part != '', splitByChar(char(3), resource_attributes))
  )
`

function unescaped(content: Sql): Sql {
  const codes = [sql`'A'`, sql`'B'`, sql`'C'`, sql`'D'`]
  return codes.reduce(
    (read, code, index) => sql`replaceAll(${read}, concat(char(4), ${code}), char(${integerLiteral(index + 1)}))`,
    content,
  )
}

function hashOfPresence(key: Sql): Sql {
  return product(sql`xxHash32(${key})`, hashFactors.presence)
}

function hashOfValue(hashOfKey: Sql, content: Sql): Sql {
  return sql`bitXor(${hashOfKey}, ${product(sql`xxHash32(${content})`, hashFactors.text)})`
}

function product(hash: Sql, factor: number): Sql {
  return sql`toUInt32(bitAnd(${hash} * toUInt64(${integerLiteral(factor)}), 4294967295))`
}

function intrinsic(key: Exclude<keyof typeof intrinsicKeys, 'trace_id'>, content: Sql): Sql {
  return sql`if(${content} = '', [], [${hashOfValue(keyHash(key), content)}])`
}

function keyHash(key: keyof typeof intrinsicKeys): Sql {
  return sql`toUInt32(${integerLiteral(hashOfText(intrinsicKeys[key]) >>> 0)})`
}
