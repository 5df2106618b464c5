import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readDocument } from '../../server/http/contract/document.ts'
import type { OperationId } from '../../server/http/contract/handlers.ts'
import { listOperations } from '../../server/http/contract/operations.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { leastStretch } from '../support/longest-stretch.ts'
import { columnCount, type LargeContent, largeTraceId, loadLargeContent } from './large-content.ts'

/** The longest that an answer may keep all other requests waiting, in milliseconds of CPU time. */
const stretchMsMax = 100

let app: TestApp
let content: LargeContent
beforeAll(async () => {
  app = await startApp({ env: { QUERY_SECONDS_MAX: '120' }, overrides: { checkResponses: false } })
  content = await loadLargeContent(app)
})
afterAll(() => app.close())

/** A request for an answer of at least `bytesMin`, which shows that the answer is as large as this test means. */
interface LargeRequest {
  readonly path: string
  readonly body?: object
  readonly bytesMin: number
}

type RequestOf = (content: LargeContent) => LargeRequest

const window = { from: new Date(Date.now() - 3_600_000).toISOString(), to: new Date().toISOString() }
const page = { limit: 200 }
const seconds = { start: `${(Date.parse(window.from) / 1_000) | 0}`, end: `${(Date.parse(window.to) / 1_000) | 0}` }

const get = (path: string, bytesMin: number, query: object = page): LargeRequest => ({
  path: `/api/v1${path}?${new URLSearchParams(query as Record<string, string>)}`,
  bytesMin,
})
const post = (path: string, bytesMin: number, body: object): LargeRequest => ({
  path: `/api/v1${path}`,
  body,
  bytesMin,
})
const inWindow = (path: string, bytesMin: number, query: object = {}): LargeRequest =>
  get(path, bytesMin, { ...window, ...query })
const inBody = (path: string, bytesMin: number, body: object = {}): LargeRequest =>
  post(path, bytesMin, { ...window, ...body })
const tempo = (path: string, bytesMin: number, query: object = {}): LargeRequest => ({
  path: `/tempo/api/${path}?${new URLSearchParams({ ...seconds, ...query } as Record<string, string>)}`,
  bytesMin,
})

const message = `/messages/${largeTraceId}`
const listed = [{ attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'listed' }]
const columns = Array.from({ length: columnCount }, (_, n) => ({ attribute_key: `column.${n}` }))
const group_by = [{ attribute_key: 'group' }]
const matchers = Array.from({ length: 500 }, (_, at) => ({
  match_group: `${at % 20}`,
  service: `service ${at % 20}`,
  attribute_key: `key.${at}`,
  operator: 'equals',
  value: 'x'.repeat(100),
}))
const rule = { kind: 'trace', measure: 'error_count', comparator: 'gt', threshold: 0, window_s: 60 }

