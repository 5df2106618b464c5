import { afterAll, beforeAll, expect, it } from 'vitest'
import { settledSecondsDefault } from '../../server/clickhouse/migrate/backfill.ts'
import { hashOfText, presenceHash, traceHash, valueHash } from '../../sql/index.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { visitOwnTables } from '../support/engine.ts'
import { closeIndexStates, openIndexStates } from '../support/index-states.ts'
import { backfillEverything } from '../support/indexed-values.ts'
import { drawnStartNs } from '../support/trace-text.ts'

/** Two servers with one database; `plain` stores spans without entries, as earlier versions did. */
let indexing: TestApp
let plain: TestApp
beforeAll(async () => {
  ;({ indexing, plain } = await openIndexStates((env) => startApp({ env })))
})
afterAll(() => closeIndexStates({ indexing, plain }))

async function read<Row>(text: string): Promise<Row[]> {
  const options = { for: 'system', label: 'entries' } as const
  return (await indexing.app.clickhouse.read<Row>({ text, params: {} }, options)).rows
}

interface Entry {
  readonly hash: number
  readonly bucket: string
  readonly slots: number
  readonly key_hash: number
}

const entriesOf = (org: string) =>
  read<Entry>(
    `SELECT hash, toString(bucket) AS bucket, groupBitOr(slots) AS slots, max(key_hash) AS key_hash
     FROM value_index WHERE org = '${org}'
     GROUP BY hash, bucket ORDER BY hash, bucket`,
  )

const unindexed = async (org: string) =>
  Number((await read<{ n: string }>(`SELECT count() AS n FROM spans WHERE org = '${org}' AND is_indexed < 2`))[0]?.n)

const hostile = [
  { stringValue: '' },
  { stringValue: 'plain' },
  { stringValue: 'exactly 16 bytes' },
  { stringValue: 'more than sixteen bytes, with "quotes", \\ and \u0001\u0002\u0003\u0004 marks' },
  { stringValue: 'ünï¢ode 𝄞 \u0000 \n' },
  { intValue: '-9007199254740993' },
  { doubleValue: 12 },
  { doubleValue: 12.5 },
  { doubleValue: 1e21 },
  { doubleValue: 'NaN' },
  { boolValue: true },
  { bytesValue: 'AAECAw==' },
  { arrayValue: { values: [{ stringValue: 'a' }, { intValue: '1' }] } },
  { kvlistValue: { values: [{ key: 'k', value: { doubleValue: 0.5 } }] } },
  {},
]
const keys = ['', 'a.b', 'a%2Eb', 'http.route', 'io.kind', 'with space', '\u0001\u0004A', 'ü', 'k'.repeat(200)]

function hostileRequest() {
  const attributes = hostile.map((value, index) => ({ key: keys[index] ?? `key.${index}`, value }))
  const span = (index: number) => ({
    traceId: (index * 31 + 1).toString(16).padStart(2, '0').repeat(16),
    spanId: (index + 1).toString(16).padStart(16, '0'),
    name: index % 2 === 0 ? 'GET /' : '',
    // Just before a bucket begins, and exactly then.
    startTimeUnixNano: String(drawnStartNs - (drawnStartNs % 10_000_000_000n) + BigInt(index % 3) - 1n),
    endTimeUnixNano: String(drawnStartNs + 20_000_000_000n),
    status: { code: 2, message: index % 3 === 0 ? 'broken' : '' },
    attributes,
  })
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'wéb' } }, ...attributes] }
  const scopeSpans = [{ scope: { name: 'lib' }, spans: [0, 1, 2, 3].map(span) }, { spans: [4, 5, 6].map(span) }]
  return { resourceSpans: [{ resource, scopeSpans }, { scopeSpans: [{ spans: [span(7), span(8)] }] }] }
}

it('the backfill adds the same entries as ingest', async () => {
  const [direct, later] = ['direct', 'later']
  await indexing.sendSpans(hostileRequest(), { org: direct, role: 'ingest' })
  await plain.sendSpans(hostileRequest(), { org: later, role: 'ingest' })
  expect(await unindexed(direct)).toBe(0)
  expect(await unindexed(later)).toBeGreaterThan(0)
  expect(await entriesOf(later)).toEqual([])
  expect(await backfillEverything(indexing.app.clickhouse)).toBeGreaterThan(0)
  expect(await entriesOf(later)).toEqual(await entriesOf(direct))
  expect(await unindexed(later)).toBe(0)
  expect(await backfillEverything(indexing.app.clickhouse)).toBe(0)
})

