/**
 * A process that owns an engine, for tests to kill. It starts an engine on the data directory in its arguments, prints
 * the endpoint, and waits.
 */

import type { Endpoint } from '../../server/clickhouse/endpoint.ts'
import { startEmbeddedEngine } from '../../server/clickhouse/engine/supervisor.ts'
import { silentLogger } from '../support/silent-logger.ts'

export interface OwnedEngine {
  readonly pid: number
  readonly endpoint: Endpoint
}

const [dataDir = ''] = process.argv.slice(2)
const engine = await startEmbeddedEngine({ dataDir, logger: silentLogger })
console.log(JSON.stringify({ pid: engine.pid, endpoint: engine.endpoint() }))
setInterval(() => undefined, 60_000)
