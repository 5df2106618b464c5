import { Router } from 'express'
import { createAbout } from './about/about.ts'
import { createQuotas, limitRequests } from './admission/quotas.ts'
import { createAlerting } from './alerting/alerting.ts'
import { alertRulesOfChannel, alertRulesOfIntegration } from './alerting/rules/alert-rule-references.ts'
import { createApiKeys } from './api-keys/api-keys.ts'
import { createAudit } from './audit/audit.ts'
import { createAuthenticate, openTokenVerifier } from './auth/authenticate.ts'
import type { Background } from './background/background.ts'
import { createBackupOperations } from './backup/backup-operations.ts'
import { type ControlSocket, openControlSocket } from './backup/control-socket.ts'
import type { ClickHouse } from './clickhouse/client.ts'
import { readClock } from './clickhouse/clock.ts'
import type { EngineLoss } from './clickhouse/engine/supervisor.ts'
import type { Config } from './config/config.ts'
import { createConsoleRouter } from './console/console-router.ts'
import { createFacets } from './facets/facets.ts'
import type { Deps } from './feature.ts'
import { createGrafana } from './grafana/grafana.ts'
import { createHttp } from './http/create-http.ts'
import { sendCompressed } from './http/response/compression.ts'
import { createIngest } from './ingest/endpoint/ingest.ts'
import { createGrpcEndpoint } from './ingest/grpc/grpc-endpoint.ts'
import { createOtlpRouter, signals } from './ingest/otlp-router.ts'
import { AcceptedTimes } from './ingest/records/accepted-times.ts'
import {
  createIntegrationStore,
  findIntegrationIdIn,
  findSliceIn,
  grantedSlicesIn,
  type IntegrationStore,
} from './integrations/integration-store.ts'
import { createIntegrations } from './integrations/integrations.ts'
import { type Listeners, openListeners } from './lifecycle/listeners.ts'
import { createServerReadiness } from './lifecycle/server-readiness.ts'
import { onlyWhenReady, openStores, type StoreOverrides, type Stores } from './lifecycle/stores.ts'
import { createLogs } from './logs/logs.ts'
import { createMcpRouter } from './mcp/mcp-router.ts'
import { createMessages } from './messages/messages.ts'
import type { Metadata } from './metadata/database.ts'
import { createRecordIds } from './metadata/record-ids.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createCapacityMonitor } from './observability/capacity-monitor.ts'
import { createClockMonitor, type StoreClocks } from './observability/clock-monitor.ts'
import { createHealthRouter } from './observability/health.ts'
import type { Logger } from './observability/logging.ts'
import { measureReads } from './observability/measured-clickhouse.ts'
import { exposureWarning, plainCredentialWarning } from './observability/plain-http.ts'
import { createPrometheus, type Prometheus } from './observability/prometheus.ts'
import { createSessions } from './sessions/sessions.ts'
import { createTransfer } from './transfer/transfer.ts'
import { createViews } from './views/views.ts'
import { createWebhooks } from './webhooks/webhooks.ts'

export interface AppOverrides extends StoreOverrides {
  readonly logger: Logger
  readonly now?: () => Date
  /** Validates every response against the OpenAPI document. For tests. */
  readonly checkResponses?: boolean
  /** Set to false where several servers share a process. */
  readonly collectProcessMetrics?: boolean
}

/** A running server. */
export interface App {
  readonly url: string
  /** The address of OTLP/gRPC; undefined if it is off. */
  readonly grpcUrl: string | undefined
  readonly clickhouse: ClickHouse
  readonly metadata: Metadata
  /** Resolves when the stores are migrated, and rejects when that fails. */
  readonly ready: Promise<void>
  /**
   * Waits for running requests to finish and for accepted telemetry to be acknowledged, then closes the stores.
   * Resolves to the number of connections that were still open at the deadline and were cut.
   */
  stop(): Promise<number>
}

/** Seconds in which background work that has been aborted is to record that, as in releasing deliveries and leases. */
const recordSecondsMax = 5

/** The state of one server between start and stop. */
interface Running {
  readonly deps: Deps
  readonly stores: Stores
  readonly integrations: IntegrationStore
  /** Starts when the stores are ready and stops before they are closed. */
  readonly background: Background[]
  /** Set when the server starts to shut down. */
  draining: boolean
}

