import type { HandlerRequest, Handlers } from '../http/handlers.ts'
import { readPage } from '../http/paging.ts'
import { untilUnchanged } from '../metadata/edit-record.ts'
import { nameTaken } from '../metadata/org-records.ts'
import { invalid, notFound, problem, raise } from '../problem/problem.ts'
import { byCodePoint, checkName, checkText } from '../problem/record-input.ts'
import { builtInFacets, builtInSlugs } from './built-in.ts'
import type { AskedOfFacets } from './facet-question.ts'
import type { FacetReader } from './facet-reader.ts'
import { type FacetContent, type FacetRecord, toBuiltInRecord, toCustomRecord } from './facet-record.ts'
import type { FacetStore } from './facet-store.ts'
import type { ServiceAccess } from './service-access.ts'
import { isEffective, statesOf } from './service-facet.ts'
import { slugOf } from './slug.ts'

export interface FacetHandlerParts {
  readonly facets: FacetStore
  readonly reader: FacetReader
  readonly asked: AskedOfFacets
  readonly access: ServiceAccess
}

type FacetOperations = 'listFacets' | 'createFacet' | 'getFacet' | 'updateFacet' | 'deleteFacet'

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function facetHandlers(parts: FacetHandlerParts): Handlers<FacetOperations> {
  const { facets } = parts
  return {
    listFacets: (request) => listFacets(facets, request),
    async createFacet({ caller, body: { name, description = '' } }) {
      const content = checkContent({ name, description })
      const slug = slugOf(name) ?? raise(nothingToRead())
      if (builtInSlugs.has(slug)) throw nameTaken('a facet', slug)
      const body = toCustomRecord(await facets.insert(caller.org, slug, content))
      return { status: 201, headers: { Location: `/api/v1/service-facets/${encodeURIComponent(slug)}` }, body }
    },
    async getFacet(request) {
      const { slug } = request.path
      const facet = (await findFacet(facets, request.caller.org, slug)) ?? raise(notFound('facet', slug))
      return { status: 200, body: { ...facet, services: await carriersOf(parts, request) } }
    },
    async updateFacet({ caller: { org }, path: { slug }, headers, body }) {
      const edited = editedFacet(facets, { org, slug, ifMatch: headers['If-Match'] })
      const stored = await untilUnchanged(edited, (current) => {
        const { name = current.name, description = current.description } = body
        if (slugOf(name) === undefined) throw nothingToRead()
        return facets.replace(org, current, checkContent({ name, description }))
      })
      return { status: 200, body: toCustomRecord(stored) }
    },
    async deleteFacet({ caller: { org }, path: { slug }, headers }) {
      const edited = editedFacet(facets, { org, slug, ifMatch: headers['If-Match'] })
      await untilUnchanged(edited, async (current) => (await facets.remove(org, current)) || undefined)
      return { status: 204 }
    },
  }
}

async function listFacets(facets: FacetStore, { caller, query }: HandlerRequest<'listFacets'>) {
  const custom = (await facets.all(caller.org)).map(toCustomRecord)
  const all = [...builtInFacets.map(toBuiltInRecord), ...custom]
  const body = await readPage({
    list: ['facets', caller.org],
    page: query,
    read: (_, after) => (after === undefined ? all : behind(all, after)),
    positionOf: ({ slug }) => slug,
  })
  return { status: 200 as const, body }
}

/** Every service that has the facet, by name. */
async function carriersOf({ reader, asked, access }: FacetHandlerParts, request: HandlerRequest<'getFacet'>) {
  const isKnown = await access(request.caller)
  const known = (await reader.knownServices(await asked(request))).filter(({ name }) => isKnown(name))
  const carriers = known.flatMap(({ name, facets }) =>
    facets
      .filter((facet) => facet.slug === request.path.slug && isEffective(facet))
      .map((facet) => ({ name, state: statesOf(facet) })),
  )
  return carriers.sort((left, right) => byCodePoint(left.name, right.name))
}

/** What follows a slug, which may be of a facet that has been deleted since. */
function behind(all: readonly FacetRecord[], slug: string): FacetRecord[] {
  const place = all.findIndex((facet) => facet.slug === slug)
  if (place !== -1) return all.slice(place + 1)
  return all.filter((facet) => !facet.built_in && byCodePoint(facet.slug, slug) > 0)
}

async function findFacet(facets: FacetStore, org: string, slug: string): Promise<FacetRecord | undefined> {
  const builtIn = builtInFacets.find((facet) => facet.slug === slug)
  if (builtIn !== undefined) return toBuiltInRecord(builtIn)
  const custom = await facets.find(org, slug)
  return custom && toCustomRecord(custom)
}

interface Edited {
  readonly org: string
  readonly slug: string
  readonly ifMatch: string | undefined
}

/** @throws Problem 403 for a built-in facet */
function editedFacet(facets: FacetStore, { org, slug, ifMatch }: Edited) {
  if (builtInSlugs.has(slug))
    throw problem('forbidden', `The facet ${slug} is built in: it can be neither changed nor deleted.`)
  return { noun: 'facet', id: slug, ifMatch, find: () => facets.find(org, slug) }
}

function checkContent({ name, description }: FacetContent): FacetContent {
  checkName(name, '/name')
  checkText(description, '/description')
  return { name, description }
}

function nothingToRead(): Error {
  return invalid('/name', 'no_letters', 'must hold at least one letter or digit')
}
