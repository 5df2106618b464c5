/**
 * vitest's global setup: one real embedded engine for the whole run, or with TEST_SHARDS=2 two of them, over which the tables
 * of all servers and databases of the run are spread.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { type EmbeddedEngine, startEmbeddedEngine } from '../../server/clickhouse/embedded.ts'
import type { Endpoint } from '../../server/clickhouse/endpoint.ts'
import { startShards } from './shards.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engine: Endpoint
    /** Empty where tables lie on one engine. */
    shards: readonly Endpoint[]
  }
}

/** Starts the engine, provides its endpoint, returns the teardown. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'tracefold-test-engine-'))
  const shardCount = Number(process.env.TEST_SHARDS ?? 0)
  const engines = shardCount > 0 ? (await startShards(shardCount, dataDir)).engines : [await startOne(dataDir)]
  const [first, ...others] = engines.map(endpointOf)
  project.provide('engine', first as Endpoint)
  project.provide('shards', shardCount > 0 ? [first as Endpoint, ...others] : [])
  return async () => {
    await Promise.all(engines.map((engine) => engine.stop()))
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function startOne(dataDir: string): Promise<EmbeddedEngine> {
  return startEmbeddedEngine({ dataDir, logger: { debug() {}, info() {}, warn() {}, error() {} } })
}

function endpointOf(engine: EmbeddedEngine): Endpoint {
  const endpoint = engine.endpoint()
  if (endpoint === undefined) throw new Error('The engine has no endpoint.')
  return endpoint
}
