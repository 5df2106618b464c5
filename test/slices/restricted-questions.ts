import type { OperationId } from '../../server/http/contract/handlers.ts'
import { type RandomFilter, randomAttribute, randomFilter } from '../support/random-filter.ts'
import { randomIntegration } from '../support/random-integration.ts'
import { randomRelations } from '../support/random-relations.ts'
import type { Random } from '../support/random-source.ts'
import type { RandomTraces } from '../support/random-traces.ts'
import { groupByTrace } from '../support/reference-descendants.ts'
import { sectionOrder } from '../support/reference-facets.ts'
import { messageOrders } from '../support/reference-page.ts'
import type { Window } from '../support/reference-population.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { toRequestBody } from '../support/reference-wire.ts'
import { grafanaQuestions } from './grafana-questions.ts'
import type { Ids, Question } from './two-sides.ts'

export interface QuestionContext {
  readonly random: Random
  readonly traces: RandomTraces
  readonly window: Window
  /** The services that fit a rule of a granted integration. A restricted caller may ask about no others. */
  readonly services: readonly string[]
  /** Slugs of custom facets. */
  readonly customFacets: readonly string[]
}

/** Draws requests once, and fills in the ids of each side. */
export type Questions = (context: QuestionContext) => (ids: Ids) => readonly Question[]

/** Draws what a request has besides its filter. */
type Draw = (random: Random, traces: RandomTraces) => object

const queryCount = 3
const keyCount = 3
const traceCount = 3
const spanCount = 15
const pageSizes = [5, 200]
const names = ['one', 'two', 'hidden'] as const
const widgetIds = ['core.spans', 'core.latency', 'core.operations', 'worker.throughput', 'http-input.routes']
const views = ['view_of_one', 'view_of_hidden', 'view_of_all'] as const

/** The operations of restricted callers that return nothing but the caller's own data, or the same to all of them. */
export const aboutTheCaller: readonly OperationId[] = ['getCaller', 'getServer', 'getTempoEcho', 'getTempoBuildInfo']

/** Every other operation of restricted callers. A test compares the list with the API document. */
export const questions: Partial<Record<OperationId, Questions>> = {
  searchMessages: aboutMessages('search', (random, traces) => ({
    limit: random.pick(pageSizes),
    order: random.pick(messageOrders),
    columns: [randomAttribute(random, traces), randomAttribute(random, traces)],
  })),
  countMessages: aboutMessages('count', () => ({})),
  exportMessages: aboutMessages('export', (random, traces) => ({ columns: [randomAttribute(random, traces)] })),
  parseMessageSummary: () => () =>
    names.map((name) => ({
      method: 'POST',
      path: '/messages/parse',
      body: { sentence: `Messages of integration "${name}" where tenant equals "t-1".` },
    })),
  countMessagesOverTime: aboutMessages('histogram', (random, traces) => ({
    step_s: 86_400,
    heatmap: random.chance(0.5),
    ...(random.chance(0.5) ? {} : { group_by: [randomAttribute(random, traces)], limit: 2 }),
  })),
  countMessagesByAttribute: aboutMessages('breakdown', (random, traces) => ({
    group_by: [randomAttribute(random, traces)],
    limit: random.pick([1, 100]),
  })),
  compareMessages(context) {
    const bodiesFor = drawFilters(context)
    return (ids) => {
      const [a, ofOne, , ofHidden, b] = bodiesFor(ids)
      const ask = (body: object): Question => ({ method: 'POST', path: '/messages/compare', body: { ...body } })
      return [ask({ a }), ask({ a: ofOne, b }), ask({ a: ofHidden })]
    }
  },
  summarizeMessages: aboutMessages('summary', () => ({})),
  getMessage:
    ({ traces, window }) =>
    () =>
      [...groupByTrace(traces.rows).keys()].map((traceId) => get(`/messages/${traceId}`, rangeOf(window))),
  getMessageSkeleton:
    ({ traces, window }) =>
    () =>
      [...groupByTrace(traces.rows).keys()].map((traceId) => get(`/messages/${traceId}/skeleton`, rangeOf(window))),
  getMessageOtlp:
    ({ traces, window }) =>
    () =>
      [...groupByTrace(traces.rows).keys()].map((traceId) => get(`/messages/${traceId}/otlp`, rangeOf(window))),
  queryMessageSkeleton(context) {
    const bodiesFor = drawFilters(context)
    const traceIds = context.random.sample([...groupByTrace(context.traces.rows).keys()], traceCount)
    return (ids) =>
      traceIds.flatMap((traceId) =>
        bodiesFor(ids).map((body): Question => ({ method: 'POST', path: `/messages/${traceId}/skeleton`, body })),
      )
  },
  getMessageSpan({ random, traces, window }) {
    const spans = random.sample(traces.rows, spanCount)
    return () => spans.map(({ traceId, spanId }) => get(`/messages/${traceId}/spans/${spanId}`, rangeOf(window)))
  },
  explainMessage(context) {
    const bodiesFor = drawFilters(context)
    const traceIds = context.random.sample(tracesInside(context), 3)
    return (ids) =>
      traceIds.flatMap((traceId) =>
        bodiesFor(ids).map((body): Question => ({ method: 'POST', path: `/messages/${traceId}/explain`, body })),
      )
  },
  listAttributeKeys:
    ({ window }) =>
    () =>
      ['any', 'span', 'resource'].map((source) => get('/attributes', { ...rangeOf(window), source, limit: '200' })),
  listAttributeValues({ random, traces, window }) {
    const keys = ['service.name', ...random.sample(traces.keys, keyCount)]
    return () =>
      keys.flatMap((key) =>
        ['any', 'span', 'resource'].map((source) =>
          get('/attributes/values', { ...rangeOf(window), key, source, limit: '200' }),
        ),
      )
  },
  ...grafanaQuestions,
  listIntegrations: () => () => [get('/integrations', {})],
  getIntegration: () => (ids) => names.map((name) => get(`/integrations/${ids[name]}`, {})),
  getIntegrationStats:
    ({ window }) =>
    (ids) =>
      names.map((name) => get(`/integrations/${ids[name]}/stats`, rangeOf(window))),
  getIntegrationFlowGraph:
    ({ window }) =>
    (ids) =>
      names.map((name) => get(`/integrations/${ids[name]}/flow-graph`, rangeOf(window))),
  getServiceDashboard: aboutServices('widgets'),
  getWidgetData: (context) => (ids) => widgetIds.flatMap((id) => aboutServices(`widgets/${id}/data`)(context)(ids)),
  listSavedViews: () => () => [get('/saved-views', {})],
  getSavedView: () => (ids) => views.map((name) => get(`/saved-views/${ids[name]}`, {})),
  searchSavedView:
    ({ window }) =>
    (ids) =>
      views.map((name) => ({ method: 'POST', path: `/saved-views/${ids[name]}/search`, body: rangeOf(window) })),
  listFacets: () => () => [get('/service-facets', { limit: '200' })],
  getFacet:
    ({ window, customFacets }) =>
    () =>
      [...sectionOrder, ...customFacets].map((slug) => get(`/service-facets/${slug}`, rangeOf(window))),
  listServices:
    ({ window }) =>
    () => [get('/services', { ...rangeOf(window), limit: '200' })],
  getFacetOverrides: aboutServices('facet-overrides'),
  listFacetMappings: aboutServices('facet-mappings', { explain: 'true' }),
  previewIntegration({ random, traces, window }) {
    const previewed = Array.from({ length: queryCount }, () => randomIntegration(random, traces))
    return () =>
      previewed.map((integration) => ({
        method: 'POST',
        path: '/integrations/preview',
        body: { ...rangeOf(window), ...integration },
      }))
  },
}

