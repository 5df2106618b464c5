import type { Transaction } from 'kysely'
import type { Connection, Metadata } from '../metadata/database.ts'
import { refuseBeyond, uniquely } from '../metadata/org-records.ts'
import type { Schema } from '../metadata/schema.ts'
import type { FacetContent, StoredFacet } from './facet-record.ts'

/** Custom facets at rest. Every call takes the organization. */
export interface FacetStore {
  /** All of them, by slug. */
  all(org: string): Promise<StoredFacet[]>
  find(org: string, slug: string): Promise<StoredFacet | undefined>
  /** Throws the problems `conflict` for a slug that is taken and `refused` when the organization has too many. */
  insert(org: string, slug: string, content: FacetContent): Promise<StoredFacet>
  /** The change in one step, or undefined when the facet is no longer the one that was read. */
  replace(org: string, current: StoredFacet, content: FacetContent): Promise<StoredFacet | undefined>
  /** Whether the facet was still the one that was read. */
  remove(org: string, current: StoredFacet): Promise<boolean>
}

/** So few that a question about all facets of a service can name them all. */
const facetsPerOrgMax = 1_000

const columns = ['slug', 'name', 'description', 'version', 'created_at', 'updated_at'] as const

export function createFacetStore({ metadata, now }: { metadata: Metadata; now: () => Date }): FacetStore {
  const { db } = metadata
  const moment = () => now().toISOString()
  return {
    all: (org) => allFacets(db, org),
    find: (org, slug) => selectFacets(db, org).where('slug', '=', slug).executeTakeFirst(),
    insert: (org, slug, content) =>
      metadata.transaction((transaction) => insertFacet(transaction, org, { slug, ...content }, moment())),
    replace: (org, current, content) => replaceFacet(db, org, current, content, moment()),
    remove: (org, current) => removeFacet(db, org, current),
  }
}

function selectFacets(connection: Connection, org: string) {
  return connection.selectFrom('custom_facets').select(columns).where('org', '=', org)
}

export function allFacets(connection: Connection, org: string): Promise<StoredFacet[]> {
  return selectFacets(connection, org).orderBy('slug').execute()
}

export async function insertFacet(
  transaction: Transaction<Schema>,
  org: string,
  { slug, name, description }: FacetContent & { readonly slug: string },
  moment: string,
): Promise<StoredFacet> {
  await refuseBeyond(transaction, org, { table: 'custom_facets', max: facetsPerOrgMax, plural: 'custom facets' })
  const stored = { slug, name, description, version: 1, created_at: moment, updated_at: moment }
  const insert = transaction.insertInto('custom_facets').values({ ...stored, org })
  await uniquely('a facet', slug, () => insert.execute())
  return stored
}

export async function replaceFacet(
  connection: Connection,
  org: string,
  { slug, version, created_at }: StoredFacet,
  { name, description }: FacetContent,
  updated_at: string,
): Promise<StoredFacet | undefined> {
  const { numUpdatedRows } = await connection
    .updateTable('custom_facets')
    .set({ name, description, updated_at, version: version + 1 })
    .where('org', '=', org)
    .where('slug', '=', slug)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? { slug, name, description, version: version + 1, created_at, updated_at } : undefined
}

export async function removeFacet(
  connection: Connection,
  org: string,
  { slug, version }: StoredFacet,
): Promise<boolean> {
  const { numDeletedRows } = await connection
    .deleteFrom('custom_facets')
    .where('org', '=', org)
    .where('slug', '=', slug)
    .where('version', '=', version)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
