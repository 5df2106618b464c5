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
  return sql`indexHint(${anyOf([...ranges.map(inRange), ...isBefore])})`
}

function inRange({ fromNs, toNs, slots = everySlot, traceIds }: PlacesInRange): Sql {
  const isInTime = sql`start >= ${time(fromNs)} AND start <= ${time(toNs - 1n)}`
  const conditions = [isInTime]
  if (slots !== everySlot) conditions.push(anyOf(runsOf(slots).map(isInRun)))
  if (traceIds !== undefined)
    conditions.push(sql`trace_id IN (${list(traceIds.map((id) => sql`${param('UInt128', id)}`))})`)
  return sql`(${allOf(conditions)})`
}

/** Neighbouring slots. */
interface SlotRun {
  readonly first: number
  readonly last: number
}

function runsOf(slots: bigint): SlotRun[] {
  const runs: SlotRun[] = []
  for (let slot = 0; slot < 2 ** slotBits; slot++) {
    if (((slots >> BigInt(slot)) & 1n) === 0n) continue
    const previous = runs.at(-1)
    if (previous?.last === slot - 1) runs[runs.length - 1] = { first: previous.first, last: slot }
    else runs.push({ first: slot, last: slot })
  }
  return runs
}

/** Comparisons of the id itself: ClickHouse would apply a function of it to each mark of the primary key. */
function isInRun({ first, last }: SlotRun): Sql {
  const from = param('UInt128', (BigInt(first) * idsPerSlot).toString())
  const to = param('UInt128', (BigInt(last + 1) * idsPerSlot - 1n).toString())
  return sql`trace_id BETWEEN ${from} AND ${to}`
}

function time(ns: bigint): Sql {
  return sql`fromUnixTimestamp64Nano(${int64(ns)}, 'UTC')`
}
