import type { OperationId } from '../../server/http/contract/handlers.ts'
import type { TestApp } from '../support/app.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { telemetryWindow } from './telemetry.ts'

export interface Question {
  /** Relative to `/api/v1`, or one that begins with `/tempo/`. */
  readonly path: string
  /** The body of a POST; absent for GET. */
  readonly body?: object
}

/** Records that requests name, in an organization that has stored the telemetry of telemetry.ts. */
export interface NamedRecords {
  readonly integrationId: string
  readonly viewId: string
}

const window = { from: toRfc3339(telemetryWindow.fromNs), to: toRfc3339(telemetryWindow.toNs) }
const tenant = [{ attribute_key: 'tenant', operator: 'eq', value: 't-1' }]
const matchers = ['web', 'bank'].map((service) => ({
  match_group: service,
  service,
  attribute_key: 'tenant',
  operator: 'equals',
  value: 't-1',
  include_descendants: true,
}))
const traceId = '1'.padStart(32, '0')
const spanId = '1'.padStart(16, '0')
/** A preview runs a query for each evaluation, of which there are few in half a minute. */
const halfMinute = { from: toRfc3339(telemetryWindow.toNs - 30n * 1_000_000_000n), to: window.to }
const rule = { ...halfMinute, kind: 'trace', measure: 'error_count', comparator: 'gt', threshold: 0, window_s: 600 }

/** Requests of every operation that reads telemetry, over its whole window. */
export const telemetryQuestions: Partial<Record<OperationId, (about: NamedRecords) => readonly Question[]>> = {
  searchMessages: ({ integrationId }) => [
    post('/messages/search', { rows: [], limit: 200 }),
    post('/messages/search', { rows: [], order: 'longest', columns: [{ attribute_key: 'tenant' }], limit: 200 }),
    post('/messages/search', { rows: tenant, integration_id: integrationId, limit: 200 }),
  ],
  exportMessages: () => [post('/messages/export', { rows: tenant, order: 'oldest' })],
  countMessagesOverTime: () => [
    post('/messages/histogram', {
      rows: tenant,
      step_s: 86_400,
      heatmap: true,
      group_by: [{ attribute_key: 'tenant' }],
    }),
  ],
  countMessagesByAttribute: () => [post('/messages/breakdown', { group_by: [{ attribute_key: 'tenant' }] })],
  compareMessages: ({ integrationId }) => [
    { path: '/messages/compare', body: { a: { ...window, rows: tenant } } },
    {
      path: '/messages/compare',
      body: { a: { ...window, status: 'error' }, b: { ...halfMinute, integration_id: integrationId } },
    },
  ],
  countMessages: () => [
    post('/messages/count', { rows: tenant }),
    ...(['not_followed_by', 'contains', 'called_by'] as const).map((kind) =>
      post('/messages/count', { relations: [{ kind, from: tenant, to: [] }] }),
    ),
  ],
  explainMessage: ({ integrationId }) => [
    post(`/messages/${traceId}/explain`, { rows: tenant, integration_id: integrationId }),
  ],
  getMessage: () => [get(`/messages/${traceId}`)],
  getMessageSkeleton: () => [get(`/messages/${traceId}/skeleton`)],
  queryMessageSkeleton: () => [post(`/messages/${traceId}/skeleton`, { rows: tenant })],
  getMessageSpan: () => [get(`/messages/${traceId}/spans/${spanId}`)],
  listMessageLogs: () => [get(`/messages/${traceId}/logs`)],
  getMessageOtlp: () => [get(`/messages/${traceId}/otlp`)],
  exportLogRecords: () => [post('/logs/export', { conditions: tenant })],
  searchLogs: () => [post('/logs/search', { conditions: tenant, limit: 100 })],
  previewIntegration: () => [post('/integrations/preview', { rule_match: 'all', matchers })],
  compareIntegration: ({ integrationId }) => [
    post(`/integrations/${integrationId}/diff`, {
      rule_match: 'any',
      matchers: [...matchers.slice(1), { service: 'web' }],
    }),
  ],
  getIntegrationStats: ({ integrationId }) => [get(`/integrations/${integrationId}/stats`)],
  getIntegrationFlowGraph: ({ integrationId }) => [get(`/integrations/${integrationId}/flow-graph`)],
  searchSavedView: ({ viewId }) => [post(`/saved-views/${viewId}/search`, {})],
  previewAlertRule: ({ integrationId }) => [
    post('/alerting/rules/preview', { ...rule, integration_id: integrationId }),
    post('/alerting/rules/preview', { ...rule, kind: 'metric', metric: 'a', measure: 'sum' }),
  ],
  listServices: () => [get('/services')],
  getFacetOverrides: () => [get('/services/web/facet-overrides')],
  listFacetMappings: () => [get('/services/web/facet-mappings', { explain: 'true' })],
  getServiceDashboard: () => [get('/services/web/widgets')],
  getWidgetData: () => ['core.spans', 'core.operations'].map((id) => get(`/services/web/widgets/${id}/data`)),
  getFacet: () => [get('/service-facets/core')],
  listMetrics: () => [get('/metrics-catalog')],
  queryMetric: () => [post('/metrics/query', { metric: 'a', aggregation: 'rate', step_s: 60 })],
  searchMetricPoints: () => [post('/metrics/points/search', { metric: 'a', limit: 100 })],
  listAttributeKeys: () => [get('/attributes')],
  searchTempoTraces: () => [
    tempo('search', { q: '{ .tenant = "t-1" }', limit: '1000' }),
    tempo('search', { q: '{ .tenant = "t-1" } >> { }', limit: '1000' }),
    tempo('search', { tags: 'tenant=t-1', limit: '1000' }),
  ],
  getTempoTagNames: () => [tempo('search/tags')],
  getTempoTagTexts: () => [tempo('search/tag/tenant/values')],
  getTempoTags: () => [tempo('v2/search/tags')],
  getTempoTagValues: () => [tempo('v2/search/tag/span.tenant/values'), tempo('v2/search/tag/rootName/values')],
  getTempoTrace: () => [{ path: `/tempo/api/v2/traces/${traceId}` }],
  getTempoTraceBatches: () => [{ path: `/tempo/api/traces/${traceId}` }],
  listAttributeValues: () => [get('/attributes/values', { key: 'tenant' })],
}

