import type { FacetReader } from '../facets/facet-reader.ts'
import type { Deps } from '../feature.ts'
import { sliceOfContent } from '../integrations/integration-record.ts'
import type { IntegrationStore } from '../integrations/integration-store.ts'
import type { CountMessages } from '../messages/search/matching-spans.ts'
import { createLeases } from '../metadata/lease.ts'
import type { Outbox } from '../webhooks/deliveries/outbox.ts'
import { createAlertDetails } from './alerts/alert-details.ts'
import { alertHandlers } from './alerts/alert-handlers.ts'
import { createNotifications } from './alerts/alert-notifications.ts'
import { createAlertWriter } from './alerts/alert-store.ts'
import { previewHandlers } from './evaluation/alert-rule-preview.ts'
import { createEvaluationPass } from './evaluation/evaluation-pass.ts'
import { createEvaluationSchedule, evaluationLeaseMs } from './evaluation/evaluation-schedule.ts'
import { createEvaluationStore } from './evaluation/evaluation-store.ts'
import { readAffectedAlertRules } from './readings/affected-alert-rules.ts'
import type { AlertRuleReaders } from './readings/alert-rule-reader.ts'
import { metricAlertRules } from './readings/metric-alert-rules.ts'
import { traceAlertRules } from './readings/trace-alert-rules.ts'
import { alertRuleHandlers } from './rules/alert-rule-handlers.ts'
import { createAlertRuleStore } from './rules/alert-rule-store.ts'
import { alertRuleTransfer } from './rules/alert-rule-transfer.ts'

export interface AlertingDeps extends Omit<Deps, 'granted' | 'findSlice' | 'findIntegrationId' | 'config'> {
  readonly config: Pick<Deps['config'], 'alertPeriodSeconds' | 'publicUrl' | 'console'>
}

/** What alerting needs from other features. */
export interface AlertingNeeds {
  readonly integrations: Pick<IntegrationStore, 'find'>
  readonly facets: Pick<FacetReader, 'facetsOf'>
  readonly outbox: Outbox
  readonly countMessages: CountMessages
}

/**
 * Creates alert rules, their evaluation, and the alerts that they raise. Tests and benches use `rules`, `leases` and
 * `pass` to evaluate rules at chosen times.
 */
export function createAlerting(deps: AlertingDeps, { integrations, facets, outbox, countMessages }: AlertingNeeds) {
  const { config, clickhouse, metadata, now, newId } = deps
  const traces = { clickhouse, countMessages }
  const alerts = createAlertWriter({ now, outbox })
  const rules = createAlertRuleStore({ metadata, now, newId, endAlert: alerts.end })
  const readers: AlertRuleReaders = {
    trace: traceAlertRules(traces, async (org, id) => {
      const found = await integrations.find({ org }, id)
      return found && sliceOfContent(found)
    }),
    metric: metricAlertRules(clickhouse),
  }
  const leases = createLeases({ metadata, holder: newId(), now, leaseMs: evaluationLeaseMs(config) })
  const readDetails = createAlertDetails({ ...deps, integrations, facets })
  const pass = createEvaluationPass({
    ...deps,
    readers,
    notificationsOf: createNotifications({ ...deps, readers, readDetails }),
    store: createEvaluationStore({ metadata, leases, alerts }),
  })
  return {
    handlers: {
      ...alertRuleHandlers(rules),
      ...previewHandlers({ ...deps, readers, integrations }),
      ...alertHandlers(metadata),
    },
    transfers: [alertRuleTransfer(rules)],
    background: [createEvaluationSchedule({ ...deps, leases, pass })],
    affectedBy: readAffectedAlertRules(traces, (org) => rules.all(metadata.db, org)),
    rules,
    leases,
    pass,
  }
}
