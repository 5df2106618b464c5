/**
 * The table of the Collector's exporter is imported with `tracefold import` by processes that are killed again and
 * again. The imported spans must be those of the table and give its answers to the questions of the benchmark.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClickHouse } from '../../server/clickhouse/client.ts'
import { seededRandom } from '../../test/support/random-source.ts'
import { loadWorstCaseIntoPeer, windowFromNs, windowToNs } from '../dataset.ts'
import { type ConventionalEngine, openConventionalEngine } from '../peers/conventional-engine.ts'
import { askPeer, peerFiles, peerQuestions } from '../peers/peer-questions.ts'
import { requireSame } from '../peers/side-by-side.ts'
import { openQuestions } from '../questions.ts'
import type { Bench, Section } from '../section.ts'
import { markdownTable } from '../spread.ts'
import { importWithKills, type KilledOutcome } from './killed-import.ts'

const killsOfEach = 10
/** The table that is followed gets its rows in as many parts. */
const parts = 40
const batchBytes = String(4 * 2 ** 20)

export const exporterImport: Section = {
  name: 'exporter-import',
  async run(bench) {
    const source = await openConventionalEngine(bench)
    try {
      await loadWorstCaseIntoPeer(source.bench)
      const whole = await importWhole(bench, source)
      const answers = await compareAnswers(bench, source)
      const following = await importFollowing(bench, source)
      return [
        `## Import of \`otel_traces\`: ${whole.rows} rows`,
        [
          '`tracefold import --from-clickhouse` in a process that is killed with -9 at random moments and started',
          'again. Every span of the table was stored once, with the same times, name, service and attributes, and',
          `all ${answers} answers to the questions of the benchmark were those of the conventional schema.`,
        ].join(' '),
        markdownTable(
          ['import', 'rows', 'kills', 'seconds', 'rows a second'],
          [rowOf('whole', whole), rowOf('`--follow`, while rows are inserted', following)],
        ),
      ].join('\n\n')
    } finally {
      await source.close()
    }
  },
}

interface Outcome extends KilledOutcome {
  readonly rows: number
}

function rowOf(name: string, { rows, kills, seconds }: Outcome): string[] {
  return [name, `${rows}`, `${kills}`, seconds.toFixed(0), (rows / seconds).toFixed(0)]
}

const orgs = { whole: 'exporter-import', following: 'exporter-import-following' } as const

function importWhole(bench: Bench, source: ConventionalEngine): Promise<Outcome> {
  return importTable(bench, source, { org: orgs.whole, table: 'otel_traces', isFollowing: false })
}

/**
 * Imports a table whose rows end now and are inserted while the import runs, in the order of their times except for a
 * tenth of them, which comes up to ten minutes later.
 */
async function importFollowing(bench: Bench, source: ConventionalEngine): Promise<Outcome> {
  const { clickhouse } = source.bench.server
  const shiftNs = BigInt(Date.now()) * 1_000_000n - windowToNs
  await clickhouse.command('CREATE TABLE otel_following AS otel_traces')
  const sent = async () => {
    const counted = await contentOf(bench.server.clickhouse, countOfSpans, { org: orgs.following })
    return Number(counted)
  }
  const insert = async () => {
    for (let part = 0, inserted = 0; part < parts; part++) {
      // The import should find new rows again and again, so they come when it is nearly done with the last ones.
      while ((await sent()) < inserted * 0.9) await sleep(200)
      await clickhouse.command(
        `INSERT INTO otel_following
         WITH cityHash64(SpanId) AS random,
           dateDiff('second', fromUnixTimestamp64Nano({windowFromNs:Int64}), Timestamp)
             + if(random % 10 = 0, intDiv(random, 10) % 600, 0) AS second
         SELECT * REPLACE (Timestamp + toIntervalNanosecond({shiftNs:Int64}) AS Timestamp) FROM otel_traces
         WHERE intDiv(second * {parts:UInt8}, 4200) = {part:UInt8}`,
        { shiftNs: `${shiftNs}`, windowFromNs: `${windowFromNs}`, parts, part },
      )
      inserted = Number(await contentOf(clickhouse, 'SELECT toString(count()) AS content FROM otel_following'))
    }
  }
  const [outcome] = await Promise.all([
    importTable(bench, source, { org: orgs.following, table: 'otel_following', isFollowing: true }),
    insert(),
  ])
  return outcome
}

