/**
 * Walks along parents, for every span of a trace at once. In each round, a span's link is replaced by the link of the
 * span that it points at, so log2(spans) rounds reach the top of any chain, and a cycle has no effect.
 *
 * A trace is `ids` (distinct) and `parents`, arrays in one order. Position 1 stands for every parent outside the trace,
 * so span n is at position n + 1. `arrayReduceInRanges` gathers without a lambda, which would copy the array for every
 * element, so that one trace of 100,000 spans costs as much as the same spans in small traces.
 */
import { type Sql, sql, uint64 } from '../fragment.ts'
import { type Walk, walkColumn } from '../identifier.ts'

/**
 * The maximum length of an array that is copied for each of its elements, which costs half as much as ranges do. The
 * copies of a block of 65,000 traces then take 67 MB.
 */
const copiedLengthMax = 16

/**
 * An array beside `ids` with 1 for the spans below a span with a flag (docs/semantics.md, section 4). `flags` are 0 or
 * 1. The state of a span is twice the position of its parent, plus its flag; each round gathers the flag from there.
 */
export function compileDescendants(walk: Walk, ids: Sql, parents: Sql, flags: Sql): Sql {
  const packed = walkColumn(walk, 'packed')
  const climb = sql`
    arrayMap(
      (state, above) -> toUInt32(bitOr(above, bitAnd(state, 1))),
      states,
      ${gatherShort(sql`states`, sql`arrayMap(state -> bitShiftRight(state, 1), states)`)}
    )
  `
  const packing = packStates(walk, ids, parents, flags)
  const closed = sql`arrayFold((states, round) -> ${climb}, ${rounds(ids)}, (${packing}))`
  return sql`arrayPopFront(arrayMap(state -> toUInt8(bitAnd(state, 1)), ${gather(closed, parentsOf(packed))}))`
}

/** The number of flags of a span that one walk carries. */
export const flagsPerWalk = 32

/**
 * An array like that of `compileDescendants` for many kinds of flags at once, which are the bits of a UInt32: beside
 * each span, the bits of all spans above it. `links` is the name of a column of `parentLinks`. The upper half of a
 * state is the position of the parent, the lower half are the bits.
 */
export function compileDescendantBits(walk: Walk, links: Sql, bits: Sql): Sql {
  const packed = walkColumn(walk, 'packed')
  const linksOf = (states: Sql) => sql`arrayMap(state -> bitShiftRight(state, 32), ${states})`
  const packing = sql`
    arrayPushFront(
      arrayMap((link, bits) -> bitShiftLeft(toUInt64(link), 32) + bits, ${links}, ${bits}),
      bitShiftLeft(toUInt64(1), 32)
    ) AS ${packed}
  `
  const climb = sql`
    arrayMap(
      (state, above) -> bitOr(above, bitAnd(state, 4294967295)),
      states,
      ${gatherShort(sql`states`, linksOf(sql`states`))}
    )
  `
  const closed = sql`arrayFold((states, round) -> ${climb}, ${rounds(links)}, (${packing}))`
  const above = gather(closed, ranges(linksOf(packed)))
  return sql`arrayPopFront(arrayMap(state -> toUInt32(bitAnd(state, 4294967295)), ${above}))`
}

/** The position of each span's parent, for several walks of one trace. */
export function parentLinks(ids: Sql, parents: Sql): Sql {
  return parentPositions('rules', ids, parents)
}

/**
 * An array beside `ids` with 1 for the spans that have a span with a flag among their descendants. Each round passes
 * the flag up to where the link points, and then doubles the length of the link.
 */
export function compileAncestors(walk: Walk, ids: Sql, parents: Sql, flags: Sql): Sql {
  const packed = walkColumn(walk, 'packed')
  const climb = sql`
    arrayMap(
      (state, above, is_reached) -> toUInt32(bitOr(2 * bitShiftRight(above, 1), bitOr(bitAnd(state, 1), is_reached))),
      states,
      ${gather(sql`states`, parentsOf(sql`states`))},
      ${reachedFrom(sql`states`, sql`states`)}
    )
  `
  const packing = packStates(walk, ids, parents, flags)
  const closed = sql`arrayFold((states, round) -> ${climb}, ${rounds(ids)}, (${packing}))`
  return sql`arrayPopFront(${reachedFrom(closed, packed)})`
}

/** An array beside `ids` with 1 for the spans whose parent has a flag. */
export function compileChildren(walk: Walk, ids: Sql, parents: Sql, flags: Sql): Sql {
  return gather(sql`arrayPushFront(${flags}, toUInt8(0))`, ranges(parentPositions(walk, ids, parents)))
}

