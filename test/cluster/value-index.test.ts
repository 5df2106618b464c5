import { afterAll, beforeAll, expect, it } from 'vitest'
import { findLogs, storeCustomers } from '../logs/customer-logs.ts'
import type { TestApp } from '../support/app.ts'
import { ask, find, hex, labelsOf, store } from '../support/customer-steps.ts'
import { logSubjectOf } from '../support/log-subject.ts'
import { drawnStartNs } from '../support/trace-text.ts'
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
const secondNs = 1_000_000_000n

it('a backfill indexes the spans of every shard, once', async () => {
  const traces = 40
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
  const labels = await labelsOf(indexing, async () =>
    expect(await find(indexing, org, 'rare')).toEqual(ofRare.toReversed()),
  )
  expect(labels).toContain('traces with a value')
  expect(await labelsOf(indexing, async () => expect(await find(indexing, org, 'nobody')).toEqual([]))).toEqual([
    'value index',
    'value index',
  ])
})

it('a backfill indexes the log records of every shard, once', async () => {
  const ofLogs = 'backfilled logs'
  const names = Array.from({ length: 40 }, (_, index) => `r${index}`)
  const customerOf = (index: number) => (index % 8 === 0 ? 'rare' : `customer-${index}`)
  const records = names.map((name, index) => ({
    name,
    customer: customerOf(index),
    atSeconds: index,
    trace: hex(index, 2),
  }))
  await storeCustomers(logSubjectOf(spread.app), ofLogs, records)
  for (const rows of await spread.rowsByShard('log_records')) expect(rows).toBeGreaterThan(0)
  const expected = names.filter((_, index) => index % 8 === 0).toReversed()
  expect(await spread.backfill()).toBe(names.length)
  expect(await spread.rowsByShard('log_records WHERE is_indexed != 1')).toEqual([0, 0])
  expect(await spread.backfill()).toBe(0)
  for (const limit of [1, 3, 50])
    expect(await findLogs(logSubjectOf(indexing), ofLogs, 'rare', { limit })).toEqual(expected)
  const nobody = () => findLogs(logSubjectOf(indexing), ofLogs, 'nobody')
  expect(await labelsOf(indexing, nobody)).toEqual(['value index', 'value index'])
})

// Shards get the times of a set as digits. ClickHouse takes these for seconds, milliseconds, microseconds or
// nanoseconds, depending on their number, or cannot read them at all.
it.each([10, 990, 1_000, 999_990, 31_536_000, 999_999_990, 1_000_000_000])(
  'finds steps that began %d seconds after the start of 1970',
  async (seconds) => {
    for (const traces of [1, 30]) {
      const early = { org: `early ${seconds} ${traces}`, customer: 'rare' }
      const atSeconds = seconds - Number(drawnStartNs / secondNs)
      const steps = Array.from({ length: traces }, (_, index) => ({ trace: index * 8 + 1, span: 1, atSeconds }))
      await store(
        indexing,
        early.org,
        steps.map((step) => ({ ...step, customer: early.customer })),
      )
      const besides = { from: timeOf(seconds), to: timeOf(seconds + 60) }
      const { messages } = await ask<{ messages: { trace_id: string }[] }>(indexing, 'search', { ...early, besides })
      expect(messages.map(({ trace_id }) => trace_id).toSorted()).toEqual(steps.map(({ trace }) => hex(trace, 32)))
      expect(await ask(indexing, 'count', { ...early, besides })).toMatchObject({ message_count: traces })
    }
  },
)

const timeOf = (seconds: number) => new Date(seconds * 1_000).toISOString()
