import { expect, it } from 'vitest'
import { builtInWidgets, widgetDefinitions, widgetNamed } from '../../server/facets/widgets/definitions.ts'
import { bucketsOf, seriesBuckets } from '../../server/telemetry/buckets.ts'
import { allTime } from '../../server/telemetry/time-window.ts'
import { sectionOrder } from '../support/reference-facets.ts'

const all = [...widgetDefinitions.values()].flat()
const second = 1_000_000_000n
const widthOf = (window: typeof allTime, requestedS?: number) =>
  bucketsOf(window, requestedS, seriesBuckets, '/step_s').stepS

it('every built-in facet has three to six widgets, in the order of sections', () => {
  expect([...widgetDefinitions.keys()]).toEqual(sectionOrder)
  for (const [slug, widgets] of widgetDefinitions) {
    expect(widgets.length, slug).toBeGreaterThanOrEqual(3)
    expect(widgets.length, slug).toBeLessThanOrEqual(6)
  }
})

it('the id of a widget starts with its facet and is unique', () => {
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  for (const [slug, widgets] of builtInWidgets) {
    for (const { id } of widgets) expect([id.startsWith(`${slug}.`), widgetNamed(id)?.id]).toEqual([true, id])
  }
  expect(widgetNamed('core.nothing')).toBeUndefined()
})

it('widgets read the spans of the pair of their facet; those of core read all spans, of worker internal ones', () => {
  for (const [slug, widgets] of widgetDefinitions) {
    const about = widgets.map(({ spans }) =>
      spans.kind === 'pair' ? `${spans.pair.kind}-${spans.pair.role}` : spans.kind,
    )
    expect(new Set(about), slug).toEqual(new Set([slug === 'core' ? 'all' : slug === 'worker' ? 'internal' : slug]))
  }
})

it('a time series has one grouping and one measure, or no grouping; a stat has no grouping', () => {
  const wrong = all.filter(({ kind, groupings, measures }) => {
    if (kind === 'table') return groupings.length === 0
    if (kind === 'stat') return groupings.length > 0 || measures.length !== 1
    return groupings.length > 0 && (groupings.length > 1 || measures.length > 1)
  })
  expect(wrong).toEqual([])
})

it.each([
  ['a nanosecond', 1n, 1],
  ['500 seconds', 500n * second, 1],
  ['a nanosecond more', 500n * second + 1n, 2],
  ['an hour', 3_600n * second, 10],
  ['a day', 86_400n * second, 300],
  ['30 days', 30n * 86_400n * second, 7_200],
  ['ten years', 3_653n * 86_400n * second, 30 * 86_400],
])('the bucket width of %s is the shortest that yields at most 500 points', (_, lengthNs, step) => {
  const fromNs = 86_400n * 365n * 60n * second
  expect(widthOf({ fromNs, toNs: fromNs + lengthNs })).toBe(step)
})

it('the longest window has a bucket width', () => expect(widthOf(allTime)).toBe(365 * 86_400))

it('buckets start at multiples, so a window of 500 widths that starts within a bucket touches 501', () => {
  const window = { fromNs: 5n * second, toNs: 5_005n * second }
  expect(() => widthOf(window, 10)).toThrow('501')
  expect(widthOf({ ...window, toNs: 5_000n * second }, 10)).toBe(10)
  expect(widthOf(window, 11)).toBe(11)
})
