import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { migrate } from '../../server/clickhouse/migrate/migrate.ts'
import { applyRetention } from '../../server/clickhouse/migrate/retention.ts'
import {
  renderInScope,
  serviceProfiles,
  type TelemetryTable,
  telemetryTableNames,
  telemetryTables,
} from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { freshDatabase, openDatabase } from '../support/engine.ts'
import { makePoint, makeSeries, toOtlpMetrics } from '../support/metric-model.ts'
import { clientOf, column, startEngine, until } from '../support/own-engine.ts'
import { makeSpan, toOtlpJson } from '../support/span-model.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let clickhouse: ClickHouse
beforeEach(async () => {
  clickhouse = await freshDatabase()
})
afterEach(() => clickhouse.close())

const ttl = (table: string) =>
  column(
    clickhouse,
    `SELECT extract(engine_full, ' TTL (.*) SETTINGS')
     FROM system.tables WHERE database = currentDatabase() AND name = '${table}'`,
  )

/** The days by which rows of a table are kept longer than the retention. */
function extraDaysOf(table: TelemetryTable): number {
  const declared = telemetryTables[table]
  return 'extraDays' in declared ? declared.extraDays : 0
}

const ttlOf = (table: TelemetryTable, days: number) =>
  `toDateTime64(${telemetryTables[table].time}, 0) + toIntervalDay(${days + extraDaysOf(table)})`

it('is changed only when the TTL differs from the setting', async () => {
  const expectTtl = async (days: number | undefined) => {
    for (const table of telemetryTableNames) {
      const expected = days === undefined ? '' : ttlOf(table, days)
      expect(await ttl(table)).toEqual([expected])
    }
  }
  expect(await applyRetention(clickhouse, undefined)).toEqual([])
  expect(await applyRetention(clickhouse, 30)).toEqual(telemetryTableNames)
  await expectTtl(30)
  expect(await applyRetention(clickhouse, 30)).toEqual([])
  expect(await applyRetention(clickhouse, 7)).toEqual(telemetryTableNames)
  await expectTtl(7)
  expect(await applyRetention(clickhouse, undefined)).toEqual(telemetryTableNames)
  await expectTtl(undefined)
})

it('says that telemetry is kept once the setting is removed', async () => {
  const env = { CLICKHOUSE_DATABASE: clickhouse.database }
  const changesOf = async (more: object) => {
    const app = await startApp({ env: { ...env, ...more } })
    await app.app.stop()
    rmSync(app.config.dataDir, { recursive: true })
    return app.logLines().filter(({ tables }) => tables !== undefined)
  }
  expect(await changesOf({ RETENTION_DAYS: '30' })).toMatchObject([
    { msg: 'Changed the retention of telemetry', retentionDays: 30 },
  ])
  expect(await changesOf({})).toMatchObject([
    { msg: 'Removed the retention of telemetry, which is kept from now on', tables: telemetryTableNames },
  ])
})

it('removes older rows, including those that were stored before it was set', async () => {
  await clickhouse.command(
    `INSERT INTO log_records (org, event_time, severity_number)
     SELECT 'acme', now() - toIntervalDay(number), number FROM numbers(10)`,
  )
  await applyRetention(clickhouse, 3)
  await until(async () => {
    await clickhouse.command('OPTIMIZE TABLE log_records FINAL')
    const left = await column(clickhouse, 'SELECT severity_number FROM log_records ORDER BY severity_number')
    return left.length === 3 && left.every((x, index) => x === index)
  })
})

/** Around the end of `DateTime`, long after it, and the end of `DateTime64(9)`. Each is on a day of its own. */
const lateTimes = ['2106-02-07 06:28:15', '2106-02-08 00:00:00', '2111-03-01 00:00:07', '2262-04-11 23:47:16']

/** Stores a row for each time. */
async function storeRows(client: ClickHouse, table: TelemetryTable, rowTimes: readonly string[]) {
  const declared = telemetryTables[table]
  const columns = 'begin' in declared ? [declared.begin, declared.time] : [declared.time]
  const rows = rowTimes.map((time) => `('acme', ${columns.map(() => `'${time}'`).join(', ')})`)
  await client.command(`INSERT INTO ${table} (org, ${columns.join(', ')}) VALUES ${rows.join(', ')}`)
}

