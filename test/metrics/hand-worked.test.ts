/** Metric queries whose results were computed by hand. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makePoint, makeSeries, type PointModel, type SeriesModel } from '../support/metric-model.ts'
import { type MetricQuestion, metricLines } from '../support/reference-metrics.ts'
import { type MetricSubject, openMetricSubject } from './metric-subject.ts'

let subject: MetricSubject
beforeAll(async () => {
  subject = await openMetricSubject()
})
afterAll(() => subject.close())

const secondNs = 1_000_000_000n
const baseNs = 1_789_999_200n * secondNs
const at = (seconds: number) => baseNs + BigInt(seconds) * secondNs
const window = { fromNs: at(0), toNs: at(600), bucketNs: 60n * secondNs }
const ungrouped = { groupBy: [], groupsMax: 10 }
const defaults: MetricQuestion = { ...window, ...ungrouped, metric: 'm', conditions: [], aggregation: 'rate' }

/** Returns the `[second, value]` pairs of each group, after comparing them with the reference. */
async function ask(org: string, series: readonly SeriesModel[], question: Partial<MetricQuestion>) {
  const query = { ...defaults, ...question }
  const lines = (await subject.ask(org, query)) ?? []
  expect(lines, 'as the reference').toEqual(metricLines(series, query))
  return lines.map(({ points }) => points.map(([ns, value]) => [Number((ns - baseNs) / secondNs), value]))
}

async function stored(org: string, ...series: SeriesModel[]): Promise<SeriesModel[]> {
  await subject.store(org, series)
  return series
}

const valued = (second: number, value: number | bigint, start = 0): PointModel =>
  makePoint({ timeNs: at(second), startNs: at(start), value })

describe('rate', () => {
  it('of a counter with two resets, one of them with the same start, a late point and a gap', async () => {
    const points = [valued(30, 60n), valued(60, 120n), valued(120, 30n), valued(300, 210n), valued(360, 60n, 330)]
    const late = valued(90, 180n)
    const counter = makeSeries({ kind: 'sum', points })
    await stored('resets', counter)
    await stored('resets', { ...counter, points: [late] })
    const all = [{ ...counter, points: [...points, late] }]
    // 60 in 30 s; then 60 + 60 in 60 s, the late one among them; after a reset 30 in 30 s; two buckets
    // have no value; 180 in 180 s; 60 in 30 s since the new start.
    expect(await ask('resets', all, {})).toEqual([
      [
        [0, 2],
        [60, 2],
        [120, 1],
        [300, 1],
        [360, 2],
      ],
    ])
    expect(await ask('resets', all, { aggregation: 'sum', bucketNs: 600n * secondNs })).toEqual([
      [[0, 60 + 120 + 30 + 180 + 60]],
    ])
  })

  it('of delta points is per second of the time that they cover', async () => {
    const points = [valued(60, 30, 0), valued(70, 20, 60), valued(240, 60, 180), valued(300, 55, 250)]
    const deltas = await stored('deltas', makeSeries({ kind: 'sum', temporality: 'delta', points }))
    expect(await ask('deltas', deltas, {})).toEqual([
      [
        [60, 50 / 70],
        [240, 1],
        [300, 55 / 50],
      ],
    ])
  })

  it('is unknown for a first point whose start is unset or before the lookback', async () => {
    const unset = makePoint({ timeNs: at(30), value: 1_000_000n })
    const old = makePoint({ timeNs: at(30), startNs: at(-90_000), value: 1_000_000n })
    const series = await stored(
      'starts',
      makeSeries({ kind: 'sum', points: [unset, { ...unset, timeNs: at(90), value: 1_000_060n }] }),
      makeSeries({ kind: 'sum', service: 'old', points: [old] }),
    )
    expect(await ask('starts', series, {})).toEqual([[[60, 1]]])
  })

  it('uses the point before the window, and adds up the rates of the series', async () => {
    const series = await stored(
      'before',
      makeSeries({ kind: 'sum', points: [valued(-30, 0n, -60), valued(30, 60n, -60)] }),
      makeSeries({ kind: 'sum', service: 'bank', points: [valued(-10, 10, -60), valued(10, 30, -60)] }),
    )
    expect(await ask('before', series, {})).toEqual([[[0, 2]]])
  })

  it('of one series from two senders covers both', async () => {
    const points = [valued(10, 10n, 1), valued(20, 40n, 2), valued(30, 30n, 1), valued(40, 60n, 2)]
    const both = await stored('senders', makeSeries({ kind: 'sum', points }))
    // 10 + 40 + 20 + 20 in the 39 seconds since the earlier start.
    expect(await ask('senders', both, {})).toEqual([[[0, 90 / 39]]])
  })

  it('of a sum that is not monotonic is its change, and gauges have no rate', async () => {
    const points = [valued(0, 100n), valued(60, 40n)]
    const sum = await stored('up and down', makeSeries({ kind: 'sum', monotonic: false, points }))
    expect(await ask('up and down', sum, {})).toEqual([[[60, -1]]])
    await stored('gauge', makeSeries({ points }))
    expect(await subject.ask('gauge', defaults)).toBeUndefined()
  })

  it('distinguishes integers that have the same double', async () => {
    const large = 2n ** 62n
    const sum = await stored('large', makeSeries({ kind: 'sum', points: [valued(0, large), valued(1, large + 7n)] }))
    expect(await ask('large', sum, { aggregation: 'sum' })).toEqual([[[0, 7]]])
  })
})

