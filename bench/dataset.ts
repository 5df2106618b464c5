import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouse } from '../server/clickhouse/client.ts'
import { backfillValueIndex } from '../server/clickhouse/migrate/backfill.ts'
import { createStoredEntries } from '../server/ingest/records/stored-entries.ts'
import type { IndexedTable } from '../sql/index.ts'
import type { Bench } from './section.ts'
import { insertIntoPeer, insertIntoSpans } from './span-rows.ts'

/** The hour that all sections query. */
export const windowFromNs = 1_790_000_000n * 1_000_000_000n
export const windowToNs = windowFromNs + 3_600n * 1_000_000_000n

/** Traces start in the first 3,590 seconds of the hour, so that they end within it. */
const startOf = (trace: string) =>
  `toInt64(${windowFromNs}) + toInt64(${trace} * intDiv(3590000000000, {traces:UInt64}))`

export const spansPerTrace = 12
/** Few enough that an insert takes seconds, on any machine. */
const tracesPerInsert = 25_000
const pollMs = 1_000

/**
 * Loads the worst case: traces of 12 spans over 25 services within an hour, with 20 attributes a span, two of whose
 * keys are drawn from 10,000 and 300, 5 % errors and 1 % orphans. ClickHouse generates the rows directly in the table,
 * because ingest is measured separately. Parts are merged before any query.
 */
export async function loadWorstCase(bench: Bench, org: string): Promise<void> {
  await insertTraces(bench, 'spans of the worst case', (traces) => insertIntoSpans(worstCaseSpans(traces)), org)
  await mergeParts(bench.server.clickhouse, 'spans')
  await indexValues(bench)
}

/** Merges all parts of a table. Waits until that is done, which takes longer than a request may for many spans. */
export async function mergeParts(client: ClickHouse, table: IndexedTable | 'value_index'): Promise<void> {
  let parts = Number.POSITIVE_INFINITY
  const text =
    'SELECT max(parts) AS parts FROM (SELECT count() AS parts FROM system.parts ' +
    `WHERE active AND database = currentDatabase() AND table = '${table}' GROUP BY partition)`
  while (parts > 1) {
    await client.command(`OPTIMIZE TABLE ${table} FINAL`).catch(() => sleep(pollMs))
    const { rows } = await client.read<{ parts: string }>({ text, params: {} }, { for: 'system', label: 'parts' })
    parts = Number(rows[0]?.parts)
  }
}

/** Returns the bytes on disk of the records of a table with their entries in the value index, per record. */
export async function bytesPerRecord(client: ClickHouse, table: IndexedTable): Promise<number> {
  const text =
    `SELECT sum(bytes_on_disk) / sumIf(rows, table = '${table}') AS bytes FROM system.parts ` +
    `WHERE active AND database = currentDatabase() AND table IN ('${table}', 'value_index')`
  const { rows } = await client.read<{ bytes: number }>({ text, params: {} }, { for: 'system', label: 'size' })
  return Number(rows[0]?.bytes)
}

/** Adds the generated records to the value index, as ingest does. */
export async function indexValues({ server, progress }: Pick<Bench, 'server' | 'progress'>): Promise<void> {
  const bar = progress('% of the value index', 100)
  await backfillValueIndex(server.clickhouse, {
    entries: createStoredEntries(server.clickhouse),
    signal: new AbortController().signal,
    settledSeconds: 0,
    onProgress: (done, all) => bar.update(all === 0 ? 100 : Math.floor((100 * done) / all)),
  })
  await mergeParts(server.clickhouse, 'value_index')
  bar.stop()
}

/** Loads the spans of the worst case into the conventional schema. */
export async function loadWorstCaseIntoPeer(bench: Bench): Promise<void> {
  await insertTraces(bench, 'spans of the conventional schema', (traces) => insertIntoPeer(worstCaseSpans(traces)), '')
  await bench.server.clickhouse.command('OPTIMIZE TABLE otel_traces FINAL')
}

