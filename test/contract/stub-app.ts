import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type RequestHandler, Router } from 'express'
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { type Caller, type Role, roles } from '../../server/auth/caller.ts'
import { createHttp, type HttpOptions } from '../../server/http/create-http.ts'
import type { HandlerRequest, Handlers } from '../../server/http/handlers.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { problem } from '../../server/problem/problem.ts'
import { stubAlertHandlers } from './stub-alerts.ts'
import { stubChannelHandlers } from './stub-channels.ts'
import { stubDeliveryHandlers } from './stub-deliveries.ts'
import { stubFacetHandlers } from './stub-facets.ts'

export interface StubApp {
  readonly url: string
  /** Every parsed log line so far. */
  readonly logLines: () => Record<string, unknown>[]
  /** The requests that reached a handler, oldest first. */
  readonly handled: HandlerRequest[]
  close(): void
  /** Sends a request with the token of an admin unless the headers say otherwise. */
  send(
    method: string,
    path: string,
    init?: { headers?: Record<string, string>; body?: string | Uint8Array },
  ): Promise<Response>
  /** Posts a body as JSON. */
  post(path: string, body: unknown): Promise<Response>
}

const caller = (role: Role): Caller => ({ org: 'acme', role, subject: 'ada' })

/** `Bearer <role>` is a caller with that role. */
async function authenticate(authorization: string | undefined): Promise<Caller> {
  const role = authorization?.replace('Bearer ', '') as Role
  if (roles.includes(role)) return caller(role)
  throw problem('unauthenticated', 'Send a token.', { headers: { 'WWW-Authenticate': 'Bearer realm="tracefold"' } })
}

const key = {
  id: '01JNB4Y8Z0V6Q3W2R7T5X9K1MD',
  name: 'collector',
  role: 'ingest',
  prefix: 'tf_01234',
  last4: 'GNBQ',
  last_used_at: null,
  expires_at: null,
  created_at: '2026-03-01T09:00:00Z',
  updated_at: '2026-03-01T09:00:00Z',
  created_by: 'ada',
} as const

const integration: components['schemas']['Integration'] = {
  id: '01JNB4Y8Z0V6Q3W2R7T5X9K1MD',
  name: 'Checkout',
  description: '',
  rule_match: 'any',
  matchers: [],
  flags: [],
  version: 1,
  created_at: '2026-03-01T09:00:00Z',
  updated_at: '2026-03-01T09:00:00Z',
}

const matcher = {
  id: '01JNB4Y8Z0V6Q3W2R7T5X9K1MD',
  match_group: 'a',
  service: 'checkout',
  service_match: 'exact',
  include_descendants: false,
} as const

const counts = { trace_count: 0, error_trace_count: 0, span_count: 0, error_span_count: 0, services: [] }

const nothingDone = { created: 0, updated: 0, unchanged: 0, deleted: 0 }

const created = { Location: `/api/v1/integrations/${integration.id}` }

const stubIntegrationHandlers: Pick<
  Handlers,
  Extract<keyof Handlers, `${string}${'Integration' | 'Matcher' | 'Config'}${string}`>
> = {
  listIntegrations: () => ({ status: 200, body: { items: [integration], next_cursor: null } }),
  createIntegration: () => ({ status: 201, headers: created, body: integration }),
  getIntegration: () => ({ status: 200, body: integration }),
  updateIntegration: () => ({ status: 200, body: integration }),
  deleteIntegration: () => ({ status: 204 }),
  addMatcher: () => ({ status: 201, headers: created, body: matcher }),
  replaceMatchers: () => ({ status: 200, body: integration }),
  deleteMatcher: () => ({ status: 204 }),
  cloneIntegration: () => ({ status: 201, headers: created, body: integration }),
  getIntegrationStats: () => ({ status: 200, body: counts }),
  getIntegrationFlowGraph: () => ({ status: 200, body: { nodes: [], edges: [] } }),
  previewIntegration: () => ({ status: 200, body: { ...counts, flags: [], rules: [] } }),
  getIntegrationGrants: () => ({ status: 200, body: { subjects: [], version: 1 } }),
  replaceIntegrationGrants: () => ({ status: 200, body: { subjects: [], version: 1 } }),
  exportConfig: () => ({
    status: 200,
    body: {
      ...{ format_version: 1, integrations: [], saved_views: [], facets: [], facet_overrides: [] },
      ...{ facet_mappings: [], alert_rules: [], channels: [] },
    },
  }),
  importConfig: () => ({
    status: 200,
    body: {
      ...{ integrations: nothingDone, saved_views: nothingDone, facets: nothingDone },
      ...{ facet_overrides: nothingDone, facet_mappings: nothingDone, channels: nothingDone, alert_rules: nothingDone },
    },
  }),
}

