import { randomTraceQl } from '../support/random-traceql.ts'
import { groupByTrace } from '../support/reference-descendants.ts'
import type { Window } from '../support/reference-population.ts'
import { writeTraceQl } from '../support/reference-traceql.ts'
import type { QuestionContext } from './restricted-questions.ts'
import type { Question } from './two-sides.ts'

/** Requests of the operations that Grafana's data source uses. */
export const grafanaQuestions = {
  getTempoTrace: aboutTraces('v2/traces'),
  getTempoTraceBatches: aboutTraces('traces'),
  searchTempoTraces({ random, traces, window }: QuestionContext) {
    const queries = Array.from({ length: 6 }, () => writeTraceQl(randomTraceQl(random, traces)))
    const tags = `name=${random.pick(['a', 'e', 'charge'])}`
    return () => [
      ...queries.map((q) => get('search', window, { q, limit: '1000', spss: '100' })),
      get('search', window, { tags, minDuration: '1us' }),
    ]
  },
  getTempoTagNames: aboutTags('search/tags'),
  getTempoTags: aboutTags('v2/search/tags'),
  getTempoTagTexts:
    ({ window }: QuestionContext) =>
    () =>
      ['service.name', 'name', 'rootName'].map((tag) => get(`search/tag/${tag}/values`, window)),
  getTempoTagValues:
    ({ window }: QuestionContext) =>
    () =>
      ['.service.name', 'name', 'rootServiceName', 'status', 'span.tenant'].flatMap((tag) => [
        get(`v2/search/tag/${tag}/values`, window),
        get(`v2/search/tag/${tag}/values`, window, { q: '{ status = error }' }),
      ]),
}

function aboutTags(path: string) {
  return ({ window }: QuestionContext) =>
    () => [get(path, window), get(path, window, { scope: 'span' })]
}

function aboutTraces(path: string) {
  return ({ traces, window }: QuestionContext) =>
    () =>
      [...groupByTrace(traces.rows).keys()].map((traceId) => get(`${path}/${traceId}`, window))
}

function get(path: string, { fromNs, toNs }: Window, query: Readonly<Record<string, string>> = {}): Question {
  const parameters = new URLSearchParams({ start: nanoseconds(fromNs), end: nanoseconds(toNs), ...query })
  return { method: 'GET', path: `/tempo/api/${path}?${parameters}` }
}

/** Writes a time with leading zeros where it would otherwise be short enough for seconds. */
function nanoseconds(ns: bigint): string {
  return String(ns).padStart(19, '0')
}
