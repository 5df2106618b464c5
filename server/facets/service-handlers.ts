import type { components } from '../../openapi/types.ts'
import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { decodePageCursor, encodePageCursor } from '../metadata/page-cursor.ts'
import type { AskedOfFacets } from './facet-question.ts'
import type { DetectedService, FacetReader } from './facet-reader.ts'
import { isEffective, statesOf } from './service-facet.ts'

export interface ServiceHandlerParts {
  readonly reader: FacetReader
  readonly asked: AskedOfFacets
}

const itemsDefault = 50
const nsPerMs = 1_000_000

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function serviceHandlers(parts: ServiceHandlerParts): Handlers<'listServices'> {
  return { listServices: (request) => listServices(parts, request) }
}

/** The cursor names the last service, so a page needs neither the same moment nor the same data as the one before. */
async function listServices({ reader, asked }: ServiceHandlerParts, request: HandlerRequest<'listServices'>) {
  const { limit = itemsDefault, cursor, ...window } = request.query
  const listed = JSON.stringify(['services', request.caller.org, window])
  const after = cursor === undefined ? {} : { after: decodePageCursor(listed, cursor) }
  const found = await reader.detectServices(await asked(request), { limit: limit + 1, ...after })
  const items = found.slice(0, limit).map(toRecord)
  const last = found.length > limit ? items.at(-1) : undefined
  const next_cursor = last === undefined ? null : encodePageCursor(listed, last.name)
  return { status: 200 as const, body: { items, next_cursor } }
}

function toRecord({ name, spanCount, errorCount, p95Ns, facets }: DetectedService): components['schemas']['Service'] {
  return {
    ...{ name, span_count: spanCount, error_count: errorCount, p95_ms: p95Ns / nsPerMs },
    facets: facets.filter(isEffective).map((facet) => ({ slug: facet.slug, state: statesOf(facet) })),
  }
}
