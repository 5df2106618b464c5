/** Measures metric queries over one hour. */
import { rfc3339OfNs } from '../sql/index.ts'
import { windowFromNs, windowToNs } from './dataset.ts'
import { measureOneClient, type OneClientFigure, oneClientTable } from './http-figure.ts'
import { benchMetrics, benchPoints, loadMetrics } from './metrics-dataset.ts'
import type { Section } from './section.ts'

const org = 'metrics'
const { counter, delta, gauge, histogram, exponential } = benchMetrics
const hour = { from: rfc3339OfNs(windowFromNs), to: rfc3339OfNs(windowToNs), step_s: 60 }
const route = { attribute_key: 'http.route' }
const oneInstance = { attribute_source: 'point', attribute_key: 'instance', operator: 'eq', value: '77' }
const routeLike = { ...route, operator: 'starts_with', value: '/api/1' }

const questions: Readonly<Record<string, object>> = {
  [`rate of all ${counter.series} counters`]: { metric: counter.name, aggregation: 'rate' },
  'rate by route, 10 of 50': { metric: counter.name, aggregation: 'rate', group_by: [route] },
  [`rate of one counter in ${counter.series}`]: {
    metric: counter.name,
    aggregation: 'rate',
    conditions: [oneInstance],
  },
  'rate of delta sums': { metric: delta.name, aggregation: 'rate' },
  'average of gauges': { metric: gauge.name, aggregation: 'avg' },
  'p95 of gauges by route': { metric: gauge.name, aggregation: 'p95', group_by: [route] },
  'p95 of histograms': { metric: histogram.name, aggregation: 'p95' },
  'p95 of histograms of a fifth of the routes': { metric: histogram.name, aggregation: 'p95', conditions: [routeLike] },
  'p95 of exponential histograms': { metric: exponential.name, aggregation: 'p95' },
  'no series matches': { metric: counter.name, aggregation: 'rate', conditions: [{ ...oneInstance, value: 'none' }] },
}

export const metrics: Section = {
  name: 'metrics',
  async run(bench) {
    await loadMetrics(bench.server.clickhouse, org, bench)
    const api = await bench.server.api(org)
    const figures: OneClientFigure[] = []
    for (const [name, question] of Object.entries(questions))
      figures.push(await measureOneClient(bench, name, () => api.post('/metrics/query', { ...hour, ...question })))
    const metricCount = Object.keys(benchMetrics).length
    const title = `## ${benchPoints} points of ${metricCount} metrics, one hour in buckets of a minute`
    return `${title}\n\n${oneClientTable('query', figures)}`
  },
}
