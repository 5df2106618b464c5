import {
  type CataloguePosition,
  hotAttributeKeys,
  keyOfPath,
  metricCatalogue,
  metricKinds,
  readAttributeList,
  renderInScope,
  temporalities,
} from '#sql'
import type { components } from '../../openapi/types.ts'
import type { ClickHouse } from '../clickhouse/client.ts'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { decodePageCursor, encodePageCursor } from '../metadata/page-cursor.ts'
import { readWindow } from '../time-window.ts'

export interface CatalogueParts {
  readonly clickhouse: ClickHouse
  readonly now: () => Date
}

interface CatalogueRow extends CataloguePosition {
  readonly description: string
  readonly series_count: string
  readonly services: string[]
  readonly resource_lists: readonly string[]
  readonly paths: readonly string[]
  readonly rare_paths: readonly string[]
  readonly hot: readonly number[]
}

const pageSizeDefault = 50

/** Restricted callers are kept out by the API document: grants are of spans. */
export function catalogueHandlers(parts: CatalogueParts): Handlers<'listMetrics'> {
  return { listMetrics: (request) => listMetrics(parts, request) }
}

async function listMetrics(
  { clickhouse, now }: CatalogueParts,
  { caller, query, signal }: HandlerRequest<'listMetrics'>,
) {
  const { prefix = '', limit = pageSizeDefault, cursor, ...window } = query
  const name = JSON.stringify(['metrics', caller.org, prefix, window])
  const after = cursor === undefined ? {} : { after: JSON.parse(decodePageCursor(name, cursor)) as CataloguePosition }
  const scope = { org: caller.org, window: readWindow(window, now(), '#/query') }
  const asked = renderInScope(metricCatalogue({ prefix, limit: limit + 1, ...after }), scope)
  const { rows } = await clickhouse.read<CatalogueRow>(asked, { label: 'metrics', signal })
  const page = rows.slice(0, limit)
  const last = rows.length > limit ? page.at(-1) : undefined
  return {
    status: 200 as const,
    body: {
      items: page.map(toSummary),
      next_cursor: last === undefined ? null : encodePageCursor(name, JSON.stringify(positionOf(last))),
    },
  }
}

function positionOf({ metric, kind, unit, temporality, monotonic }: CatalogueRow): CataloguePosition {
  return { metric, kind, unit, temporality, monotonic }
}

function toSummary(row: CatalogueRow): components['schemas']['MetricSummary'] {
  const hot = [...hotAttributeKeys].filter((_, index) => row.hot[index] === 1)
  const resourceKeys = row.resource_lists.flatMap((list) => readAttributeList(list).map(([key]) => key))
  return {
    name: row.metric,
    kind: metricKinds[row.kind - 1] ?? 'gauge',
    unit: row.unit,
    description: row.description,
    temporality: temporalities[row.temporality] ?? 'unspecified',
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
