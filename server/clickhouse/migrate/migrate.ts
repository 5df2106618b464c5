import { appliedMigrations, createMigrationsTable, recordMigration, serverVersion } from '#sql'
import { StoreFault } from '../../problem/store-fault.ts'
import type { ClickHouse } from '../client.ts'
import { type Migration, migrationsFolder, type Placeholders, readMigrations, statementsOf } from './migration-files.ts'
import { withMigrationLock } from './migration-lock.ts'

export interface MigrateOptions {
  /** Folder of `NNNN-name.sql` files; the server's own by default. */
  readonly folder?: string
  readonly placeholders?: Placeholders
  /** Adapts each statement to the ClickHouse that runs it. */
  readonly adapt?: ((statement: string) => string) | undefined
  /** Skips the lock, for a ClickHouse that only this process uses. A killed server then leaves no lock behind. */
  readonly exclusive?: boolean
  /** Stops waiting for the lock, and after the statement that is running. */
  readonly signal?: AbortSignal | undefined
  readonly onApplied?: (name: string) => void
}

interface Applied {
  readonly name: string
  readonly checksum: string
}

/** The first major version with bucketed maps, in which attributes are stored. */
const majorVersionMin = 26

/**
 * Applies all pending migrations in order, each one once. Creates the database if it does not exist. If several servers
 * migrate, one works and the others wait. A migration that fails is run again from its start the next time.
 * @throws StoreFault when ClickHouse is too old or of another version's schema; all errors of the statements;
 * the reason of `signal` when it aborts
 */
export async function migrate(clickhouse: ClickHouse, options: MigrateOptions = {}): Promise<void> {
  const migrations = readMigrations(options.folder ?? migrationsFolder)
  await clickhouse.createDatabase()
  await requireClickHouseVersion(clickhouse)
  const apply = async () => {
    await clickhouse.command(createMigrationsTable)
    for (const migration of pendingOf(migrations, await readApplied(clickhouse))) {
      await applyMigration(clickhouse, migration, options)
      options.onApplied?.(migration.name)
    }
  }
  await (options.exclusive === true ? apply() : withMigrationLock(clickhouse, apply, { signal: options.signal }))
}

/** Returns the version of ClickHouse. @throws StoreFault when it is too old for this server */
export async function requireClickHouseVersion(clickhouse: ClickHouse): Promise<string> {
  const { rows } = await clickhouse.read<{ version: string }>(serverVersion, { for: 'system', label: 'the version' })
  const version = rows[0]?.version ?? ''
  if (!(Number.parseInt(version, 10) >= majorVersionMin)) {
    throw new StoreFault(`This ClickHouse is version ${version}. Tracefold needs ${majorVersionMin}.0 or newer.`)
  }
  return version
}

async function readApplied(clickhouse: ClickHouse): Promise<Applied[]> {
  return (await clickhouse.read<Applied>(appliedMigrations, { for: 'system', label: 'the applied migrations' })).rows
}

/** Checksums of released texts of a migration with the same statements, whose comments were changed later. */
const equalTexts: ReadonlyMap<string, string> = new Map([
  ['0011-cold-paths', '4ebd74720fcade78802b889298d57a344b4ad4673ba7635c8d1c63c5a444c481'],
])

/** Returns the migrations that are not applied yet. @throws StoreFault */
function pendingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  for (const { name } of applied) {
    if (migrations.some((migration) => migration.name === name)) continue
    throw new StoreFault(
      `The database has the migration ${name}, which this version does not know: a newer version has migrated it. ` +
        'Use that version or a newer one.',
    )
  }
  return migrations.filter(({ name, checksum }) => {
    const known = checksums.get(name)
    if (known === undefined) return true
    if (known === checksum || known === equalTexts.get(name)) return false
    throw new StoreFault(
      `The migration ${name} of the database differs from that of this version: an unreleased version applied it, ` +
        'or the file was changed here. Use that version or restore the file. A change belongs in a new migration.',
    )
  })
}

async function applyMigration(
  clickhouse: ClickHouse,
  migration: Migration,
  { placeholders = {}, adapt = (statement) => statement, signal }: MigrateOptions,
): Promise<void> {
  for (const statement of statementsOf(migration, placeholders)) {
    signal?.throwIfAborted()
    await clickhouse.command(adapt(statement))
  }
  const { text, params } = recordMigration(migration.name, migration.checksum)
  await clickhouse.command(text, params)
}
