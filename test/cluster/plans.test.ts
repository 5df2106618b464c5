import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Query, renderInScope, type Slice } from '../../sql/index.ts'
import { everyQuery, slices } from '../compile/every-query.ts'
import { sentTables } from '../compile/sent-tables.ts'
import { shardsCluster } from '../support/shards.ts'
import { openSpreadApp, type SpreadApp } from './spread-app.ts'
import { storeTelemetry, telemetryWindow } from './telemetry.ts'

const org = `plans-${randomUUID()}`
let spread: SpreadApp

beforeAll(async () => {
  spread = await openSpreadApp()
  // Without rows to read, a plan contains nothing else.
  await storeTelemetry(spread.app, org, 1)
})
afterAll(() => spread?.close())

interface Step {
  readonly depth: number
  readonly step: string
}

const about = { window: telemetryWindow, traceIds: ['1'] as const, seriesIds: ['1'], logIds: ['1'] }

/** Returns the steps of a plan, in order, with their depths. */
async function explain(name: string, slice: Slice, granted?: readonly Slice[]): Promise<Step[]> {
  const query = everyQuery(about)[name]?.(slice)
  if (query === undefined) throw new Error(`There is no query ${name}.`)
  const scope = { org, window: telemetryWindow, ...(granted && { granted }) }
  const { text, params } = renderInScope(query, scope).onCluster({
    name: shardsCluster,
    shardDatabase: `${spread.app.app.clickhouse.database}_shard`,
  })
  return readPlan(text, params)
}

async function readPlan(text: string, params: Query['params']): Promise<Step[]> {
  const explained = { text: `EXPLAIN PLAN distributed = 1 ${text}`, params }
  const { rows } = await spread.app.app.clickhouse.read<{ explain: string }>(explained, {
    for: 'system',
    label: 'a plan',
    tables: sentTables(about.traceIds),
  })
  return rows.map(({ explain: line }) => ({ depth: line.search(/\S/), step: line.trim() }))
}

/** Returns the steps above the union of the shards' results, outermost first: the work of the node that was queried. */
function afterShards(plan: readonly Step[]): string[] {
  const union = plan.findIndex(({ step }) => step === 'Union')
  if (union === -1) throw new Error('The plan does not query the shards.')
  return plan.slice(0, union).map(({ step }) => step.replace(/ \(.*$/, ''))
}

const ofTraces = [
  ...['candidateMessages', 'matchingTraceIds', 'messageCounts', 'messageDetails', 'newestMessages', 'measuredValues'],
  ...['rankedMessages', 'messageHistogram', 'messageBreakdown', 'comparedMessages', 'comparedOrigins'],
  ...['comparedPaths', 'comparedValueCounts', 'comparedCarriers'],
  ...['ruleCounts', 'sliceCalls', 'sliceDiff', 'sliceStats'],
]
const cases = ofTraces.flatMap((name) => Object.keys(slices).map((title) => [name, title] as const))

it.each(cases)('the shards do all work of %s over %s that concerns whole traces', async (name, title) => {
  const left = afterShards(await explain(name, slices[title] as Slice))
  // The node merges, sorts, counts and limits partial results; it does not group, join or unfold rows.
  const allowed = ['Expression', 'MergingAggregated', 'Window', 'Sorting', 'Limit', 'Filter']
  expect(left.filter((step) => !allowed.includes(step))).toEqual([])
})

/** The newest spans of a service are those of all shards, so the node that was queried groups rows of all shards. */
const ofNewestSpans = ['serviceProfiles', 'classificationCounts']
const everySlice = Object.values(slices)
const callers = { everyone: undefined, 'a caller with grants': everySlice }
const queries = Object.keys(everyQuery(about)).flatMap((name) =>
  Object.keys(callers).map((caller) => [name, caller as keyof typeof callers] as const),
)

it.each(queries)('%s for %s reads and groups telemetry where it is stored', async (name, caller) => {
  const plan = await explain(name, everySlice.at(-1) as Slice, callers[caller])
  const read = plan.filter(({ step }) => step.startsWith('ReadFromMergeTree'))
  expect(read.length).toBeGreaterThan(0)
  expect(read.filter(({ step }) => !/_shard\.\w+\)$/.test(step))).toEqual([])
  expect(plan.filter(({ step }) => step.startsWith('ReadFromRemote'))).toHaveLength(1)
  const first = afterShards(plan).findLast((step) => !['Expression', 'Filter', 'Sorting'].includes(step))
  if (ofNewestSpans.includes(name)) expect(first).toBe('Aggregating')
  else expect([undefined, 'MergingAggregated', 'Limit', 'LimitBy', 'Distinct', 'Window']).toContain(first)
})

it('a query without marks groups all spans on one node', async () => {
  const text = 'SELECT count() FROM (SELECT trace_id FROM spans GROUP BY trace_id HAVING count() > 1)'
  expect(afterShards(await readPlan(text, {}))).toContain('Aggregating')
})