async function insertTraces(
  { server, spans, seed, progress }: Bench,
  label: string,
  insert: (traces: number) => string,
  org: string,
): Promise<void> {
  const traces = Math.floor(spans / spansPerTrace)
  const bar = progress(label, spans)
  for (let first = 0; first < traces; first += tracesPerInsert) {
    const count = Math.min(tracesPerInsert, traces - first)
    await server.clickhouse.command(insert(count), { org, first, traces, seed })
    bar.update((first + count) * spansPerTrace)
  }
  bar.stop()
}

function worstCaseSpans(traces: number): string {
  return `
SELECT
    {first:UInt64} + intDiv(number, ${spansPerTrace}) AS t, number % ${spansPerTrace} AS j,
    cityHash64({seed:UInt64}, t) AS h, cityHash64({seed:UInt64}, t, j) AS r,
    cityHash64({seed:UInt64}, t, j, 1) AS span_id,
    multiIf(j = 0, 0, r % 100 = 0, r, cityHash64({seed:UInt64}, t, if(j < 6, j - 1, intDiv(j, 2)), 1)) AS parent_id,
    ${startOf('t')} + j * 3000000 + r % 1000000 AS start_ns,
    ['gateway', 'checkout', 'ledger'][j + 1] AS fixed,
    if(fixed != '', fixed, concat('service-', toString((h + j) % 22))) AS service
FROM numbers_mt(${traces * spansPerTrace})`
}

/** The mean size of the traces below. */
const mixSpansPerTraceMean = 29

/**
 * Loads a realistic mix: traces of 3 to 400 spans, most of them small, 2 to 40 deep, over 25 services, with the
 * attributes and errors of the worst case. One span in 200 lacks its parent, and one in 200 arrives after all others
 * were merged.
 */
export async function loadMix({ server, spans, seed, progress }: Bench, org: string): Promise<void> {
  const traces = Math.floor(spans / mixSpansPerTraceMean)
  const bar = progress('traces of the mix', 2 * traces)
  for (const [done, isLate] of [
    [0, 'r % 200 != 1'],
    [traces, 'r % 200 = 1'],
  ] as const) {
    for (let first = 0; first < traces; first += tracesPerInsert) {
      const count = Math.min(tracesPerInsert, traces - first)
      const insert = insertIntoSpans(`SELECT * FROM (${mixSpans(count)}) WHERE ${isLate}`)
      await server.clickhouse.command(insert, { org, first, traces, seed })
      bar.update(done + first + count)
    }
    if (done === 0) await server.clickhouse.command('OPTIMIZE TABLE spans FINAL')
  }
  bar.stop()
}

function mixSpans(traces: number): string {
  return `
SELECT
    t, h, j, cityHash64({seed:UInt64}, t, j) AS r, cityHash64({seed:UInt64}, t, j, 1) AS span_id,
    multiIf(j < depth, j - 1, cityHash64(r) % (depth - 1)) AS parent_index,
    multiIf(j = 0, 0, r % 200 = 0, r, cityHash64({seed:UInt64}, t, parent_index, 1)) AS parent_id,
    ${startOf('t')} + j * 2000000 + r % 1000000 AS start_ns,
    if(j = 0, 'gateway', ['checkout', 'ledger'][1 + r % 24]) AS fixed,
    if(fixed != '', fixed, concat('service-', toString(r % 22))) AS service
FROM
(
    SELECT
        {first:UInt64} + number AS t, cityHash64({seed:UInt64}, t) AS h, (h % 1000003) / 1000003 AS wide,
        (h % 999983) / 999983 AS deep,
        toUInt32(3 * pow(400.99 / 3, pow(wide, 4))) AS size,
        least(size, toUInt32(2 * pow(40.99 / 2, deep * deep))) AS depth,
        arrayJoin(range(size)) AS j
    FROM numbers(${traces})
)`
}
