/** Metric queries that are refused, with what their problems say. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makePoint, makeSeries } from '../support/metric-model.ts'
import { type MetricSubject, openMetricSubject } from './metric-subject.ts'

const timeNs = 1_789_999_230n * 1_000_000_000n
const window = { from: '2026-09-21T14:00:00Z', to: '2026-09-21T15:00:00Z' }

let subject: MetricSubject
beforeAll(async () => {
  subject = await openMetricSubject()
  await subject.store('refused', [makeSeries({ points: [makePoint({ timeNs, value: 1 })] })])
})
afterAll(() => subject.close())

it('a metric may have 16 combinations of kind and unit, and is refused with more', async () => {
  const ofUnit = (unit: string) => makeSeries({ unit, points: [makePoint({ timeNs, value: 1 })] })
  const ask = () => subject.send('units', '/api/v1/metrics/query', { metric: 'm', ...window, aggregation: 'max' })
  await subject.store(
    'units',
    Array.from({ length: 16 }, (_, index) => ofUnit(`u${index}`)),
  )
  expect((await ask()).status).toBe(200)
  await subject.store('units', [ofUnit('more')])
  expect(await ask()).toMatchObject({ status: 422, body: { errors: [{ pointer: '/metric', code: 'too_many' }] } })
})

it.each([
  [
    'an aggregation that the kind does not support',
    { aggregation: 'rate' },
    '/aggregation',
    'The aggregation rate is not available for the selected series of kind gauge. ' +
      'Use one of avg, min, max, sum, count, p50, p95, p99, last.',
  ],
  [
    'too many buckets',
    { aggregation: 'max', step_s: 1 },
    '/step_s',
    '`step_s` divides the window into 3600 buckets. At most 500 are allowed.',
  ],
])('the problem of %s says what is allowed', async (_, query, pointer, message) => {
  const answer = await subject.send<{ errors: unknown }>('refused', '/api/v1/metrics/query', {
    metric: 'm',
    ...window,
    ...query,
  })
  expect(answer.body.errors).toMatchObject([{ pointer, message }])
})