const recordsMissing =
  'There is telemetry, but the metadata store was new: integrations, alert rules, channels and API keys begin empty. ' +
  'If there were any, check METADATA_URL and that DATA_DIR is kept when the server is replaced, or restore a backup'

/**
 * Starts a server. It listens immediately and prepares its stores in the background, so that probes get a response.
 * Until the stores are ready, requests of the API, OTLP and `/tempo` return 503; health, metrics, the console's pages
 * and the OpenAPI document with its reference are served.
 */
export async function startApp(config: Config, overrides: AppOverrides): Promise<App> {
  const { logger, collectProcessMetrics = true } = overrides
  const prometheus = createPrometheus({ collectProcess: collectProcessMetrics })
  const onEngineLoss = (cause: EngineLoss) => prometheus.engine.restarts.inc({ cause })
  const stores = await openStores(config, logger, { ...overrides, onEngineLoss })
  const running = createRunning(config, { stores, prometheus }, overrides)
  const apiKeys = createApiKeys(running.deps)
  let listeners: Listeners
  try {
    listeners = await openListeners(await createApi(running, apiKeys, overrides), config, logger)
  } catch (error) {
    await stores.close()
    throw error
  }
  const exposure = exposureWarning(config)
  if (exposure !== undefined) logger.warn(exposure)
  const stopping = new AbortController()
  let control: ControlSocket | undefined
  const ready = stores.prepare(stopping.signal).then(async ({ lacksRecords }) => {
    if (lacksRecords) logger.warn({}, recordsMissing)
    startBackground(running)
    if (!running.draining) control = await openControlSocketOf(running)
  })
  // Callers that await `ready` still get the error. Without a handler, a caller that does not await it would crash the
  // process.
  ready.catch(() => {})
  return {
    url: listeners.url,
    grpcUrl: listeners.grpcUrl,
    clickhouse: stores.clickhouse,
    metadata: stores.metadata,
    ready,
    async stop() {
      running.draining = true
      stopping.abort()
      const { drainSecondsMax } = config.limits
      setTimeout(stores.metadata.cut, (drainSecondsMax + recordSecondsMax) * 1_000).unref()
      const background = running.background.map((each) => each.stop(drainSecondsMax * 1_000))
      const controlClosed = ready.catch(() => {}).then(() => control?.close())
      const cut = await listeners.drain(drainSecondsMax)
      await Promise.all([...background, controlClosed])
      await apiKeys.verifier.close()
      await stores.close()
      return cut
    },
  }
}

function createRunning(
  config: Config,
  { stores, prometheus }: { readonly stores: Stores; readonly prometheus: Prometheus },
  { logger, now = () => new Date() }: AppOverrides,
): Running {
  const { metadata } = stores
  const newId = createRecordIds(now)
  const clickhouse = measureReads(stores.clickhouse, prometheus.query, logger)
  const integrations = createIntegrationStore({ metadata, now, newId })
  const [granted, findSlice] = [grantedSlicesIn(integrations), findSliceIn(integrations)]
  const findIntegrationId = findIntegrationIdIn(metadata)
  const shared = { config, clickhouse, metadata, logger, prometheus, now, newId }
  const deps = { ...shared, granted, findSlice, findIntegrationId }
  const clocks = createClockMonitor({ stores: clocksOf(stores), now, logger, metrics: prometheus.store })
  return { deps, stores, integrations, background: [clocks], draining: false }
}

function clocksOf({ clickhouse, metadata: { clockMs } }: Stores): StoreClocks[] {
  const ofClickHouse = { store: 'clickhouse', clocks: clickhouse.nodes.map((node) => () => readClock(node)) } as const
  return [ofClickHouse, { store: 'metadata', clocks: clockMs === undefined ? [] : [clockMs] }]
}

function openControlSocketOf({ deps: { config, logger, now }, stores }: Running): Promise<ControlSocket> {
  return openControlSocket(config.dataDir, createBackupOperations({ config, stores, now }), logger)
}

/** Starts background work, unless the server is already shutting down. */
function startBackground({ background, draining }: Running): void {
  if (!draining) for (const each of background) each.start()
}

