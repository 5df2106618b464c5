import type { Kysely, Migration } from 'kysely'
import type { Store } from '../dialects.ts'

/**
 * Custom facets, and what is set up for single services: the overrides of a service and its list of classification rules
 * are one row each, so that a change of them is one UPDATE of one version.
 */
export function facetsMigration({ text }: Store): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable('custom_facets')
        .addColumn('org', text, (column) => column.notNull())
        .addColumn('slug', text, (column) => column.notNull())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('description', text, (column) => column.notNull())
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('created_at', text, (column) => column.notNull())
        .addColumn('updated_at', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('custom_facets_pk', ['org', 'slug'])
        .execute()
      for (const table of ['facet_overrides', 'facet_mappings']) {
        await db.schema
          .createTable(table)
          .addColumn('org', text, (column) => column.notNull())
          .addColumn('service', text, (column) => column.notNull())
          .addColumn('content', text, (column) => column.notNull())
          .addColumn('version', 'integer', (column) => column.notNull())
          .addPrimaryKeyConstraint(`${table}_pk`, ['org', 'service'])
          .execute()
      }
    },
  }
}
