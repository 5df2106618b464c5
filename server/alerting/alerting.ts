import type { ClickHouse } from '../clickhouse/client.ts'
import type { Config } from '../config/config.ts'
import { sliceOfContent } from '../integrations/integration-record.ts'
import type { IntegrationStore } from '../integrations/integration-store.ts'
import type { Metadata } from '../metadata/database.ts'
import type { Outbox } from '../webhooks/deliveries/outbox.ts'
import { alertHandlers } from './alerts/alert-handlers.ts'
import { createAlertWriter } from './alerts/alert-store.ts'
import { previewHandlers } from './evaluation/alert-rule-preview.ts'
import type { AlertRuleReaders } from './readings/alert-rule-reader.ts'
import { metricAlertRules } from './readings/metric-alert-rules.ts'
import { traceAlertRules } from './readings/trace-alert-rules.ts'
import { alertRuleHandlers } from './rules/alert-rule-handlers.ts'
import { createAlertRuleStore } from './rules/alert-rule-store.ts'
import { alertRuleTransfer } from './rules/alert-rule-transfer.ts'

export interface AlertParts {
  readonly clickhouse: ClickHouse
  readonly metadata: Metadata
  readonly outbox: Outbox
  readonly integrations: Pick<IntegrationStore, 'find'>
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
  readonly config: Pick<Config, 'alertPeriodSeconds'>
}

/** Alert rules and what came of them: what answers for them, and what exports carry of them. */
export function createAlertRules({ clickhouse, metadata, outbox, integrations, now, newId, config }: AlertParts) {
  const writer = createAlertWriter({ outbox, now })
  const store = createAlertRuleStore({ metadata, now, newId, endAlert: writer.end })
  const readers: AlertRuleReaders = {
    trace: traceAlertRules({
      clickhouse,
      async findSlice(org, id) {
        const found = await integrations.find({ org }, id)
        return found && sliceOfContent(found)
      },
    }),
    metric: metricAlertRules(clickhouse),
  }
  const integrationName = async (org: string, id: string) => (await integrations.find({ org }, id))?.name
  return {
    transfers: [alertRuleTransfer({ readers, endAlert: writer.end, now, newId })],
    readers,
    alerts: writer,
    handlers: {
      ...alertRuleHandlers({ store, readers }),
      ...previewHandlers({ readers, now, periodS: config.alertPeriodSeconds, integrationName }),
      ...alertHandlers(metadata),
    },
  }
}