const cases: Partial<Record<OperationId, RequestOf>> = {
  getMessage: () => get(message, 20_000_000, {}),
  getMessageSkeleton: () => get(`${message}/skeleton`, 300_000, {}),
  queryMessageSkeleton: () => post(`${message}/skeleton`, 300_000, { rows: [] }),
  getMessageOtlp: () => get(`${message}/otlp`, 20_000_000, {}),
  listMessageLogs: () => get(`${message}/logs`, 15_000_000),
  explainMessage: () => post(`${message}/explain`, 1_000, { rows: listed }),
  searchMessages: () => inBody('/messages/search', 10_000_000, { ...page, rows: listed, columns }),
  searchSavedView: ({ viewId }) => post(`/saved-views/${viewId}/search`, 10, { ...page, ...window }),
  exportMessages: () => inBody('/messages/export', 20_000_000, { rows: listed, columns, limit: 300 }),
  countMessagesOverTime: () =>
    inBody('/messages/histogram', 100_000, { rows: listed, step_s: 4, heatmap: true, group_by, limit: 10 }),
  countMessagesByAttribute: () => inBody('/messages/breakdown', 10_000, { rows: listed, group_by, limit: 100 }),
  searchLogs: () => inBody('/logs/search', 15_000_000, page),
  exportLogRecords: () => inBody('/logs/export', 15_000_000),
  listMetrics: () => inWindow('/metrics-catalog', 100_000, page),
  queryMetric: () =>
    inBody('/metrics/query', 20_000, {
      metric: 'series',
      aggregation: 'avg',
      step_s: 8,
      group_by: [{ attribute_key: 'series' }],
    }),
  searchMetricPoints: () => inBody('/metrics/points/search', 5_000_000, { metric: 'buckets', ...page }),
  listServices: () => inWindow('/services', 20_000, page),
  listAttributeKeys: () => inWindow('/attributes', 10_000, page),
  listAttributeValues: () => inWindow('/attributes/values', 5_000, { key: 'group', ...page }),
  listIntegrations: () => get('/integrations', 15_000_000),
  getIntegration: ({ integrationId }) => get(`/integrations/${integrationId}`, 50_000, {}),
  getIntegrationGrants: ({ integrationId }) => get(`/integrations/${integrationId}/grants`, 200_000, {}),
  getIntegrationFlowGraph: ({ integrationId }) => inWindow(`/integrations/${integrationId}/flow-graph`, 10),
  previewIntegration: () => inBody('/integrations/preview', 1_000, { matchers }),
  compareIntegration: ({ integrationId }) => inBody(`/integrations/${integrationId}/diff`, 1_000, { matchers }),
  listSavedViews: () => get('/saved-views', 40_000_000),
  getSavedView: ({ viewId }) => get(`/saved-views/${viewId}`, 200_000, {}),
  listAlertRules: () => get('/alerting/rules', 40_000_000),
  getAlertRule: ({ ruleId }) => get(`/alerting/rules/${ruleId}`, 200_000, {}),
  previewAlertRule: () => inBody('/alerting/rules/preview', 1_000, rule),
  listAlerts: () => get('/alerting/alerts', 30_000),
  listChannels: () => get('/alerting/channels', 6_000_000),
  getChannel: ({ channelId }) => get(`/alerting/channels/${channelId}`, 30_000, {}),
  listDeliveries: ({ channelId }) => get(`/alerting/channels/${channelId}/deliveries`, 8_000_000),
  listTemplateVariables: () => get('/alerting/template-context-schema', 1_000),
  listFacets: () => get('/service-facets', 800_000),
  getFacet: () => inWindow('/service-facets/facet-1', 100),
  getFacetOverrides: () => inWindow('/services/listed/facet-overrides', 1_000),
  listFacetMappings: () => inWindow('/services/listed/facet-mappings', 400_000, { explain: true, ...page }),
  getServiceDashboard: () => inWindow('/services/listed/widgets', 100),
  getWidgetData: () => inWindow('/services/listed/widgets/core.operations/data', 1_000),
  listApiKeys: () => get('/api-keys', 30_000),
  listAuditEntries: () => get('/audit-log', 6_000_000),
  exportConfig: () => get('/config/export', 100_000_000, {}),
  searchTempoTraces: () =>
    tempo('search', 1_000_000, { q: '{ resource.service.name = "listed" }', limit: '1000', spss: '100' }),
  getTempoTagNames: () => tempo('search/tags', 10_000),
  getTempoTagTexts: () => tempo('search/tag/group/values', 5_000),
  getTempoTags: () => tempo('v2/search/tags', 10_000),
  getTempoTagValues: () => tempo('v2/search/tag/span.group/values', 5_000),
  getTempoTrace: () => ({ path: `/tempo/api/v2/traces/${largeTraceId}`, bytesMin: 20_000_000 }),
  getTempoTraceBatches: () => ({ path: `/tempo/api/traces/${largeTraceId}`, bytesMin: 20_000_000 }),
}

/** Operations that only read, and whose answers are small whatever is stored. */
const small: readonly OperationId[] = [
  ...([
    'countMessages',
    'summarizeMessages',
    'parseMessageSummary',
    'getMessageSpan',
    'getCaller',
    'getServer',
    'getAlert',
  ] as const),
  ...(['compareMessages', 'getIntegrationStats', 'previewTemplate', 'getTempoEcho', 'getTempoBuildInfo'] as const),
]

it('has the largest answer of every operation that reads', () => {
  const reads = /^(get|list|search|count|summarize|preview|query|explain|export|parse|compare)[A-Z]/
  const reading = listOperations(readDocument()).filter(({ isHandled, id }) => isHandled && reads.test(id))
  expect([...Object.keys(cases), ...small].sort()).toEqual(reading.map(({ id }) => id).sort())
})

/** Reads a response and returns the number of its bytes, without keeping them. */
async function sizeOf(path: string, sent: unknown): Promise<number> {
  const authorization = `Bearer ${await app.token()}`
  const type = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream, application/x-ndjson',
  }
  const sending = request(app.url + path, {
    method: sent === undefined ? 'GET' : 'POST',
    headers: { authorization, ...type },
  })
  sending.end(sent === undefined ? undefined : JSON.stringify(sent))
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  let bytes = 0
  let start = ''
  for await (const piece of response) {
    bytes += (piece as Buffer).length
    if (start === '') start = String(piece).slice(0, 1_000)
  }
  expect([response.statusCode, start]).toEqual([200, expect.anything()])
  return bytes
}

async function expectNoBlock({ path, body, bytesMin }: LargeRequest): Promise<void> {
  let bytes = 0
  const stretch = await leastStretch(async () => {
    bytes = await sizeOf(path, body)
  }, stretchMsMax)
  expect.soft(bytes).toBeGreaterThan(bytesMin)
  expect(stretch).toBeLessThanOrEqual(stretchMsMax)
}

it.each(Object.entries(cases))('the answer of %s does not block the event loop', (_, requestOf) =>
  expectNoBlock(requestOf(content)),
)

it.each([
  ['search', { ...window, ...page, rows: listed, columns }],
  ['message', { trace_id: largeTraceId }],
  ['breakdown', { ...window, group_by, limit: 100 }],
  ['services', { ...window, ...page }],
  ['attributes', { ...window, ...page }],
  ['integrations', page],
  ['alerts', page],
])('the answer of the tool %s does not block the event loop', (name, args) => {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  return expectNoBlock({ path: '/mcp', body, bytesMin: 100 })
})