/** Merges a table, which applies its TTL, and returns the times of the rows that are left. */
async function timesLeft(client: ClickHouse, table: TelemetryTable) {
  const { time } = telemetryTables[table]
  await client.command(`OPTIMIZE TABLE ${table} FINAL`)
  return column(client, `SELECT formatDateTime(${time}, '%F %T') FROM ${table} ORDER BY ${time}`)
}

/** Returns the time some days and seconds before now, or the second after 1970 begins if that is later. */
function timeBefore(days: number, seconds: number): string {
  const time = new Date(Math.max(1_000, Date.now() - days * 86_400_000 + seconds * 1_000))
  return time.toISOString().slice(0, 19).replace('T', ' ')
}

it.each([1, 30, 20_779, 28_930, 36_500])(
  'of %i days keeps all newer rows of every table, over merges and a restart',
  async (days) => {
    const dataDir = temporaryFolder()
    const engine = await startEngine(dataDir)
    const before = clientOf(engine)
    await migrate(before, { exclusive: true })
    await applyRetention(before, days)
    const expected = [timeBefore(days, 3_600), ...lateTimes]
    for (const table of telemetryTableNames) {
      await storeRows(before, table, expected)
      expect(await timesLeft(before, table), table).toEqual(expected)
    }
    await engine.stop()
    const after = clientOf(await startEngine(dataDir))
    expect(await applyRetention(after, days)).toEqual([])
    for (const table of telemetryTableNames) expect(await timesLeft(after, table), table).toEqual(expected)
  },
)

it.each([1, 30, 20_000])('of %i days deletes older rows of every table', async (days) => {
  const kept = timeBefore(days, 3_600)
  await applyRetention(clickhouse, days)
  for (const table of telemetryTableNames) {
    await storeRows(clickhouse, table, [timeBefore(days + extraDaysOf(table), -86_400), kept])
    expect(await timesLeft(clickhouse, table), table).toEqual([kept])
  }
})

it.each(telemetryTableNames)(
  'replaces the TTL of %s by earlier versions, which deleted rows after 2106',
  async (table) => {
    await clickhouse.command(
      `ALTER TABLE ${table} MODIFY TTL toDateTime(${telemetryTables[table].time}) + toIntervalDay(30)`,
    )
    expect(await applyRetention(clickhouse, 30)).toEqual(telemetryTableNames)
    expect(await ttl(table)).toEqual([ttlOf(table, 30)])
    await storeRows(clickhouse, table, lateTimes)
    expect(await timesLeft(clickhouse, table)).toEqual(lateTimes)
  },
)

it('that grows leaves expired spans, whose entries may be gone, to searches without the value index', async () => {
  await applyRetention(clickhouse, 30)
  await clickhouse.command('SYSTEM STOP TTL MERGES spans')
  await clickhouse.command(
    `INSERT INTO spans (org, start, span_id, is_indexed)
     SELECT 'acme', now() - toIntervalDay(age), age, 1 + age % 2 FROM (SELECT arrayJoin([5, 29, 31, 40]) AS age)`,
  )
  await applyRetention(clickhouse, 60)
  expect(await column(clickhouse, 'SELECT span_id FROM spans WHERE is_indexed != 0 ORDER BY start DESC')).toEqual([
    '5',
    '29',
  ])
  expect(await column(clickhouse, 'SELECT count() FROM spans')).toEqual(['4'])
})

it('that grows leaves expired log records to searches without the value index', async () => {
  await applyRetention(clickhouse, 30)
  await clickhouse.command('SYSTEM STOP TTL MERGES log_records')
  await clickhouse.command(
    `INSERT INTO log_records (org, event_time, flags, is_indexed)
     SELECT 'acme', now() - toIntervalDay(age), age, 1 FROM (SELECT arrayJoin([5, 29, 31, 40]) AS age)`,
  )
  await applyRetention(clickhouse, 60)
  expect(await column(clickhouse, 'SELECT flags FROM log_records WHERE is_indexed != 0 ORDER BY time DESC')).toEqual([
    5, 29,
  ])
  expect(await column(clickhouse, 'SELECT count() FROM log_records')).toEqual(['4'])
})

it('that is shorter is set for spans and log records before their entries, which never expire first', async () => {
  for (const table of ['spans', 'log_records']) {
    const failing: ClickHouse = Object.assign(Object.create(clickhouse), {
      async command(text: string, params = {}) {
        if (text.startsWith(`ALTER TABLE ${table} MODIFY`)) throw new Error('ended')
        await clickhouse.command(text, params)
      },
    })
    await expect(applyRetention(failing, 30)).rejects.toThrow('ended')
    expect(await ttl('value_index')).toEqual([''])
  }
})

