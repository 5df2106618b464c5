import { expect, it } from 'vitest'
import { coveredRuns } from '../../console/pages/message/covered-runs.ts'
import {
  ancestorsOf,
  criticalPath,
  shownPositions,
  skewedPositions,
  spansBelow,
  treeOf,
} from '../../console/pages/message/tree.ts'

/** A tree from its depths in tree order, with the times of each span in nanoseconds. */
function tree(spans: readonly (readonly [depth: number, start: number, duration: number])[]) {
  const depths = spans.map(([depth]) => depth)
  const parents = depths.map((depth, position) => depths.lastIndexOf(depth - 1, position))
  const texts = { dictionary: ['a'], positions: spans.map(() => 0) }
  return treeOf({
    trace_id: '0'.repeat(32),
    started_at: '2026-03-01T09:00:00Z',
    span_count: spans.length,
    span_ids: spans.map((_, position) => String(position).padStart(16, '0')),
    parents,
    depths,
    services: texts,
    names: texts,
    start_offset_ns: spans.map(([, start]) => start),
    duration_ns: spans.map(([, , duration]) => duration),
    kinds: spans.map(() => 1),
    statuses: spans.map(() => 0),
  })
}

const shop = tree([
  [0, 0, 100],
  [1, 5, 30],
  [2, 10, 10],
  [1, 40, 55],
  [2, 45, 5],
  [2, 60, 30],
  [0, 20, 10],
])

it('descendants end where the next span is no deeper', () => {
  expect([...shop.ends]).toEqual([6, 3, 3, 6, 5, 6, 7])
})

it('each span has its place among the children of its parent', () => {
  expect([...shop.siblings.places]).toEqual([1, 1, 1, 2, 1, 2, 2])
  expect([...shop.siblings.counts]).toEqual([2, 2, 1, 2, 2, 2, 2])
})

it('a collapsed span hides its descendants only', () => {
  expect(shownPositions(shop, new Set([1]), undefined)).toEqual([0, 1, 3, 4, 5, 6])
})

it('a focus shows one subtree', () => {
  expect(shownPositions(shop, new Set(), 3)).toEqual([3, 4, 5])
})

it('levels are collapsed from their depth on, where there is something to collapse', () => {
  expect([...spansBelow(shop, 1)]).toEqual([1, 3])
})

it('ancestors lead to the root', () => {
  expect(ancestorsOf(shop, 5)).toEqual([3, 0])
})

it('the critical path follows the child that ended last before the time that is left', () => {
  expect([...criticalPath(shop)].toSorted()).toEqual([0, 1, 2, 3, 4, 5])
  const parallel = tree([
    [0, 0, 100],
    [1, 0, 20],
    [1, 0, 90],
  ])
  expect([...criticalPath(parallel)].toSorted()).toEqual([0, 2])
})

it('a span that starts before its parent is skewed', () => {
  expect(skewedPositions(shop)).toEqual([])
  expect(
    skewedPositions(
      tree([
        [0, 10, 20],
        [1, 5, 5],
      ]),
    ),
  ).toEqual([1])
})

it('intervals that overlap or touch are one run', () => {
  // 1 to 4, 2 to 3, 5 to 7, 7 to 8, and 9 to 10 twice.
  const changes = Int32Array.from([0, 1, 1, -1, -1, 1, 0, 0, -1, 2, -2])
  expect(coveredRuns(changes)).toEqual([
    [1, 4],
    [5, 8],
    [9, 10],
  ])
})

it('a deep message of 100,000 spans is prepared without deep recursion', () => {
  const deep = tree(Array.from({ length: 100_000 }, (_, depth) => [depth, depth, 1] as const))
  expect(deep.ends.every((end) => end === 100_000)).toBe(true)
  expect(ancestorsOf(deep, 99_999)).toHaveLength(99_999)
})
