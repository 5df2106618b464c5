import type { Connection } from '../metadata/database.ts'
import { recordKind } from '../metadata/record-kind.ts'
import { allRecords, createRecordStore, type RecordStore, type RecordStoreDeps } from '../metadata/record-store.ts'
import type { FacetContent, StoredFacet } from './facet-record.ts'

/** The custom facets of organizations, keyed by slug. */
export type FacetStore = RecordStore<FacetContent, StoredFacet>

const facetKind = recordKind({
  table: 'custom_facets',
  key: 'slug',
  noun: 'facet',
  plural: 'custom facets',
  // Few enough to be listed for every service without pages.
  perOrgMax: 1_000,
  initial: {},
  toRow: ({ name, description }: FacetContent) => ({ name, description }),
  fromRow: ({ slug, name, description, version, created_at, updated_at }): StoredFacet => ({
    id: slug,
    name,
    description,
    version,
    created_at,
    updated_at,
  }),
})

export function createFacetStore(deps: RecordStoreDeps): FacetStore {
  return createRecordStore(facetKind, deps)
}

/** Reads the custom facets of an organization, sorted by slug. */
export function allFacets(connection: Connection, org: string): Promise<StoredFacet[]> {
  return allRecords(facetKind, connection, org)
}
