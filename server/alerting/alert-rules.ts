import type { ClickHouse } from '../clickhouse/client.ts'
import type { Config } from '../config/config.ts'
import { sliceOfContent } from '../integrations/integration-record.ts'
import type { IntegrationStore } from '../integrations/integration-store.ts'
import type { Metadata } from '../metadata/database.ts'
import type { Outbox } from '../webhooks/deliveries/outbox.ts'
import { alertHandlers } from './alert-handlers.ts'
import { createAlertWriter } from './alert-store.ts'
import { metricRules } from './metric-rules.ts'
import { ruleHandlers } from './rule-handlers.ts'
import { previewHandlers } from './rule-preview.ts'
import type { RuleReaders } from './rule-reader.ts'
import { createRuleStore } from './rule-store.ts'
import { alertRuleTransfer } from './rule-transfer.ts'
import { traceRules } from './trace-rules.ts'

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
  const store = createRuleStore({ metadata, now, newId, endAlert: writer.end })
  const readers: RuleReaders = {
    trace: traceRules({
      clickhouse,
      async findSlice(org, id) {
        const found = await integrations.find({ org }, id)
        return found && sliceOfContent(found)
      },
    }),
    metric: metricRules(clickhouse),
  }
  const integrationName = async (org: string, id: string) => (await integrations.find({ org }, id))?.name
  return {
    transfers: [alertRuleTransfer({ readers, endAlert: writer.end, now, newId })],
    readers,
    alerts: writer,
    handlers: {
      ...ruleHandlers({ store, readers }),
      ...previewHandlers({ readers, now, periodS: config.alertPeriodSeconds, integrationName }),
      ...alertHandlers(metadata),
    },
  }
}
