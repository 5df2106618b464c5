/** Searches of log records for rare values, by the value index. */

import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import { labelsOf } from '../support/customer-steps.ts'
import { newDatabaseName, visitOwnTables } from '../support/engine.ts'
import { closeIndexStates, type IndexStates, openIndexStates } from '../support/index-states.ts'
import { backfillEverything } from '../support/indexed-values.ts'
import { makeLog } from '../support/log-model.ts'
import { type LogSubject, openLogSubject } from '../support/log-subject.ts'
import { startEngine } from '../support/own-engine.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { drawnStartNs } from '../support/trace-text.ts'
import { findLogs, ofCustomer, storeCustomers, window } from './customer-logs.ts'

/** Two servers with one database; `plain` stores records without entries, as earlier versions did. */
let servers: IndexStates<LogSubject>
beforeAll(async () => {
  servers = await openIndexStates((env) => openLogSubject(env))
})
afterAll(() => closeIndexStates(servers))

const log = (name: string, atSeconds: number, trace = '', customer = 'a') => ({ name, atSeconds, trace, customer })

async function read<Row>(text: string): Promise<Row[]> {
  const options = { for: 'system', label: 'entries' } as const
  return (await servers.indexing.app.app.clickhouse.read<Row>({ text, params: {} }, options)).rows
}

const entriesOf = (org: string) =>
  read<object>(
    `SELECT hash, toString(bucket) AS bucket, groupBitOr(slots) AS slots, max(key_hash) AS key_hash
     FROM value_index WHERE org = '${org}' GROUP BY hash, bucket ORDER BY hash, bucket`,
  )

/** Adds records of other customers, so that each slot of a bucket is in granules of its own. */
async function fillGranules(org: string): Promise<void> {
  const { clickhouse } = servers.indexing.app.app
  await clickhouse.command(
    `INSERT INTO log_records (org, trace_id, event_time, is_indexed)
     SELECT '${org}', bitShiftLeft(toUInt128(number % 256), 120), fromUnixTimestamp64Nano(${drawnStartNs}), 1
     FROM numbers(65536)`,
  )
  await visitOwnTables(clickhouse, (node) => node.command('OPTIMIZE TABLE log_records FINAL'))
}

it('asks the index, and reads no record for a value that is nowhere', async () => {
  const { indexing } = servers
  await storeCustomers(indexing, 'asks', [log('r', 0)])
  const search = (customer: string) => () => indexing.search('asks', { ...window, conditions: [ofCustomer(customer)] })
  expect(await labelsOf(indexing.app, search('nobody'))).toEqual(['value index'])
  expect(await labelsOf(indexing.app, search('a'))).toEqual(['value index', 'log records', 'log record details'])
})

it('finds records of every slot, with and without a trace, at the ends of buckets, in pages of any size', async () => {
  const { indexing, plain } = servers
  const traces = ['', ...Array.from({ length: 16 }, (_, slot) => `${slot.toString(16)}f`)]
  const records = [-1e-9, 0, 10, 1_000].flatMap((atSeconds) =>
    traces.map((trace) => log(`${atSeconds} ${trace}`, atSeconds, trace)),
  )
  await storeCustomers(indexing, 'slots', records)
  await storeCustomers(indexing, 'slots', [log('other', 0, '', 'b')])
  await fillGranules('slots')
  const expected = await findLogs(plain, 'slots', 'a')
  expect(expected).toHaveLength(records.length)
  for (const limit of [17, 200]) expect(await findLogs(indexing, 'slots', 'a', { limit })).toEqual(expected)
  expect(await findLogs(indexing, 'slots', 'b')).toEqual(['other'])
})

it('finds records in parts that begin later than the bucket of their only records', async () => {
  const { indexing } = servers
  for (const n of [1, 2, 3]) await storeCustomers(indexing, 'parts', [log(`r${n}`, 10.5 * n, '', `c${n}`)])
  for (const n of [1, 2, 3]) expect(await findLogs(indexing, 'parts', `c${n}`)).toEqual([`r${n}`])
})

it('finds records that were stored without entries, before, between and after others', async () => {
  const { indexing, plain } = servers
  await storeCustomers(plain, 'missing', [log('p50', 50)])
  expect(await findLogs(indexing, 'missing', 'a')).toEqual(['p50'])
  await storeCustomers(indexing, 'missing', [log('i20', 20), log('i90', 90)])
  await storeCustomers(plain, 'missing', [log('p57', 57, 'ff'), log('p58', 58)])
  await storeCustomers(indexing, 'missing', [log('i55', 55), log('i59', 59)])
  const expected = ['i90', 'i59', 'p58', 'p57', 'i55', 'p50', 'i20']
  for (const limit of [1, 2, 3, 50]) expect(await findLogs(indexing, 'missing', 'a', { limit })).toEqual(expected)
  // A server of an earlier version goes on storing beside newer ones.
  await storeCustomers(plain, 'missing', [log('p300', 300)])
  expect(await findLogs(indexing, 'missing', 'a')).toEqual(['p300', ...expected])
})

