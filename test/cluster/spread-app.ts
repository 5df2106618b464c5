import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { EmbeddedEngine } from '../../server/clickhouse/embedded.ts'
import type { Env } from '../../server/config.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { shardsCluster, startShards } from '../support/shards.ts'

/** A server whose tables are spread over two engines of its own. */
export interface SpreadApp {
  readonly app: TestApp
  readonly engines: readonly [EmbeddedEngine, EmbeddedEngine]
  /** Of each shard, how many rows of a table it has. */
  rowsByShard(table: string): Promise<number[]>
  close(): Promise<void>
}

export async function openSpreadApp(): Promise<SpreadApp> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tracefold-shards-'))
  const [first, second] = await startShards(2, folder)
  if (first === undefined || second === undefined) throw new Error('Two shards were not started.')
  const engines = [first, second] as const
  const app = await startApp({ env: clusterOf(engines), overrides: { sources: engines } })
  return {
    app,
    engines,
    async rowsByShard(table) {
      const { clickhouse } = app.app
      const text = `SELECT countIf(_shard_num = 1) AS first, countIf(_shard_num = 2) AS second FROM ${table}`
      const { rows } = await clickhouse.read<Record<string, string>>({ text, params: {} }, { label: 'rows by shard' })
      return [Number(rows[0]?.first), Number(rows[0]?.second)]
    },
    async close() {
      await app.close()
      await Promise.all(engines.map((engine) => engine.stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The settings of a cluster; the engines themselves say how to be let in. */
export function clusterOf(engines: readonly EmbeddedEngine[]): Env {
  const urls = engines.map((engine) => engine.endpoint()?.url ?? '')
  return { CLICKHOUSE_URL: urls.join(','), CLICKHOUSE_CLUSTER: shardsCluster }
}
