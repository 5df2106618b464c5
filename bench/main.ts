/**
 *   npm run bench -- [--spans 1200000] [--seed 1] [--runs 20]
 *
 * Loads the worst case into an embedded ClickHouse of its own and measures what a search page and an exact count cost, and
 * what single traces of extreme shapes cost. Writes bench/results.md.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type ClickHouse, openClickHouse } from '../server/clickhouse/client.ts'
import { startEmbeddedEngine } from '../server/clickhouse/embedded.ts'
import { migrate } from '../server/clickhouse/migrate.ts'
import { queryLimitDefaults } from '../server/clickhouse/query-limits.ts'
import { searchPage } from '../server/messages/message-search.ts'
import { messageCounts, parseMessageRows, type Scope, sliceCalls } from '../sql/index.ts'
import { extremes, loadExtreme, loadWorstCase, org, windowFromNs, windowToNs } from './dataset.ts'
import { ask, type Figure, measure } from './measure.ts'
import { questions } from './questions.ts'

const { values } = parseArgs({
  options: { spans: { type: 'string' }, seed: { type: 'string' }, runs: { type: 'string' } },
})
const spans = Number(values.spans ?? 1_200_000)
const seed = Number(values.seed ?? 1)
const runs = Number(values.runs ?? 20)
const resultsFile = new URL('results.md', import.meta.url)
const window = { fromNs: windowFromNs, toNs: windowToNs }
const silent = { debug() {}, info() {}, warn() {}, error() {} }

const dataDir = mkdtempSync(join(tmpdir(), 'tracefold-bench-'))
const engine = await startEmbeddedEngine({ dataDir, logger: silent })
const clickhouse = openClickHouse({
  source: engine,
  database: 'tracefold',
  limits: { ...queryLimitDefaults, querySecondsMax: 300 },
  logger: silent,
})
try {
  await migrate(clickhouse, { exclusive: true })
  const sections = [await worstCase(clickhouse), await extremeShapes(clickhouse)]
  const text = `${await heading(clickhouse)}\n\n${sections.join('\n\n')}\n`
  writeFileSync(resultsFile, text)
  process.stdout.write(text)
} finally {
  await clickhouse.close()
  await engine.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function heading(client: ClickHouse): Promise<string> {
  const { rows } = await client.read<{ version: string }>(
    { text: 'SELECT version() AS version', params: {} },
    { label: 'version' },
  )
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
  return `# Bench results\n\nWritten by \`npm run bench -- --spans ${spans} --seed ${seed} --runs ${runs}\` on ${machine}, Node ${process.version}, embedded ClickHouse ${rows[0]?.version}. Times are warm and in the server's process, without HTTP.`
}

async function worstCase(client: ClickHouse): Promise<string> {
  await loadWorstCase(client, spans, seed)
  const scope: Scope = { org, window }
  const counts: Figure[] = []
  const pages: Figure[] = []
  for (const [name, query] of Object.entries(questions)) {
    counts.push(await measure(client, name, runs, (metered) => ask(metered, messageCounts(query), scope)))
    const question = { query, scope, limit: 50, signal: new AbortController().signal }
    pages.push(await measure(client, name, runs, (metered) => searchPage(metered, question)))
  }
  const calls = await measure(client, 'flow graph: calls, any', runs, (metered) =>
    ask(metered, sliceCalls(questions.any?.slice ?? { mode: 'any', rules: [] }), scope),
  )
  const ratios = `\`all\` costs ${ratio(counts)} times \`any\` for exact counts and ${ratio(pages)} times for a page.`
  return [
    `## Worst case: ${spans} spans, ${await bytesPerSpan(client)} bytes a span on disk`,
    ratios,
    table('exact count', counts),
    table('search page of 50', pages),
    table('integration', [calls]),
  ].join('\n\n')
}

function ratio([any, all]: readonly Figure[]): string {
  return ((all?.medianMs ?? 0) / (any?.medianMs ?? 1)).toFixed(2)
}

async function bytesPerSpan(client: ClickHouse): Promise<string> {
  const text =
    "SELECT sum(bytes_on_disk) / sum(rows) AS bytes FROM system.parts WHERE active AND database = currentDatabase() AND table = 'spans'"
  const { rows } = await client.read<{ bytes: number }>({ text, params: {} }, { label: 'size' })
  return Number(rows[0]?.bytes).toFixed(1)
}

/** The search for child spans of the root with status error, which every shape answers with all of its spans. */
async function extremeShapes(client: ClickHouse): Promise<string> {
  const rows = parseMessageRows([{ attribute_key: 'anchor', operator: 'exists', includeDescendants: true }])
  const figures: Figure[] = []
  for (const name of Object.keys(extremes) as (keyof typeof extremes)[]) {
    await loadExtreme(client, name)
    const scope: Scope = { org: name, window }
    const query = { rows, status: 'error' } as const
    const counted = await ask(client, messageCounts(query), scope)
    const found = Number(counted.rows[0]?.matched_step_count)
    if (found !== extremes[name].spans)
      throw new Error(`${name}: ${found} matched steps instead of ${extremes[name].spans}`)
    figures.push(await measure(client, `${name}, count`, runs, (metered) => ask(metered, messageCounts(query), scope)))
    const question = { query, scope, limit: 50, signal: new AbortController().signal }
    figures.push(await measure(client, `${name}, page`, runs, (metered) => searchPage(metered, question)))
  }
  return `## One trace of extreme shape, all spans below its root\n\n${table('shape', figures)}`
}

function table(title: string, figures: readonly Figure[]): string {
  const lines = figures.map(
    ({ name, medianMs, p95Ms, rowsRead, bytesRead, memoryBytes }) =>
      `| ${name} | ${medianMs.toFixed(1)} | ${p95Ms.toFixed(1)} | ${rowsRead} | ${(bytesRead / 1e6).toFixed(1)} | ${(memoryBytes / 1e6).toFixed(0)} |`,
  )
  return [
    `| ${title} | median ms | p95 ms | rows read | MB read | peak MB |`,
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n')
}
