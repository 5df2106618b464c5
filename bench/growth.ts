/**
 * The worst case at several sizes. Pages, and everything about a rare value, should not depend on the size; other
 * counts may grow in proportion.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startBenchServer } from './bench-server.ts'
import { lineChart } from './chart.ts'
import { bytesPerRecord, loadWorstCase } from './dataset.ts'
import { measureOneClient } from './http-figure.ts'
import { measureIndexedIngest } from './indexed-ingest.ts'
import { openQuestions, type QuestionName } from './questions.ts'
import { measureSearches } from './searches.ts'
import type { Bench, Section } from './section.ts'
import { markdownTable } from './spread.ts'

/** A value that is in more messages the more spans there are: 10 at 1.2 million spans, and more than a page later. */
const rareValue = 'one trace in 10,000'
/** A page of as many messages at every size. */
const equalPage = 10

const names: readonly QuestionName[] = ['any', 'all', 'all, descendants on both rules', rareValue, 'nothing found']
const factors = [1, 10 / 3, 10, 100 / 3]
const org = 'growth'

const targets =
  'Targets: a page of one trace in 10,000 in 40 ms, a page or count of nothing in 10 ms, both at most 1.2 times as ' +
  'long at the last size as at the first; at most 3 % more CPU time at ingest, and 62 bytes a span.'

interface Size {
  readonly spans: number
  readonly medians: readonly number[]
  readonly cpus: readonly number[]
  readonly memoryBytes: number
  readonly bytesPerSpan: number
}

export const growth: Section = {
  name: 'growth',
  async run(bench) {
    const sizes: Size[] = []
    for (const factor of factors) sizes.push(await measureSize(bench, Math.round(bench.spans * factor)))
    const titles = [
      ...names.map((name) => `${name}, page`),
      `${rareValue}, page of ${equalPage}`,
      ...names.map((name) => `${name}, count`),
    ]
    const lines = titles.map((name, index) => ({ name, values: sizes.map(({ medians }) => medians[index] ?? 0) }))
    bench.writeChart(
      'growth.svg',
      lineChart(
        'Milliseconds by millions of spans',
        sizes.map(({ spans }) => spans / 1e6),
        lines,
      ),
    )
    const columns = ['', ...sizes.map(({ spans }) => `${spans} spans`), 'last to first']
    const rows = lines.map(({ name, values }) => growthRow(name, values))
    const ofCpu = titles.map((name, index) =>
      growthRow(
        name,
        sizes.map(({ cpus }) => cpus[index] ?? 0),
      ),
    )
    const size = ['bytes a span, with the value index', ...sizes.map((each) => each.bytesPerSpan.toFixed(1)), '']
    const memory = ['peak MB of a query', ...sizes.map(({ memoryBytes }) => (memoryBytes / 1e6).toFixed(0)), '']
    return [
      '## Growth',
      'The worst case at several sizes, each in the same hour, with `VALUE_INDEX=auto`: median milliseconds of one ' +
        'client, over HTTP and warm.',
      targets,
      markdownTable(columns, [...rows, memory, size]),
      'CPU milliseconds of server, client and ClickHouse for one request:',
      markdownTable(columns, ofCpu),
      await measureIndexedIngest(bench),
      '![Growth](growth.svg)',
    ].join('\n\n')
  },
}

/** Measures on a server of its own, so that no other size shares parts with this one. */
async function measureSize(bench: Bench, spans: number): Promise<Size> {
  const keptDir = bench.keptDir === undefined ? undefined : join(bench.keptDir, `growth-${spans}-${bench.seed}`)
  const server = await startBenchServer({ VALUE_INDEX: 'auto' }, keptDir)
  try {
    const sized = { ...bench, server, spans }
    await loadOnce(keptDir, () => loadWorstCase(sized, org))
    const api = await server.api(org)
    const questions = await openQuestions(api)
    // Sixteen counts at once of the largest size need more memory than the engine has.
    const { pages, counts } = await measureSearches(measureOneClient, sized, api, questions, names)
    const ofEqualPages = { ...questions.searches[rareValue], limit: equalPage }
    const page = await measureOneClient(sized, rareValue, () => api.post('/messages/search', ofEqualPages))
    const figures = [...pages, page, ...counts]
    const medians = figures.map(({ one }) => one.median)
    // The largest size takes most of an hour, so the figures of each size are printed as soon as they are known.
    process.stderr.write(`${spans} spans: ${medians.map((ms) => ms.toFixed(1)).join(', ')} ms\n`)
    return {
      spans,
      medians,
      cpus: figures.map(({ cpuMs }) => cpuMs),
      memoryBytes: Math.max(...figures.map(({ reads }) => reads.memoryBytes)),
      bytesPerSpan: await bytesPerRecord(server.clickhouse, 'spans'),
    }
  } finally {
    await server.close()
  }
}

/** Loads the data of a folder, unless an earlier run loaded all of it. */
async function loadOnce(keptDir: string | undefined, load: () => Promise<void>): Promise<void> {
  const marker = keptDir === undefined ? undefined : join(keptDir, 'loaded')
  if (marker !== undefined && existsSync(marker)) return
  await load()
  if (marker !== undefined) writeFileSync(marker, '')
}

function growthRow(name: string, values: readonly number[]): (string | number)[] {
  const growth = (values.at(-1) ?? 0) / (values[0] ?? 1)
  return [name, ...values.map((value) => value.toFixed(1)), growth.toFixed(1)]
}