/** An array beside `ids` with 1 for the spans that have a child with a flag. */
export function compileParents(walk: Walk, ids: Sql, parents: Sql, flags: Sql): Sql {
  const packed = walkColumn(walk, 'packed')
  return sql`arrayPopFront(${reachedFrom(sql`(${packStates(walk, ids, parents, flags)})`, packed)})`
}

/** The states of a walk: twice the position of each span's parent, plus its flag, after one for position 1. */
function packStates(walk: Walk, ids: Sql, parents: Sql, flags: Sql): Sql {
  const links = parentPositions(walk, ids, parents)
  return sql`
    arrayPushFront(
      arrayMap((link, flag) -> toUInt32(2 * link + flag), ${links}, ${flags}),
      toUInt32(2)
    ) AS ${walkColumn(walk, 'packed')}
  `
}

/**
 * An array with 1 for the positions to which a link of `links` points from a state of `flagged` with its flag. The
 * positions follow the targets in one array, where a position that is also a target is not the first of its kind.
 */
function reachedFrom(flagged: Sql, links: Sql): Sql {
  const targets = sql`
    arrayFilter(
      target -> target > 0,
      arrayMap((state, link) -> bitAnd(state, 1) * bitShiftRight(link, 1), ${flagged}, ${links})
    )
  `
  const occurrences = sql`arrayEnumerateUniq(arrayConcat(${targets}, arrayEnumerate(${links})))`
  return sql`arrayMap(occurrence -> toUInt8(occurrence > 1), arraySlice(${occurrences}, -length(${links})))`
}

/**
 * Columns of a trace that end in `callers`: for each span of the slice the service of its nearest ancestor in the
 * slice, or the empty text if it has none. They read `ids`, `parents`, `in_slice` and `slice_services`. Spans of the
 * slice link to themselves and all others to their parents, so the links from a span's parent end at the nearest
 * ancestor.
 */
export const callerColumns: readonly Sql[] = [
  sql`${parentPositions('callers', sql`ids`, sql`parents`)} AS links`,
  sql`
    arrayPushFront(
      arrayMap(
        (link, stop, position) -> toUInt32(if(stop, position + 1, link)),
        links,
        in_slice,
        arrayEnumerate(links)
      ),
      toUInt32(1)
    ) AS first_ends
  `,
  sql`
    arrayFold(
      (ends, round) -> ${gatherShort(sql`ends`, sql`ends`)},
      ${rounds(sql`ids`)},
      first_ends
    ) AS last_ends
  `,
  sql`arrayFilter((position, stop) -> stop, arrayEnumerate(in_slice), in_slice) AS slice_positions`,
  sql`arrayFilter((link, stop) -> stop, links, in_slice) AS slice_links`,
  sql`arrayMap(position -> position - 1, ${gather(sql`last_ends`, ranges(sql`slice_links`))}) AS reached`,
  sql`${parentPositions('reached', sql`slice_positions`, sql`reached`)} AS caller_positions`,
  sql`${gather(sql`arrayPushFront(slice_services, '')`, ranges(sql`caller_positions`))} AS callers`,
]

/** The position of each span's parent, or 1 for a parent outside the trace. */
function parentPositions(walk: Walk, ids: Sql, parents: Sql): Sql {
  // Ids come first and are distinct, so they are numbered up to their count. Any larger number is a parent outside.
  const numbers = sql`
    arraySlice(
      arrayEnumerateDense(arrayConcat(${ids}, ${parents})),
      length(${ids}) + 1
    ) AS ${walkColumn(walk, 'numbers')}
  `
  return sql`arrayMap(number -> toUInt32(if(number > length(${ids}), 1, number + 1)), (${numbers}))`
}

function rounds(ids: Sql): Sql {
  return sql`range(toUInt64(ceil(log2(length(${ids}) + 1))))`
}

function parentsOf(states: Sql): Sql {
  return sql`arrayMap(state -> (bitShiftRight(state, 1), 1), ${states})`
}

function ranges(positions: Sql): Sql {
  return sql`arrayMap(position -> (position, 1), ${positions})`
}

/**
 * The elements of `from`, the name of an array, at positions. Needs short-circuit evaluation, which is ClickHouse's
 * default: otherwise a long array would be copied for each of its elements too.
 */
function gatherShort(from: Sql, positions: Sql): Sql {
  return sql`
    if(
      length(${from}) <= ${uint64(copiedLengthMax)},
      arrayMap(position -> ${from}[position], ${positions}),
      ${gather(from, ranges(positions))}
    )
  `
}

/** The elements of `from` at the positions where the ranges begin. */
function gather(from: Sql, ranges: Sql): Sql {
  return sql`arrayReduceInRanges('any', ${ranges}, ${from})`
}
