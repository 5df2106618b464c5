import type { components } from '../../../openapi/types.ts'

type Skeleton = components['schemas']['MessageSkeleton']

/** A message as arrays in tree order. Times are nanoseconds from its start; positions are indexes of the arrays. */
export interface Tree {
  readonly startedAt: string
  readonly size: number
  readonly spanIds: readonly string[]
  readonly parents: readonly number[]
  readonly depths: readonly number[]
  /** The position after the last descendant of each span. */
  readonly ends: Int32Array
  readonly siblings: Siblings
  readonly starts: Float64Array
  readonly durations: Float64Array
  /** Nanoseconds from the first start to the last end. */
  readonly durationNs: number
  /** The length of the time axis: the duration, and at least one nanosecond. */
  readonly totalNs: number
  readonly isError: readonly boolean[]
  /** The positions of the matched steps, in tree order. */
  readonly matched: readonly number[]
  serviceOf(position: number): string
  nameOf(position: number): string
  readonly services: readonly string[]
}

/** The position of each span among its siblings, counted from 1, and the number of these. */
interface Siblings {
  readonly places: Int32Array
  readonly counts: Int32Array
}

export function treeOf(skeleton: Skeleton): Tree {
  const { span_ids, parents, depths, services, names, statuses } = skeleton
  const starts = Float64Array.from(skeleton.start_offset_ns, Number)
  const durations = Float64Array.from(skeleton.duration_ns, Number)
  let durationNs = 0
  for (let i = 0; i < starts.length; i++) durationNs = Math.max(durationNs, (starts[i] ?? 0) + (durations[i] ?? 0))
  return {
    startedAt: skeleton.started_at,
    size: span_ids.length,
    spanIds: span_ids,
    parents,
    depths,
    ends: endsOf(depths),
    siblings: siblingsOf(parents, depths),
    starts,
    durations,
    durationNs,
    totalNs: Math.max(durationNs, 1),
    isError: statuses.map((status) => status === 2),
    matched: (skeleton.matched ?? []).flatMap((isMatched, position) => (isMatched === 1 ? [position] : [])),
    serviceOf: (position) => services.dictionary[services.positions[position] ?? -1] ?? '',
    nameOf: (position) => names.dictionary[names.positions[position] ?? -1] ?? '',
    services: services.dictionary,
  }
}

/**
 * Returns the position after the last descendant of each span: in tree order it is where the depth first falls to that
 * of the span.
 */
function endsOf(depths: readonly number[]): Int32Array {
  const ends = new Int32Array(depths.length).fill(depths.length)
  const open: number[] = []
  for (const [position, depth] of depths.entries()) {
    while (open.length > 0 && (depths[open.at(-1) ?? 0] ?? 0) >= depth) ends[open.pop() ?? 0] = position
    open.push(position)
  }
  return ends
}

function siblingsOf(parents: readonly number[], depths: readonly number[]): Siblings {
  const top = depths.length
  const groups = Int32Array.from(depths, (depth, position) => (depth === 0 ? top : (parents[position] ?? top)))
  const sizes = new Int32Array(top + 1)
  const places = groups.map((group) => {
    sizes[group] = (sizes[group] ?? 0) + 1
    return sizes[group]
  })
  return { places, counts: groups.map((group) => sizes[group] ?? 0) }
}

/** Returns the visible positions: those of the focused subtree, without the descendants of collapsed spans. */
export function shownPositions(tree: Tree, collapsed: ReadonlySet<number>, focus: number | undefined): number[] {
  const shown: number[] = []
  const end = focus === undefined ? tree.size : (tree.ends[focus] ?? tree.size)
  for (let i = focus ?? 0; i < end; i = collapsed.has(i) ? (tree.ends[i] ?? i + 1) : i + 1) shown.push(i)
  return shown
}

/** Returns the spans with descendants at this depth or deeper. Collapsing them shows only the levels above. */
export function spansBelow(tree: Tree, depth: number): Set<number> {
  const found = new Set<number>()
  for (let i = 0; i < tree.size; i++) if ((tree.depths[i] ?? 0) >= depth && (tree.ends[i] ?? 0) > i + 1) found.add(i)
  return found
}

/** Returns the ancestors of a span, all of which must be expanded for it to be visible. */
export function ancestorsOf(tree: Tree, position: number): number[] {
  const found: number[] = []
  for (let at = tree.parents[position] ?? -1; at >= 0 && found.length < tree.size; at = tree.parents[at] ?? -1)
    found.push(at)
  return found
}

/** Returns the top-level spans: roots, spans whose parent is missing, and the first span of each cycle. */
export function rootsOf({ depths }: Tree): number[] {
  return depths.flatMap((depth, position) => (depth === 0 ? [position] : []))
}

/** Returns how many nanoseconds a span starts before its parent; zero or less if it starts after it, or has none. */
export function nsBeforeParent({ parents, starts }: Tree, position: number): number {
  const parent = parents[position] ?? -1
  return parent < 0 ? 0 : (starts[parent] ?? 0) - (starts[position] ?? 0)
}

/** Returns the spans that start before their parent, because clocks differ or work was queued. */
export function skewedPositions(tree: Tree): number[] {
  const found: number[] = []
  for (let position = 0; position < tree.size; position++) if (nsBeforeParent(tree, position) > 0) found.push(position)
  return found
}

/**
 * Returns the critical path: from the last end backwards, always the child that ended last before the time that remains
 * to be explained.
 */
export function criticalPath(tree: Tree): Set<number> {
  const { parents, starts, durations, ends } = tree
  const path = new Set<number>()
  const roots = rootsOf(tree)
  const endOf = (i: number) => (starts[i] ?? 0) + (durations[i] ?? 0)
  const last = roots.toSorted((a, b) => endOf(b) - endOf(a))[0]
  const open: [span: number, until: number][] = last === undefined ? [] : [[last, endOf(last)]]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [span, until] = next
    path.add(span)
    const children: number[] = []
    for (let i = span + 1; i < (ends[span] ?? 0); i = ends[i] ?? i + 1) if (parents[i] === span) children.push(i)
    let left = until
    for (const child of children.toSorted((a, b) => endOf(b) - endOf(a))) {
      if (endOf(child) > left || endOf(child) < (starts[span] ?? 0)) continue
      open.push([child, endOf(child)])
      left = starts[child] ?? 0
    }
  }
  return path
}
