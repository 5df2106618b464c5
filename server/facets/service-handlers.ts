import type { components } from '../../openapi/types.ts'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { readPage } from '../http/paging.ts'
import { msOfNs } from '../telemetry/time-units.ts'
import type { AskedOfFacets } from './facet-question.ts'
import type { DetectedService, FacetReader } from './facet-reader.ts'
import { isEffective, statesOf } from './service-facet.ts'

export interface ServiceHandlerParts {
  readonly reader: FacetReader
  readonly asked: AskedOfFacets
}

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function serviceHandlers(parts: ServiceHandlerParts): Handlers<'listServices'> {
  return { listServices: (request) => listServices(parts, request) }
}

/** The cursor names the last service, so a page needs neither the same moment nor the same data as the one before. */
async function listServices({ reader, asked }: ServiceHandlerParts, request: HandlerRequest<'listServices'>) {
  const { limit, cursor, ...window } = request.query
  const page = await readPage({
    list: ['services', request.caller.org, window],
    page: { limit, cursor },
    read: async (most, after) =>
      reader.detectServices(await asked(request), { limit: most, ...(after === undefined ? {} : { after }) }),
    positionOf: ({ name }) => name,
  })
  return { status: 200 as const, body: { ...page, items: page.items.map(toRecord) } }
}

function toRecord({ name, spanCount, errorCount, p95Ns, facets }: DetectedService): components['schemas']['Service'] {
  return {
    ...{ name, span_count: spanCount, error_count: errorCount, p95_ms: msOfNs(p95Ns) },
    facets: facets.filter(isEffective).map((facet) => ({ slug: facet.slug, state: statesOf(facet) })),
  }
}
