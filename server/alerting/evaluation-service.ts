import type { Background } from '../background/background.ts'
import type { ClickHouse } from '../clickhouse/client.ts'
import type { Config } from '../config/config.ts'
import { createFacetReader } from '../facets/facet-reader.ts'
import { readFacetSettings } from '../facets/facet-settings.ts'
import type { IntegrationStore } from '../integrations/integration-store.ts'
import type { Metadata } from '../metadata/database.ts'
import { holdLease } from '../metadata/held-lease.ts'
import { createLeases, type Leases } from '../metadata/lease.ts'
import type { Logger } from '../observability/logging.ts'
import type { Prometheus } from '../observability/prometheus.ts'
import { linksUnder } from './alert-context.ts'
import { createAlertFacts } from './alert-facts.ts'
import type { AlertWriter } from './alert-store.ts'
import { createCheckFacts } from './check-facts.ts'
import { createEvaluationPass, type EvaluationPass } from './evaluation-pass.ts'
import { createEvaluationRecord } from './evaluation-record.ts'
import { createEvaluationSchedule } from './evaluation-schedule.ts'
import { createNotices } from './notices.ts'
import type { RuleReaders } from './rule-reader.ts'
import { createServiceFacts } from './service-facts.ts'

export interface EvaluationParts {
  readonly config: Pick<Config, 'alertPeriodSeconds' | 'publicUrl'>
  readonly clickhouse: ClickHouse
  readonly metadata: Metadata
  readonly integrations: Pick<IntegrationStore, 'find'>
  readonly readers: RuleReaders
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
  const record = createEvaluationRecord({ metadata, leases, alerts })
  return createEvaluationPass({
    ...{ metadata, readers, now, newId, logger, metrics: prometheus.alerting, record },
    drawNotices: openNotices(parts),
  })
}

function openNotices({ config, clickhouse, metadata, integrations, readers, now, logger }: EvaluationParts) {
  const facets = createFacetReader({ clickhouse, settingsOf: (org) => readFacetSettings(metadata.db, org) })
  const readServices = createServiceFacts({ clickhouse, facets, logger })
  return createNotices({
    ...{ metadata, readers, now, linkOf: linksUnder(config.publicUrl) },
    readFacts: createAlertFacts({ integrations, readServices, readCheck: createCheckFacts(clickhouse, logger) }),
  })
}
