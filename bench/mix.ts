/** A realistic mix: traces of all sizes and depths, some with late and orphaned spans. */
import { loadMix } from './dataset.ts'
import { httpFiguresTable, measureHttp } from './http-figure.ts'
import { openQuestions } from './questions.ts'
import { measureSearches } from './searches.ts'
import type { Section } from './section.ts'

const org = 'mix'

export const mix: Section = {
  name: 'mix',
  async run(bench) {
    await loadMix(bench, org)
    const api = await bench.server.api(org)
    const { pages, counts } = await measureSearches(measureHttp, bench, api, await openQuestions(api))
    return [
      `## Realistic mix: about ${bench.spans} spans in traces of 3 to 400, 2 to 40 deep`,
      'One span in 200 lacks its parent, and one in 200 arrived after all others were merged.',
      httpFiguresTable('search page of 50', pages),
      httpFiguresTable('exact count', counts),
    ].join('\n\n')
  },
}