describe('values of gauges', () => {
  const gauge = makeSeries({
    points: [
      ...[valued(0, 4), valued(10, 1n), valued(20, Number.NaN), valued(30, Number.POSITIVE_INFINITY)],
      ...[makePoint({ timeNs: at(40), noValue: true }), valued(50, 1), valued(130, 7)],
    ],
  })
  beforeAll(() => subject.store('values', [gauge]))

  it.each([
    ['avg', 2, 7],
    ['min', 1, 7],
    ['max', 4, 7],
    ['sum', 6, 7],
    ['count', 3, 1],
    ['last', 1, 7],
    ['p50', 1, 7],
    ['p95', 4, 7],
    ['p99', 4, 7],
  ] as const)('%s, of what is a number', async (aggregation, first, later) => {
    expect(await ask('values', [gauge], { aggregation })).toEqual([
      [
        [0, first],
        [120, later],
      ],
    ])
  })

  it('a point that is sent twice counts once, with its first value', async () => {
    const first = makeSeries({ points: [valued(0, 1)] })
    await stored('twice', first)
    await stored('twice', { ...first, points: [valued(0, 100)] })
    expect(await ask('twice', [first], { aggregation: 'sum' })).toEqual([[[0, 1]]])
  })
})

describe('histograms', () => {
  const observed = (second: number, bucketCounts: number[], sum: number) =>
    makePoint({
      timeNs: at(second),
      startNs: at(0),
      bounds: [10, 20, 40],
      bucketCounts,
      sum,
      count: bucketCounts.reduce((total, count) => total + count, 0),
    })

  it('percentiles cover the values of the bucket, not all values since the start', async () => {
    const points = [observed(30, [100, 0, 0, 0], 500), observed(90, [100, 10, 10, 0], 900)]
    const series = await stored('explicit', makeSeries({ kind: 'histogram', points }))
    const [[first, second] = []] = await ask('explicit', series, { aggregation: 'p95' })
    expect(first?.[1]).toBe(9.5)
    expect(second?.[1]).toBe(38)
    expect(await ask('explicit', series, { aggregation: 'avg', fromNs: at(60) })).toEqual([[[60, 20]]])
    expect(await ask('explicit', series, { aggregation: 'count' })).toEqual([
      [
        [0, 100],
        [60, 20],
      ],
    ])
  })

  it('with different bounds are merged, with the values above the highest bound of one at that bound', async () => {
    const fine = observed(30, [0, 10, 0, 0], 1)
    const other = { ...fine, bounds: [10], bucketCounts: [0, 10] }
    const unknown = { ...fine, bounds: [], bucketCounts: [20] }
    const series = await stored(
      'bounds',
      makeSeries({ kind: 'histogram', points: [fine] }),
      makeSeries({ kind: 'histogram', service: 'bank', points: [other] }),
      makeSeries({ kind: 'histogram', service: 'mail', points: [{ ...unknown, count: 20 }] }),
    )
    expect(await ask('bounds', series, { aggregation: 'p50' })).toEqual([[[0, 10]]])
    expect(await ask('bounds', series, { aggregation: 'p99' })).toEqual([[[0, 19.8]]])
  })

  it('with exponential buckets are compared at the coarser scale of two points', async () => {
    const base = { startNs: at(0), zeroCount: 1, negative: { offset: 0, counts: [2] } }
    const points = [
      makePoint({ ...base, timeNs: at(30), scale: 1, count: 7, positive: { offset: 0, counts: [1, 1, 1, 1] } }),
      makePoint({ ...base, timeNs: at(90), scale: 0, count: 11, positive: { offset: 0, counts: [2, 6] } }),
    ]
    const series = await stored('exponential', makeSeries({ kind: 'exponential_histogram', points }))
    const [[, second] = []] = await ask('exponential', series, { aggregation: 'p50' })
    // All four new ones are above 2 and at most 4.
    expect(second).toEqual([60, 3])
  })
})

it('a summary has values only for its own quantiles', async () => {
  const quantiles = [
    [0.5, 3],
    [1, 9],
  ] as const
  const points = [makePoint({ timeNs: at(30), startNs: at(0), count: 4, sum: 20, quantiles })]
  const series = await stored('summary', makeSeries({ kind: 'summary', points }))
  expect(await ask('summary', series, { aggregation: 'p50' })).toEqual([[[0, 3]]])
  expect(await ask('summary', series, { aggregation: 'max' })).toEqual([[[0, 9]]])
  expect(await ask('summary', series, { aggregation: 'p99' })).toEqual([])
  expect(await ask('summary', series, { aggregation: 'avg' })).toEqual([[[0, 5]]])
})

