import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApp } from '../server/app.ts'
import { openLocalKey, signLocalToken } from '../server/auth/local-tokens.ts'
import type { ClickHouse } from '../server/clickhouse/client.ts'
import { readConfig } from '../server/config/read-config.ts'
import type { Env } from '../server/config/sources.ts'
import { createLogger } from '../server/observability/logging.ts'
import { type Api, type DownloadingApi, openApi, type SendingApi } from './api.ts'

/** What the queries of one request read, as reported by ClickHouse. */
export interface Reads {
  queries: number
  rowsRead: number
  bytesRead: number
  /** Peak memory of the largest query. */
  memoryBytes: number
}

/** The real server with an embedded engine and a temporary data directory, on a free port. */
export interface BenchServer {
  /** The server's own client, for loading data and for queries that no operation makes. */
  readonly clickhouse: ClickHouse
  readonly url: string
  /** Returns a credential with the role `admin` in an organization. */
  token(org: string): Promise<string>
  /** Returns an HTTP client with the role `admin` in an organization. */
  api(org: string): Promise<DownloadingApi>
  /** Sums up what is read while `work` runs. Nothing else may run at the same time. */
  readsOf(work: () => Promise<unknown>): Promise<Reads>
  close(): Promise<void>
}

/** A server whose clients also send telemetry. */
export interface IngestingServer extends BenchServer {
  api(org: string): Promise<SendingApi>
}

const tokenSeconds = 24 * 3_600

/** Sixteen concurrent clients may need several queries each, and must not be refused. */
const settings = {
  PORT: '0',
  GRPC_PORT: 'off',
  LOG_LEVEL: 'error',
  QUERY_SECONDS_MAX: '300',
  QUERIES_CONCURRENT_MAX: '64',
}

/**
 * Starts a server with an engine of its own. `changed` replaces settings, by their names in the environment. The data
 * is deleted in the end, unless it is in `keptDir`.
 */
export async function startBenchServer(changed: Env = {}, keptDir?: string): Promise<IngestingServer> {
  const dataDir = keptDir ?? mkdtempSync(join(tmpdir(), 'tracefold-bench-'))
  const config = readConfig({ ...settings, ...changed, DATA_DIR: dataDir })
  let reads: Reads | undefined
  const logger = createLogger({ level: config.logLevel, destination: { write: (line) => noteQuery(line, reads) } })
  const app = await startApp(config, { logger, collectProcessMetrics: false })
  const apis: Api[] = []
  await app.ready
  const token = async (org: string) => {
    const caller = { org, role: 'admin', subject: 'bench' } as const
    const key = await openLocalKey(dataDir)
    return signLocalToken({ key, caller, secondsToLive: tokenSeconds, now: new Date() })
  }
  return {
    clickhouse: app.clickhouse,
    url: app.url,
    token,
    async api(org) {
      const api = openApi(app.url, await token(org))
      apis.push(api)
      return api
    },
    async readsOf(work) {
      reads = { queries: 0, rowsRead: 0, bytesRead: 0, memoryBytes: 0 }
      logger.level = 'debug'
      try {
        await work()
        return reads
      } finally {
        logger.level = config.logLevel
        reads = undefined
      }
    },
    async close() {
      await Promise.all(apis.map((api) => api.close()))
      await app.stop()
      if (keptDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Adds up the statistics of queries in the server's log, and prints errors to standard error. */
function noteQuery(line: string, reads: Reads | undefined): void {
  const { level, msg, rowsRead = 0, bytesRead = 0, memoryBytes = 0 } = JSON.parse(line)
  if (level === 'error') process.stderr.write(line)
  if (reads === undefined || msg !== 'Query finished') return
  reads.queries += 1
  reads.rowsRead += rowsRead
  reads.bytesRead += bytesRead
  reads.memoryBytes = Math.max(reads.memoryBytes, memoryBytes)
}
