import type { Connection } from '../metadata/database.ts'
import { recordModel } from '../metadata/record-model.ts'
import { allRecords, createRecordStore, type RecordStore, type RecordStoreDeps } from '../metadata/record-store.ts'
import { type FacetContent, type StoredFacet, toCustomRecord } from './facet-record.ts'

/** The custom facets of organizations, keyed by slug. */
export type FacetStore = RecordStore<FacetContent, StoredFacet>

const facetModel = recordModel({
  table: 'custom_facets',
  key: 'slug',
  noun: 'facet',
  plural: 'custom facets',
  // All custom facets are listed for every service, without paging.
  perOrgMax: 1_000,
  kind: 'facet',
  toAudited: toCustomRecord,
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
  return createRecordStore(facetModel, deps)
}

/** Reads the custom facets of an organization, sorted by slug. */
export function allFacets(connection: Connection, org: string): Promise<StoredFacet[]> {
  return allRecords(facetModel, connection, org)
}
