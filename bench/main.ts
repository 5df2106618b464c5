/**
 *   npm run bench -- [--quick] [--spans 1200000] [--seed 1] [--runs 20] [--only worst-case,logs]
 *
 * Starts the server with an embedded ClickHouse of its own, has every section load its data and ask over HTTP, prints the
 * results and writes bench/results.md. With --only, or --quick, nothing is written.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { type BenchServer, startBenchServer } from './bench-server.ts'
import { startProgress } from './progress.ts'
import type { Section } from './section.ts'
import { sections } from './sections.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    spans: { type: 'string' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string' },
    only: { type: 'string' },
  },
})
const spans = Number(values.spans ?? (values.quick ? 300_000 : 1_200_000))
const runs = Number(values.runs ?? (values.quick ? 5 : 20))
const seed = Number(values.seed)
const resultsFile = new URL('results.md', import.meta.url)

const server = await startBenchServer()
try {
  const texts = [await heading(server)]
  for (const section of chosenSections()) {
    process.stderr.write(`${section.name}\n`)
    texts.push(await section.run({ server, spans, seed, runs, progress: startProgress }))
  }
  const text = `${texts.join('\n\n')}\n`
  if (values.only === undefined && !values.quick) writeFileSync(resultsFile, text)
  process.stdout.write(text)
} finally {
  await server.close()
}

function chosenSections(): readonly Section[] {
  if (values.only === undefined) return sections
  return values.only.split(',').map((name) => {
    const section = sections.find((each) => each.name === name)
    if (section === undefined) throw new Error(`--only takes ${sections.map((each) => each.name).join(', ')}`)
    return section
  })
}

async function heading({ clickhouse }: BenchServer): Promise<string> {
  const version = { text: 'SELECT version() AS version', params: {} }
  const { rows } = await clickhouse.read<{ version: string }>(version, { label: 'version' })
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'})`
  return [
    '# Bench results',
    `Written by \`npm run bench -- --spans ${spans} --seed ${seed} --runs ${runs}\` on ${machine}, Node ${process.version}, embedded ClickHouse ${rows[0]?.version}. Each time is of ${runs} answers of the server over HTTP, with clients, server and ClickHouse on the same machine. Warm unless a column says cold: then the engine's caches were emptied before each answer, while files may still be in the memory of the operating system. Rows, bytes and the peak memory of the largest query are ClickHouse's own numbers.`,
  ].join('\n\n')
}
