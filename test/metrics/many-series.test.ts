/** Ten thousand series of one metric, and the longest windows. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { type MetricSubject, openMetricSubject } from './metric-subject.ts'

type Data = components['schemas']['MetricData']

const seriesCount = 10_000
const secondNs = 1_000_000_000n
const baseNs = 1_789_999_200n * secondNs
const window = { from: '2026-09-21T14:00:00Z', to: '2026-09-21T15:00:00Z' }

let subject: MetricSubject
beforeAll(async () => {
  subject = await openMetricSubject()
  for (const second of [30n, 60n]) await sendPoints(second)
})
afterAll(() => subject.close())

/** Series n grows by n in 30 seconds. All series start at the same time. */
async function sendPoints(second: bigint) {
  const dataPoints = Array.from({ length: seriesCount }, (_, n) => ({
    startTimeUnixNano: String(baseNs),
    timeUnixNano: String(baseNs + second * secondNs),
    asInt: String((BigInt(n) * second) / 30n),
    attributes: [{ key: 'instance', value: { stringValue: `i-${String(n).padStart(5, '0')}` } }],
  }))
  const metrics = [{ name: 'm', sum: { aggregationTemporality: 2, isMonotonic: true, dataPoints } }]
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] }
  const body = { resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] }
  expect(await subject.send('many', '/v1/metrics', body, { role: 'ingest' })).toEqual({ status: 200, body: {} })
}

async function ask(body: object): Promise<Data> {
  const answer = await subject.send<Data>('many', '/api/v1/metrics/query', { metric: 'm', ...window, ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

it('their rates add up', async () => {
  const { series } = await ask({ aggregation: 'rate', step_s: 60 })
  const total = (seriesCount * (seriesCount - 1)) / 2
  expect(series[0]?.points.map(([, value]) => value as number)).toEqual(
    [total / 30, total / 30].map((rate) => expect.closeTo(rate, 3)),
  )
})

it('the largest groups are returned with the number of all groups', async () => {
  const data = await ask({
    aggregation: 'sum',
    step_s: 3_600,
    group_by: [{ attribute_key: 'instance' }],
    groups_max: 2,
  })
  expect(data).toMatchObject({
    group_count: seriesCount,
    series: [
      { group: ['i-09999'], points: [['2026-09-21T14:00:00Z', 2 * 9_999]] },
      { group: ['i-09998'], points: [['2026-09-21T14:00:00Z', 2 * 9_998]] },
    ],
  })
})

it('conditions select one of them', async () => {
  const conditions = [{ attribute_source: 'point', attribute_key: 'instance', operator: 'eq', value: 'i-00030' }]
  const { series } = await ask({ aggregation: 'rate', step_s: 60, conditions })
  expect(series.map(({ points }) => points)).toEqual([
    [
      ['2026-09-21T14:00:00Z', 1],
      ['2026-09-21T14:01:00Z', 1],
    ],
  ])
})

it.each([
  ['1970-01-01T00:00:00Z', '2262-04-11T00:00:00Z'],
  ['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'],
])('the window from %s to %s has a result like any other', async (from, to) => {
  const { series } = await ask({ aggregation: 'count', from, to })
  expect(series.flatMap(({ points }) => points.map(([, value]) => value))).toEqual([2 * seriesCount])
})
