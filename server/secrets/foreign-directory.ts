import { existsSync } from 'node:fs'
import path from 'node:path'
import { StoreFault } from '../problem/store-fault.ts'

/** What data directories of other products contain. Unknown files are accepted: people keep certificates there. */
const foreignFiles = {
  PG_VERSION: 'Postgres',
  ibdata1: 'MySQL',
  WiredTiger: 'MongoDB',
  'dump.rdb': 'Redis',
  appendonlydir: 'Redis',
  'meta.properties': 'Kafka',
  'node.lock': 'Elasticsearch',
  'nodes/0/node.lock': 'OpenSearch',
  chunks_head: 'Prometheus',
  'grafana.db': 'Grafana',
  preprocessed_configs: 'ClickHouse',
  'clickhouse/preprocessed_configs': 'ClickHouse',
} as const

/** What a server leaves in its own directory, of which at least one remains. */
const ownFiles = ['signing-key.pem', 'secrets-key', 'metadata.db', 'clickhouse/engine.lock']

/**
 * Refuses the data directory of another product, where a mistaken DATA_DIR would mix its files with those of a server.
 * A directory that a server has used before is accepted, whatever else is in it.
 * @throws StoreFault
 */
export function refuseForeignDirectory(dataDir: string): void {
  const has = (name: string) => existsSync(path.join(dataDir, name))
  const found = Object.entries(foreignFiles).find(([name]) => has(name))
  if (found === undefined || ownFiles.some(has)) return
  const [name, product] = found
  throw new StoreFault(
    `${dataDir} belongs to ${product}: it contains ${name}. Nothing was written there. ` +
      'Set DATA_DIR to another directory.',
  )
}
