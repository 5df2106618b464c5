/**
 * Conditions that restrict a read of `spans` to places: buckets of ten seconds, and within them slots of trace ids or
 * single traces. All are ranges of the primary key. It contains the time rounded to buckets, but ClickHouse recognizes
 * only conditions on the time itself.
 */
import { allOf, anyOf, int64, list, type Places, type PlacesInRange, param, type Sql, sql } from '../fragment.ts'
import { slotBits } from '../schema/value-buckets.ts'

const everySlot = 2n ** BigInt(2 ** slotBits) - 1n
const idsPerSlot = 2n ** BigInt(128 - slotBits)

/** Tests whether a span is in one of the places. */
export function inPlaces({ ranges, allBeforeNs }: Places): Sql {
  const isBefore = allBeforeNs === undefined ? [] : [sql`start < ${time(allBeforeNs)}`]
  return anyOf([...ranges.map(inRange), ...isBefore])
}

function inRange({ fromNs, toNs, slots = everySlot, traceIds }: PlacesInRange): Sql {
  const isInTime = sql`start >= ${time(fromNs)} AND start <= ${time(toNs - 1n)}`
  const conditions = [isInTime]
  if (slots !== everySlot)
    conditions.push(sql`intDiv(trace_id, ${param('UInt128', idsPerSlot.toString())}) IN ${slotList(slots)}`)
  if (traceIds !== undefined)
    conditions.push(sql`trace_id IN (${list(traceIds.map((id) => sql`${param('UInt128', id)}`))})`)
  return sql`(${allOf(conditions)})`
}

function slotList(slots: bigint): Sql {
  const numbers = Array.from({ length: 2 ** slotBits }, (_, slot) => slot).filter(
    (slot) => (slots >> BigInt(slot)) & 1n,
  )
  return sql`${param('Array(UInt64)', `[${numbers.join(',')}]`)}`
}

function time(ns: bigint): Sql {
  return sql`fromUnixTimestamp64Nano(${int64(ns)}, 'UTC')`
}