/** Operations that only read, but no telemetry. */
export const questionsWithoutTelemetry: readonly OperationId[] = [
  ...([
    'summarizeMessages',
    'parseMessageSummary',
    'listIntegrations',
    'getIntegration',
    'getIntegrationGrants',
  ] as const),
  ...(['listSavedViews', 'getSavedView', 'listChannels', 'getChannel', 'listDeliveries'] as const),
  ...([
    'listAlertRules',
    'getAlertRule',
    'listAlerts',
    'getAlert',
    'listTemplateVariables',
    'previewTemplate',
  ] as const),
  ...(['listFacets', 'listApiKeys', 'listAuditEntries', 'getCaller', 'getTempoEcho', 'getTempoBuildInfo'] as const),
  'getServer',
]

/** Creates the records that requests name. */
export async function openQuestions(app: TestApp, org: string): Promise<NamedRecords> {
  const create = async (path: string, record: object): Promise<string> =>
    (await app.ask<{ id: string }>(`/api/v1${path}`, { json: record, whom: { org } })).id
  const integrationId = await create('/integrations', { name: 'Both', rule_match: 'all', matchers })
  const view = { name: 'View', integration_id: integrationId, window: { kind: 'absolute', ...window } }
  return { integrationId, viewId: await create('/saved-views', view) }
}

function tempo(path: string, query: Readonly<Record<string, string>> = {}): Question {
  const start = String(telemetryWindow.fromNs).padStart(19, '0')
  const end = String(telemetryWindow.toNs).padStart(19, '0')
  return { path: `/tempo/api/${path}?${new URLSearchParams({ start, end, ...query })}` }
}

function get(path: string, query: Readonly<Record<string, string>> = {}): Question {
  return { path: `${path}?${new URLSearchParams({ ...window, ...query })}` }
}

function post(path: string, body: object): Question {
  return { path, body: { ...window, ...body } }
}
