/**
 * Conditions that restrict a read of spans or of log records to places: buckets of ten seconds, and within them slots
 * of trace ids or single traces. All are ranges of the primary keys, which begin with organization, bucket, trace id.
 */
import { larger, smaller } from '../bigint-order.ts'
import { allOf, anyOf, int64, type Places, param, type SlotsOfBucket, type Sql, sql } from '../fragment.ts'
import { timeOf } from '../identifier.ts'
import { bucketNs, slotBits, slotsPerBucket } from '../schema/value-buckets.ts'
import type { IndexedTable } from '../value-hash.ts'

const idsOfSlot = param('UInt128', (2n ** BigInt(128 - slotBits)).toString())
/** A bucket with more slots than these is read whole. */
const slotsMax = slotsPerBucket / 2
/** With more slots than these altogether, buckets are read whole, because their set would be a large parameter. */
const pairsMax = 4_096
/** ClickHouse accepts parameters of up to 131,072 bytes by default. A pair has up to 64, and as many sets are few. */
const pairsPerSetMax = 2_000

/**
 * Sets contain no earlier times than this one, in 2001. ClickHouse sends the times of a set to shards as digits, which
 * only count as nanoseconds there if they are 19.
 */
const setsFromNs = 10n ** 18n

/** The start of a bucket, and the number of a slot or the decimal text of a trace id. */
type Pair = readonly [fromNs: bigint, id: number | string]

/**
 * Tests whether a record may be in one of the places. ClickHouse selects granules by it and does not test each row. All
 * rows of a bucket are in the same places, because a row may replace another one in its bucket.
 */
export function inPlaces(table: IndexedTable, { slots = [], traces = [], range, allBeforeNs }: Places): Sql {
  const at = timeOf(table)
  const bounds = [
    ...(range === undefined ? [] : [range]),
    ...(allBeforeNs === undefined ? [] : [{ toNs: endOfBucket(allBeforeNs) }]),
  ]
  const starts = [...slots.map(({ fromNs }) => fromNs), ...traces.map(([fromNs]) => fromNs)]
  const early = starts.filter((ns) => ns < setsFromNs)
  const conditions = [
    ...inSlots(
      at,
      slots.filter(({ fromNs }) => fromNs >= setsFromNs),
    ),
    ...setsOfPairs(traces.filter(([fromNs]) => fromNs >= setsFromNs)).map((set) => sql`(${at}, trace_id) IN ${set}`),
    ...(starts.length === 0 ? [] : [keepsParts(at, starts)]),
    ...(early.length === 0 ? [] : [isWithin(at, rangeOf(early))]),
    ...bounds.map((bound) => isWithin(at, bound)),
  ]
  return sql`indexHint(${anyOf(conditions)})`
}

/**
 * Compares times with the starts of buckets, and trace ids divided into slots with slots. The primary key contains the
 * time rounded to buckets; ClickHouse does not recognize this expression in a condition, but rounds the elements of a
 * set for the time as it rounds the time. One set of pairs takes half as long to analyse as a condition for each slot.
 */
function inSlots(at: Sql, buckets: readonly SlotsOfBucket[]): Sql[] {
  const whole: SlotsOfBucket[] = []
  const pairs: Pair[] = []
  for (const bucket of buckets) {
    const slots = bucket.slots === undefined ? [] : slotsOf(bucket.slots)
    if (bucket.slots === undefined || slots.length > slotsMax) whole.push(bucket)
    else for (const slot of slots) pairs.push([bucket.fromNs, slot])
  }
  if (pairs.length > pairsMax) return [sql`${at} IN ${setOfTimes(buckets)}`]
  return [
    ...(whole.length === 0 ? [] : [sql`${at} IN ${setOfTimes(whole)}`]),
    ...setsOfPairs(pairs).map((set) => sql`(${at}, intDiv(trace_id, ${idsOfSlot})) IN ${set}`),
  ]
}

/**
 * Keeps the parts of a table that contain times of such buckets. ClickHouse leaves out a part if none of the set is
 * between the first and the last time in it, even if it contains later times of these buckets. This condition is true
 * for such a part, and false for every granule, because no organization has an empty name.
 */
function keepsParts(at: Sql, starts: readonly bigint[]): Sql {
  return sql`(${isWithin(at, rangeOf(starts))} AND org < '')`
}

/** Returns the time of the buckets with these starts. */
function rangeOf(starts: readonly bigint[]): Required<Range> {
  const first = starts.reduce((left, right) => smaller(left, right))
  const last = starts.reduce((left, right) => larger(left, right))
  return { fromNs: first, toNs: last + bucketNs }
}

interface Range {
  readonly fromNs?: bigint
  readonly toNs: bigint
}

function isWithin(at: Sql, { fromNs, toNs }: Range): Sql {
  const isBefore = sql`${at} <= ${time(toNs - 1n)}`
  return fromNs === undefined ? isBefore : allOf([sql`${at} >= ${time(fromNs)}`, isBefore])
}

/** Returns the end of the bucket of the last nanosecond before a time. */
function endOfBucket(ns: bigint): bigint {
  return ((ns + bucketNs - 1n) / bucketNs) * bucketNs
}

function setOfTimes(buckets: readonly SlotsOfBucket[]): Sql {
  return sql`${param("Array(DateTime64(9, 'UTC'))", `[${buckets.map(({ fromNs }) => fromNs).join(',')}]`)}`
}

/** Returns the pairs as one set, or as several if one would be too large for a parameter. */
function setsOfPairs(pairs: readonly Pair[]): Sql[] {
  const texts = pairs.map(([fromNs, id]) => `(${fromNs},${id})`)
  const count = Math.ceil(pairs.length / pairsPerSetMax)
  return Array.from({ length: count }, (_, index) => {
    const ofSet = texts.slice(index * pairsPerSetMax, (index + 1) * pairsPerSetMax)
    return sql`${param("Array(Tuple(DateTime64(9, 'UTC'), UInt128))", `[${ofSet.join(',')}]`)}`
  })
}

function slotsOf(slots: bigint): number[] {
  return Array.from({ length: slotsPerBucket }, (_, slot) => slot).filter(
    (slot) => ((slots >> BigInt(slot)) & 1n) === 1n,
  )
}

function time(ns: bigint): Sql {
  return sql`fromUnixTimestamp64Nano(${int64(ns)}, 'UTC')`
}