async function createApi(running: Running, apiKeys: ReturnType<typeof createApiKeys>, overrides: AppOverrides) {
  const { config, clickhouse, logger, prometheus, now } = running.deps
  const web = config.console ? await createWeb(running) : undefined
  const verifyCredential = createAuthenticate({
    verifyToken: await openTokenVerifier({ auth: config.auth, dataDir: config.dataDir, logger, now }),
    verifyApiKey: (key) => apiKeys.verifier.verify(key),
    verifySession: web?.verifySession,
  })
  const quotas = createQuotas({ config: config.quotas, clickhouse, logger, now, metrics: prometheus.quotas })
  const authenticate = limitRequests(onlyWhenReady(verifyCredential, running.stores.pending), quotas)
  const features = await createFeatures(running)
  const { diskFreeBytesMin } = config
  const capacity = createCapacityMonitor({ clickhouse, logger, metrics: prometheus.store, diskFreeBytesMin })
  const ingest = createIngest({
    clickhouse,
    authenticate,
    limits: config.limits,
    quotas,
    acceptedTimes: () => new AcceptedTimes(config, now()),
    logger,
    metrics: prometheus.ingest,
    indexesValues: config.valueIndex !== 'off',
  })
  const warnOfPlainCredential = plainCredentialWarning(logger)
  const readiness = createServerReadiness({ stores: running.stores, capacity, isDraining: () => running.draining })
  const grpc = createGrpcEndpoint({
    signals,
    ingest,
    readiness,
    limits: config.limits,
    logger,
    metrics: prometheus.grpc,
    warnOfPlainCredential,
  })
  const http = await createHttp({
    handlers: { ...features.handlers, ...apiKeys.handlers },
    authenticate,
    otlpRouter: createOtlpRouter(ingest),
    consoleRouter: web?.router,
    createToolsRouter: createMcpRouter({ authenticate, limits: config.limits, corsOrigins: config.corsOrigins }),
    limits: config.limits,
    publicUrl: config.publicUrl,
    corsOrigins: config.corsOrigins,
    healthRouter: createHealthRouter({
      readiness,
      metrics: prometheus,
      refresh: async () => {
        quotas.report()
        await capacity.refresh()
      },
      send: sendCompressed,
    }),
    logger,
    warnOfPlainCredential,
    metrics: prometheus.http,
    checkResponses: overrides.checkResponses ?? false,
  })
  return { http, grpc }
}

/** Creates the console and the sign-in to it. */
async function createWeb({ deps, background }: Running) {
  const sessions = await createSessions(deps)
  background.push(...sessions.background)
  const router = Router().use(sessions.router).use(createConsoleRouter(deps))
  return { router, verifySession: sessions.verify }
}

/** Creates every feature of the API with its dependencies on other features. */
async function createFeatures({ deps, integrations: store, background }: Running) {
  const facets = createFacets(deps)
  const messages = createMessages(deps, facets.reader)
  const views = createViews(deps, messages.search)
  const webhooks = await createWebhooks(deps, { alertRulesOf: alertRulesOfChannel })
  const alerting = createAlerting(deps, {
    integrations: store,
    facets: facets.reader,
    outbox: webhooks.outbox,
    countMessages: messages.count,
  })
  const integrations = createIntegrations(deps, {
    store,
    facetsOf: facets.reader.facetsOf,
    alertRulesOf: alertRulesOfIntegration,
    affectedAlertRules: alerting.affectedBy,
  })
  const transferring = [integrations, views, facets, webhooks, alerting]
  const transfer = createTransfer(
    deps,
    transferring.flatMap(({ transfers }) => transfers),
  )
  const audit = createAudit(deps)
  background.push(...webhooks.background, ...alerting.background, ...audit.background)
  return {
    handlers: {
      ...messages.handlers,
      ...createLogs(deps).handlers,
      ...createMetrics(deps).handlers,
      ...createGrafana(deps, messages.findNewest).handlers,
      ...integrations.handlers,
      ...facets.handlers,
      ...views.handlers,
      ...alerting.handlers,
      ...webhooks.handlers,
      ...transfer.handlers,
      ...audit.handlers,
      ...createAbout(deps).handlers,
    },
  }
}
