import { newestResources } from '#sql'
import type { ClickHouse } from '../../clickhouse/client.ts'
import type { FacetReader } from '../../facets/facet-reader.ts'
import { isEffective } from '../../facets/service-facet.ts'
import type { Logger } from '../../observability/logging.ts'
import { attributesOfList } from '../../telemetry/attribute-record.ts'
import { readInScope, type ScopedTelemetry } from '../../telemetry/scope.ts'
import type { AlertContext } from '../../webhooks/templates/template-variables.ts'
import { windowBefore } from '../readings/moments.ts'
import { readValues } from '../readings/trace-values.ts'
import type { StoredAlertRule } from '../rules/alert-rule-record.ts'

type ServiceFact = NonNullable<AlertContext['service']>

/** Facts of the services of rules of one organization, by the names of the services. */
export type ReadServiceDetails = (
  rules: readonly StoredAlertRule[],
  window: { readonly atMs: number; readonly windowS: number },
  signal: AbortSignal,
) => Promise<ReadonlyMap<string, ServiceFact>>

export interface ServiceFactsParts {
  readonly clickhouse: ClickHouse
  readonly facets: Pick<FacetReader, 'facetsOf'>
  readonly logger: Logger
}

/** Of what the telemetry says about a service; what does not fit is left out, because each notification carries it. */
const metadataCharactersMax = 16_384

/** Three queries for all of the services. */
export function createServiceDetails(parts: ServiceFactsParts): ReadServiceDetails {
  return async (rules, { atMs, windowS }, signal) => {
    const [first] = rules
    const services = [...new Set(rules.flatMap(({ service }) => service ?? []))]
    if (first === undefined || services.length === 0) return new Map()
    const scope = { org: first.org, window: windowBefore(atMs, windowS) }
    try {
      const counts = await countsOf(parts, { org: first.org, services, atMs, windowS }, signal)
      const facets = await parts.facets.facetsOf({ scope, signal }, services)
      const metadata = await metadataOf({ clickhouse: parts.clickhouse, scope, signal }, services)
      return new Map(
        services.map((name) => {
          const effective = (facets.get(name) ?? []).filter(isEffective).map(({ slug }) => slug)
          const counted = counts.get(name) ?? notCounted
          return [name, { name, ...counted, facets: effective, metadata: metadata.get(name) ?? {} }]
        }),
      )
    } catch (err) {
      if (signal.aborted) throw err
      // That there is an alert is known, and is told, whatever else cannot be said.
      parts.logger.warn({ err, org: first.org }, 'What alerts say about their services could not be read')
      return new Map(services.map((name) => [name, { name, ...notCounted, facets: [], metadata: {} }]))
    }
  }
}

const notCounted = { span_count: null, error_count: null }

interface Counted {
  readonly org: string
  readonly services: readonly string[]
  readonly atMs: number
  readonly windowS: number
}

async function countsOf({ clickhouse }: ServiceFactsParts, { org, services, ...window }: Counted, signal: AbortSignal) {
  const measured = services.flatMap((service) => [
    { measure: 'span_count' as const, service, conditions: [] },
    { measure: 'error_count' as const, service, conditions: [] },
  ])
  const values = await readValues({ clickhouse, org, signal }, measured, window)
  return new Map(
    services.map((service, index) => [
      service,
      { span_count: values[2 * index] ?? null, error_count: values[2 * index + 1] ?? null },
    ]),
  )
}

interface ResourceRow {
  readonly service: string
  readonly newest: string
}

async function metadataOf(
  telemetry: ScopedTelemetry,
  services: readonly string[],
): Promise<ReadonlyMap<string, ServiceFact['metadata']>> {
  const rows = await readInScope<ResourceRow>(telemetry, newestResources(services), 'resources of services')
  return new Map(rows.map(({ service, newest }) => [service, metadataWithin(newest)]))
}

function metadataWithin(resource: string): ServiceFact['metadata'] {
  let left = metadataCharactersMax
  const kept = attributesOfList(resource).filter(({ key, value }) => {
    const length = key.length + JSON.stringify(value).length
    if (length > left) return false
    left -= length
    return true
  })
  return Object.fromEntries(kept.map(({ key, value }) => [key, value])) as ServiceFact['metadata']
}
