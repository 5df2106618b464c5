import { monotonicFactory } from 'ulid'
import { composeAlertRules } from './alerting/compose.ts'
import { composeEvaluation } from './alerting/compose-evaluation.ts'
import { rulesAbout, rulesTelling } from './alerting/rule-queries.ts'
import { apiKeyHandlers } from './api-keys/api-key-handlers.ts'
import { createApiKeyStore } from './api-keys/api-key-store.ts'
import { createApiKeyVerifier } from './api-keys/api-key-verifier.ts'
import { createAuthenticator, openTokenVerifier } from './auth/authenticate.ts'
import type { Background } from './background/background.ts'
import type { ClickHouse } from './clickhouse/client.ts'
import type { Config } from './config/config.ts'
import { composeFacets } from './facets/compose.ts'
import { createHttp } from './http/create-http.ts'
import { createOtlpRouter } from './ingest/otlp-router.ts'
import { grantHandlers } from './integrations/grant-handlers.ts'
import { createGrantStore } from './integrations/grant-store.ts'
import { findSliceIn, grantedSlicesIn } from './integrations/granted-slices.ts'
import { integrationHandlers } from './integrations/integration-handlers.ts'
import { integrationSection } from './integrations/integration-section.ts'
import { createIntegrationStore, type IntegrationStore } from './integrations/integration-store.ts'
import { matcherHandlers } from './integrations/matcher-handlers.ts'
import { sliceHandlers } from './integrations/slice-handlers.ts'
import { type Listener, listen } from './lifecycle/listener.ts'
import { onlyWhenReady } from './lifecycle/only-when-ready.ts'
import { openStores, type StoreOverrides, type Stores } from './lifecycle/stores.ts'
import { logHandlers } from './logs/log-handlers.ts'
import { attributeHandlers } from './messages/attribute-handlers.ts'
import { messageHandlers } from './messages/message-handlers.ts'
import type { Metadata } from './metadata/database.ts'
import { catalogueHandlers } from './metrics/catalogue-handlers.ts'
import { metricHandlers } from './metrics/metric-handlers.ts'
import { pointHandlers } from './metrics/point-handlers.ts'
import { createHealthRouter } from './observability/health-router.ts'
import type { Logger } from './observability/logging.ts'
import { measureReads } from './observability/measured-clickhouse.ts'
import { createMetrics, type Metrics } from './observability/prometheus.ts'
import { createReadiness } from './observability/readiness.ts'
import { createSliceLengths } from './telemetry/chunk-lengths.ts'
import type { ConfigSection } from './transfer/sections.ts'
import { configHandlers } from './transfer/transfer-handlers.ts'
import { viewHandlers } from './views/view-handlers.ts'
import { viewSection } from './views/view-section.ts'
import { createViewStore } from './views/view-store.ts'
import { createAddressPolicy } from './webhooks/channels/address-policy.ts'
import { composeChannels } from './webhooks/channels/compose.ts'
import { createOutbox, type Outbox } from './webhooks/channels/outbox.ts'
import { composeDeliveries } from './webhooks/deliveries/compose.ts'

export interface AppOverrides extends StoreOverrides {
  readonly logger: Logger
  readonly now?: () => Date
  /** Holds every answer against the API document. For tests. */
  readonly checkResponses?: boolean
  /** Off where several servers share a process. */
  readonly collectProcessMetrics?: boolean
}

/** A running server: from its configuration to an address. */
export interface App {
  readonly url: string
  readonly clickhouse: ClickHouse
  readonly metadata: Metadata
  /** Resolves when the stores are migrated; rejects when they cannot be. Until then requests are answered with 503. */
  readonly ready: Promise<void>
  /**
   * Lets running requests end (those with telemetry are acknowledged first), then closes the stores. Resolves to the number
   * of connections that were cut at the deadline.
   */
  stop(): Promise<number>
}

/** What the parts of one server share. */
interface Parts {
  readonly config: Config
  readonly stores: Stores
  readonly logger: Logger
  readonly now: () => Date
  readonly outbox: Outbox
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
  /** What runs besides requests: begun when the stores are ready, ended before they are closed. */
  readonly background: Background[]
  /** Set when the server is told to stop. */
  draining: boolean
}

/**
 * The composition root: the one place that knows which part needs which. Listens at once and prepares the stores meanwhile,
 * so that probes have someone to ask; nothing but health, metrics and the API document is answered before they are ready.
 */
export async function startApp(config: Config, overrides: AppOverrides): Promise<App> {
  const { logger, now = () => new Date() } = overrides
  const stores = await openStores(config, logger, overrides)
  const newId = monotonicFactory()
  const outbox = createOutbox({ now, newId })
  const parts: Parts = { config, stores, logger, now, outbox, newId, background: [], draining: false }
  const apiKeys = openApiKeys(parts)
  let listener: Listener
  try {
    listener = await listen(await composeHttp(parts, apiKeys, overrides), config)
  } catch (error) {
    await stores.close()
    throw error
  }
  const stopping = new AbortController()
  const ready = stores.prepare(stopping.signal).then(() => startBackground(parts))
  // Whoever waits for it is told; nobody has to.
  ready.catch(() => {})
  return {
    url: listener.url,
    clickhouse: stores.clickhouse,
    metadata: stores.metadata,
    ready,
    async stop() {
      parts.draining = true
      stopping.abort()
      const { drainSecondsMax } = config.limits
      const background = parts.background.map((each) => each.stop(drainSecondsMax * 1_000))
      const cut = await listener.drain(drainSecondsMax)
      await Promise.all(background)
      await apiKeys.verifier.close()
      await stores.close()
      return cut
    },
  }
}

