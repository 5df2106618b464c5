import type { components } from '../../openapi/types.ts'
import type { ClickHouse } from '../clickhouse/client.ts'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import type { Metadata } from '../metadata/database.ts'
import { notFound, raise } from '../problem/problem.ts'
import { mappingRecords } from './facet-mapping.ts'
import type { AskedOfFacets } from './facet-question.ts'
import type { FacetReader } from './facet-reader.ts'
import { rulesOf } from './facet-settings.ts'
import { requireService, type ServiceAccess } from './service-access.ts'
import { isEffective, type ServiceFacet, statesOf } from './service-facet.ts'
import { findServiceRecord } from './service-records.ts'
import { readWidget } from './widget-reader.ts'
import { builtInWidgets, widgetNamed } from './widgets/built-in-widgets.ts'

export interface WidgetHandlerParts {
  readonly clickhouse: ClickHouse
  readonly metadata: Metadata
  readonly reader: FacetReader
  readonly asked: AskedOfFacets
  readonly access: ServiceAccess
}

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function widgetHandlers(parts: WidgetHandlerParts): Handlers<'getServiceDashboard' | 'getWidgetData'> {
  const { reader, asked, access } = parts
  return {
    async getServiceDashboard(request) {
      const service = request.path.name
      await requireService(access, request.caller, service)
      const facets = (await reader.facetsOf(await asked(request), [service])).get(service) ?? []
      return { status: 200, body: { service, facets: facets.filter(isEffective).map(toSection) } }
    },
    getWidgetData: async (request) => ({ status: 200, body: await readData(parts, request) }),
  }
}

function toSection(facet: ServiceFacet): components['schemas']['DashboardSection'] {
  return { slug: facet.slug, state: statesOf(facet), widgets: [...(builtInWidgets[facet.slug] ?? [])] }
}

/** The rules of the service count as they are now, as they do for its facets. */
async function readData(
  { clickhouse, metadata, asked, access }: WidgetHandlerParts,
  request: HandlerRequest<'getWidgetData'>,
): Promise<components['schemas']['WidgetData']> {
  const { name: service, widget_id: id } = request.path
  const { caller, signal } = request
  await requireService(access, caller, service)
  const definition = widgetNamed(id) ?? raise(notFound('widget', id))
  const { scope } = await asked(request)
  const { content } = await findServiceRecord(mappingRecords, metadata.db, caller.org, service)
  const { rules } = rulesOf(service, content)
  return readWidget(clickhouse, { service, rules, definition, scope, stepSeconds: request.query.step_s, signal })
}