const view: components['schemas']['SavedView'] = {
  id: '01JNB4Y8Z3R2S4T6V8W0X1Y3ZA',
  name: 'Failed checkouts',
  description: '',
  rows: [],
  window: { kind: 'relative', last_s: 3_600 },
  summary: 'Messages, in the last hour.',
  flags: [],
  version: 1,
  created_at: '2026-03-01T09:00:00Z',
  updated_at: '2026-03-01T09:00:00Z',
}

const stubViewHandlers: Pick<Handlers, Extract<keyof Handlers, `${string}SavedView${string}`>> = {
  listSavedViews: () => ({ status: 200, body: { items: [view], next_cursor: null } }),
  createSavedView: () => ({ status: 201, headers: { Location: `/api/v1/saved-views/${view.id}` }, body: view }),
  getSavedView: () => ({ status: 200, body: view }),
  updateSavedView: () => ({ status: 200, body: view }),
  deleteSavedView: () => ({ status: 204 }),
  searchSavedView: () => ({ status: 200, body: { messages: [], next_cursor: null, summary: 'Messages.' } }),
}

/** Handlers that answer the least that the document allows. */
export const stubHandlers: Handlers = {
  searchMessages: () => ({ status: 200, body: { messages: [], next_cursor: null, summary: 'Messages.' } }),
  countMessages: () => ({
    status: 200,
    body: { message_count: 0, error_message_count: 0, matched_step_count: 0, error_step_count: 0 },
  }),
  summarizeMessages: () => ({ status: 200, body: { summary: 'Messages.' } }),
  getMessage: ({ path }) => ({ status: 200, body: { trace_id: path.trace_id, spans: [] } }),
  listMetrics: () => ({ status: 200, body: { items: [], next_cursor: null } }),
  searchMetricPoints: () => ({ status: 200, body: { items: [], next_cursor: null } }),
  queryMetric: () => ({ status: 200, body: { step_s: 10, group_count: 0, series: [] } }),
  listAttributeKeys: () => ({ status: 200, body: { items: [], next_cursor: null } }),
  listAttributeValues: () => ({ status: 200, body: { items: [], next_cursor: null } }),
  listApiKeys: () => ({ status: 200, body: { items: [key], next_cursor: null } }),
  createApiKey: () => ({
    status: 201,
    headers: { Location: `/api/v1/api-keys/${key.id}` },
    body: { ...key, key: 'tf_0123456789' },
  }),
  deleteApiKey: () => ({ status: 204 }),
  ...stubIntegrationHandlers,
  ...stubFacetHandlers,
  ...stubViewHandlers,
  searchLogs: () => ({ status: 200, body: { items: [], next_cursor: null, summary: 'Log records.' } }),
  listMessageLogs: () => ({ status: 200, body: { items: [], next_cursor: null } }),
  ...stubAlertHandlers,
  ...stubChannelHandlers,
  ...stubDeliveryHandlers,
  getCaller: ({ caller: { subject, org, role } }) => ({ status: 200, body: { subject, org, role } }),
}

function recording(handlers: Handlers, handled: HandlerRequest[]): Handlers {
  const entries = Object.entries(handlers as Record<string, ((request: HandlerRequest) => unknown) | undefined>).map(
    ([id, handler]) => [
      id,
      handler &&
        ((request: HandlerRequest) => {
          handled.push(request)
          return handler(request)
        }),
    ],
  )
  return Object.fromEntries(entries) as Handlers
}

const nothing: RequestHandler = Router()

export type StubOptions = Partial<Omit<HttpOptions, 'handlers'>> & { handlers?: Partial<Handlers> }

/** The real HTTP layer over handlers that answer nothing much; closed when the test ends. */
export async function startStubApp(options: StubOptions = {}): Promise<StubApp> {
  const app = await listen(options)
  onTestFinished(app.close)
  return app
}

/** One app for all tests of a file; what it handled is forgotten before each. */
export function sharedStubApp(options: StubOptions = {}): () => StubApp {
  let app: StubApp | undefined
  beforeAll(async () => {
    app = await listen(options)
  })
  beforeEach(() => {
    app?.handled.splice(0)
  })
  afterAll(() => app?.close())
  return () => app as StubApp
}

async function listen(options: StubOptions): Promise<StubApp> {
  const lines: string[] = []
  const handled: HandlerRequest[] = []
  const app = await createHttp({
    authenticate,
    otlpRouter: nothing,
    healthRouter: nothing,
    logger: createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
    checkResponses: true,
    ...options,
    handlers: recording({ ...stubHandlers, ...options.handlers }, handled),
  })
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    handled,
    logLines: () => lines.map((line) => JSON.parse(line)),
    close() {
      server.closeAllConnections()
      server.close()
    },
    ...senders(url),
  }
}

function senders(url: string): Pick<StubApp, 'send' | 'post'> {
  const send: StubApp['send'] = (method, path, init = {}) =>
    fetch(url + path, { method, ...init, headers: { authorization: 'Bearer admin', ...init.headers } })
  const headers = { 'content-type': 'application/json' }
  return { send, post: (path, body) => send('POST', path, { headers, body: JSON.stringify(body) }) }
}
