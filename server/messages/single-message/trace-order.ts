import type { TraceNodeRow } from '#sql'
import { Pace } from '../../background/pace.ts'

/** The spans of one trace in tree order, by their positions. It holds ids and numbers only, not whole spans. */
export interface TraceOrder {
  readonly spanIds: BigUint64Array
  /** Nanoseconds since 1970. */
  readonly startsNs: BigInt64Array
  /** The number of edges between each span and its root. */
  readonly depths: Uint32Array
  /** The position of each span's parent, which precedes it; -1 for a root. */
  readonly parents: Int32Array
  /** The number of spans that arrived before each span. */
  readonly arrivals: Uint32Array
}

/** Approximate memory of one span of an order. */
export const orderBytesPerSpan = 30

/** Stands for a missing index or position, such as that of the parent of a root. */
const none = -1

/** The spans of one trace, oldest first, and the edges between them as indexes. */
class Forest {
  readonly spanIds: string[] = []
  readonly startsNs: bigint[] = []
  private readonly parentIds: string[] = []
  private readonly indexOf = new Map<string, number>()

  /**
   * Adds a row, and reports whether it is the first of its span. A span whose rows storage has not merged, because
   * their starts lie far apart, keeps its first row.
   */
  add({ span_id, parent_id, start_ns }: TraceNodeRow): boolean {
    if (this.indexOf.has(span_id)) return false
    this.indexOf.set(span_id, this.spanIds.length)
    this.spanIds.push(span_id)
    this.parentIds.push(parent_id)
    this.startsNs.push(BigInt(start_ns))
    return true
  }

  get size(): number {
    return this.spanIds.length
  }

  /** Returns the index of the parent. A span whose parent is missing is a root and has none. */
  parentOf(index: number): number {
    return this.indexOf.get(this.parentIds[index] as string) ?? none
  }
}

/**
 * Sorts the spans of a trace, which arrive oldest first, so that each precedes its descendants; roots and siblings keep
 * their order. A cycle has no root, so its first span counts as one, after all trees. Calls `onSpan` with the first row
 * of each span, in the order of arrival.
 */
export async function orderTrace<Row extends TraceNodeRow>(
  blocks: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  onSpan: (row: Row) => void = () => {},
): Promise<TraceOrder> {
  const pace = new Pace()
  const forest = new Forest()
  for await (const rows of blocks) {
    for (const row of rows) if (forest.add(row)) onSpan(row)
    await pace.rest()
  }
  const { order, depths, parents } = await walk(forest, pace)
  const spanIds = new BigUint64Array(forest.size)
  const startsNs = new BigInt64Array(forest.size)
  for (const [position, index] of order.entries()) {
    spanIds[position] = BigInt(forest.spanIds[index] as string)
    startsNs[position] = forest.startsNs[index] as bigint
    if (isStep(position)) await pace.rest()
  }
  return { spanIds, startsNs, depths, parents, arrivals: order }
}

/** Walks every tree in preorder. It is iterative because a chain may be as long as the trace. */
async function walk(forest: Forest, pace: Pace) {
  const firstChild = new Int32Array(forest.size).fill(none)
  const nextSibling = new Int32Array(forest.size).fill(none)
  const roots: number[] = []
  for (let index = forest.size - 1; index >= 0; index--) {
    const parent = forest.parentOf(index)
    if (parent === none) roots.push(index)
    else {
      nextSibling[index] = firstChild[parent] as number
      firstChild[parent] = index
    }
    if (isStep(index)) await pace.rest()
  }
  const order = new Uint32Array(forest.size)
  const depths = new Uint32Array(forest.size)
  const parents = new Int32Array(forest.size)
  const seen = new Uint8Array(forest.size)
  let placed = 0
  const place = async (root: number) => {
    const pending: [index: number, depth: number, parent: number][] = [[root, 0, none]]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [index, depth, parent] = next
      const sibling = nextSibling[index] as number
      if (parent !== none && sibling !== none) pending.push([sibling, depth, parent])
      if (seen[index] === 1) continue
      seen[index] = 1
      order[placed] = index
      depths[placed] = depth
      parents[placed] = parent
      const child = firstChild[index] as number
      if (child !== none) pending.push([child, depth + 1, placed])
      placed++
      if (isStep(placed)) await pace.rest()
    }
  }
  for (const root of roots.reverse()) await place(root)
  for (const first of await firstOfCycles(forest, seen, pace)) await place(first)
  return { order, depths, parents }
}

/** Returns the first span of each cycle among the spans that are below no root, in ascending order. */
async function firstOfCycles(forest: Forest, isBelowRoot: Uint8Array, pace: Pace): Promise<number[]> {
  /** The span from which a climb reached a span first; none before that. */
  const reachedFrom = new Int32Array(forest.size).fill(none)
  const found: number[] = []
  for (let start = 0; start < forest.size; start++) {
    if (isBelowRoot[start] === 1) continue
    let at = start
    for (; reachedFrom[at] === none; at = forest.parentOf(at)) reachedFrom[at] = start
    if (reachedFrom[at] === start) found.push(leastOfCycle(forest, at))
    if (isStep(start)) await pace.rest()
  }
  return found.sort((left, right) => left - right)
}

function leastOfCycle(forest: Forest, member: number): number {
  let least = member
  for (let at = forest.parentOf(member); at !== member; at = forest.parentOf(at)) least = Math.min(least, at)
  return least
}

const stepsBetweenRests = 1_024

/** Reports whether the clock is read after a step. Reading it after each one would take longer than the steps. */
function isStep(count: number): boolean {
  return count % stepsBetweenRests === 0
}
