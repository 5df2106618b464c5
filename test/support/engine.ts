/** Databases on the embedded engine of the run (engine-setup.ts). Each test file uses a new one. */
import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { type ClusterOptions, openCluster } from '../../server/clickhouse/cluster.ts'
import type { EndpointSource } from '../../server/clickhouse/endpoint.ts'
import { openClickHouse } from '../../server/clickhouse/http-client.ts'
import { prepareCluster, visitNodes } from '../../server/clickhouse/migrate/cluster-tables.ts'
import { migrate } from '../../server/clickhouse/migrate/migrate.ts'
import type { QueryLimits } from '../../server/clickhouse/query-limits.ts'
import { queryLimits } from './query-limits.ts'
import { shardsCluster } from './shards.ts'
import { silentLogger } from './silent-logger.ts'

export function openDatabase(database: string, limits: Partial<QueryLimits> = {}): ClickHouse {
  const endpoint = inject('engine')
  return openClickHouse({
    source: { state: 'ready', endpoint: () => endpoint },
    database,
    limits: { ...queryLimits, ...limits },
    logger: silentLogger,
  })
}

/**
 * Creates a database with all migrations applied, sharded if the run has shards, and returns a client of it. `close()`
 * of the client drops the database.
 */
export async function freshDatabase(limits: Partial<QueryLimits> = {}): Promise<ClickHouse> {
  const database = newDatabaseName()
  const clickhouse = await (inject('shards').length > 0 ? spreadDatabase : databaseOfOneEngine)(database, limits)
  const close = clickhouse.close.bind(clickhouse)
  clickhouse.close = async () => {
    await dropDatabase(clickhouse)
    await close()
  }
  return clickhouse
}

async function databaseOfOneEngine(database: string, limits: Partial<QueryLimits>): Promise<ClickHouse> {
  const clickhouse = openDatabase(database, limits)
  await migrate(clickhouse, { exclusive: true })
  return clickhouse
}

async function spreadDatabase(database: string, limits: Partial<QueryLimits>): Promise<ClickHouse> {
  const options = clusterOfRun(database, limits)
  await prepareCluster(options, async () => {})
  return openCluster(options)
}

function clusterOfRun(database: string, limits: Partial<QueryLimits> = {}): ClusterOptions {
  return {
    nodes: sourcesOfRun(),
    name: shardsCluster,
    database,
    logger: silentLogger,
    limits: { ...queryLimits, ...limits },
  }
}

/**
 * Inserts the rows of a query, once: a command to a cluster runs on each of its nodes. `into` is a table, and columns
 * of it in parentheses.
 */
export async function insertSelected(clickhouse: ClickHouse, into: string, select: string): Promise<void> {
  const [node] = clickhouse.nodes
  await node?.command(`INSERT INTO ${into} SETTINGS distributed_foreground_insert = 1 ${select}`)
}

/**
 * Calls `visit` with a client of the tables that a node stores itself, for each node of the run. Such tables can be
 * changed by mutations, distributed ones cannot.
 */
export async function visitOwnTables(
  clickhouse: ClickHouse,
  visit: (node: ClickHouse) => Promise<void>,
): Promise<void> {
  if (inject('shards').length === 0) return visit(clickhouse)
  await visitNodes(clusterOfRun(clickhouse.database), visit)
}

/** Returns the sources of the run's engine, or of its shards. A database of one engine may be exclusive to a client. */
export function sourcesOfRun({ isExclusive = false } = {}): EndpointSource[] {
  const shards = inject('shards')
  const endpoints = shards.length > 0 ? shards : [inject('engine')]
  return endpoints.map((endpoint) => ({
    state: 'ready',
    isExclusive: isExclusive && shards.length === 0,
    endpoint: () => endpoint,
  }))
}

export function newDatabaseName(): string {
  return `test_${randomUUID().replaceAll('-', '')}`
}

/** Drops a database and its local tables on every node. The client's own comes last, because it needs it. */
export async function dropDatabase(clickhouse: ClickHouse): Promise<void> {
  const names = [...(inject('shards').length > 0 ? [`${clickhouse.database}_shard`] : []), clickhouse.database]
  for (const name of names) await clickhouse.command(`DROP DATABASE IF EXISTS ${name} SYNC`)
}