it('keeps repeated spans listed until their rows are deleted, with the last row of a day', async () => {
  await applyRetention(clickhouse, 3)
  const day = Math.floor(Date.now() / 86_400_000 - 3) * 86_400
  const spans = [
    [1, 0],
    [1, 20],
    [2, 86_399],
  ] as const
  const rows = spans.map(([id, second]) => `('acme', 'shop', 1, ${id}, fromUnixTimestamp(${day + second}))`)
  await clickhouse.command(`INSERT INTO spans (org, service, trace_id, span_id, start) VALUES ${rows.join(', ')}`)
  await clickhouse.command(
    `INSERT INTO repeated_spans (org, trace_id, span_id, start) VALUES ('acme', 1, 1, fromUnixTimestamp(${day + 20}))`,
  )
  // The spans of an old day are in one part, which is dropped as a whole.
  await clickhouse.command('OPTIMIZE TABLE repeated_spans FINAL')
  const scope = { org: 'acme', window: { fromNs: 0n, toNs: 2n ** 63n - 1n } }
  const query = renderInScope(serviceProfiles({ rules: [], services: ['shop'], countedNs: 1_000_000_000n }), scope)
  const found = await clickhouse.read<{ span_count: string }>(query, { for: 'system', label: 'test' })
  expect(found.rows).toMatchObject([{ span_count: '2' }])
})

it('that grows lets spans and points that expired be sent again', async () => {
  const env = { CLICKHOUSE_DATABASE: clickhouse.database }
  const today = BigInt(Math.floor(Date.now() / 86_400_000)) * 86_400_000_000_000n
  const ages = [1n, 5n, 6n]
  const ids = ages.map((age) => ({ traceId: `${age}`.padStart(32, '1'), spanId: `${age}`.padStart(16, '1') }))
  const timeOf = (index: number) => today - (ages[index] ?? 0n) * 86_400_000_000_000n
  const sent = ids.map((id, index) =>
    makeSpan({ ...id, startNs: timeOf(index), attributes: [['id', { stringValue: id.traceId }]] }),
  )
  const series = makeSeries({ points: ages.map((_, index) => makePoint({ timeNs: timeOf(index) })) })
  const whom = { org: 'acme' }
  const within = async (retention: object, work: (app: TestApp) => Promise<unknown>) => {
    const app = await startApp({ env: { ...env, ...retention } })
    await work(app)
    await app.app.stop()
    rmSync(app.config.dataDir, { recursive: true })
  }
  const send = async (app: TestApp) => {
    await app.sendSpans(toOtlpJson(sent), whom)
    await app.ask('/v1/metrics', { json: toOtlpMetrics([series]), whom })
  }
  await within({}, send)
  await within({ RETENTION_DAYS: '3' }, async () => {
    for (const table of telemetryTableNames) await clickhouse.command(`OPTIMIZE TABLE ${table} FINAL`)
    expect(await column(clickhouse, 'SELECT count() FROM spans')).toEqual(['1'])
  })
  await within({}, async (app) => {
    await send(app)
    for (const { traceId } of ids) {
      expect(await app.ask(`/api/v1/messages/${traceId}`, { whom })).toMatchObject({ trace_id: traceId })
      const json = { from: '2020-01-01T00:00:00Z', rows: [{ attribute_key: 'id', operator: 'eq', value: traceId }] }
      expect(await app.ask('/api/v1/messages/count', { json, whom })).toMatchObject({ matched_step_count: 1 })
    }
    expect(await column(clickhouse, 'SELECT uniqExact(time) FROM metric_points')).toEqual(['3'])
  })
})

it('that grows for entries alone leaves spans to searches without the value index', async () => {
  await clickhouse.command(`INSERT INTO spans (org, start, is_indexed) SELECT 'acme', now() - toIntervalDay(20), 2`)
  await clickhouse.command('ALTER TABLE value_index MODIFY TTL toDateTime64(bucket, 0) + toIntervalDay(8)')
  expect(await applyRetention(clickhouse, undefined)).toEqual(['value_index'])
  expect(await column(clickhouse, 'SELECT is_indexed FROM spans')).toEqual([0])
})

it('fails when a table does not exist', async () => {
  const empty = openDatabase('default')
  await expect(applyRetention(empty, 1)).rejects.toThrow(`the table ${telemetryTableNames[0]} does not exist`)
  await empty.close()
})