/**
 * Returns the traces whose spans all start in the window, or one that does not exist. An explanation also tells what
 * lies outside the window, which the other organization does not store.
 */
function tracesInside({ traces, window: { fromNs, toNs } }: QuestionContext): string[] {
  const inside = [...groupByTrace(traces.rows)].filter(([, rows]) =>
    rows.every(({ startNs }) => startNs >= fromNs && startNs < toNs),
  )
  return inside.length > 0 ? inside.map(([traceId]) => traceId) : ['f'.repeat(32)]
}

/** Sends drawn queries, each over everything visible and inside each integration. */
function aboutMessages(operation: string, more: Draw): Questions {
  return (context) => {
    const bodiesFor = drawFilters(context, more)
    return (ids) => bodiesFor(ids).map((body) => ({ method: 'POST', path: `/messages/${operation}`, body }))
  }
}

function drawFilters({ random, traces, window }: QuestionContext, more: Draw = () => ({})) {
  const bodies = Array.from({ length: queryCount }, (_, position) => {
    const relations = position === 0 ? { relations: randomRelations(random, traces, window), rows: [] } : {}
    const query: RandomFilter = { ...randomFilter(random, traces), ...window, ...relations }
    return { ...toRequestBody(query), ...more(random, traces) }
  })
  return (ids: Ids) =>
    bodies.flatMap((body) => [body, ...names.map((name) => ({ ...body, integration_id: ids[name] }))])
}

/** Reads a path below each service, within the window. */
function aboutServices(place: string, query: Readonly<Record<string, string>> = {}): Questions {
  return ({ services, window }) =>
    () =>
      services.map((service) =>
        get(`/services/${encodeURIComponent(service)}/${place}`, { ...query, ...rangeOf(window) }),
      )
}

function get(path: string, query: Readonly<Record<string, string>>): Question {
  return { method: 'GET', path: `${path}?${new URLSearchParams(query)}` }
}

function rangeOf({ fromNs, toNs }: Window) {
  return { from: toRfc3339(fromNs), to: toRfc3339(toNs) }
}
