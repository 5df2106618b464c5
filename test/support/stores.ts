import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import { type Metadata, type MetadataOptions, openMetadata } from '../../server/metadata/database.ts'
import { type Postgres, startPostgres } from './postgres.ts'

export type NewStore = () => Promise<MetadataOptions>

/** Runs the cases on each kind of store. Each call of `newStore` returns the options of an empty store. */
export function describeStores(title: string, cases: (newStore: NewStore) => void): void {
  describe(`${title} on libsql`, () => {
    const directories: string[] = []
    afterAll(async () => {
      for (const directory of directories) await rm(directory, { recursive: true, force: true })
    })
    cases(async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'tracefold-metadata-'))
      directories.push(dataDir)
      return { dataDir }
    })
  })
  describe(`${title} on Postgres`, () => {
    let postgres: Postgres
    beforeAll(async () => {
      postgres = await startPostgres()
    })
    afterAll(() => postgres.remove())
    cases(async () => ({ dataDir: '/nonexistent', metadataUrl: await postgres.createDatabase() }))
  })
}

/** Opens a store. It is closed at the end of the test. */
export async function openStore(options: MetadataOptions): Promise<Metadata> {
  const metadata = await openMetadata(options)
  onTestFinished(() => metadata.close())
  return metadata
}

/** Opens a store in Postgres, which has no files. It is closed at the end of the test. */
export function openPostgresStore(metadataUrl: string): Promise<Metadata> {
  return openStore({ dataDir: '/nonexistent', metadataUrl })
}

/** Opens a store and migrates it. It is closed at the end of the test. */
export async function openMigrated(options: MetadataOptions): Promise<Metadata> {
  const metadata = await openStore(options)
  await metadata.migrate()
  return metadata
}
