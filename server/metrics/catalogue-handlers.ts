import {
  type CataloguePosition,
  hotAttributeKeys,
  keyOfPath,
  kindOfNumber,
  metricCatalogue,
  readAttributeList,
  temporalityOfNumber,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { readPage } from '../http/paging.ts'
import { readInScope } from '../telemetry/read-in-scope.ts'
import { readWindow } from '../telemetry/time-window.ts'
import type { MetricHandlerParts } from './metric-handlers.ts'

interface CatalogueRow extends CataloguePosition {
  readonly description: string
  readonly series_count: string
  readonly services: string[]
  readonly resource_lists: readonly string[]
  readonly paths: readonly string[]
  readonly rare_paths: readonly string[]
  readonly hot: readonly number[]
}

/** Restricted callers are kept out by the API document: grants are of spans. */
export function catalogueHandlers(parts: MetricHandlerParts): Handlers<'listMetrics'> {
  return { listMetrics: (request) => listMetrics(parts, request) }
}

async function listMetrics(
  { clickhouse, now }: MetricHandlerParts,
  { caller, query, signal }: HandlerRequest<'listMetrics'>,
) {
  const { prefix = '', limit, cursor, ...window } = query
  const scope = { org: caller.org, window: readWindow(window, now(), '#/query') }
  const page = await readPage({
    list: ['metrics', caller.org, prefix, window],
    page: { limit, cursor },
    read(most, after) {
      const asked = metricCatalogue({
        prefix,
        limit: most,
        ...(after === undefined ? {} : { after: JSON.parse(after) as CataloguePosition }),
      })
      return readInScope<CatalogueRow>({ clickhouse, scope, signal }, asked, 'metrics')
    },
    positionOf: (row) => JSON.stringify(positionOf(row)),
  })
  return { status: 200 as const, body: { ...page, items: page.items.map(toSummary) } }
}

function positionOf({ metric, kind, unit, temporality, monotonic }: CatalogueRow): CataloguePosition {
  return { metric, kind, unit, temporality, monotonic }
}

function toSummary(row: CatalogueRow): components['schemas']['MetricSummary'] {
  const hot = [...hotAttributeKeys].filter((_, index) => row.hot[index] === 1)
  const resourceKeys = row.resource_lists.flatMap((list) => readAttributeList(list).map(([key]) => key))
  return {
    name: row.metric,
    kind: kindOfNumber(row.kind),
    unit: row.unit,
    description: row.description,
    temporality: temporalityOfNumber(row.temporality),
    monotonic: row.monotonic === 1,
    series_count: Number(row.series_count),
    services: row.services,
    attribute_keys: distinct([...row.paths.map(keyOfPath), ...row.rare_paths.map(keyOfPath), ...hot]),
    resource_attribute_keys: distinct(resourceKeys),
  }
}

function distinct(keys: readonly string[]): string[] {
  return [...new Set(keys)].sort()
}
