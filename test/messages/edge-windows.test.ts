/** Windows at and beyond the ends of the times that can be stored: every question answers exactly what is in them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { fromRfc3339 } from '../support/reference-time.ts'

const org = 'edge-windows'
const times = ['1970-01-01T00:00:00.000000001Z', '1970-01-01T00:00:10Z', '2026-01-01T00:00:00Z'] as const
/** Accepted only in the last ten years before the end of the times that can be stored. */
const lateTimes = ['2106-02-07T06:28:10Z', '2106-02-07T06:28:15.99999Z'] as const
const secondsToLive = 3_000_000_000

let now = new Date('2026-01-01T00:00:00Z')
let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { LOG_LEVEL: 'error' }, overrides: { now: () => now } })
  await store(times)
  now = new Date('2100-01-01T00:00:00Z')
  await store(lateTimes)
})
afterAll(() => app.close())

const row = { attribute_key: 'k', operator: 'eq', value: 'v' } as const

async function store(some: readonly string[]): Promise<void> {
  const attributes = [{ key: 'k', value: { stringValue: 'v' } }]
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'edge' } }] }
  const ns = some.map((time) => String(fromRfc3339(time)))
  const spans = ns.map((startTimeUnixNano) => ({
    traceId: startTimeUnixNano.padStart(32, '0'),
    spanId: '1'.padStart(16, '0'),
    name: 'step',
    startTimeUnixNano,
    endTimeUnixNano: startTimeUnixNano,
    attributes,
  }))
  const dataPoints = ns.map((timeUnixNano) => ({ timeUnixNano, asInt: '1' }))
  const logRecords = ns.map((timeUnixNano) => ({ timeUnixNano, attributes }))
  const whom = { org, role: 'ingest', secondsToLive } as const
  const send = async (path: string, json: object) => expect(await app.ask(path, { json, whom })).toEqual({})
  await send('/v1/traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] })
  await send('/v1/logs', { resourceLogs: [{ resource, scopeLogs: [{ logRecords }] }] })
  const metrics = [{ name: 'edge', gauge: { dataPoints } }]
  await send('/v1/metrics', { resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] })
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

interface Answers {
  readonly messages: readonly unknown[]
  readonly items: readonly unknown[]
  readonly message_count: number
  readonly buckets: readonly { readonly message_count: number }[]
  readonly total: { readonly message_count: number }
  readonly series: readonly { readonly points: readonly (readonly [string, number])[] }[]
}

/** Each question, with how many records its answer has. */
const questions: readonly (readonly [path: string, body: object, read: (answer: Answers) => number])[] = [
  ['messages/search', {}, ({ messages }) => messages.length],
  ['messages/search', { order: 'oldest', rows: [row] }, ({ messages }) => messages.length],
  ['messages/search', { order: 'longest' }, ({ messages }) => messages.length],
  ['messages/count', { rows: [row] }, ({ message_count }) => message_count],
  [
    'messages/count',
    { relations: [{ kind: 'not_followed_by', from: [row], to: [row], within_ms: 1 }] },
    ({ message_count }) => message_count,
  ],
  [
    'messages/histogram',
    { step_s: 31_536_000, heatmap: true },
    ({ buckets }) => sumOf(buckets.map(({ message_count }) => message_count)),
  ],
  ['messages/breakdown', { group_by: [{ attribute_key: 'k' }] }, ({ total }) => total.message_count],
  ['logs/search', { conditions: [row] }, ({ items }) => items.length],
  [
    'metrics/query',
    { metric: 'edge', aggregation: 'count' },
    ({ series }) => sumOf(series.flatMap(({ points }) => points.map(([, value]) => value))),
  ],
  ['metrics/points/search', { metric: 'edge' }, ({ items }) => items.length],
]

it.each([
  ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999999999Z'],
  ['1969-12-31T23:59:59.999999999Z', '1970-01-01T00:00:00.000000001Z'],
  ['1900-01-01T00:00:00Z', '1970-01-01T00:00:00.000000002Z'],
  ['1970-01-01T00:00:00.000000002Z', '1970-01-01T00:00:30Z'],
  ['2106-02-07T06:28:15.99999Z', '2106-02-07T06:28:16Z'],
  ['2106-02-07T06:28:00Z', '2262-04-11T23:47:16.854775807Z'],
  ['2106-02-07T06:28:16Z', '2300-01-01T00:00:00Z'],
  ['2262-04-11T23:47:16.854775806Z', '2262-04-11T23:47:16.854775807Z'],
  ['2262-04-11T23:47:16.854775807Z', '2262-04-11T23:47:16.854775808Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:01Z'],
])('from %s to %s', async (from, to) => {
  const isWithin = (time: string) => fromRfc3339(from) <= fromRfc3339(time) && fromRfc3339(time) < fromRfc3339(to)
  const expected = [...times, ...lateTimes].filter(isWithin).length
  const whom = { org, role: 'viewer', secondsToLive } as const
  for (const [path, body, read] of questions) {
    const answer = await app.ask<Answers>(`/api/v1/${path}`, { json: { from, to, ...body }, whom })
    expect([path, body, read(answer)]).toEqual([path, body, expected])
  }
})