interface ImportedTable {
  readonly org: string
  readonly table: 'otel_traces' | 'otel_following'
  readonly isFollowing: boolean
}

async function importTable(bench: Bench, source: ConventionalEngine, imported: ImportedTable): Promise<Outcome> {
  const { org, table, isFollowing } = imported
  const stateDir = mkdtempSync(join(tmpdir(), 'tracefold-bench-state-'))
  const rows = Number((await contentOf(source.bench.server.clickhouse, contentOfTable('otel_traces'))).split(' ')[0])
  const from = [
    'import',
    '--from-clickhouse',
    source.address,
    '--table',
    table,
    '--url',
    bench.server.url,
    '--batch-bytes',
    batchBytes,
  ]
  const following = ['--follow', '--poll-seconds', '1', '--late-minutes', '600']
  try {
    const outcome = await importWithKills({
      args: isFollowing ? [...from, ...following] : from,
      token: await bench.server.token(org),
      stateDir,
      rows,
      kills: killsOfEach,
      random: seededRandom(bench.seed),
      progress: bench.progress(`rows of ${table}`, rows),
      isFollowing,
    })
    const stored = await contentOf(bench.server.clickhouse, contentOfSpans, { org })
    const expected = await contentOf(source.bench.server.clickhouse, contentOfTable(table))
    if (stored !== expected) throw new Error(`${table}: stored ${stored} in place of ${expected}`)
    return { ...outcome, rows }
  } finally {
    rmSync(stateDir, { recursive: true, force: true })
  }
}

/** Asks every question of the benchmark, and returns how many answers were compared. */
async function compareAnswers(bench: Bench, source: ConventionalEngine): Promise<number> {
  await bench.server.clickhouse.command('OPTIMIZE TABLE spans FINAL')
  const api = await bench.server.api(orgs.whole)
  const { searches } = await openQuestions(api)
  for (const file of peerFiles) {
    const search = searches[peerQuestions[file.question]]
    const own =
      file.kind === 'count'
        ? await api.post('/messages/count', search)
        : await api.post('/messages/search', { ...search, limit: 50 })
    requireSame(file, own, await askPeer(source.bench.server, file))
  }
  return peerFiles.length
}

/** Returns the number of rows, of different spans, and sums of hashes of their columns and of their attributes. */
async function contentOf(clickhouse: ClickHouse, text: string, params: object = {}): Promise<string> {
  const query = { text, params: { ...params } }
  const { rows } = await clickhouse.read<{ content: string }>(query, { for: 'system', label: 'content' })
  return rows[0]?.content ?? ''
}

function contentOfTable(table: string): string {
  const columns = `TraceId, SpanId, ParentSpanId, toUnixTimestamp64Nano(Timestamp), Duration, ServiceName, SpanName`
  return `SELECT arrayStringConcat([
    toString(count()), toString(uniqExact(TraceId, SpanId)), toString(sum(cityHash64(${columns}))),
    toString(sum(arraySum((key, value) -> cityHash64(key, value), mapKeys(SpanAttributes), mapValues(SpanAttributes))))
  ], ' ') AS content FROM ${table}`
}

const countOfSpans = 'SELECT toString(count()) AS content FROM spans WHERE org = {org:String}'

/** Stored attributes are texts with a letter for their type. Paths with a type of their own are empty where absent. */
const contentOfSpans = `WITH JSONExtractKeysAndValues(toJSONString(attributes), 'String') AS stored,
    arrayFilter(pair -> pair.2 != '', stored) AS pairs
  SELECT arrayStringConcat([
    toString(count()), toString(uniqExact(trace_id, span_id)),
    toString(sum(cityHash64(leftPad(lower(hex(trace_id)), 32, '0'), leftPad(lower(hex(span_id)), 16, '0'),
      if(parent_id = 0, '', leftPad(lower(hex(parent_id)), 16, '0')),
      toUnixTimestamp64Nano(start), toUInt64(duration_ns), service, name))),
    toString(sum(arraySum(pair -> cityHash64(replaceAll(pair.1, '%2E', '.'), substring(pair.2, 2)), pairs)))
  ], ' ') AS content FROM spans WHERE org = {org:String}`
