import { expect, it } from 'vitest'
import { numberedTrace } from '../support/reference-ask.ts'
import { descendants, distinctSpans } from '../support/reference-descendants.ts'
import { populationOf } from '../support/reference-population.ts'
import type { SpanModel } from '../support/span-model.ts'
import { drawnStartNs, trace } from '../support/trace-text.ts'

function below(names: readonly string[], population: readonly SpanModel[]): string[] {
  const anchors = population.filter((span) => names.includes(span.name))
  return [...descendants(anchors, population)].map((span) => span.name).sort()
}

const TREE = trace`
  a
    b
      other:c
        d
    e
  f
`

it('every span below an anchor is reached, through any service and at any depth', () =>
  expect(below(['b'], TREE)).toEqual(['c', 'd']))

it('ancestors, siblings and other branches are not reached', () => expect(below(['e', 'd'], TREE)).toEqual([]))

it('an anchor is reached only if it is below another anchor', () =>
  expect(below(['a', 'c'], TREE)).toEqual(['b', 'c', 'd', 'e']))

it('a missing parent breaks the chain', () => {
  const spans = trace`
    a
      b
        c ^missing
          d
  `
  expect(below(['a'], spans)).toEqual(['b'])
  expect(below(['c'], spans)).toEqual(['d'])
})

it('a parent outside the window breaks the chain', () => {
  const spans = trace`
    a         t+0s
      b       t+90s
        c     t+10s
      d       t+60s
  `
  const window = { fromNs: drawnStartNs, toNs: drawnStartNs + 60_000_000_000n }
  expect(below(['a', 'b', 'c', 'd'], populationOf(spans, 'acme', window))).toEqual([])
})

it('the window includes its first nanosecond and excludes its last', () => {
  const spans = trace`
    a         t+1s
      b       t+2s
  `
  const window = { fromNs: drawnStartNs + 1_000_000_000n, toNs: drawnStartNs + 2_000_000_000n }
  expect(populationOf(spans, 'acme', window).map((span) => span.name)).toEqual(['a'])
})

it('clock skew does not matter: a child that starts before its parent is below it', () => {
  const spans = trace`
    a         t+20ms
      b       t+0ms
        c     t-5ms
  `
  expect(below(['a'], spans)).toEqual(['b', 'c'])
})

it('spans with equal ids in different traces are different spans', () => {
  const spans = trace`
    a
      b
    ---
    c
      d
  `
  expect(spans[0]?.spanId).toBe(spans[2]?.spanId)
  expect(below(['a'], spans)).toEqual(['b'])
})

it('a cycle is walked once and ends', () => {
  const spans = trace`
    a    ^c
      b
        c
          d
  `
  expect(below(['b'], spans)).toEqual(['a', 'b', 'c', 'd'])
})

it('a span that is its own parent is reached once and ends the walk', () => {
  const spans = trace`
    a    ^a
      b
  `
  expect(below(['a'], spans)).toEqual(['a', 'b'])
})

it('of a span that is stored twice, the row stored first is used', () => {
  const spans = distinctSpans(trace`
    a
      first    #b
      second   #b
        c
  `)
  expect(spans.map((span) => span.name)).toEqual(['a', 'first', 'c'])
  expect(below(['a'], spans)).toEqual(['c', 'first'])
})

it('a chain 10,000 deep is reached to its end', () => {
  const chain = numberedTrace(10_000, (n) => n - 1)
  expect(descendants(chain.slice(0, 1), chain).size).toBe(9_999)
})

it('a fan-out of 50,000 is reached completely', () => {
  const fan = numberedTrace(50_001, (n) => Math.min(n - 1, 1))
  expect(descendants(fan.slice(0, 1), fan).size).toBe(50_000)
})
