/** The worst case beside the usual way to ask it, and beside what the product document says of itself. */
import { barChart } from './chart.ts'
import { loadWorstCase } from './dataset.ts'
import { type Comparison, compareWithUsualShape } from './peers/side-by-side.ts'
import { peerQuestions } from './peers/usual-shape.ts'
import { openQuestions } from './questions.ts'
import type { Bench, Section } from './section.ts'
import { markdownTable } from './spread.ts'

const org = 'usual-shape'

/** Milliseconds of a message search over 1.2 million spans, by the product document. */
const productDocumentMs: Readonly<Record<string, number>> = { 'any, page': 640, 'all, page': 1_730 }

export const usualShape: Section = {
  name: 'usual-shape',
  async run(bench) {
    await loadWorstCase(bench, org)
    const api = await bench.server.api(org)
    const comparisons = await compareWithUsualShape(bench, api, await openQuestions(api))
    drawChart(bench, comparisons)
    bench.writeHeadline(`${headline(comparisons)}\n\n\`${bench.command(usualShape)}\` wrote this table.`)
    return [
      `## Beside the usual shape: ${bench.spans} spans of the worst case`,
      'The same spans in the same engine, asked in turns, with the same answers: `otel_traces` as the OpenTelemetry Collector creates it, with `TraceId IN (…)`, `NOT IN (…)` and `WITH RECURSIVE` ([queries](peers)). The product answers over HTTP with whole messages; the usual shape is asked directly, for ids and starts alone.',
      '![Beside the usual shape](usual-shape.svg)',
      markdownTable(
        ['question', 'median ms', 'p95 ms', 'usual shape: median ms', 'p95 ms', 'times faster'],
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
    const documented = productDocumentMs[title]
    const beside = documented === undefined ? '' : `${documented} ms: ${ratio(documented, own)} times`
    return [title, `${own.toFixed(0)} ms`, `${usual.toFixed(0)} ms: ${ratio(usual, own)} times`, beside]
  })
  return markdownTable(['question', 'Tracefold', 'usual shape', 'product document'], rows)
}

function ratio(other: number, own: number): string {
  return (other / own).toFixed(1)
}

function drawChart(bench: Bench, comparisons: readonly Comparison[]): void {
  const groups = comparisons.map((comparison) => ({
    name: titleOf(comparison),
    values: [comparison.own.median, comparison.usual.median],
  }))
  const series = ['Tracefold over HTTP', 'usual shape']
  bench.writeChart('usual-shape.svg', barChart('Median milliseconds, logarithmic', series, groups))
}
