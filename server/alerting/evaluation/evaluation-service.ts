import type { Background } from '../../background/background.ts'
import type { ClickHouse } from '../../clickhouse/client.ts'
import type { Config } from '../../config/config.ts'
import { createFacetReader } from '../../facets/facet-reader.ts'
import { readFacetSettings } from '../../facets/facet-settings.ts'
import type { IntegrationStore } from '../../integrations/integration-store.ts'
import type { Metadata } from '../../metadata/database.ts'
import { holdLease } from '../../metadata/held-lease.ts'
import { createLeases, type Leases } from '../../metadata/lease.ts'
import type { Logger } from '../../observability/logging.ts'
import type { Prometheus } from '../../observability/prometheus.ts'
import { linksUnder } from '../alerts/alert-context.ts'
import { createAlertDetails } from '../alerts/alert-details.ts'
import { createNotices } from '../alerts/alert-notifications.ts'
import type { AlertWriter } from '../alerts/alert-store.ts'
import { createCheckFacts } from '../alerts/check-details.ts'
import { createServiceDetails } from '../alerts/service-details.ts'
import type { AlertRuleReaders } from '../readings/alert-rule-reader.ts'
import { createEvaluationPass, type EvaluationPass } from './evaluation-pass.ts'
import { createEvaluationSchedule } from './evaluation-schedule.ts'
import { createEvaluationStore } from './evaluation-store.ts'

export interface EvaluationParts {
  readonly config: Pick<Config, 'alertPeriodSeconds' | 'publicUrl'>
  readonly clickhouse: ClickHouse
  readonly metadata: Metadata
  readonly integrations: Pick<IntegrationStore, 'find'>
  readonly readers: AlertRuleReaders
  readonly alerts: AlertWriter
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
  readonly logger: Logger
  readonly prometheus: Pick<Prometheus, 'alerting'>
}

/** A server that was killed is replaced after so many periods, within these bounds. */
const leasePeriods = 2
const leaseMsMin = 5_000
const leaseMsMax = 30_000

/** Evaluates alert rules, on one server at a time. */
export function createEvaluation(parts: EvaluationParts): Background {
  const { config, metadata, now, newId, logger, prometheus } = parts
  const periodMs = config.alertPeriodSeconds * 1_000
  const leaseMs = Math.min(Math.max(leasePeriods * periodMs, leaseMsMin), leaseMsMax)
  const leases = createLeases({ metadata, holder: newId(), now, leaseMs })
  const lease = holdLease({
    ...{ name: 'alert rules', leases, renewMs: leaseMs / 3, now },
    onError: (err) => logger.warn({ err }, 'Whether this server is to evaluate alert rules could not be found out'),
  })
  return createEvaluationSchedule({
    pass: openEvaluationPass(parts, leases),
    lease,
    periodMs,
    now,
    logger,
    metrics: prometheus.alerting,
  })
}

/** One evaluation of all rules, by whoever holds a lease. */
export function openEvaluationPass(parts: EvaluationParts, leases: Leases): EvaluationPass {
  const { metadata, readers, alerts, now, newId, logger, prometheus } = parts
  const record = createEvaluationStore({ metadata, leases, alerts })
  return createEvaluationPass({
    ...{ metadata, readers, now, newId, logger, metrics: prometheus.alerting, record },
    drawNotices: openNotices(parts),
  })
}

function openNotices({ config, clickhouse, metadata, integrations, readers, now, logger }: EvaluationParts) {
  const facets = createFacetReader({ clickhouse, settingsOf: (org) => readFacetSettings(metadata.db, org) })
  const readServices = createServiceDetails({ clickhouse, facets, logger })
  return createNotices({
    ...{ metadata, readers, now, linkOf: linksUnder(config.publicUrl) },
    readFacts: createAlertDetails({ integrations, readServices, readCheck: createCheckFacts(clickhouse, logger) }),
  })
}
