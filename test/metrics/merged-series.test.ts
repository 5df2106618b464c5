/** Answers about series do not depend on whether ClickHouse has merged the rows of a series and day. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { visitOwnTables } from '../support/engine.ts'
import { makePoint, makeSeries, type SeriesModel } from '../support/metric-model.ts'
import { fromRfc3339 } from '../support/reference-time.ts'
import { type MetricSubject, openMetricSubject } from './metric-subject.ts'

type Catalog = components['schemas']['MetricPage']

const org = 'merged'
const window = { from: '2026-09-21T11:00:00Z', to: '2026-09-21T13:00:00Z' }
const pointAt = (time: string) => makePoint({ timeNs: fromRfc3339(`2026-09-21T${time}Z`), value: 1 })

/** Series with points on either side of the window only. */
const around: readonly SeriesModel[] = [
  makeSeries({ metric: 'a' }),
  makeSeries({ metric: 'b' }),
  makeSeries({ metric: 'm', unit: 'ms', kind: 'sum' }),
  makeSeries({ metric: 'm', unit: 's', service: 'bank' }),
  makeSeries({ metric: 'n' }),
  makeSeries({ metric: 'z' }),
]

/** Series with points in the window: between two others, and at its ends. */
const within: readonly SeriesModel[] = [
  makeSeries({ metric: 'm', unit: 's', points: ['10:00:00', '12:00:00', '14:00:00'].map(pointAt) }),
  makeSeries({ metric: 'y', points: [pointAt('11:00:00')] }),
  makeSeries({ metric: 'y', unit: 's', points: [pointAt('12:59:59.999999999')] }),
]

let subject: MetricSubject
beforeAll(async () => {
  subject = await openMetricSubject()
  for (const time of ['10:59:59.999999999', '13:00:00']) {
    const points = [pointAt(time)]
    await subject.store(
      org,
      around.map((series) => ({ ...series, points })),
    )
  }
  await subject.store(org, within)
})
afterAll(() => subject.close())

async function catalog(page: { limit?: string; cursor?: string } = {}): Promise<Catalog> {
  const query = new URLSearchParams({ ...window, ...page })
  return subject.app.ask(`/api/v1/metrics-catalog?${query}`, { whom: { org, role: 'viewer' } })
}

async function catalogByPages(limit: number): Promise<Catalog['items']> {
  const items: Catalog['items'] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page = await catalog({ limit: String(limit), ...(cursor === '' ? {} : { cursor }) })
    items.push(...page.items)
    cursor = page.next_cursor
    if (cursor !== null) expect(page.items).toHaveLength(limit)
  }
  return items
}

const merge = () =>
  visitOwnTables(subject.app.app.clickhouse, (node) => node.command('OPTIMIZE TABLE metric_series FINAL'))

it('the catalog has the metrics with points in the window, before and after a merge', async () => {
  const before = await catalog()
  expect(before.items.map(({ name, unit, series_count }) => [name, unit, series_count])).toEqual([
    ['m', 's', 1],
    ['y', '', 1],
    ['y', 's', 1],
  ])
  await merge()
  expect(await catalog()).toEqual(before)
})

it('pages of the catalog are full, however many metrics between have no points in the window', async () => {
  await merge()
  const { items } = await catalog()
  expect(await catalogByPages(1)).toEqual(items)
  expect(await catalogByPages(2)).toEqual(items)
})

it('kinds and units without points in the window do not count, after a merge', async () => {
  await merge()
  const query = { metric: 'm', ...window, aggregation: 'rate' }
  const { body } = await subject.send<object>(org, '/api/v1/metrics/query', query)
  expect(body).toMatchObject({ errors: [{ code: 'not_of_kind', message: expect.stringContaining('kind gauge.') }] })
})

it('the preview of an alert rule accepts a metric that had another unit around the window, after a merge', async () => {
  await merge()
  const rule = { kind: 'metric', metric: 'm', measure: 'max', comparator: 'gt', threshold: 0, window_s: 60 }
  const preview = { ...rule, from: '2026-09-21T11:59:30Z', to: '2026-09-21T12:00:30Z' }
  const { status, body } = await subject.send(org, '/api/v1/alerting/rules/preview', preview)
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { points: expect.arrayContaining([expect.objectContaining({ value: 1 })]) },
  })
})
