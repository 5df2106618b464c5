/** Histograms with more observations than a signed 64-bit integer holds, with results computed by hand. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePoint, makeSeries, type PointModel, type SeriesModel } from '../support/metric-model.ts'
import { type MetricSubject, openMetricSubject } from './metric-subject.ts'

let subject: MetricSubject
beforeAll(async () => {
  subject = await openMetricSubject()
})
afterAll(() => subject.close())

const secondNs = 1_000_000_000n
const at = (seconds: number) => (1_789_999_200n + BigInt(seconds)) * secondNs
// Exact as a double and as the text that JavaScript writes for it, as is the difference below.
const [large, more] = [1e19, 2_048_000]
const base = { startNs: at(0), count: large }

/** Stores points as one series, and returns the values of the minute that begins at a second. */
async function storeSeries(kind: SeriesModel['kind'], points: readonly PointModel[], fromSecond: number) {
  const org = crypto.randomUUID()
  await subject.store(org, [makeSeries({ kind, points })])
  const window = { fromNs: at(fromSecond), toNs: at(fromSecond + 60), bucketNs: 60n * secondNs }
  return async (aggregation: 'count' | 'rate' | 'p50') => {
    const question = { ...window, metric: 'm', conditions: [], groupBy: [], groupsMax: 10, aggregation }
    return (await subject.ask(org, question))?.flatMap(({ points: found }) => found.map(([, value]) => value))
  }
}

it.each([
  ['histogram', { bounds: [10], bucketCounts: [large, 0] }, 5],
  ['exponential_histogram', { scale: 0, positive: { offset: 3, counts: [large] } }, 12],
  ['exponential_histogram', { scale: 0, negative: { offset: 3, counts: [large] } }, -12],
  ['exponential_histogram', { scale: 0, zeroCount: large, zeroThreshold: 1 }, 0],
] as const)('counts of 2^63 and more are exact in every bucket of a %s %j', async (kind, buckets, middle) => {
  const answer = await storeSeries(kind, [makePoint({ ...base, ...buckets, timeNs: at(32) })], 0)
  expect(await answer('count')).toEqual([large])
  expect(await answer('rate')).toEqual([large / 32])
  expect(await answer('p50')).toEqual([middle])
})

it('counts of 2^63 and more have small differences', async () => {
  const points = [30, 90].map((second, index) => {
    const count = large + more * index
    return makePoint({ ...base, timeNs: at(second), bounds: [10], bucketCounts: [count, 0], count })
  })
  const answer = await storeSeries('histogram', points, 60)
  expect(await answer('count')).toEqual([more])
  expect(await answer('p50')).toEqual([5])
})