/** A server that is told to stop while it starts begins nothing. */
function startBackground({ background, draining }: Parts): void {
  if (!draining) for (const each of background) each.start()
}

function openApiKeys({ stores, logger, now }: Parts) {
  const store = createApiKeyStore({ metadata: stores.metadata, now, newId: monotonicFactory() })
  const onFlushError = (err: unknown) => logger.warn({ err }, 'The last uses of API keys could not be noted')
  return { store, verifier: createApiKeyVerifier({ store, now, onFlushError }) }
}

async function composeHttp(parts: Parts, apiKeys: ReturnType<typeof openApiKeys>, overrides: AppOverrides) {
  const { config, stores, logger, now } = parts
  const metrics = createMetrics({ collectProcess: overrides.collectProcessMetrics ?? true })
  const clickhouse = measureReads(stores.clickhouse, metrics.query)
  const authenticator = createAuthenticator({
    verifyToken: await openTokenVerifier({ auth: config.auth, dataDir: config.dataDir, now }),
    verifyApiKey: (key) => apiKeys.verifier.verify(key),
  })
  const authenticate = onlyWhenReady(authenticator.authenticate, stores.pending)
  const integrations = createIntegrationStore({ metadata: stores.metadata, now, newId: parts.newId })
  const alerting = await composeAlerting(parts, { clickhouse, integrations, metrics })
  return createHttp({
    handlers: {
      ...composeTraffic(parts, { clickhouse, integrations }, alerting.sections),
      ...apiKeyHandlers({ ...apiKeys, now }),
      ...alerting.handlers,
    },
    authenticate,
    otlpRouter: createOtlpRouter({ clickhouse, authenticate, limits: config.limits, logger, metrics: metrics.ingest }),
    healthRouter: createHealthRouter({ readiness: readinessOf(parts), metrics }),
    logger,
    metrics: metrics.http,
    checkResponses: overrides.checkResponses ?? false,
  })
}

/** Telemetry, and the integrations that slice it. */
interface Telemetry {
  readonly clickhouse: ClickHouse
  readonly integrations: IntegrationStore
}

/** What notices alerts and tells them, and the handlers that answer for it. */
async function composeAlerting(
  { config, stores: { metadata }, logger, now, newId, outbox, background }: Parts,
  { clickhouse, integrations, metrics }: Telemetry & { readonly metrics: Metrics },
) {
  const allows = createAddressPolicy(config.webhookAllowedCidrs)
  const rulesNaming = (org: string, channelId: string) => rulesTelling(metadata.db, org, channelId)
  const channels = await composeChannels({ config, metadata, now, newId, allows, rulesNaming })
  const rules = composeAlertRules({
    ...{ clickhouse, metadata, outbox, integrations, now, newId, periodS: config.alertPeriodSeconds },
  })
  const deliveries = composeDeliveries({
    ...{ metadata, channels, allows, now, newId, logger, metrics: metrics.deliveries },
  })
  const evaluation = composeEvaluation({
    ...{ config, clickhouse, metadata, integrations, now, newId, logger, metrics: metrics.alerting },
    ...{ readers: rules.readers, alerts: rules.alerts },
  })
  background.push(channels.upkeep(logger), evaluation, ...deliveries.background)
  return {
    handlers: { ...channels.handlers, ...deliveries.handlers, ...rules.handlers },
    sections: [channels.section, rules.section],
  }
}

/** Integrations, and all that is read within them or within what is granted of them. */
function composeTraffic(
  { stores: { metadata }, now, newId }: Parts,
  { clickhouse, integrations: store }: Telemetry,
  alertingSections: readonly ConfigSection[],
) {
  const granted = grantedSlicesIn(store)
  const facets = composeFacets({ clickhouse, metadata, now, newId, granted })
  const { keyAttributesOf, reader } = facets
  const sliceLengths = createSliceLengths()
  const traffic = { clickhouse, now, granted, findSlice: findSliceIn(store), keyAttributesOf, sliceLengths }
  const sections = [
    integrationSection({ now, newId }),
    viewSection({ now, newId }),
    ...facets.sections,
    ...alertingSections,
  ]
  return {
    ...messageHandlers(traffic),
    ...attributeHandlers(traffic),
    ...logHandlers({ ...traffic, sliceLengths: createSliceLengths() }),
    ...catalogueHandlers(traffic),
    ...metricHandlers(traffic),
    ...pointHandlers(traffic),
    ...integrationHandlers({ store, newId, rulesNaming: (org, id) => rulesAbout(metadata.db, org, id) }),
    ...matcherHandlers({ store, newId }),
    ...grantHandlers(createGrantStore(metadata)),
    ...sliceHandlers({ ...traffic, facetsOf: reader.facetsOf }),
    ...viewHandlers({ store: createViewStore({ metadata, now, newId }), messages: traffic }),
    ...facets.handlers,
    ...configHandlers({ metadata, now, sections }),
  }
}

function readinessOf(parts: Parts) {
  const { clickhouse, metadata, pending } = parts.stores
  const answers = async (ping: Promise<boolean>) => ((await ping) ? undefined : 'it does not answer')
  return createReadiness([
    { name: 'server', missing: async () => (parts.draining ? 'it is shutting down' : undefined) },
    { name: 'clickhouse', missing: () => answers(clickhouse.ping()) },
    { name: 'migrations', missing: async () => pending.clickhouse ?? pending.metadata },
    { name: 'metadata', missing: () => answers(metadata.ping()) },
  ])
}
