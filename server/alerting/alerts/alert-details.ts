import { newestResources, newestSeriesResources } from '#sql'
import type { FacetReader } from '../../facets/facet-reader.ts'
import { effectiveSlugs } from '../../facets/service-facets.ts'
import type { Deps } from '../../feature.ts'
import type { IntegrationStore } from '../../integrations/integration-store.ts'
import { attributesOfList } from '../../telemetry/attribute-record.ts'
import { groupedBy } from '../../telemetry/grouped-by.ts'
import { readInScope, type ScopedTelemetry } from '../../telemetry/scope.ts'
import { nsOfMs } from '../../telemetry/time-units.ts'
import type { AlertContext } from '../../webhooks/templates/template-variables.ts'
import { type OrgTelemetry, windowBefore } from '../readings/alert-rule-reader.ts'
import { readUnit } from '../readings/metric-alert-rules.ts'
import { readValues } from '../readings/trace-alert-rules.ts'
import type { AlertRuleContent, StoredAlertRule } from '../rules/alert-rule-record.ts'

/** Details about the subject of an alert. */
export type AlertDetails = Pick<AlertContext, 'check' | 'service' | 'integration'>

type ServiceDetails = NonNullable<AlertContext['service']>

/** Reads the details of alerts by rule id. All rules belong to one organization and were evaluated at the same time. */
export type ReadAlertDetails = (
  measured: readonly MeasuredAlertRule[],
  atMs: number,
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, AlertDetails>>

interface MeasuredAlertRule {
  readonly rule: StoredAlertRule
  readonly value: number
}

export interface AlertDetailsDeps extends Pick<Deps, 'clickhouse' | 'logger'> {
  readonly integrations: Pick<IntegrationStore, 'find'>
  readonly facets: Pick<FacetReader, 'facetsOf'>
}

/** Maximum size, in characters, of the service metadata in a notification. Attributes beyond the limit are left out. */
const metadataCharactersMax = 16_384

export function createAlertDetails(deps: AlertDetailsDeps): ReadAlertDetails {
  return async (measured, atMs, signal) => {
    const services = new Map<string, ServiceDetails>()
    for (const [windowS, group] of groupedBy(measured, ({ rule }) => rule.content.window_s)) {
      const rules = group.map(({ rule }) => rule)
      for (const [id, details] of await readServices(deps, rules, { atNs: nsOfMs(atMs), windowS }, signal))
        services.set(id, details)
    }
    const details = new Map<string, AlertDetails>()
    for (const { rule, value } of measured) {
      const check = await readCheck(deps, { rule, value }, atMs, signal)
      const service = services.get(rule.id)
      const integration = await readIntegration(deps, rule)
      details.set(rule.id, {
        ...(check && { check }),
        ...(service && { service }),
        ...(integration && { integration }),
      })
    }
    return details
  }
}

async function readIntegration(
  { integrations }: AlertDetailsDeps,
  { org, content: { integration_id: id } }: StoredAlertRule,
): Promise<AlertDetails['integration']> {
  const found = id === undefined ? undefined : await integrations.find({ org }, id)
  return found && { id: found.id, name: found.name, rule_match: found.rule_match }
}

async function readCheck(
  { clickhouse, logger }: AlertDetailsDeps,
  { rule: { org, content }, value }: MeasuredAlertRule,
  atMs: number,
  signal: AbortSignal,
): Promise<AlertDetails['check']> {
  const { kind, metric, threshold } = content
  if (kind !== 'metric' || metric === undefined) return undefined
  try {
    return {
      metric,
      value,
      threshold,
      unit: await readUnit({ clickhouse, org, signal, isBackground: true }, content, atMs),
    }
  } catch (err) {
    if (signal.aborted) throw err
    // Incomplete details do not prevent the notification.
    logger.warn({ err, org }, 'Could not read the unit of a metric for a notification')
    return { metric, value, threshold, unit: '' }
  }
}

interface EvaluatedWindow {
  readonly atNs: bigint
  readonly windowS: number
}

/** Reads the service details of all rules, by rule id, in three queries, and in a fourth for metric rules. */
async function readServices(
  { clickhouse, facets, logger }: AlertDetailsDeps,
  rules: readonly StoredAlertRule[],
  window: EvaluatedWindow,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ServiceDetails>> {
  const org = rules[0]?.org
  const services = [...new Set(rules.flatMap(({ content }) => content.service ?? []))]
  const metrics = [...new Set(rules.flatMap(({ content }) => content.metric ?? []))]
  if (org === undefined || services.length === 0) return new Map()
  const byName = new Map<string, Omit<ServiceDetails, 'metadata'>>(
    services.map((name) => [name, { name, span_count: null, error_count: null, facets: [] }]),
  )
  let metadataOf: MetadataOf = () => ({})
  try {
    const scope = { org, window: windowBefore(window.atNs, window.windowS) }
    const telemetry = { clickhouse, scope, signal, isBackground: true }
    const counts = await readCounts({ clickhouse, org, signal, isBackground: true }, services, window)
    const facetsByName = await facets.facetsOf(telemetry, services)
    metadataOf = await readMetadata(telemetry, services, metrics)
    for (const [index, name] of services.entries()) {
      byName.set(name, {
        name,
        span_count: counts[2 * index] ?? null,
        error_count: counts[2 * index + 1] ?? null,
        facets: effectiveSlugs(facetsByName.get(name)),
      })
    }
  } catch (err) {
    if (signal.aborted) throw err
    // Incomplete details do not prevent the notification.
    logger.warn({ err, org }, 'Could not read the services of alerts for their notifications')
  }
  return new Map(
    rules.flatMap(({ id, content }) => {
      const details = byName.get(content.service ?? '')
      return details === undefined ? [] : [[id, { ...details, metadata: metadataOf(content) }]]
    }),
  )
}

/** Returns two counts for each service: its spans and its failed spans. */
function readCounts(telemetry: OrgTelemetry, services: readonly string[], window: EvaluatedWindow) {
  const measures = ['span_count', 'error_count'] as const
  const measured = services.flatMap((service) => measures.map((measure) => ({ measure, service, conditions: [] })))
  return readValues(telemetry, measured, window)
}

interface ResourceRow {
  readonly service: string
  readonly newest: string
}

interface SeriesResourceRow extends ResourceRow {
  readonly metric: string
}

/** Returns the metadata of the service of a rule. */
type MetadataOf = (rule: Pick<AlertRuleContent, 'service' | 'metric'>) => ServiceDetails['metadata']

/** Reads the resources of the services' spans, and those of the metrics of rules for services without spans. */
async function readMetadata(
  telemetry: ScopedTelemetry,
  services: readonly string[],
  metrics: readonly string[],
): Promise<MetadataOf> {
  const ofSpans = await readInScope<ResourceRow>(telemetry, newestResources(services), 'resources of services')
  const ofSeries =
    metrics.length === 0
      ? []
      : await readInScope<SeriesResourceRow>(telemetry, newestSeriesResources(services, metrics), 'resources of series')
  return ({ service, metric }) => {
    const found =
      ofSpans.find((row) => row.service === service) ??
      ofSeries.find((row) => row.service === service && row.metric === metric)
    return found === undefined ? {} : metadataWithin(found.newest)
  }
}

function metadataWithin(resource: string): ServiceDetails['metadata'] {
  let left = metadataCharactersMax
  const kept = attributesOfList(resource).filter(({ key, value }) => {
    const length = key.length + JSON.stringify(value).length
    if (length > left) return false
    left -= length
    return true
  })
  return Object.fromEntries(kept.map(({ key, value }) => [key, value])) as ServiceDetails['metadata']
}
