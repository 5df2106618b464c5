import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { until } from '../clickhouse/own-engine.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { openSpreadApp, type SpreadApp } from './spread-app.ts'
import { storeTelemetry, telemetryWindow } from './telemetry.ts'

const org = `outage-${randomUUID()}`
const seed = Math.floor(Math.random() * 1e9)
const window = { from: toRfc3339(telemetryWindow.fromNs), to: toRfc3339(telemetryWindow.toNs) }
let spread: SpreadApp

beforeAll(async () => {
  spread = await openSpreadApp()
  await storeTelemetry(spread.app, org, seed)
})
afterAll(() => spread?.close())

const questions: readonly (readonly [name: string, path: string, body?: object])[] = [
  ['a search', '/api/v1/messages/search', { ...window, rows: [], limit: 200 }],
  ['a count', '/api/v1/messages/count', { ...window, rows: [] }],
  ['a message by id', `/api/v1/messages/${'1'.padStart(32, '0')}?from=${window.from}&to=${window.to}`],
  ['a search of logs', '/api/v1/logs/search', { ...window, conditions: [], limit: 100 }],
  ['the list of services', `/api/v1/services?from=${window.from}&to=${window.to}`],
  ['the catalogue of metrics', `/api/v1/metrics-catalog?from=${window.from}&to=${window.to}`],
]

async function ask(path: string, body?: object): Promise<Response> {
  const authorization = `Bearer ${await spread.app.token({ org, role: 'viewer' })}`
  const headers = { authorization, 'content-type': 'application/json' }
  return spread.app.send(path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
}

/** Every answer, without when it was asked. */
async function allAnswers(): Promise<string[]> {
  const answers = questions.map(async ([name, path, body]) => {
    const response = await ask(path, body)
    const text = await response.text()
    if (response.status !== 200) throw new Error(`${name}: ${response.status} ${text}`)
    return text.replace(/"next_cursor":"[^"]*"/, '')
  })
  return Promise.all(answers)
}

const rowCounts = () => Promise.all(['spans', 'metric_points', 'log_records'].map((table) => spread.rowsByShard(table)))

it('bodies that are sent again, through whichever node, are stored once', async () => {
  const before = await rowCounts()
  const second = await spread.openSecond()
  onTestFinished(() => void second.app.stop())
  for (const app of [second, spread.app]) await storeTelemetry(app, org, seed)
  expect(await rowCounts()).toEqual(before)
})

it.each([0, 1])(
  'without shard %i every question and every insert is answered with 503, and when it is back as before',
  async (shard) => {
    const before = await allAnswers()
    await spread.crash(shard)
    for (const [name, path, body] of questions) {
      // Each time another node is asked.
      for (let time = 0; time < 3; time++) {
        const response = await ask(path, body)
        const { code } = (await response.json()) as { code?: string }
        expect([response.status, code], name).toEqual([503, 'unavailable'])
        expect(response.headers.get('retry-after'), name).not.toBeNull()
      }
    }
    await expect(storeTelemetry(spread.app, org, seed + 1)).rejects.toThrow('503')
    await spread.restart(shard)
    expect(await until(() => allAnswers().catch(() => undefined))).toEqual(before)
  },
)
