import { afterAll, beforeAll, expect, it } from 'vitest'
import { find, hex, labelsOf, store } from '../messages/customer-steps.ts'
import type { TestApp } from '../support/app.ts'
import { openSpreadApp, type SpreadApp } from './spread-app.ts'

/** Its first server stores spans without entries, as earlier versions did. */
let spread: SpreadApp
/** Asks the value index for every search. */
let indexing: TestApp

beforeAll(async () => {
  spread = await openSpreadApp({ VALUE_INDEX: 'off' })
  indexing = await spread.openSecond({ VALUE_INDEX: 'always' })
})
afterAll(async () => {
  await indexing?.close()
  await spread?.close()
})

const org = 'backfilled'
const traces = 40

it('a backfill indexes the spans of every shard, once', async () => {
  const steps = Array.from({ length: traces }, (_, index) => ({ trace: index + 1, span: 1, atSeconds: index }))
  const customerOf = (trace: number) => (trace % 4 === 0 ? 'rare' : `customer-${trace}`)
  const delivered = steps.map((step) => ({ ...step, customer: customerOf(step.trace) }))
  await store(spread.app, org, delivered)
  for (const rows of await spread.rowsByShard('spans')) expect(rows).toBeGreaterThan(0)
  expect(await spread.rowsByShard('value_index')).toEqual([0, 0])

  expect(await spread.backfill()).toBe(traces)
  expect(await spread.rowsByShard('spans WHERE is_indexed != 2')).toEqual([0, 0])
  for (const rows of await spread.rowsByShard('value_index')) expect(rows).toBeGreaterThan(0)
  expect(await spread.backfill()).toBe(0)

  const ofRare = delivered.filter(({ customer }) => customer === 'rare').map(({ trace }) => hex(trace, 32))
  const asked = await labelsOf(indexing, async () =>
    expect(await find(indexing, org, 'rare')).toEqual(ofRare.toReversed()),
  )
  expect(asked).toContain('traces with a value')
  expect(await labelsOf(indexing, async () => expect(await find(indexing, org, 'nobody')).toEqual([]))).toEqual([
    'value index',
    'value index',
  ])
})
