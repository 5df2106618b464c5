/** The worst case compared with a conventional schema and with the system that Tracefold replaces. */
import { barChart } from './chart.ts'
import { loadWorstCase } from './dataset.ts'
import { peerQuestions } from './peers/peer-questions.ts'
import { type Comparison, compareWithPeer } from './peers/side-by-side.ts'
import { openQuestions } from './questions.ts'
import type { Bench, Section } from './section.ts'
import { markdownTable } from './spread.ts'

const org = 'conventional-schema'

/** Milliseconds of a message search over 1.2 million spans, as the users of the earlier system measured it. */
const earlierSystemMs: Readonly<Record<string, number>> = { 'any, page': 640, 'all, page': 1_730 }

export const conventionalSchema: Section = {
  name: 'conventional-schema',
  async run(bench) {
    await loadWorstCase(bench, org)
    const api = await bench.server.api(org)
    const comparisons = await compareWithPeer(bench, api, await openQuestions(api))
    drawChart(bench, comparisons)
    bench.writeHeadline(`${headline(comparisons)}\n\n\`${bench.command(conventionalSchema)}\` wrote this table.`)
    return [
      `## Compared with a conventional schema: ${bench.spans} spans of the worst case`,
      [
        'Both run on the same spans in the same engine, in turns, and give the same answers. The conventional schema',
        'is `otel_traces` as the OpenTelemetry Collector creates it, queried with `TraceId IN (…)`, `NOT IN (…)` and',
        '`WITH RECURSIVE` ([queries](peers)). The product returns whole messages over HTTP; the conventional schema is',
        'queried directly, for ids and starts only.',
      ].join('\n'),
      '![Compared with a conventional schema](conventional-schema.svg)',
      markdownTable(
        ['question', 'median ms', 'p95 ms', 'conventional schema: median ms', 'p95 ms', 'times faster'],
        rowsOf(comparisons),
      ),
    ].join('\n\n')
  },
}

function titleOf({ question, kind }: Comparison): string {
  return `${peerQuestions[question]}, ${kind}`
}

function rowsOf(comparisons: readonly Comparison[]): string[][] {
  return comparisons.map((comparison) => [
    titleOf(comparison),
    ...[comparison.own, comparison.usual].flatMap(({ median, p95 }) => [median.toFixed(1), p95.toFixed(1)]),
    ratio(comparison.usual.median, comparison.own.median),
  ])
}

function headline(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map((comparison) => {
    const title = titleOf(comparison)
    const [own, usual] = [comparison.own.median, comparison.usual.median]
    const documented = earlierSystemMs[title]
    const beside = documented === undefined ? '' : `${documented} ms: ${ratio(documented, own)} times`
    return [title, `${own.toFixed(0)} ms`, `${usual.toFixed(0)} ms: ${ratio(usual, own)} times`, beside]
  })
  return markdownTable(['question', 'Tracefold', 'conventional schema', 'earlier system'], rows)
}

function ratio(other: number, own: number): string {
  return (other / own).toFixed(1)
}

function drawChart(bench: Bench, comparisons: readonly Comparison[]): void {
  const groups = comparisons.map((comparison) => ({
    name: titleOf(comparison),
    values: [comparison.own.median, comparison.usual.median],
  }))
  const series = ['Tracefold over HTTP', 'conventional schema']
  bench.writeChart('conventional-schema.svg', barChart('Median milliseconds, logarithmic', series, groups))
}
