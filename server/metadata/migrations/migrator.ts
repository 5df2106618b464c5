import { type Expression, type Kysely, Migrator } from 'kysely'
import { initialMigration } from './0001-initial.ts'

/** Brings the schema of a metadata store up to date. */
export interface SchemaMigrator {
  /** @throws Error when the store has a migration that this version does not know */
  migrate(): Promise<void>
  isMigrated(): Promise<boolean>
}

/** `text` is the type of a text column that compares and sorts by bytes. */
export function createMigrator<Tables>(db: Kysely<Tables>, text: Expression<string>): SchemaMigrator {
  const migrator = new Migrator({
    db,
    provider: {
      // Migrations by name, run in the order of names. A released migration never changes, and none can be reverted.
      getMigrations: async () => ({ '0001-initial': initialMigration(text) }),
    },
    // Differs from the default name, because the database may be shared with another product that uses Kysely.
    migrationTableName: 'tracefold_migration',
    migrationLockTableName: 'tracefold_migration_lock',
  })
  return {
    async migrate() {
      const { error } = await migrator.migrateToLatest()
      if (error) throw unknownMigration(error) ?? error
    },
    async isMigrated() {
      return (await migrator.getMigrations()).every(({ executedAt }) => executedAt !== undefined)
    },
  }
}

/** Explains the error that Kysely throws for a store with a migration that is not in the list. */
function unknownMigration(error: unknown): Error | undefined {
  const [, name] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? []
  if (name === undefined) return undefined
  const unknown = `The metadata store has the migration ${name}, which this version does not know`
  return new Error(`${unknown}: another version has migrated it. Use that version or an empty store.`, { cause: error })
}
