/** The worst case: rules that match nearly every trace. */
import type { Api } from './api.ts'
import { bytesPerRecord, loadWorstCase } from './dataset.ts'
import { type HttpFigure, httpFiguresTable, measureHttp } from './http-figure.ts'
import { openQuestions, type Questions, windowQuery } from './questions.ts'
import { measureSearches } from './searches.ts'
import type { Bench, Section } from './section.ts'

/** Target medians in milliseconds for one client at 1.2 million spans on 2 cores. */
const pageTargets = {
  any: 25,
  all: 30,
  'all, descendants on both rules': 60,
  'any, a negative row': 40,
  'one trace in 10,000': 40,
}
const countTargets = { any: 50, all: 55, 'all, descendants on both rules': 200 }
const otherTargets = { 'trace by id': 15 }

const org = 'worst-case'

export const worstCase: Section = {
  name: 'worst-case',
  async run(bench) {
    await loadWorstCase(bench, org)
    const size = (await bytesPerRecord(bench.server.clickhouse, 'spans')).toFixed(1)
    const api = await bench.server.api(org)
    const questions = await openQuestions(api)
    const { pages, counts } = await measureSearches(measureHttp, bench, api, questions)
    return [
      `## Worst case: ${bench.spans} spans, ${size} bytes a span on disk`,
      httpFiguresTable('search page of 50', pages, pageTargets),
      httpFiguresTable('exact count', counts, countTargets),
      httpFiguresTable('other', await measureOthers(bench, api, questions), otherTargets),
    ].join('\n\n')
  },
}

async function measureOthers(bench: Bench, api: Api, { searches, integrationIds }: Questions): Promise<HttpFigure[]> {
  const { messages } = await api.post<{ messages: { trace_id: string }[] }>('/messages/search', searches.any)
  const ids = messages.map(({ trace_id }) => trace_id)
  return [
    await measureHttp(bench, 'trace by id', (run) => api.get(`/messages/${ids[run % ids.length]}`)),
    await measureHttp(bench, 'services with facets', () => api.get(`/services?limit=200&${windowQuery}`)),
    await measureHttp(bench, 'dashboard of a service', () => api.get(`/services/gateway/widgets?${windowQuery}`)),
    await measureHttp(bench, 'flow graph, any', () =>
      api.get(`/integrations/${integrationIds.any}/flow-graph?${windowQuery}`),
    ),
  ]
}
