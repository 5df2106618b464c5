import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { openClickHouse } from '../../server/clickhouse/http-client.ts'
import { prepareCluster } from '../../server/clickhouse/migrate/cluster-tables.ts'
import { migrate } from '../../server/clickhouse/migrate/migrate.ts'
import { readMigrations, statementsOf } from '../../server/clickhouse/migrate/migration-files.ts'
import { telemetryTableNames, toReplicatedEngine } from '../../sql/index.ts'
import { insertSelected } from '../support/engine.ts'
import { column } from '../support/own-engine.ts'
import { queryLimits } from '../support/query-limits.ts'
import { type Shards, shardsCluster, startShards } from '../support/shards.ts'
import { silentLogger } from '../support/silent-logger.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'tracefold-shards-'))
const options = { limits: queryLimits, logger: silentLogger }
let shards: Shards
let first: ClickHouse

beforeAll(async () => {
  shards = await startShards(2, folder)
  first = openClickHouse({ ...options, source: sourceAt(0), database: 'default' })
})
afterAll(async () => {
  await first?.close()
  await Promise.all((shards?.engines ?? []).map((engine) => engine.stop()))
  rmSync(folder, { recursive: true, force: true })
})

function sourceAt(index: number) {
  const engine = shards.engines[index]
  if (engine === undefined) throw new Error(`There is no shard ${index}.`)
  return engine
}

function prepare(database: string, { name = shardsCluster, nodes = shards.engines } = {}): Promise<string[]> {
  const prepared: string[] = []
  const noteTable = async (shard: ClickHouse) => void prepared.push(shard.database)
  return prepareCluster({ ...options, database, name, nodes }, noteTable).then(() => prepared)
}

it('creates local and distributed tables on every node, and loses nothing the second time', async () => {
  expect(await prepare('twice')).toEqual(['twice_shard', 'twice_shard'])
  await insertSelected(first, 'twice.spans (org, trace_id)', "SELECT 'acme', number FROM numbers(100)")
  await prepare('twice')
  expect(await column(first, 'SELECT toUInt32(count()) FROM twice.spans')).toEqual([100])
  expect(await column(first, 'SELECT count() BETWEEN 1 AND 99 FROM twice_shard.spans')).toEqual([1])
})

const distributedTables = (database: string) =>
  column(first, `SELECT (name, uuid) FROM system.tables WHERE database = '${database}' ORDER BY name`)

it('replaces no distributed table that is as it should be, because another server may be reading it', async () => {
  await prepare('kept')
  const before = await distributedTables('kept')
  await prepare('kept')
  expect(before).toHaveLength(telemetryTableNames.length)
  expect(await distributedTables('kept')).toEqual(before)
})

it('replaces a distributed table of another engine or other columns', async () => {
  await prepare('other')
  await first.command('DROP TABLE other.spans SYNC')
  const engine = `Distributed('${shardsCluster}', 'other_shard', 'spans', rand())`
  await first.command(`CREATE TABLE other.spans AS other_shard.spans ENGINE = ${engine}`)
  await first.command('ALTER TABLE other.log_records ADD COLUMN added UInt8')
  const before = await distributedTables('other')
  await prepare('other')
  const after = await distributedTables('other')
  const isReplaced = (table: unknown) => !JSON.stringify(after).includes(JSON.stringify(table))
  expect(before.filter(isReplaced).map((table) => (table as string[])[0])).toEqual(['log_records', 'spans'])
})

it('adds a column of a migration to the distributed tables', async () => {
  await prepare('grown')
  for (const index of [0, 1]) {
    const node = openClickHouse({ ...options, source: sourceAt(index), database: 'grown_shard' })
    await node.command('ALTER TABLE log_records ADD COLUMN added UInt8 DEFAULT 7')
    await node.close()
  }
  await prepare('grown')
  await insertSelected(first, 'grown.log_records (org)', "SELECT 'acme'")
  expect(await column(first, 'SELECT added FROM grown.log_records')).toEqual([7])
})

it('refuses to replace the telemetry of a single server and says how to keep it', async () => {
  const single = openClickHouse({ ...options, source: sourceAt(0), database: 'alone' })
  await migrate(single, { exclusive: true })
  await single.command("INSERT INTO spans (org, trace_id) VALUES ('acme', 1)")
  await single.close()
  await expect(prepare('alone')).rejects.toThrow('RENAME DATABASE alone TO alone_shard')
  await first.command('DROP DATABASE IF EXISTS alone_shard SYNC')
  await first.command('RENAME DATABASE alone TO alone_shard')
  await prepare('alone')
  expect(await column(first, 'SELECT toUInt32(count()) FROM alone.spans')).toEqual([1])
})

it('refuses a cluster that the nodes do not know, or of which not every node is named', async () => {
  await expect(prepare('refused', { name: 'unknown' })).rejects.toThrow('The cluster unknown has 0 nodes')
  const nodes = [sourceAt(0)]
  await expect(prepare('refused', { nodes })).rejects.toThrow(
    `The cluster ${shardsCluster} has 2 nodes, but CLICKHOUSE_URL names 1`,
  )
})

it('replicates every telemetry table of a cluster with replicas, with the same options', async () => {
  const statements = readMigrations().flatMap((migration) => statementsOf(migration, {}))
  const engines = statements.map(toReplicatedEngine).map((statement) => /^ENGINE = .*$/m.exec(statement)?.[0])
  const place = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'"
  expect(engines.filter((engine) => engine !== undefined)).toEqual([
    `ENGINE = ReplicatedReplacingMergeTree(${place}, stored_rank)`,
    `ENGINE = ReplicatedAggregatingMergeTree(${place})`,
    `ENGINE = ReplicatedReplacingMergeTree(${place}, stored_rank)`,
    `ENGINE = ReplicatedMergeTree(${place})`,
    `ENGINE = ReplicatedAggregatingMergeTree(${place})`,
    `ENGINE = ReplicatedAggregatingMergeTree(${place})`,
    `ENGINE = ReplicatedAggregatingMergeTree(${place})`,
  ])
  for (const statement of statements.map(toReplicatedEngine)) {
    const query = { text: 'SELECT formatQuery({p0:String}) AS formatted', params: { p0: statement } }
    await expect(first.read(query, { for: 'system', label: 'a statement' })).resolves.toBeDefined()
  }
})
