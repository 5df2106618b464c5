/** Lists services, and decides which services a caller can see. */
import { positionOfText, serviceFits } from '#sql'
import type { components } from '../../openapi/types.ts'
import type { Caller } from '../auth/caller.ts'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { restPart, textPart } from '../http/cursor.ts'
import { readPage } from '../http/paging.ts'
import { notFound } from '../problem/problem.ts'
import { telemetryOf } from '../telemetry/scope.ts'
import { msOfNs } from '../telemetry/time-units.ts'
import type { DetectedService, FacetReader } from './facet-reader.ts'
import { isEffective, statesOf } from './service-facets.ts'

export function serviceHandlers(deps: Deps, reader: FacetReader): Handlers<'listServices'> {
  return { listServices: (request) => listServices(deps, reader, request) }
}

/** Lists services by name. The cursor holds the last name, so the pages need not share a window. */
async function listServices(deps: Deps, reader: FacetReader, request: HandlerRequest<'listServices'>) {
  const { limit, cursor, ...window } = request.query
  const page = await readPage({
    list: ['services', request.caller.org, window],
    page: { limit, cursor },
    read: async (most, after) =>
      reader.detectServices(await telemetryOf(deps, request), {
        limit: most,
        ...(after === undefined ? {} : { after }),
      }),
    positionOf: ({ name }) => positionOfText(name),
    parts: [textPart, restPart],
  })
  return { status: 200 as const, body: { ...page, items: page.items.map(toRecord) } }
}

function toRecord({ name, spanCount, errorCount, p95Ns, facets }: DetectedService): components['schemas']['Service'] {
  return {
    name,
    span_count: spanCount,
    error_count: errorCount,
    p95_ms: msOfNs(p95Ns),
    facets: facets.filter(isEffective).map((facet) => ({ slug: facet.slug, state: statesOf(facet) })),
  }
}

/**
 * Checks that a caller may ask about a service. A restricted caller may ask about the services that match a rule of an
 * integration granted to it, whether they exist or not.
 * @throws Problem 404 for any other service
 */
export async function requireService(
  { granted }: Pick<Deps, 'granted'>,
  caller: Caller,
  service: string,
): Promise<void> {
  if (caller.role !== 'restricted') return
  const rules = (await granted(caller)).flatMap((slice) => slice.rules)
  if (!rules.some((rule) => serviceFits(rule.service, service))) throw notFound('service', service)
}
