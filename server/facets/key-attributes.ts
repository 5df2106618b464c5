import { builtInFacets } from './built-in.ts'
import type { FacetQuestion, FacetReader } from './facet-reader.ts'
import { isEffective } from './service-facet.ts'

/** By the name of a service: the attribute keys that its facets put first, in the order of its facets. */
export type KeyAttributes = ReadonlyMap<string, readonly string[]>

/** The keys for each of the services, by the facets that they have in the question, in one query. */
export type KeyAttributesOf = (question: FacetQuestion, services: readonly string[]) => Promise<KeyAttributes>

export function keyAttributesBy({ facetsOf }: Pick<FacetReader, 'facetsOf'>): KeyAttributesOf {
  return async (question, services) => {
    const facets = await facetsOf(question, services)
    return new Map(
      [...facets].map(([service, ofService]) => {
        const slugs = new Set(ofService.filter(isEffective).map(({ slug }) => slug))
        const keys = builtInFacets.flatMap(({ slug, keyAttributes }) => (slugs.has(slug) ? keyAttributes : []))
        return [service, [...new Set(keys)]]
      }),
    )
  }
}
