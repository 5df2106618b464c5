/** The worst case at several sizes. Pages should not depend on the size; counts may grow in proportion. */
import { lineChart } from './chart.ts'
import { loadWorstCase } from './dataset.ts'
import { openQuestions, type QuestionName } from './questions.ts'
import { measureSearches } from './searches.ts'
import type { Section } from './section.ts'
import { markdownTable } from './spread.ts'

const names: readonly QuestionName[] = [
  'any',
  'all',
  'all, descendants on both rules',
  'one trace in 10,000',
  'nothing found',
]
const factors = [1, 10 / 3, 10]

export const growth: Section = {
  name: 'growth',
  async run(bench) {
    const sizes: { readonly spans: number; readonly medians: readonly number[]; readonly memoryBytes: number }[] = []
    for (const factor of factors) {
      const spans = Math.round(bench.spans * factor)
      const org = `growth-${spans}`
      await loadWorstCase({ ...bench, spans }, org)
      const api = await bench.server.api(org)
      const { pages, counts } = await measureSearches(bench, api, await openQuestions(api), names)
      const figures = [...pages, ...counts]
      const memoryBytes = Math.max(...figures.map(({ reads }) => reads.memoryBytes))
      sizes.push({ spans, medians: figures.map(({ one }) => one.median), memoryBytes })
    }
    const titles = [...names.map((name) => `${name}, page`), ...names.map((name) => `${name}, count`)]
    const lines = titles.map((name, index) => ({ name, values: sizes.map(({ medians }) => medians[index] ?? 0) }))
    bench.writeChart(
      'growth.svg',
      lineChart(
        'Milliseconds by millions of spans',
        sizes.map(({ spans }) => spans / 1e6),
        lines,
      ),
    )
    const rows = lines.map(({ name, values }) => [
      name,
      ...values.map((value) => value.toFixed(1)),
      ((values.at(-1) ?? 0) / (values[0] ?? 1)).toFixed(1),
    ])
    const memory = ['peak MB of a query', ...sizes.map(({ memoryBytes }) => (memoryBytes / 1e6).toFixed(0)), '']
    return [
      '## Growth',
      'The worst case at several sizes, each in the same hour: median milliseconds of one client, over HTTP and warm.',
      markdownTable(['', ...sizes.map(({ spans }) => `${spans} spans`), 'last to first'], [...rows, memory]),
      '![Growth](growth.svg)',
    ].join('\n\n')
  },
}