it('a value has the hash of its key, and a key has its own hash where a value is not indexed', async () => {
  const ofSpan = { 'http.route': { stringValue: '/a' }, count: { intValue: '3' }, mean: { doubleValue: 0.5 } }
  const ofResource = { 'host.name': { stringValue: 'h' }, load: { doubleValue: 1.25 } }
  const listed = (values: object) => Object.entries(values).map(([key, value]) => ({ key, value }))
  const times = { startTimeUnixNano: String(drawnStartNs), endTimeUnixNano: String(drawnStartNs) }
  const span = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), ...times, attributes: listed(ofSpan) }
  const resource = { attributes: listed(ofResource) }
  await indexing.sendSpans({ resourceSpans: [{ resource, scopeSpans: [{ spans: [span] }] }] }, { org: 'keys' })
  const ofKey = (key: string) => hashOfText(key) >>> 0
  const ofValue = (key: string, text: string) => valueHash(hashOfText(key), hashOfText(text)) >>> 0
  const found = (await entriesOf('keys')).filter(({ key_hash }) => key_hash !== 0)
  expect(new Map(found.map(({ hash, key_hash }) => [hash, key_hash]))).toEqual(
    new Map([
      [ofValue('http.route', '/a'), ofKey('http.route')],
      [ofValue('count', '3'), ofKey('count')],
      [presenceHash(hashOfText('mean')) >>> 0, ofKey('mean')],
      [ofValue('host.name', 'h'), ofKey('host.name')],
      [presenceHash(hashOfText('load')) >>> 0, ofKey('load')],
    ]),
  )
})

it('the backfill adds the keys of values that an earlier version stored without them', async () => {
  const org = 'without keys'
  await indexing.sendSpans(hostileRequest(), { org })
  const stored = await entriesOf(org)
  const { clickhouse } = indexing.app
  const settings = 'SETTINGS mutations_sync = 2'
  await visitOwnTables(clickhouse, async (node) => {
    await node.command(`ALTER TABLE value_index UPDATE key_hash = 0 WHERE org = '${org}' ${settings}`)
    await node.command(`ALTER TABLE spans UPDATE is_indexed = 1 WHERE org = '${org}' ${settings}`)
  })
  expect((await entriesOf(org)).some(({ key_hash }) => key_hash !== 0)).toBe(false)
  expect(await backfillEverything(clickhouse)).toBe(9)
  expect(await entriesOf(org)).toEqual(stored)
})

it('a backfill that is stopped is continued by the next one', async () => {
  await plain.sendSpans(hostileRequest(), { org: 'stopped', role: 'ingest' })
  const stopping = new AbortController()
  const { clickhouse } = indexing.app
  const onProgress = (done: number) => done > 0 && stopping.abort()
  await expect(backfillEverything(clickhouse, { signal: stopping.signal, onProgress })).rejects.toThrow()
  expect(stopping.signal.aborted).toBe(true)
  await backfillEverything(indexing.app.clickhouse)
  expect(await unindexed('stopped')).toBe(0)
})

it('a backfill stores entries again that have just expired', async () => {
  const { clickhouse } = indexing.app
  await plain.sendSpans(hostileRequest(), { org: 'expired', role: 'ingest' })
  await backfillEverything(clickhouse)
  const entries = await entriesOf('expired')
  // Entries that expire leave an empty part, which keeps the tokens of its inserts for a while.
  await visitOwnTables(clickhouse, async (node) => {
    await node.command(`ALTER TABLE value_index DELETE WHERE org = 'expired' SETTINGS mutations_sync = 2`)
    await node.command(`ALTER TABLE spans UPDATE is_indexed = 0 WHERE org = 'expired' SETTINGS mutations_sync = 2`)
  })
  expect(await entriesOf('expired')).toEqual([])
  await backfillEverything(clickhouse)
  expect(await unindexed('expired')).toBe(0)
  expect(await entriesOf('expired')).toEqual(entries)
})

it('spans that were stored recently are left alone, because an insert may still be storing others', async () => {
  await plain.sendSpans(hostileRequest(), { org: 'recent', role: 'ingest' })
  const { clickhouse } = indexing.app
  await backfillEverything(clickhouse, { settledSeconds: settledSecondsDefault })
  expect(await unindexed('recent')).toBe(9)
})

it('the hash is that of ClickHouse for texts of every length', async () => {
  const texts = Array.from({ length: 70 }, (_, length) => 'aß𝄞-0123456789xyz'.repeat(5).slice(0, length))
  const literals = texts.map((text) => `unhex('${Buffer.from(text).toString('hex')}')`)
  const rows = await read<{ hash: number }>(`SELECT xxHash32(arrayJoin([${literals.join()}])) AS hash`)
  expect(texts.map((text) => hashOfText(text) >>> 0)).toEqual(rows.map(({ hash }) => hash))
})

it('a trace id has the same hash in a search and in ingest', async () => {
  await indexing.sendSpans(hostileRequest(), { org: 'ids', role: 'ingest' })
  const [row] = await read<{ id: string }>(`SELECT toString(max(trace_id)) AS id FROM spans WHERE org = 'ids'`)
  const hashes = (await entriesOf('ids')).map(({ hash }) => hash)
  expect(hashes).toContain(traceHash(row?.id ?? '') >>> 0)
})
