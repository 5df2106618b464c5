import { type Expression, type Kysely, Migrator, type QueryExecutorProvider, sql } from 'kysely'
import { StoreFault } from '../../problem/store-fault.ts'
import { initialMigration } from './0001-initial.ts'
import { auditLogMigration } from './0002-audit-log.ts'
import { savedViewRelationsMigration } from './0003-saved-view-relations.ts'
import { sessionsMigration } from './0004-sessions.ts'
import { savedViewPageMigration } from './0005-saved-view-page.ts'
import { searchedRowsMigration } from './0006-searched-rows.ts'
import { dueByChannelMigration } from './0007-due-by-channel.ts'
import { claimedDeliveriesMigration } from './0008-claimed-deliveries.ts'

/** Differs from Kysely's default, because the database may be shared with another product that uses Kysely. */
const migrationTableName = 'tracefold_migration'

/** Brings the schema of a metadata store up to date. */
export interface SchemaMigrator {
  /**
   * Applies the migrations up to the one named `to`, or all of them.
   * @returns whether the store was new
   * @throws StoreFault when this version does not know `to` or a migration of the store
   */
  migrate(to?: string): Promise<boolean>
  isMigrated(): Promise<boolean>
  /** Reads the names of the applied migrations, in order. */
  appliedMigrations(connection: QueryExecutorProvider): Promise<readonly string[]>
}

export interface MigratorOptions {
  /** Where the store is, for messages. */
  readonly location: string
  /** The type of a text column that compares and sorts by bytes. */
  readonly text: Expression<string>
}

export function createMigrator<Tables>(db: Kysely<Tables>, { location, text }: MigratorOptions): SchemaMigrator {
  const migrator = new Migrator({
    db,
    provider: {
      // Migrations by name, run in the order of names. A released migration never changes, and none can be reverted.
      getMigrations: async () => ({
        '0001-initial': initialMigration(text),
        '0002-audit-log': auditLogMigration(text),
        '0003-saved-view-relations': savedViewRelationsMigration(text),
        '0004-sessions': sessionsMigration(text),
        '0005-saved-view-page': savedViewPageMigration(text),
        '0006-searched-rows': searchedRowsMigration,
        '0007-due-by-channel': dueByChannelMigration,
        '0008-claimed-deliveries': claimedDeliveriesMigration,
      }),
    },
    migrationTableName,
    migrationLockTableName: 'tracefold_migration_lock',
    // Otherwise the times at which migrations were applied must be in the order of their names, so a store would be
    // refused for good if the clock was set back between two of them.
    allowUnorderedMigrations: true,
  })
  return {
    async migrate(to) {
      const known = (await migrator.getMigrations()).map(({ name }) => name)
      if (to !== undefined && !known.includes(to)) {
        throw new StoreFault(
          `The metadata migration ${to} is not known to this version. Use the version that applied it.`,
        )
      }
      const { error, results = [] } = to === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(to)
      if (error) throw unknownMigration(error, location) ?? error
      return results.some(({ migrationName }) => migrationName === known[0])
    },
    async appliedMigrations(connection) {
      const { rows } = await sql<{ name: string }>`
        select name from ${sql.table(migrationTableName)} order by name
      `.execute(connection)
      return rows.map(({ name }) => name)
    },
    async isMigrated() {
      return (await migrator.getMigrations()).every(({ executedAt }) => executedAt !== undefined)
    },
  }
}

/** Explains the error that Kysely throws for a store with a migration that is not in the list. */
function unknownMigration(error: unknown, location: string): Error | undefined {
  const [, name] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? []
  if (name === undefined) return undefined
  return new StoreFault(
    `${location} has the migration ${name}, which this version does not know: another version has migrated it. ` +
      'Use that version, or restore a backup made by this version.',
    { cause: error },
  )
}
