import type { Kysely } from 'kysely'
import { parseClassificationRule, type ServiceRules } from '#sql'
import type { Schema } from '../metadata/schema.ts'
import { mappingRecords, type StoredMapping } from './facet-mapping.ts'
import { overrideRecords } from './facet-overrides.ts'
import { allFacets } from './facet-store.ts'
import { noOverrides, type Overrides } from './service-facet.ts'
import { allServiceRecords } from './service-records.ts'

/** All that an organization has set up about facets, as the detection needs it. */
export interface FacetSettings {
  /** By slug. */
  readonly customSlugs: readonly string[]
  readonly overriddenServices: readonly string[]
  overridesOf(service: string): Overrides
  readonly rules: readonly ServiceRules[]
}

/** Read anew for every question, so that a change takes effect at once, on every server. */
export async function readFacetSettings(db: Kysely<Schema>, org: string): Promise<FacetSettings> {
  const [facets, overrides, mappings] = await Promise.all([
    allFacets(db, org),
    allServiceRecords(overrideRecords, db, org),
    allServiceRecords(mappingRecords, db, org),
  ])
  const byService = new Map(overrides.map(({ service, content }) => [service, content]))
  return {
    customSlugs: facets.map(({ slug }) => slug),
    overriddenServices: [...byService.keys()],
    overridesOf: (service) => byService.get(service) ?? noOverrides,
    rules: mappings.map(({ service, content }) => rulesOf(service, content)),
  }
}

export function rulesOf(service: string, mappings: readonly StoredMapping[]): ServiceRules {
  return { service, rules: mappings.map((mapping) => parseClassificationRule(mapping)) }
}
