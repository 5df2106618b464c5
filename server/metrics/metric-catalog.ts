import {
  behindMetric,
  type CatalogPage,
  type CatalogPosition,
  hotAttributeKeys,
  keyOfPath,
  kindOfNumber,
  lastCatalogMetric,
  metricCatalog,
  positionOfText,
  readAttributeList,
  type TextPosition,
  temporalityOfNumber,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest } from '../http/contract/handlers.ts'
import { numberPart, restPart, textPart } from '../http/cursor.ts'
import { readPage } from '../http/paging.ts'
import { readInScope, type ScopedTelemetry, telemetryOf } from '../telemetry/scope.ts'

interface CatalogRow extends Omit<CatalogPosition, 'unit'> {
  readonly unit: string
  readonly description: string
  readonly series_count: string
  readonly services: string[]
  readonly resource_lists: readonly string[]
  readonly paths: readonly string[]
  readonly rare_paths: readonly string[]
  readonly hot: readonly number[]
}

/** Lists the metrics of a window: one entry for each name, kind, unit, temporality and monotonicity. */
export async function listMetrics(
  deps: Pick<Deps, 'clickhouse' | 'granted' | 'now'>,
  request: HandlerRequest<'listMetrics'>,
) {
  const { prefix = '', limit, cursor, ...window } = request.query
  const telemetry = await telemetryOf(deps, request)
  const page = await readPage({
    list: ['metrics', request.caller.org, prefix, window],
    page: { limit, cursor },
    read: (most, position) =>
      readEntries(telemetry, { prefix, limit: most }, position === undefined ? undefined : toPosition(position)),
    positionOf({ metric, kind, unit, temporality, monotonic }) {
      return [metric, kind, ...positionOfText(unit), temporality, monotonic]
    },
    parts: [textPart, smallNumber, textPart, restPart, smallNumber, smallNumber],
  })
  return { status: 200 as const, body: { ...page, items: page.items.map(toSummary) } }
}

/** Reads the first entries of the catalog after a position. */
async function readEntries(
  telemetry: ScopedTelemetry,
  { prefix, limit }: CatalogPage,
  position: CatalogPosition | undefined,
): Promise<CatalogRow[]> {
  const entries: CatalogRow[] = []
  let after = position
  for (;;) {
    const page = { prefix, limit: limit - entries.length, ...(after === undefined ? {} : { after }) }
    // Names are read without attributes, and then the attributes of the series of the page.
    const [last] = await readInScope<{ metric: string }>(telemetry, lastCatalogMetric(page), 'metrics')
    const upTo = last === undefined ? {} : { lastMetric: last.metric }
    entries.push(...(await readInScope<CatalogRow>(telemetry, metricCatalog({ ...page, ...upTo }), 'metrics')))
    if (last === undefined || entries.length >= limit) return entries
    after = behindMetric(last.metric)
  }
}

const smallNumber = numberPart(256n)

type PositionTuple = readonly [
  metric: string,
  kind: bigint,
  ...unit: TextPosition,
  temporality: bigint,
  monotonic: bigint,
]

function toPosition([metric, kind, unit, rest, temporality, monotonic]: PositionTuple): CatalogPosition {
  return {
    metric,
    kind: Number(kind),
    unit: [unit, rest],
    temporality: Number(temporality),
    monotonic: Number(monotonic),
  }
}

function toSummary(row: CatalogRow): components['schemas']['MetricSummary'] {
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
