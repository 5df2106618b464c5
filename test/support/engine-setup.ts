/** vitest's global setup: one real embedded engine for the whole run. */
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedEngine } from '../../server/clickhouse/embedded.ts'
import type { Endpoint } from '../../server/clickhouse/endpoint.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engine: Endpoint
  }
}

/** Starts the engine, provides its endpoint, returns the teardown. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'tracefold-test-engine-'))
  const engine = await startEmbeddedEngine({ dataDir, logger: { debug() {}, info() {}, warn() {}, error() {} } })
  const endpoint = engine.endpoint()
  if (endpoint === undefined) throw new Error('The engine has no endpoint.')
  project.provide('engine', endpoint)
  return async () => {
    await engine.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
