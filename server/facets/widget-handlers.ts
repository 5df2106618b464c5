import { type ClassificationRule, type WidgetRow, type WidgetTime, widgetData, widgetSettings } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { notFound, raise } from '../problem/problem.ts'
import { bucketsOf, seriesBuckets } from '../telemetry/buckets.ts'
import { readInScope, type ScopedTelemetry, telemetryOf } from '../telemetry/scope.ts'
import { mappingRecords, serviceRulesOf } from './facet-mapping.ts'
import type { FacetReader } from './facet-reader.ts'
import { isEffective, type ServiceFacet, statesOf } from './service-facets.ts'
import { findServiceRecord } from './service-records.ts'
import { requireService } from './services.ts'
import { builtInWidgets, type WidgetDefinition, widgetNamed } from './widgets/definitions.ts'
import { rowFilters } from './widgets/row-filters.ts'
import { groupsMaxOf, toTable, toTimeSeries } from './widgets/widget-data.ts'

type WidgetOperations = 'getServiceDashboard' | 'getWidgetData'

/** Creates the handlers of the dashboard of a service and of the data of its widgets. */
export function widgetHandlers(deps: Deps, reader: FacetReader): Handlers<WidgetOperations> {
  return {
    async getServiceDashboard(request) {
      const service = request.path.name
      await requireService(deps, request.caller, service)
      const facets = (await reader.facetsOf(await telemetryOf(deps, request), [service])).get(service) ?? []
      return { status: 200, body: { service, facets: facets.filter(isEffective).map(toSection) } }
    },
    getWidgetData: (request) => readWidget(deps, request),
  }
}

function toSection(facet: ServiceFacet): components['schemas']['DashboardSection'] {
  return { slug: facet.slug, state: statesOf(facet), widgets: [...(builtInWidgets.get(facet.slug) ?? [])] }
}

/**
 * Reads the data of a widget in one query. Like detection, it applies the current classification rules of the service.
 */
async function readWidget(deps: Deps, request: HandlerRequest<'getWidgetData'>) {
  const { name: service, widget_id: id } = request.path
  await requireService(deps, request.caller, service)
  const definition = widgetNamed(id) ?? raise(notFound('widget', id))
  const telemetry = await telemetryOf(deps, request)
  const { content } = await findServiceRecord(mappingRecords, deps.metadata.db, request.caller.org, service)
  const widget = { service, rules: serviceRulesOf(service, content).rules, definition }
  const { window } = telemetry.scope
  if (definition.kind !== 'timeseries') {
    const rows = await readRows(telemetry, widget, { window })
    const row_filters = rowFilters(definition, service, rows)
    return { status: 200 as const, body: { ...toTable(definition, rows), row_filters } }
  }
  const { stepS, stepNs } = bucketsOf(window, request.query.step_s, seriesBuckets, '#/query/step_s')
  const rows = await readRows(telemetry, widget, { window, bucketNs: stepNs })
  return { status: 200 as const, body: toTimeSeries(definition, rows, stepS) }
}

interface ServiceWidget {
  readonly service: string
  readonly rules: readonly ClassificationRule[]
  readonly definition: WidgetDefinition
}

function readRows(
  telemetry: ScopedTelemetry,
  { service, rules, definition }: ServiceWidget,
  time: WidgetTime,
): Promise<WidgetRow[]> {
  const { spans, groupings } = definition
  const measures = definition.measures.map(({ measure }) => measure)
  const withReads = definition.kind === 'table'
  const query = { service, spans, rules, measures, groupings, withReads, groupsMax: groupsMaxOf(definition) }
  return readInScope<WidgetRow>(telemetry, widgetData(query, time), 'widget', { settings: widgetSettings })
}
