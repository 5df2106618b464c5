/** Brings the tables of the database up to this version of the server: forward only, each file once, in order. */
import type { ClickHouse } from '../client.ts'
import { type Migration, migrationsFolder, type Placeholders, readMigrations, statementsOf } from './migration-files.ts'
import { withMigrationLock } from './migration-lock.ts'
import { requireVersion } from './version.ts'

export interface MigrateOptions {
  /** Folder of `NNNN-name.sql` files; the server's own by default. */
  readonly folder?: string
  readonly placeholders?: Placeholders
  /** What each statement is on this ClickHouse. */
  readonly adapt?: (statement: string) => string
  /** Nobody else can use this ClickHouse, as with the embedded one, so no lock is taken that a killed server would leave behind. */
  readonly exclusive?: boolean
  readonly onApplied?: (name: string) => void
}

export interface MigrationState {
  readonly applied: readonly string[]
  readonly pending: readonly string[]
}

/** The schema in the database and the files of this server contradict each other; the message says where and what to do. */
class MigrationConflict extends Error {
  override readonly name = 'MigrationConflict'
}

interface Applied {
  readonly name: string
  readonly checksum: string
}

/** One row a file, written when all its statements are done; a second row of a name, from two servers at once, does no harm. */
const createTable = `CREATE TABLE IF NOT EXISTS schema_migrations (
  name String,
  checksum FixedString(64),
  applied_at DateTime64(3, 'UTC') DEFAULT now64(3)
) ENGINE = MergeTree ORDER BY name`

async function readApplied(clickhouse: ClickHouse): Promise<Applied[]> {
  const text = 'SELECT name, any(checksum) AS checksum FROM schema_migrations GROUP BY name ORDER BY name'
  const { rows } = await clickhouse.read<Applied>({ text, params: {} }, { label: 'the applied migrations' })
  return rows
}

async function tableExists(clickhouse: ClickHouse): Promise<boolean> {
  const text = 'SELECT 1 FROM system.tables WHERE database = {p0:String} AND name = {p1:String}'
  const params = { p0: clickhouse.database, p1: 'schema_migrations' }
  const { rows } = await clickhouse.read({ text, params }, { label: 'the migrations table' })
  return rows.length > 0
}

/** @throws MigrationConflict */
function pendingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  for (const { name } of applied) {
    if (migrations.some((migration) => migration.name === name)) continue
    throw new MigrationConflict(
      `The database has the migration ${name}, which this version does not know: a newer version has migrated it. Use that version or a newer one.`,
    )
  }
  return migrations.filter(({ name, checksum }) => {
    const known = checksums.get(name)
    if (known === undefined) return true
    if (known === checksum) return false
    throw new MigrationConflict(
      `The migration ${name} was changed after it had been applied. Restore its file and put the change into a new migration.`,
    )
  })
}

async function applyMigration(
  clickhouse: ClickHouse,
  migration: Migration,
  { placeholders = {}, adapt = (statement) => statement }: MigrateOptions,
): Promise<void> {
  for (const statement of statementsOf(migration, placeholders)) await clickhouse.command(adapt(statement))
  await clickhouse.command('INSERT INTO schema_migrations (name, checksum) VALUES ({p0:String}, {p1:String})', {
    p0: migration.name,
    p1: migration.checksum,
  })
}

/**
 * Makes the database when absent and applies every migration that it does not have yet. A second migrator waits for the first.
 * @throws MigrationConflict; Error for a ClickHouse too old; whatever the statements throw, after which the file runs again from its start next time
 */
export async function migrate(clickhouse: ClickHouse, options: MigrateOptions = {}): Promise<void> {
  const migrations = readMigrations(options.folder ?? migrationsFolder)
  await clickhouse.createDatabase()
  await requireVersion(clickhouse)
  const apply = async () => {
    await clickhouse.command(createTable)
    for (const migration of pendingOf(migrations, await readApplied(clickhouse))) {
      await applyMigration(clickhouse, migration, options)
      options.onApplied?.(migration.name)
    }
  }
  await (options.exclusive === true ? apply() : withMigrationLock(clickhouse, apply))
}

/** For readiness and `migrate status`: what is applied, what is not. @throws MigrationConflict */
export async function migrationState(
  clickhouse: ClickHouse,
  { folder = migrationsFolder }: Pick<MigrateOptions, 'folder'> = {},
): Promise<MigrationState> {
  const migrations = readMigrations(folder)
  const applied = (await tableExists(clickhouse)) ? await readApplied(clickhouse) : []
  const pending = pendingOf(migrations, applied)
  return { applied: applied.map(({ name }) => name), pending: pending.map(({ name }) => name) }
}
