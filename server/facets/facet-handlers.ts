import { byCodePoint } from '#sql'
import type { Deps } from '../feature.ts'
import type { HandlerRequest, Handlers } from '../http/contract/handlers.ts'
import { textPart } from '../http/cursor.ts'
import { readPage } from '../http/paging.ts'
import { deleteRecord, type EditedRecord, updateRecord } from '../metadata/edit-record.ts'
import { nameTaken } from '../metadata/record-store.ts'
import { notFound, problem, raise } from '../problem/problem.ts'
import { checkText } from '../problem/record-input.ts'
import { telemetryOf } from '../telemetry/scope.ts'
import { builtInFacets, builtInSlugs } from './built-in-facets.ts'
import type { FacetReader } from './facet-reader.ts'
import { checkedSlug, type FacetRecord, type StoredFacet, toBuiltInRecord, toCustomRecord } from './facet-record.ts'
import { allFacets, type FacetStore } from './facet-store.ts'
import { isEffective, statesOf } from './service-facets.ts'

type FacetOperations = 'listFacets' | 'createFacet' | 'getFacet' | 'updateFacet' | 'deleteFacet'

/** Creates the handlers of built-in and custom facets. */
export function facetHandlers(deps: Deps, facets: FacetStore, reader: FacetReader): Handlers<FacetOperations> {
  return {
    listFacets: (request) => listFacets(deps, request),
    async createFacet(request) {
      const { name, description = '' } = request.body
      const slug = checkedSlug(name, '/name')
      checkText(description, '/description')
      if (builtInSlugs.has(slug)) throw nameTaken(facets.noun, slug)
      const body = toCustomRecord(await facets.insert(request, { name, description }, slug))
      return { status: 201, headers: { Location: `/api/v1/service-facets/${encodeURIComponent(slug)}` }, body }
    },
    async getFacet(request) {
      const { slug } = request.path
      const facet = builtInRecord(slug) ?? toCustomRecord(await requireFacet(facets, request.caller.org, slug))
      return { status: 200, body: { ...facet, services: await servicesWith(deps, reader, request) } }
    },
    async updateFacet(request) {
      const stored = await updateRecord(facets, editedFacet(request), (current) => {
        const { name = current.name, description = current.description } = request.body
        checkedSlug(name, '/name')
        return { name, description: checkText(description, '/description') }
      })
      return { status: 200, body: toCustomRecord(stored) }
    },
    async deleteFacet(request) {
      await deleteRecord(facets, editedFacet(request))
      return { status: 204 }
    },
  }
}

async function listFacets({ metadata }: Deps, { caller, query }: HandlerRequest<'listFacets'>) {
  const custom = (await allFacets(metadata.db, caller.org)).map(toCustomRecord)
  const all = [...builtInFacets.map(toBuiltInRecord), ...custom]
  const body = await readPage({
    list: ['facets', caller.org],
    page: query,
    read: (_, after) => (after === undefined ? all : facetsAfter(all, after[0])),
    positionOf: ({ slug }) => [slug],
    parts: [textPart],
  })
  return { status: 200 as const, body }
}

/** Returns the facets after a slug. The facet with that slug may have been deleted in the meantime. */
function facetsAfter(all: readonly FacetRecord[], slug: string): FacetRecord[] {
  const position = all.findIndex((facet) => facet.slug === slug)
  if (position !== -1) return all.slice(position + 1)
  return all.filter((facet) => !facet.built_in && byCodePoint(facet.slug, slug) > 0)
}

/** Lists the visible services that have a facet, sorted by name. */
async function servicesWith(deps: Deps, reader: FacetReader, request: HandlerRequest<'getFacet'>) {
  const known = await reader.knownServices(await telemetryOf(deps, request), request.path.slug)
  const services = known
    .filter(({ facet }) => isEffective(facet))
    .map(({ name, facet }) => ({ name, state: statesOf(facet) }))
  return services.sort((left, right) => byCodePoint(left.name, right.name))
}

function builtInRecord(slug: string): FacetRecord | undefined {
  const facet = builtInFacets.find((builtIn) => builtIn.slug === slug)
  return facet && toBuiltInRecord(facet)
}

/** @throws Problem 404 */
async function requireFacet(facets: FacetStore, org: string, slug: string): Promise<StoredFacet> {
  return (await facets.find({ org }, slug)) ?? raise(notFound('facet', slug))
}

/** @throws Problem 403 for a built-in facet */
function editedFacet(request: HandlerRequest<'updateFacet'> | HandlerRequest<'deleteFacet'>): EditedRecord {
  const { slug } = request.path
  if (builtInSlugs.has(slug))
    throw problem('forbidden', `The facet ${slug} is built in. Built-in facets cannot be changed or deleted.`)
  return { author: request, id: slug, ifMatch: request.headers['If-Match'] }
}