it('entries without records, and entries of other values with the same hash, change no result', async () => {
  const { indexing } = servers
  await storeCustomers(indexing, 'extra', [log('a1', 100), log('b1', 200, 'ab', 'b'), log('a2', 300, 'cd')])
  await indexing.app.app.clickhouse.command(
    `INSERT INTO value_index (org, hash, bucket, slots)
     SELECT org, hash, toDateTime(${drawnStartNs / 10_000_000_000n} * 10 + number * 10), 65535
     FROM (SELECT DISTINCT org, hash FROM value_index WHERE org = 'extra') AS known, numbers(180) AS buckets`,
  )
  for (const limit of [1, 50]) expect(await findLogs(indexing, 'extra', 'a', { limit })).toEqual(['a2', 'a1'])
  expect(await findLogs(indexing, 'extra', 'b')).toEqual(['b1'])
  expect(await findLogs(indexing, 'extra', 'c')).toEqual([])
})

it('finds records without any time, whose place is known when they are stored', async () => {
  const { indexing } = servers
  await storeCustomers(indexing, 'timeless', [log('timed', 0)])
  const attributes = [['customer', { stringValue: 'a' }]] as const
  await indexing.store('timeless', [makeLog({ eventName: 'timeless', attributes })])
  const all = { from: window.from, to: '2100-01-01T00:00:00Z', conditions: [ofCustomer('a')] }
  const names = async () => (await indexing.searchAll('timeless', all)).map(({ event_name }) => event_name)
  expect(await names()).toEqual(['timeless', 'timed'])
  await backfillEverything(indexing.app.app.clickhouse)
  expect(await read(`SELECT DISTINCT is_indexed FROM log_records WHERE org = 'timeless'`)).toEqual([{ is_indexed: 1 }])
  expect(await names()).toEqual(['timeless', 'timed'])
})

it.each([
  ['the resource', { attribute_source: 'resource', attribute_key: 'host', operator: 'eq', value: 'h' }, ['r2', 'r1']],
  ['either, by the resource', { attribute_key: 'host', operator: 'eq', value: 'h' }, ['r1']],
  ['either, by the record', { attribute_key: 'host', operator: 'eq', value: 'own' }, ['r2']],
  ['presence', { attribute_source: 'log', attribute_key: 'host', operator: 'exists' }, ['r2']],
  ['absence', { attribute_key: 'host', operator: 'not_exists' }, ['r3']],
  ['a service', { attribute_source: 'intrinsic', attribute_key: 'service', operator: 'eq', value: 'bank' }, ['r3']],
  ['a severity', { attribute_source: 'intrinsic', attribute_key: 'severity', operator: 'eq', value: 'FATAL' }, ['r1']],
  [
    'no severity',
    { attribute_source: 'intrinsic', attribute_key: 'severity', operator: 'eq', value: '' },
    ['r3', 'r2'],
  ],
  ['a number in another form', { attribute_key: 'count', operator: 'eq', value: '12.0' }, ['r3', 'r1']],
  ['a double', { attribute_key: 'count', operator: 'eq', value: '12.5' }, ['r2']],
  ['a number of either type', { attribute_key: 'count', operator: 'eq', value: '12' }, ['r3', 'r1']],
])('finds records by %s', async (name, condition, expected) => {
  const { indexing, plain } = servers
  const org = `by ${name}`
  const at = (seconds: bigint) => drawnStartNs + seconds * 1_000_000_000n
  const host = (text: string) => ['host', { stringValue: text }] as const
  await indexing.store(org, [
    makeLog({
      eventName: 'r1',
      timeNs: at(1n),
      severityText: 'FATAL',
      resourceAttributes: [host('h')],
      attributes: [['count', { intValue: '12' }]],
    }),
    makeLog({
      eventName: 'r2',
      timeNs: at(2n),
      resourceAttributes: [host('h')],
      attributes: [host('own'), ['count', { doubleValue: 12.5 }]],
    }),
    makeLog({ eventName: 'r3', timeNs: at(3n), service: 'bank', attributes: [['count', { doubleValue: 12 }]] }),
  ])
  const find = async (by: LogSubject) =>
    (await by.searchAll(org, { ...window, conditions: [condition] })).map(({ event_name }) => event_name)
  expect(await find(plain)).toEqual(expected)
  expect(await find(indexing)).toEqual(expected)
})

