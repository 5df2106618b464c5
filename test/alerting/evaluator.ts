import { randomUUID } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { onTestFinished } from 'vitest'
import { createAlertRules } from '../../server/alerting/alerting.ts'
import { openEvaluationPass } from '../../server/alerting/evaluation/evaluation-service.ts'
import type { AlertRuleBatch, AlertRuleReader } from '../../server/alerting/readings/alert-rule-reader.ts'
import { type AlertRuleInput, newAlertRuleContent } from '../../server/alerting/rules/alert-rule-content.ts'
import type { StoredAlertRule } from '../../server/alerting/rules/alert-rule-record.ts'
import { type AlertRuleStore, createAlertRuleStore } from '../../server/alerting/rules/alert-rule-store.ts'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { createIntegrationStore } from '../../server/integrations/integration-store.ts'
import { type Metadata, openMetadata } from '../../server/metadata/database.ts'
import { createLeases, type Lease, type Leases } from '../../server/metadata/lease.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { createPrometheus } from '../../server/observability/prometheus.ts'
import { createOutbox } from '../../server/webhooks/deliveries/outbox.ts'
import type { NewStore } from '../metadata/stores.ts'

/** Alert rules of one organization in a store of their own, and passes over them one by one, at moments that a test says. */
export interface Evaluator {
  readonly org: string
  readonly metadata: Metadata
  readonly leases: Leases
  readonly rules: AlertRuleStore
  /** The time of day until a test sets it. */
  now: () => Date
  /** Happens after the values of a batch have been read and before anything is written. */
  meanwhile: () => Promise<unknown>
  addRule(change?: Partial<AlertRuleInput>): Promise<StoredAlertRule>
  read(rule: StoredAlertRule): Promise<StoredAlertRule | undefined>
  /** Of all rules that were not evaluated since then; of all, when it is left out. */
  pass(options?: { readonly sinceMs?: number; readonly lease?: Lease; readonly clickhouse?: ClickHouse }): Promise<void>
}

export async function openEvaluator(newStore: NewStore, clickhouse: ClickHouse): Promise<Evaluator> {
  const metadata = await openMetadata(await newStore())
  onTestFinished(() => metadata.close())
  await metadata.migrate()
  const newId = monotonicFactory()
  const now = () => evaluator.now()
  const integrations = createIntegrationStore({ metadata, now, newId })
  const leases = createLeases({ metadata, holder: newId(), now })
  const outbox = createOutbox({ now, newId })
  const composeRules = (source: ClickHouse) =>
    createAlertRules({
      clickhouse: source,
      metadata,
      outbox,
      integrations,
      now,
      newId,
      config: { alertPeriodSeconds: 15 },
    })
  const { alerts } = composeRules(clickhouse)
  const rules = createAlertRuleStore({ metadata, now, newId, endAlert: alerts.end })
  let names = 0
  const evaluator: Evaluator = {
    ...{ org: `org-${randomUUID()}`, metadata, leases, rules },
    now: () => new Date(),
    meanwhile: async () => {},
    async addRule(change) {
      names += 1
      const content = { name: `Rule ${names}`, kind: 'trace', measure: 'error_count', comparator: 'gt', threshold: 0 }
      return rules.insert(evaluator.org, newAlertRuleContent({ ...content, ...change } as AlertRuleInput))
    },
    read: ({ org, id }) => rules.find(org, id),
    async pass({ sinceMs = now().getTime() + 1, lease, clickhouse: source = clickhouse } = {}) {
      const held = lease ?? (await leases.acquire('alert rules'))
      if (held === undefined) throw new Error('Somebody else holds the lease.')
      const { readers } = composeRules(source)
      const evaluate = openEvaluationPass(
        {
          ...{ config: { alertPeriodSeconds: 15 }, clickhouse: source, metadata, integrations, alerts, now, newId },
          readers: { ...readers, trace: interrupted(readers.trace, () => evaluator.meanwhile()) },
          logger: createLogger({ level: 'silent' }),
          prometheus: createPrometheus({ collectProcess: false }),
        },
        leases,
      )
      const running = new AbortController().signal
      await evaluate(held, sinceMs, { batches: running, queries: running })
    },
  }
  return evaluator
}

/** The same reader; other things happen between what it reads and what is done with it. */
function interrupted(reader: AlertRuleReader, meanwhile: () => Promise<unknown>): AlertRuleReader {
  const between = ({ rules, read }: AlertRuleBatch): AlertRuleBatch => ({
    rules,
    async read(...asked) {
      const values = await read(...asked)
      await meanwhile()
      return values
    },
  })
  return { ...reader, batchesOf: async (org, rules) => (await reader.batchesOf(org, rules)).map(between) }
}