describe('groups', () => {
  const named = (route: string | undefined, value: number) =>
    makeSeries({
      attributes: route === undefined ? [] : [['http.route', { stringValue: route }]],
      points: [valued(0, value)],
    })
  const series = [named('/a', 1), named('/b', 5), named('Straße 😀', 3), named(undefined, 5)]
  const question = { ...defaults, aggregation: 'max', groupBy: [{ attribute_key: 'http.route' }] } as const
  beforeAll(() => subject.store('groups', series))

  it('are those with the largest values, ties ordered by name, including the group without the key', async () => {
    const lines = (await subject.ask('groups', { ...question, groupsMax: 3 })) ?? []
    expect(lines.map(({ group }) => group)).toEqual([[null], ['/b'], ['Straße 😀']])
  })

  it('are counted', async () => {
    const body = { metric: 'm', aggregation: 'max', group_by: question.groupBy, groups_max: 1, ...windowOf(question) }
    const answer = await subject.send<{ group_count: number; series: unknown[] }>(
      'groups',
      '/api/v1/metrics/query',
      body,
    )
    expect([answer.body.group_count, answer.body.series.length]).toEqual([4, 1])
  })
})

it('each kind and unit of a metric has its own result', async () => {
  const mixed = [
    makeSeries({ unit: 's', points: [valued(0, 1)] }),
    makeSeries({ unit: 'ms', points: [valued(0, 1_000)] }),
    makeSeries({ kind: 'sum', unit: 's', points: [valued(0, 5), valued(10, 6)] }),
  ]
  await stored('mixed', ...mixed)
  const lines = (await subject.ask('mixed', { ...defaults, aggregation: 'max' })) ?? []
  expect(lines.map(({ kind, unit, points }) => [kind, unit, points[0]?.[1]])).toEqual([
    ['gauge', 'ms', 1_000],
    ['gauge', 's', 1],
    ['sum', 's', 6],
  ])
  const rates = (await subject.ask('mixed', defaults)) ?? []
  expect(rates.map(({ kind }) => kind)).toEqual(['sum'])
})

it('buckets start at multiples of step_s, and more than 500 are rejected', async () => {
  await stored('steps', makeSeries({ points: [valued(1, 1), valued(59, 2)] }))
  const window = { from: '2026-09-21T14:00:01Z', to: '2026-09-21T14:01:00Z' }
  expect(baseNs).toBe(BigInt(Date.parse('2026-09-21T14:00:00Z')) * 1_000_000n)
  const send = (more: object) =>
    subject.send<{ series: { points: unknown }[]; step_s: number; errors: { pointer: string }[] }>(
      'steps',
      '/api/v1/metrics/query',
      { metric: 'm', aggregation: 'sum', ...window, ...more },
    )
  expect((await send({ step_s: 60 })).body.series[0]?.points).toEqual([['2026-09-21T14:00:00Z', 3]])
  const tooMany = await send({ step_s: 1, to: '2026-09-21T15:00:00Z' })
  expect([tooMany.status, tooMany.body.errors[0]?.pointer]).toEqual([400, '/step_s'])
  expect((await send({ from: '2026-09-20T14:00:01Z' })).body.step_s).toBe(300)
})

it('an unknown metric has an empty result, and an invalid query is rejected at its field', async () => {
  expect(await subject.ask('nobody', defaults)).toEqual([])
  const refused = await subject.send<{ errors: { pointer: string }[] }>('nobody', '/api/v1/metrics/query', {
    metric: 'm',
    aggregation: 'avg',
    group_by: [{ attribute_source: 'intrinsic', attribute_key: 'name' }],
  })
  expect([refused.status, refused.body.errors.map(({ pointer }) => pointer)]).toEqual([
    400,
    ['/group_by/0/attribute_key'],
  ])
})

it('restricted callers are rejected, and other organizations see nothing', async () => {
  await stored('private', makeSeries({ points: [valued(0, 1)] }))
  const body = { metric: 'm', aggregation: 'sum', ...windowOf(defaults) }
  const path = '/api/v1/metrics/query'
  expect((await subject.send('private', path, body, { role: 'restricted' })).status).toBe(403)
  expect((await subject.send('private', path, body, { role: 'ingest' })).status).toBe(403)
  expect((await subject.send('other', path, body)).body).toMatchObject({ series: [] })
})

function windowOf({ fromNs, toNs }: MetricQuestion) {
  const text = (ns: bigint) => new Date(Number(ns / 1_000_000n)).toISOString()
  return { from: text(fromNs), to: text(toNs) }
}
