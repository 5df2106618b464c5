import { randomUUID } from 'node:crypto'
import { monotonicFactory } from 'ulid'
import { createAlerting } from '../../server/alerting/alerting.ts'
import { evaluationLease } from '../../server/alerting/evaluation/evaluation-schedule.ts'
import { type AlertRuleInput, newAlertRuleContent } from '../../server/alerting/rules/alert-rule-content.ts'
import type { StoredAlertRule } from '../../server/alerting/rules/alert-rule-record.ts'
import type { AlertRuleStore } from '../../server/alerting/rules/alert-rule-store.ts'
import type { ClickHouse, ReadOptions, ReadQuery, ReadResult } from '../../server/clickhouse/client.ts'
import { createFacetReader } from '../../server/facets/facet-reader.ts'
import { createIntegrationStore } from '../../server/integrations/integration-store.ts'
import { countingOf } from '../../server/messages/search/matching-spans.ts'
import type { Metadata } from '../../server/metadata/database.ts'
import type { Lease, Leases } from '../../server/metadata/lease.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { createPrometheus } from '../../server/observability/prometheus.ts'
import { createChunkLengths } from '../../server/telemetry/chunk-lengths.ts'
import { createValueIndex } from '../../server/telemetry/value-index/value-index.ts'
import { createOutbox } from '../../server/webhooks/deliveries/outbox.ts'
import { authorIn } from '../support/author.ts'
import { type NewStore, openMigrated } from '../support/stores.ts'

/** Alert rules of one organization in a separate store, evaluated in single passes at times that the test sets. */
export interface Evaluator {
  readonly org: string
  readonly metadata: Metadata
  readonly leases: Leases
  readonly rules: AlertRuleStore
  /** The current time, unless the test replaces it. */
  now: () => Date
  /** Returns the messages of all log lines so far. */
  messages(): string[]
  /** Runs after each read from ClickHouse, and therefore before an evaluation is written. */
  meanwhile: () => Promise<unknown>
  addRule(change?: Partial<AlertRuleInput>): Promise<StoredAlertRule>
  read(rule: StoredAlertRule): Promise<StoredAlertRule | undefined>
  /** Evaluates the rules that were not evaluated since `sinceMs`, by default all of them. */
  pass(options?: PassOptions): Promise<void>
}

interface PassOptions {
  readonly sinceMs?: number
  readonly lease?: Lease
  readonly clickhouse?: ClickHouse
  /** Cancels running queries. */
  readonly signal?: AbortSignal
}

export async function openEvaluator(newStore: NewStore, clickhouse: ClickHouse, periodS = 15): Promise<Evaluator> {
  const metadata = await openMigrated(await newStore())
  const newId = monotonicFactory()
  const lines: string[] = []
  const now = () => evaluator.now()
  let source = clickhouse
  const interrupted: ClickHouse = {
    ...clickhouse,
    async read<Row>(query: ReadQuery, options: ReadOptions): Promise<ReadResult<Row>> {
      const result = await source.read<Row>(query, options)
      await evaluator.meanwhile()
      return result
    },
  }
  const deps = {
    config: { alertPeriodSeconds: periodS, console: true },
    clickhouse: interrupted,
    metadata,
    logger: createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
    prometheus: createPrometheus({ collectProcess: false }),
    now,
    newId,
  }
  const { rules, leases, pass } = createAlerting(deps, {
    integrations: createIntegrationStore(deps),
    facets: createFacetReader(deps),
    outbox: createOutbox(deps),
    countMessages: countingOf({
      chunkLengths: createChunkLengths(),
      values: createValueIndex({ now, retentionDays: undefined, mode: 'auto' }),
    }),
  })
  let names = 0
  const evaluator: Evaluator = {
    org: `org-${randomUUID()}`,
    metadata,
    leases,
    rules,
    messages: () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg),
    now: () => new Date(),
    meanwhile: async () => {},
    async addRule(change) {
      names += 1
      const content = { name: `Rule ${names}`, kind: 'trace', measure: 'error_count', comparator: 'gt', threshold: 0 }
      return rules.insert(authorIn(evaluator.org), newAlertRuleContent({ ...content, ...change } as AlertRuleInput))
    },
    read: ({ org, id }) => rules.find({ org }, id),
    async pass({ sinceMs = now().getTime() + 1, lease, clickhouse: other = clickhouse, signal } = {}) {
      const held = lease ?? (await leases.acquire(evaluationLease))
      if (held === undefined) throw new Error('Another holder has the lease.')
      source = other
      const running = new AbortController().signal
      const { ended } = await pass(held, sinceMs, { batches: running, queries: signal ?? running })
      await ended
    },
  }
  return evaluator
}
