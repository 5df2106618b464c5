/**
 *   npm run bench -- [--quick] [--spans 1200000] [--seed 1] [--runs 20] [--only worst-case,growth] [--keep DIR]
 *
 * Starts the server with an embedded ClickHouse and runs every section, which loads its data and sends requests over
 * HTTP. It prints the results and writes them to bench/results.md, with charts in separate files. With --quick it
 * writes nothing. With --keep, `growth` keeps the spans of each size in a folder, and loads none that are there.
 */
import { writeFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { startBenchServer } from './bench-server.ts'
import { startProgress } from './progress.ts'
import { writePerformanceTable, writeSection } from './results-file.ts'
import type { Bench, Section } from './section.ts'
import { runsWhenNamed, sections } from './sections.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    spans: { type: 'string' },
    seed: { type: 'string', default: '1' },
    runs: { type: 'string' },
    only: { type: 'string' },
    keep: { type: 'string' },
  },
})
const spans = Number(values.spans ?? (values.quick ? 300_000 : 1_200_000))
const runs = Number(values.runs ?? (values.quick ? 5 : 20))
const seed = Number(values.seed)

const server = await startBenchServer()
const keptDir = values.keep
const bench: Bench = { server, spans, seed, runs, keptDir, progress: startProgress, writeChart, writeHeadline, command }
try {
  for (const section of chosenSections()) {
    const reason = section.skipped?.()
    process.stderr.write(reason === undefined ? `${section.name}\n` : `${section.name} is skipped: ${reason}\n`)
    if (reason !== undefined) continue
    const text = [await section.run(bench), await origin(section)]
    process.stdout.write(`${text.join('\n\n')}\n\n`)
    if (!values.quick) writeSection(section, text.join('\n\n'), sections)
  }
} finally {
  await server.close()
}

function chosenSections(): readonly Section[] {
  if (values.only === undefined) return sections.filter((section) => !runsWhenNamed.includes(section))
  return values.only.split(',').map((name) => {
    const section = sections.find((each) => each.name === name)
    if (section === undefined) throw new Error(`--only takes ${sections.map((each) => each.name).join(', ')}`)
    return section
  })
}

function writeChart(file: string, svg: string): void {
  if (!values.quick) writeFileSync(new URL(file, import.meta.url), svg)
}

function writeHeadline(text: string): void {
  if (!values.quick) writePerformanceTable(`${text} The ${machine()}.`)
}

function command({ name }: Section): string {
  return `npm run bench -- --only ${name} --spans ${spans} --seed ${seed} --runs ${runs}`
}

/** Describes the command, machine and versions behind the figures of a section. */
async function origin(section: Section): Promise<string> {
  const version = { text: 'SELECT version() AS version', params: {} }
  const { rows } = await server.clickhouse.read<{ version: string }>(version, { for: 'system', label: 'version' })
  return `\`${command(section)}\`: the ${machine()}; Node ${process.version}, ClickHouse ${rows[0]?.version}.`
}

/** Describes the machine, including its load, which affects the times. */
function machine(): string {
  const model = cpus()[0]?.model.trim() ?? 'unknown'
  return `${cpus().length} cores (${model}) had a load average of ${loadavg()[1]?.toFixed(1)}`
}
