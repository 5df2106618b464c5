/** Measures one evaluation of as many alert rules as an organization may have, in relation to the evaluation period. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monotonicFactory } from 'ulid'
import { traceMeasures } from '#sql'
import { createAlerting } from '../server/alerting/alerting.ts'
import { evaluationLease } from '../server/alerting/evaluation/evaluation-schedule.ts'
import type { AlertRuleContent } from '../server/alerting/rules/alert-rule-record.ts'
import { alertRulesPerOrgMax } from '../server/alerting/rules/alert-rule-store.ts'
import { createFacetReader } from '../server/facets/facet-reader.ts'
import type { IntegrationContent, StoredMatcher } from '../server/integrations/integration-record.ts'
import { createIntegrationStore } from '../server/integrations/integration-store.ts'
import { countingOf } from '../server/messages/search/matching-spans.ts'
import { type Metadata, openMetadata } from '../server/metadata/database.ts'
import { createLogger } from '../server/observability/logging.ts'
import { createPrometheus } from '../server/observability/prometheus.ts'
import { createChunkLengths } from '../server/telemetry/chunk-lengths.ts'
import { createValueIndex } from '../server/telemetry/value-index/value-index.ts'
import { createOutbox } from '../server/webhooks/deliveries/outbox.ts'
import { authorIn } from '../test/support/author.ts'
import { loadWorstCase, windowToNs } from './dataset.ts'
import { measureOneClient, msOf, type OneClientFigure, oneClientTable } from './http-figure.ts'
import type { Bench, Section } from './section.ts'

const org = 'alerts'
const periodS = 15
/** The second window contains every span. */
const windowsS = [300, 3_600] as const
const integrations = 10
const endMs = Number(windowToNs / 1_000_000n)

/** No value crosses the threshold of `quiet`; every value crosses that of `firing`. */
const thresholds = { quiet: 1e12, firing: -1 }

export const alerts: Section = {
  name: 'alerts',
  async run(bench) {
    await loadWorstCase(bench, org)
    const figures: OneClientFigure[] = []
    const firingMs: number[] = []
    for (const windowS of windowsS) {
      figures.push(
        await withRules(bench, { windowS, threshold: thresholds.quiet }, (evaluate) =>
          measureOneClient(bench, `windows of ${windowS} s`, evaluate),
        ),
      )
      firingMs.push(await withRules(bench, { windowS, threshold: thresholds.firing }, msOf))
    }
    const slow = figures.filter(({ one }) => one.median > periodS * 1_000).map(({ name }) => name)
    const firing = firingMs.map((ms) => ms.toFixed(0)).join(' and ')
    return [
      `## Alerts: ${alertRulesPerOrgMax} rules over ${bench.spans} spans`,
      [
        'One evaluation of all rules, with their states written to a metadata file. Each measure in turn.',
        'A third of the rules each select one service, one service with a condition, and two conditions.',
        `One rule in ten selects one of ${integrations} integrations; half of them match whole traces.`,
        `Windows that take longer than the period of ${periodS} s: ${slow.length === 0 ? 'none' : slow.join(', ')}.`,
      ].join(' '),
      oneClientTable('rules', figures),
      `One evaluation in which all rules fire, with the details of their notifications: ${firing} ms.`,
    ].join('\n\n')
  },
}

interface Rules {
  readonly windowS: number
  readonly threshold: number
}

async function withRules<T>(
  bench: Bench,
  rules: Rules,
  work: (evaluate: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tracefold-bench-'))
  const metadata = await openMetadata({ dataDir })
  await metadata.migrate()
  try {
    return await work(await openEvaluation(bench, metadata, rules))
  } finally {
    await metadata.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function openEvaluation({ server: { clickhouse } }: Bench, metadata: Metadata, watched: Rules) {
  const newId = monotonicFactory()
  const now = () => new Date(endMs)
  const deps = {
    config: { alertPeriodSeconds: periodS, console: true },
    clickhouse,
    metadata,
    logger: createLogger({ level: 'warn', destination: process.stderr }),
    prometheus: createPrometheus({ collectProcess: false }),
    now,
    newId,
  }
  const store = createIntegrationStore(deps)
  const { rules, leases, pass } = createAlerting(deps, {
    integrations: store,
    facets: createFacetReader(deps),
    outbox: createOutbox(deps),
    countMessages: countingOf({
      chunkLengths: createChunkLengths(),
      values: createValueIndex({ now, retentionDays: undefined, mode: 'auto' }),
    }),
  })
  const ids: string[] = []
  for (let number = 0; number < integrations; number += 1) {
    const { id } = await store.insert(authorIn(org), integrationContent(number))
    ids.push(id)
  }
  for (let number = 0; number < alertRulesPerOrgMax; number += 1)
    await rules.insert(authorIn(org), ruleContent(number, watched, ids))
  const running = new AbortController().signal
  return async () => {
    const lease = await leases.acquire(evaluationLease)
    if (lease === undefined) throw new Error('The lease is held by another server.')
    // Later than all earlier evaluations, so that every rule is due.
    const { ended } = await pass(lease, endMs + 1, { batches: running, queries: running })
    await ended
    await requireEvaluated(metadata)
  }
}

async function requireEvaluated({ db }: Metadata): Promise<void> {
  const failed = await db.selectFrom('alert_rules').select('last_error').where('last_error', 'is not', null).execute()
  if (failed.length > 0) throw new Error(`${failed.length} rules were not evaluated: ${failed[0]?.last_error}`)
}

const services = ['gateway', 'checkout', 'ledger', ...Array.from({ length: 22 }, (_, index) => `service-${index}`)]

function ruleContent(
  number: number,
  { windowS, threshold }: Rules,
  integrationIds: readonly string[],
): AlertRuleContent {
  const tenant = { attribute_key: 'tenant', operator: 'eq' as const, value: `t-${number % 100}` }
  const status = { attribute_key: 'http.status_code', operator: 'gte' as const, value: 400 + (number % 100) }
  const service = services[number % services.length] ?? ''
  const watched = [{ service, conditions: [] }, { service, conditions: [tenant] }, { conditions: [tenant, status] }]
  const integrationId = integrationIds[(number / 10) % integrations]
  const everything = { link: true, summary: true, service: true, integration: true, check: true }
  return {
    name: `Rule ${number}`,
    kind: 'trace',
    measure: traceMeasures[number % traceMeasures.length] ?? 'span_count',
    ...(integrationId === undefined
      ? (watched[number % watched.length] ?? { conditions: [] })
      : { integration_id: integrationId, conditions: [status] }),
    comparator: 'gt',
    threshold,
    window_s: windowS,
    for_s: 0,
    severity: 'warning',
    channel_ids: [],
    include: everything,
    enabled: true,
  }
}

function integrationContent(number: number): IntegrationContent {
  const isWalked = number % 2 === 0
  const matchers = ['checkout', 'ledger'].map(
    (service, index): StoredMatcher => ({
      id: `${number}-${index}`,
      match_group: service,
      service,
      service_match: 'exact',
      attribute_source: 'any',
      attribute_key: 'tenant',
      operator: 'not_equals',
      value: `t-${number}`,
      include_descendants: isWalked,
    }),
  )
  return { name: `Integration ${number}`, description: '', rule_match: isWalked ? 'all' : 'any', matchers }
}
