import { beforeAll, describe, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { type WidgetDefinition, widgetDefinitions } from '../../server/facets/widgets/definitions.ts'
import { sharedApp, type Tenant } from '../support/integration-app.ts'
import { seededRandom } from '../support/random-source.ts'
import { fromRfc3339, toRfc3339 } from '../support/reference-time.ts'
import { type ReferenceWidget, type WidgetAnswer, widgetAnswer } from '../support/reference-widgets.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'
import { randomFacetSpans, serviceOf } from './facet-spans.ts'

type WidgetData = components['schemas']['WidgetData']
type Table = components['schemas']['WidgetTable']
type MessageCount = components['schemas']['MessageCount']

const newTenant = sharedApp()
const seed = Number(process.env.FUZZ_SEED ?? 4)
const minute = 60_000_000_000n
/** Excludes some of the spans, and cuts buckets at both ends. */
const window = { fromNs: drawnStartNs + minute + 1_500_000_000n, toNs: drawnStartNs + 9n * minute + 1n }
const steps = [undefined, 7, 60, 86_400]
const seriesMax = 10
const rowsMax = 50

let tenant: Tenant
let stored: SpanModel[]
let filtersChecked = 0
beforeAll(async () => {
  tenant = newTenant()
  const random = seededRandom(seed)
  stored = [...widgetDefinitions].flatMap(([slug, widgets]) =>
    randomFacetSpans(random, { org: tenant.org, slug, widgets, startNs: drawnStartNs }),
  )
  await tenant.app.sendSpans(toOtlpJson(stored), { org: tenant.org })
})

describe.each([...widgetDefinitions])(
  `what the widgets of %s show is what the reference counts, seed ${seed}:`,
  (slug, widgets) => {
    it.each(widgets.map((widget) => [widget.id, widget] as const))('%s', async (_, widget) => {
      for (const step of widget.kind === 'timeseries' ? steps : [undefined]) {
        const data = await read(serviceOf(slug), widget.id, step)
        const bucketNs = data.kind === 'timeseries' ? BigInt(data.step_s) * 1_000_000_000n : undefined
        const expected = expectedRows(widget, serviceOf(slug), bucketNs)
        expect(expected.length).toBeGreaterThan(0)
        expect(rowsOf(data, widget)).toEqual(expected)
        if (data.kind === 'table') await checkFilters(data)
      }
    })
  },
)

it('most tables have rows with a filter', () => {
  expect(filtersChecked).toBeGreaterThan(30)
})

/** Expects that the filters of rows find the spans that the rows count. */
async function checkFilters({ columns, rows, row_filters }: Table): Promise<void> {
  const count = columns.findIndex(({ name }) => name === 'count')
  const range = { from: toRfc3339(window.fromNs), to: toRfc3339(window.toNs) }
  for (const [index, filter] of row_filters.entries()) {
    if (filter.length === 0) continue
    const { body } = await tenant.ask<MessageCount>('POST', '/messages/count', { body: { rows: filter, ...range } })
    expect([filter, body.matched_step_count]).toEqual([filter, rows[index]?.[count]])
    filtersChecked += 1
  }
}

async function read(service: string, id: string, step: number | undefined): Promise<WidgetData> {
  const range = { from: toRfc3339(window.fromNs), to: toRfc3339(window.toNs) }
  const query = new URLSearchParams({ ...range, ...(step === undefined ? {} : { step_s: String(step) }) })
  const { status, body } = await tenant.ask<WidgetData>('GET', `/services/${service}/widgets/${id}/data?${query}`)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

function expectedRows({ spans, measures, groupings, kind }: WidgetDefinition, service: string, bucketNs?: bigint) {
  const widget = {
    service,
    groupings: groupings as ReferenceWidget['groupings'],
    mappings: [],
    measures: measures.map(({ measure }) => measure),
    spans: spans.kind === 'pair' ? `${spans.pair.kind}-${spans.pair.role}` : spans.kind,
    groupsMax: kind === 'timeseries' ? seriesMax : rowsMax,
    ...(bucketNs === undefined ? {} : { bucketNs }),
  }
  const population = stored.filter(({ startNs }) => startNs >= window.fromNs && startNs < window.toNs)
  return widgetAnswer(widget, population, window)
}

/** Converts a response to the form of the reference, a row for each group and bucket. */
function rowsOf(data: WidgetData, { groupings }: WidgetDefinition): WidgetAnswer[] {
  if (data.kind !== 'timeseries') {
    return data.rows.map((cells, index) => ({
      rank: index + 1,
      names: data.row_groups[index] === 'other' ? [] : (cells.slice(0, groupings.length) as (string | null)[]),
      bucketNs: 0n,
      numbers: cells.slice(groupings.length) as number[],
    }))
  }
  if (groupings.length > 0) {
    return data.series.flatMap(({ name, group, points }, index) =>
      points.map(([time, value]) => ({
        rank: index + 1,
        names: group === 'other' ? [] : [group === 'absent' ? null : name],
        bucketNs: fromRfc3339(time),
        numbers: [value],
      })),
    )
  }
  const [first] = data.series
  return (first?.points ?? []).map(([time], index) => ({
    rank: 1,
    names: [],
    bucketNs: fromRfc3339(time),
    numbers: data.series.map(({ points }) => points[index]?.[1] ?? Number.NaN),
  }))
}
