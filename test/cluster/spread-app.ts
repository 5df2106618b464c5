import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { EndpointSource } from '../../server/clickhouse/endpoint.ts'
import type { EmbeddedEngine } from '../../server/clickhouse/engine/supervisor.ts'
import type { Env } from '../../server/config/sources.ts'
import { openTelemetryStore } from '../../server/lifecycle/telemetry-store.ts'
import { createLogger } from '../../server/observability/logging.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { shardsCluster, startShards } from '../support/shards.ts'

/** A server whose tables are sharded over two separate engines. */
export interface SpreadApp {
  readonly app: TestApp
  /** Returns the number of rows of a table on each shard. */
  rowsByShard(table: string): Promise<number[]>
  /** Starts another server over the same tables, which uses the nodes in reverse order. */
  openSecond(changed?: Env): Promise<TestApp>
  /**
   * Adds all spans without entries to the value index, as `tracefold migrate --backfill` does, without waiting until
   * inserts have settled.
   * @returns the number of spans that were added
   */
  backfill(): Promise<number>
  /** Kills an engine, which is then unavailable until it is restarted. */
  crash(shard: number): Promise<void>
  restart(shard: number): Promise<void>
  /** Suspends an engine: it still accepts connections, but does not respond. */
  pause(shard: number): void
  resume(shard: number): void
  close(): Promise<void>
}

/** Starts the server. `settings` adds to the settings of its stores. */
export async function openSpreadApp(settings: Env = {}): Promise<SpreadApp> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tracefold-shards-'))
  const shards = await startShards(2, folder)
  const engines: (EmbeddedEngine | undefined)[] = [...shards.engines]
  const sources = engines.map(
    (_, index): EndpointSource => ({ state: 'ready', endpoint: () => engines[index]?.endpoint() }),
  )
  const env = { ...settings, ...clusterOf(shards.engines) }
  const app = await startApp({ env, overrides: { sources } })
  return {
    app,
    async rowsByShard(table) {
      const { clickhouse } = app.app
      const text = `SELECT countIf(_shard_num = 1) AS first, countIf(_shard_num = 2) AS second FROM ${table}`
      const { rows } = await clickhouse.read<Record<string, string>>(
        { text, params: {} },
        { for: 'system', label: 'rows by shard' },
      )
      return [Number(rows[0]?.first), Number(rows[0]?.second)]
    },
    openSecond: (changed = {}) =>
      startApp({
        env: { ...env, CLICKHOUSE_DATABASE: app.config.clickhouse.database, ...changed },
        overrides: { sources: [...sources].reverse() },
      }),
    async backfill() {
      const store = openTelemetryStore(app.config, createLogger({ level: 'silent' }), { sources })
      try {
        const { signal } = new AbortController()
        return await store.backfill({ signal, onProgress: () => {}, settledSeconds: 0 })
      } finally {
        await store.close()
      }
    },
    async crash(shard) {
      const engine = engines[shard]
      signal(engine, 'SIGKILL')
      await engine?.stop()
      engines[shard] = undefined
    },
    async restart(shard) {
      engines[shard] = await shards.restart(shard)
    },
    pause: (shard) => signal(engines[shard], 'SIGSTOP'),
    resume: (shard) => signal(engines[shard], 'SIGCONT'),
    async close() {
      await app.close()
      await Promise.all(engines.map((engine) => engine?.stop()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function signal(engine: EmbeddedEngine | undefined, name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void {
  process.kill(engine?.pid as number, name)
}

/** Returns the settings of the cluster. The sources of the engines carry the credentials. */
function clusterOf(engines: readonly EmbeddedEngine[]): Env {
  const urls = engines.map((engine) => engine.endpoint()?.url ?? '')
  return { CLICKHOUSE_URL: urls.join(','), CLICKHOUSE_CLUSTER: shardsCluster }
}
