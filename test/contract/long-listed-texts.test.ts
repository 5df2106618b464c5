import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
const window = 'from=2026-09-21T00:00:00Z&to=2026-09-22T00:00:00Z'
const ns = '1789990000000000000'
const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })

/** Texts around the length of a beginning, and longer than a URL, some with equal beginnings. */
const texts = [499, 500, 501, 20_000].flatMap((length) =>
  ['a', '\u0001', '😀'].flatMap((character) => [character.repeat(length), `${character.repeat(length)}b`]),
)
const all = ['', 'b', ...new Set(texts)]

beforeAll(async () => {
  app = await startApp()
  const spans = (text: string) => {
    const span = { traceId: '1'.repeat(32), spanId: hex(text), name: 'a', startTimeUnixNano: ns, endTimeUnixNano: ns }
    return [{ spans: [{ ...span, attributes: [attribute('value', text)] }] }]
  }
  const resourceOf = (text: string) => ({ attributes: [attribute('service.name', `s${text}`)] })
  const resourceSpans = all.map((text) => ({ resource: resourceOf(text), scopeSpans: spans(text) }))
  await app.sendSpans({ resourceSpans })
  const metrics = all.map((unit) => ({ name: 'cpu', unit, gauge: { dataPoints: [{ timeUnixNano: ns, asInt: '1' }] } }))
  await app.sendMetrics({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })
})
afterAll(() => app.close())

interface Page {
  readonly items: readonly Record<string, string>[]
  readonly next_cursor: string | null
}

function hex(text: string): string {
  return (all.indexOf(text) + 1).toString(16).padStart(16, '0')
}

it.each([
  ['/attributes/values?key=value', 'value', all],
  ['/services?', 'name', all.map((text) => `s${text}`)],
  ['/metrics-catalog?', 'unit', all],
])('the pages of %s contain every text once, however long', async (path, field, expected) => {
  for (const limit of [1, 5]) {
    const found: string[] = []
    for (let cursor = ''; ; ) {
      const response = await app.send(`/api/v1${path}&${window}&limit=${limit}${cursor}`)
      const page = (await response.json()) as Page
      expect(response.status, JSON.stringify(page)).toBe(200)
      found.push(...page.items.map((item) => item[field] ?? ''))
      if (page.next_cursor === null) break
      cursor = `&cursor=${page.next_cursor}`
    }
    expect(found.toSorted()).toEqual(expected.toSorted())
    const beginnings = found.map((text) => Buffer.from([...text].slice(0, 500).join('')))
    expect(beginnings).toEqual(beginnings.toSorted(Buffer.compare))
  }
})

it('a metric names the services that sent it, however long their names', async () => {
  const [name, time] = ['s'.repeat(1_001), '1789800000000000000']
  const metrics = [{ name: 'memory', gauge: { dataPoints: [{ timeUnixNano: time, asInt: '1' }] } }]
  const resource = { attributes: [attribute('service.name', name)] }
  await app.sendMetrics({ resourceMetrics: [{ resource, scopeMetrics: [{ metrics }] }] })
  const query = { from: '2026-09-19T00:00:00Z', to: '2026-09-20T00:00:00Z' }
  const { data } = await (await app.client()).GET('/api/v1/metrics-catalog', { params: { query } })
  expect(data?.items).toMatchObject([{ name: 'memory', services: [name] }])
})
