import type { ServiceRules } from '#sql'
import type { Connection } from '../metadata/database.ts'
import { mappingRecords, serviceRulesOf } from './facet-mapping.ts'
import { allFacets } from './facet-store.ts'
import { noOverrides, type Overrides, overrideRecords } from './service-facets.ts'
import { allServiceRecords } from './service-records.ts'

/** The settings of an organization that detection needs. */
export interface FacetSettings {
  /** Sorted. */
  readonly customSlugs: readonly string[]
  readonly overriddenServices: readonly string[]
  overridesOf(service: string): Overrides
  readonly rules: readonly ServiceRules[]
}

/**
 * Reads the facet settings of an organization. They are not cached, so that a change takes effect at once on every
 * server.
 */
export async function readFacetSettings(db: Connection, org: string): Promise<FacetSettings> {
  const [facets, overrides, mappings] = await Promise.all([
    allFacets(db, org),
    allServiceRecords(overrideRecords, db, org),
    allServiceRecords(mappingRecords, db, org),
  ])
  const byService = new Map(overrides.map(({ service, content }) => [service, content]))
  return {
    customSlugs: facets.map(({ id }) => id),
    overriddenServices: [...byService.keys()],
    overridesOf: (service) => byService.get(service) ?? noOverrides,
    rules: mappings.map(({ service, content }) => serviceRulesOf(service, content)),
  }
}
