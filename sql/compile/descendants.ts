import { type Sql, sql } from '../fragment.ts'
import { walkColumn } from '../identifier.ts'

/**
 * Per trace: which spans lie below a span with a flag (semantics, section 4), as an array of 0 and 1 beside `ids`.
 *
 * `ids` (distinct), `parents` and `flags` (0 or 1) are arrays of one trace, in one order. Every span becomes a number that
 * holds the position of its parent and its flag; a round replaces the parent by the parent's parent and gathers the flag
 * from it, so log2(spans) rounds reach the top of any chain, and a cycle changes nothing once it has been round. Position
 * 1 is the parent of all that have none. `arrayReduceInRanges` gathers without a lambda that would copy the array for
 * every element, so one trace of 100,000 spans costs what as many spans in small traces cost.
 */
export function compileDescendants(walk: 'rules' | 'anchors', ids: Sql, parents: Sql, flags: Sql): Sql {
  const numbers = walkColumn(walk, 'numbers')
  const packed = walkColumn(walk, 'packed')
  // Ids come first and are distinct, so theirs are the numbers up to their count, and any other parent is not here.
  const numbering = sql`arraySlice(arrayEnumerateDense(arrayConcat(${ids}, ${parents})), length(${ids}) + 1) AS ${numbers}`
  const packing = sql`arrayPushFront(arrayMap((number, flag) -> toUInt32(if(number > length(${ids}), 2, 2 * number + 2) + flag), (${numbering}), ${flags}), toUInt32(2)) AS ${packed}`
  const rounds = sql`range(toUInt64(ceil(log2(length(${ids}) + 1))))`
  const climb = sql`arrayMap((state, above) -> toUInt32(bitOr(above, bitAnd(state, 1))), states, ${gather(sql`states`, sql`states`)})`
  const closed = sql`arrayFold((states, round) -> ${climb}, ${rounds}, (${packing}))`
  return sql`arrayPopFront(arrayMap(state -> toUInt8(bitAnd(state, 1)), ${gather(packed, closed)}))`
}

/** The elements of `from` at the positions that `states` names as parents. */
function gather(states: Sql, from: Sql): Sql {
  return sql`arrayReduceInRanges('any', arrayMap(state -> (bitShiftRight(state, 1), 1), ${states}), ${from})`
}
