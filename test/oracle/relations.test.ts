import { expect, it } from 'vitest'
import { seededRandom } from '../support/random-source.ts'
import { randomTraces } from '../support/random-traces.ts'
import { matchedNames } from '../support/reference-ask.ts'
import { descendants, groupByTrace } from '../support/reference-descendants.ts'
import { populationOf } from '../support/reference-population.ts'
import { type Relation, relationKinds, stepsOfRelation, stepsWith } from '../support/reference-relations.ts'
import type { SpanModel } from '../support/span-model.ts'
import { drawnStartNs, trace } from '../support/trace-text.ts'

const named = (value: string) =>
  [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value }] as const

function relation(kind: Relation['kind'], from: string, to: string, within_ms?: number): Relation {
  return { kind, from: named(from), to: named(to), ...(within_ms === undefined ? {} : { within_ms }) }
}

/** Returns the starts of the steps that satisfy a relation, in milliseconds from the start of the trace. */
function startsOf(relation: Relation, spans: readonly SpanModel[]): number[] {
  return stepsOfRelation(relation, spans).map(({ startNs }) => Number((startNs - drawnStartNs) / 1_000_000n))
}

const ORDERS = trace`
  order    t+0s
  invoice  t+4s
  order    t+5s
  invoice  t+9s
  order    t+9s
  order    t+10s
`

it('a step is followed by one that does not start before it', () => {
  expect(startsOf(relation('followed_by', 'order', 'invoice'), ORDERS)).toEqual([0, 5_000, 9_000])
  expect(startsOf(relation('not_followed_by', 'order', 'invoice'), ORDERS)).toEqual([10_000])
})

it('a step is followed within a time, which includes its end', () => {
  expect(startsOf(relation('followed_by', 'order', 'invoice', 4_000), ORDERS)).toEqual([0, 5_000, 9_000])
  expect(startsOf(relation('followed_by', 'order', 'invoice', 3_999), ORDERS)).toEqual([9_000])
  expect(startsOf(relation('not_followed_by', 'order', 'invoice', 0), ORDERS)).toEqual([0, 5_000, 10_000])
})

it('a step does not follow itself, but two with one start follow each other', () => {
  expect(startsOf(relation('followed_by', 'order', 'order'), ORDERS)).toEqual([0, 5_000, 9_000])
  const twins = trace`
    order  t+0s
    order  t+0s
  `
  expect(startsOf(relation('followed_by', 'order', 'order', 0), twins)).toEqual([0, 0])
})

const CALLS = trace`
  web     t+0ms
    pay   t+1ms
      db  t+2ms
    ship  t+3ms
  db      t+4ms  ^missing
`

it('a step contains its descendants at any depth, and is called by its ancestors', () => {
  expect(startsOf(relation('contains', 'web', 'db'), CALLS)).toEqual([0])
  expect(startsOf(relation('not_contains', 'ship', 'db'), CALLS)).toEqual([3])
  expect(startsOf(relation('called_by', 'db', 'web'), CALLS)).toEqual([2])
  expect(startsOf(relation('not_called_by', 'db', 'web'), CALLS)).toEqual([4])
})

it('a step contains itself only on a cycle', () => {
  const cycle = trace`
    a  ^b
    b  ^a
    c
  `
  expect(startsOf(relation('contains', 'a', 'a'), cycle)).toEqual([0])
  expect(startsOf(relation('contains', 'c', 'c'), cycle)).toEqual([])
})

it('without positive rows, the steps that satisfy a relation are the matched steps', () => {
  const relations = [relation('not_followed_by', 'order', 'invoice')]
  expect(matchedNames(ORDERS, { rows: [], relations })).toEqual([['order']])
  const rows = [{ attribute_source: 'intrinsic', attribute_key: 'name', operator: 'eq', value: 'invoice' }] as const
  expect(matchedNames(ORDERS, { rows, relations })).toEqual([['invoice', 'invoice', 'order']])
})

it('every relation has to hold', () => {
  const held = relation('contains', 'web', 'db')
  expect(matchedNames(CALLS, { rows: [], relations: [held, relation('contains', 'ship', 'db')] })).toEqual([])
  expect(matchedNames(CALLS, { rows: [], relations: [held, relation('called_by', 'ship', 'web')] })).toEqual([
    ['web', 'ship'],
  ])
})

/** The table of section 16, word by word. */
function isCounterpart(
  { kind, within_ms }: Relation,
  f: SpanModel,
  t: SpanModel,
  trace: readonly SpanModel[],
): boolean {
  if (kind.endsWith('contains')) return descendants([f], trace).has(t)
  if (kind.endsWith('called_by')) return descendants([t], trace).has(f)
  const apartNs = t.startNs - f.startNs
  return t !== f && apartNs >= 0n && (within_ms === undefined || apartNs <= BigInt(within_ms) * 1_000_000n)
}

it.each(relationKinds)('%s equals the table of section 16 on random traces', (kind) => {
  const random = seededRandom(7)
  for (let drawn = 0; drawn < 20; drawn++) {
    const { org, rows } = randomTraces(random, { org: 'acme', startNs: drawnStartNs })
    const population = populationOf(rows, org, { fromNs: 0n, toNs: 2n ** 63n - 1n })
    for (const spans of groupByTrace(population).values()) {
      const [from, to] = [random.pick(spans), random.pick(spans)].map(({ name }) => named(name))
      const drawn: Relation = { kind, from: from ?? [], to: to ?? [], ...(random.chance(0.5) ? { within_ms: 0 } : {}) }
      const expected = stepsWith(drawn.from, spans).filter(
        (f) => stepsWith(drawn.to, spans).some((t) => isCounterpart(drawn, f, t, spans)) !== kind.startsWith('not_'),
      )
      expect(stepsOfRelation(drawn, spans)).toEqual(expected)
    }
  }
})