it('a value that is only in log records is not looked for in spans, and the reverse', async () => {
  const { indexing } = servers
  const org = 'apart'
  await storeCustomers(indexing, org, [log('r', 0, '71')])
  const times = { startTimeUnixNano: String(drawnStartNs), endTimeUnixNano: String(drawnStartNs) }
  const attributes = [{ key: 'customer', value: { stringValue: 's' } }]
  const span = { traceId: '72'.repeat(16), spanId: '2'.repeat(16), ...times, attributes }
  await indexing.app.sendSpans({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }, { org })
  const ofLogs = () => indexing.search(org, { ...window, conditions: [ofCustomer('s')] })
  expect(await labelsOf(indexing.app, ofLogs)).toEqual(['value index'])
  const ofSpans = () => indexing.ask(org, 'POST', '/api/v1/messages/search', { ...window, rows: [ofCustomer('a')] })
  expect(await labelsOf(indexing.app, ofSpans)).toEqual(['value index'])
})

it('the backfill adds the same entries as ingest, once', async () => {
  const { indexing, plain } = servers
  const records = [
    log('r1', 0, '', 'ünï¢ode 𝄞 \u0000 \n'),
    log('r2', 9.999_999_999, 'ff', ''),
    log('r3', 10, '10', 'more than sixteen bytes, with "quotes", \\ and \u0001\u0002 marks'),
  ]
  await storeCustomers(indexing, 'direct', records)
  await storeCustomers(plain, 'later', records)
  expect(await entriesOf('later')).toEqual([])
  const { clickhouse } = indexing.app.app
  expect(await backfillEverything(clickhouse)).toBeGreaterThanOrEqual(3)
  expect(await entriesOf('later')).toEqual(await entriesOf('direct'))
  expect(await read(`SELECT DISTINCT is_indexed FROM log_records WHERE org = 'later'`)).toEqual([{ is_indexed: 1 }])
  expect(await backfillEverything(clickhouse)).toBe(0)
  // The index is read for records that it did not cover before, as soon as it does.
  for (const { name, customer } of records) expect(await findLogs(indexing, 'later', customer)).toEqual([name])
})

it('records that were stored recently are left alone, because an insert may still be storing others', async () => {
  await storeCustomers(servers.plain, 'recent', [log('r', 0)])
  await backfillEverything(servers.indexing.app.app.clickhouse, { settledSeconds: 120 })
  expect(await entriesOf('recent')).toEqual([])
})

it('a body that is sent again is stored once', async () => {
  const { indexing } = servers
  for (const _ of [1, 2]) await storeCustomers(indexing, 'again', [log('r', 0)])
  expect(await findLogs(indexing, 'again', 'a')).toEqual(['r'])
})

/** The engine that is killed is no shard of the run. */
const ofOneEngine = { skip: inject('shards').length > 0 }

it('finds records without entries, although it is known that every span has its entries', ofOneEngine, async () => {
  const only = await openLogSubject({ VALUE_INDEX: 'always' })
  onTestFinished(() => only.close())
  const { clickhouse } = only.app.app
  await storeCustomers(only, 'unindexed', [log('r', 0)])
  await clickhouse.command('ALTER TABLE log_records UPDATE is_indexed = 0 WHERE 1 SETTINGS mutations_sync = 2')
  await clickhouse.command('TRUNCATE TABLE value_index')
  await expect.poll(() => clickhouse.known?.areIndexed).toBe(true)
  expect(await findLogs(only, 'unindexed', 'a')).toEqual(['r'])
})

it('loses and hides nothing when the engine is killed between entries and log records', ofOneEngine, async () => {
  const engine = await startEngine(temporaryFolder())
  const env = { CLICKHOUSE_DATABASE: newDatabaseName(), VALUE_INDEX: 'always' }
  const victim = await openLogSubject(env, { sources: [engine] })
  onTestFinished(() => victim.close())
  const { clickhouse } = victim.app.app
  const insert = clickhouse.insert.bind(clickhouse)
  let kills = 0
  let isArmed = false
  clickhouse.insert = async (table, ...rest) => {
    if (table === 'log_records' && isArmed && engine.pid !== undefined) {
      isArmed = false
      kills++
      process.kill(engine.pid, 'SIGKILL')
    }
    await insert(table, ...rest)
  }
  const names = Array.from({ length: 6 }, (_, index) => `r${index}`)
  for (const [index, name] of names.entries()) {
    isArmed = true
    const stored = () =>
      storeCustomers(victim, 'killed', [log(name, index * 7)]).then(
        () => true,
        () => false,
      )
    while (!(await stored())) await sleep(100)
  }
  expect(kills).toBe(names.length)
  expect(await findLogs(victim, 'killed', 'a')).toEqual(names.toReversed())
})
