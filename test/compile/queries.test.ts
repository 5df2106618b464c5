import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  candidateMessages,
  messageCounts,
  messageDetails,
  renderInScope,
  ruleCounts,
  type Scope,
  type Sql,
  sliceCalls,
  sliceStats,
  traceIdOfHex,
} from '../../sql/index.ts'
import { parseMessageRows } from '../../sql/parse/message-query.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { type Integration, slice, visiblePopulation } from '../support/reference-integration.ts'
import { countMessages, searchMessages } from '../support/reference-messages.ts'
import { byRule, sliceRowsOf, textsOf, toSlice } from '../support/slice-rows.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs, drawnTraceId, drawTraces } from '../support/trace-text.ts'
import { expectGolden } from './golden.ts'

const scope: Scope = { org: 'acme', window: { fromNs: drawnStartNs, toNs: drawnStartNs + 60_000_000_000n } }

const SHOP = drawTraces(
  `
  web:buy            tenant=t-1
    bank:pay         !declined  ~9ms
      audit:note
      web:refund
  ---
  web:browse         tenant=t-1
    audit:note
  `,
  { org: scope.org },
)

const tenantRow = { attribute_key: 'tenant', operator: 'eq', value: 't-1', includeDescendants: true } as const
const noAudit = { attribute_source: 'intrinsic', attribute_key: 'service', operator: 'neq', value: 'audit' } as const
const failed = { attribute_source: 'intrinsic', attribute_key: 'status', operator: 'eq', value: 'error' } as const

const either: Integration = {
  rule_match: 'any',
  matchers: [ruleOf('web', { include_descendants: false }), ruleOf('bank')],
}
const both: Integration = { ...either, rule_match: 'all' }
const below: Integration = {
  rule_match: 'all',
  matchers: [
    { ...ruleOf('web'), attribute_key: 'tenant', operator: 'equals', value: 't-1', include_descendants: true },
    { ...ruleOf('b*'), service_match: 'pattern' },
  ],
}

function ruleOf(service: string, more: object = {}): Integration['matchers'][number] {
  return { match_group: service, service, service_match: 'exact', ...more }
}

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' } })
  await app.sendSpans(toOtlpJson(SHOP), { org: scope.org, role: 'ingest' })
})
afterAll(() => app.close())

/** Compares text and parameters with the golden file, and returns the rows of the real engine as texts. */
async function check(golden: string, query: Sql, within: Scope = scope) {
  const rendered = renderInScope(query, within)
  await expectGolden(golden, rendered)
  const { rows } = await app.app.clickhouse.read<object>(rendered, { for: 'system', label: 'test' })
  return rows.map(textsOf)
}

const started = (position: number) => String(drawnStartNs + BigInt(position) * 1_000_000_000n)

it('the counts of a search read only the deciding spans, in one pass', async () => {
  const rows = [failed, noAudit]
  const [counts] = await check('counts', messageCounts({ rows: parseMessageRows(rows) }))
  expect(counts).toEqual(textsOf(countMessages(SHOP, { rows })))
})

it('the counts of a search with child spans walk the trees of messages that may match', async () => {
  const query = { rows: [tenantRow], status: 'error' } as const
  const [counts] = await check(
    'counts with child spans',
    messageCounts({ ...query, rows: parseMessageRows(query.rows) }),
  )
  expect(counts).toEqual(textsOf(countMessages(SHOP, query)))
})

it('the counts of a search inside an integration', async () => {
  const rows = [failed]
  const [counts] = await check('counts inside', messageCounts({ rows: parseMessageRows(rows), slice: toSlice(either) }))
  expect(counts).toEqual(textsOf(countMessages(SHOP, { rows, integration: either })))
})

it('a page of a search continues after a message and reads only the window within its bounds', async () => {
  const query = candidateMessages(
    { rows: [] },
    {
      bounds: { fromNs: drawnStartNs - 1n, toNs: drawnStartNs + 30_000_000_000n },
      after: { startedNs: BigInt(started(1)), traceId: traceIdOfHex(drawnTraceId(2)) },
      limit: 10,
    },
  )
  const [next, ...others] = await check('page', query)
  expect(next).toMatchObject({ trace_id: traceIdOfHex(drawnTraceId(1)), started_ns: started(0) })
  expect(others).toEqual([])
})

it('the messages of a page are read whole, with their matched steps', async () => {
  const query = { rows: parseMessageRows([tenantRow]), slice: toSlice(both) }
  const [message, ...others] = await check(
    'details',
    messageDetails(query, { traceIds: [1, 2].map((n) => traceIdOfHex(drawnTraceId(n))) }),
  )
  const [expected] = searchMessages(SHOP, { rows: [tenantRow], integration: both })
  expect(message).toMatchObject({ started_ns: started(0), root: 'web,buy', span_count: '4', error_count: '1' })
  expect(message?.matched_step_count).toBe(String(expected?.matchedSteps.length))
  expect(others).toEqual([])
})

it.each([
  ['any', either],
  ['all', both],
  ['all with child spans', below],
])('what is shown about an integration: %s', async (title, integration) => {
  const of = toSlice(integration)
  const { stats, calls, rules } = sliceRowsOf(integration, SHOP)
  expect(await check(`stats ${title}`, sliceStats(of))).toEqual([stats])
  expect(byRule(await check(`rules ${title}`, ruleCounts(of)))).toEqual(rules)
  expect(await check(`calls ${title}`, sliceCalls(of))).toEqual(calls)
})

it('a restricted caller counts within the union of its slices', async () => {
  const granted = [either, below]
  const [counts] = await check('counts restricted', messageCounts({ rows: [] }), {
    ...scope,
    granted: granted.map(toSlice),
  })
  const visible = visiblePopulation(SHOP, scope.org, scope.window, granted)
  expect(counts).toEqual(textsOf(countMessages(visible, { rows: [] })))
  expect(slice(either, SHOP).size).toBeLessThan(SHOP.length)
})

it('a restricted caller without grants sees nothing', async () => {
  const [counts] = await check('counts without grants', messageCounts({ rows: [] }), { ...scope, granted: [] })
  expect(counts).toEqual(textsOf(countMessages([], { rows: [] })))
})
