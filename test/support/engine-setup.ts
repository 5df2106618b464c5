/** The global setup of vitest: one embedded engine for the whole run. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import type { Endpoint } from '../../server/clickhouse/endpoint.ts'
import { type EmbeddedEngine, startEmbeddedEngine } from '../../server/clickhouse/engine/supervisor.ts'
import { describeProfile } from './fuzz-settings.ts'
import { silentLogger } from './silent-logger.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engine: Endpoint
    /** Empty when tables are on one engine. */
    shards: readonly Endpoint[]
  }
}

/** Starts the engine, provides its endpoint, and returns the teardown. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  process.stdout.write(`${describeProfile()}\n`)
  const { engines, stop } = await startInTemporaryFolder(async (dataDir) => [await startOne(dataDir)])
  project.provide('engine', endpointOf(engines[0]))
  project.provide('shards', [])
  return stop
}

function startOne(dataDir: string): Promise<EmbeddedEngine> {
  return startEmbeddedEngine({ dataDir, logger: silentLogger })
}

/** Starts engines in a folder that is deleted when they are stopped. */
export async function startInTemporaryFolder(start: (folder: string) => Promise<readonly EmbeddedEngine[]>) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tracefold-test-engine-'))
  const engines = await start(folder)
  return {
    engines,
    async stop() {
      await Promise.all(engines.map((engine) => engine.stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function endpointOf(engine: EmbeddedEngine | undefined): Endpoint {
  const endpoint = engine?.endpoint()
  if (endpoint === undefined) throw new Error('The engine has no endpoint.')
  return endpoint
}
