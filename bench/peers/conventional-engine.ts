import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedEngine } from '../../server/clickhouse/engine/supervisor.ts'
import { openClickHouse } from '../../server/clickhouse/http-client.ts'
import { openEngineDoor } from '../../test/support/engine-door.ts'
import { queryLimits } from '../../test/support/query-limits.ts'
import { silentLogger } from '../../test/support/silent-logger.ts'
import type { Bench } from '../section.ts'
import { createPeerTable } from './peer-questions.ts'

const database = 'otel'
/** The questions take long in the conventional schema, and sums over all columns do too. */
const querySecondsMax = 600

/** An engine of its own with an empty `otel_traces`, as a user of the Collector's exporter would have it. */
export interface ConventionalEngine {
  /** The environment with the client of this engine, for loading and asking. */
  readonly bench: Bench
  /** The value of `--from-clickhouse` that `tracefold import` reads it by. */
  readonly address: string
  close(): Promise<void>
}

export async function openConventionalEngine(bench: Bench): Promise<ConventionalEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tracefold-bench-source-'))
  const engine = await startEmbeddedEngine({ dataDir, logger: silentLogger })
  const endpoint = engine.endpoint()
  if (endpoint === undefined) throw new Error('the engine has no endpoint')
  const limits = { ...queryLimits, querySecondsMax }
  const clickhouse = openClickHouse({ source: engine, database, limits, logger: silentLogger })
  await clickhouse.createDatabase()
  const conventional = { ...bench, server: { ...bench.server, clickhouse } }
  await createPeerTable(conventional.server)
  const door = await openEngineDoor(endpoint)
  return {
    bench: conventional,
    address: door.addressOf(database),
    async close() {
      door.close()
      await clickhouse.close()
      await engine.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
