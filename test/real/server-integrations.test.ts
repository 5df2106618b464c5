import { afterAll, beforeAll, expect, it } from 'vitest'
import { startApp, type TestApp } from '../support/app.ts'
import { loadOnlineBoutique } from '../support/load-online-boutique.ts'
import { describeOver, readShared } from '../support/load-shared-data.ts'
import { type Integration, type Matcher, slice } from '../support/reference-integration.ts'
import { populationOf } from '../support/reference-population.ts'
import { type FlowEdge, flowEdges, statsOf } from '../support/reference-slice-stats.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { boutiqueFiles } from './boutique-files.ts'

const files = boutiqueFiles.slice(0, 1)
const spansPerRequest = 5_000

function service(name: string, include_descendants = false): Matcher {
  return { match_group: name, service: name, service_match: 'exact', include_descendants }
}

describeOver(files, 'integrations over a minute of Online Boutique', () => {
  let app: TestApp
  const rows = files.flatMap((file) => loadOnlineBoutique(readShared(file), 'boutique'))
  const starts = rows.map((row) => row.startNs).sort((left, right) => (left < right ? -1 : 1))
  const window = { fromNs: starts[0] ?? 0n, toNs: (starts.at(-1) ?? 0n) + 1n }
  const population = populationOf(rows, 'boutique', window)

  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: 'error' } })
    for (let at = 0; at < rows.length; at += spansPerRequest)
      await app.sendSpans(toOtlpJson(rows.slice(at, at + spansPerRequest)), { org: 'boutique', role: 'ingest' })
  })
  afterAll(() => app?.close())

  const two = [service('cartservice'), service('currencyservice')]
  it.each<[string, Integration]>([
    ['two services, any', { rule_match: 'any', matchers: two }],
    ['two services, all', { rule_match: 'all', matchers: two }],
    ['descendants', { rule_match: 'any', matchers: [service('checkoutservice', true), service('paymentservice')] }],
  ])('%s: stats and flow graph equal those computed outside SQL', async (name, integration) => {
    const whom = { org: 'boutique', role: 'contributor' } as const
    const created = await app.send('/api/v1/integrations', { json: { name, ...integration }, whom })
    const { id } = (await created.json()) as { id: string }
    const read = async (what: string): Promise<unknown> => {
      const range = `from=${toRfc3339(window.fromNs)}&to=${toRfc3339(window.toNs)}`
      return (await app.send(`/api/v1/integrations/${id}/${what}?${range}`, { whom })).json()
    }
    const taken = slice(integration, population)
    expect(await read('stats')).toEqual(statsOf(taken))
    expect(await read('flow-graph')).toMatchObject({ edges: flowEdges(taken, population).map(toWireEdge) })
    expect(taken.size).toBeGreaterThan(0)
  })
})

function toWireEdge({ from, to, callCount, errorCount, durationsNs }: FlowEdge) {
  const rank = (percent: number) => durationsNs[Math.ceil((callCount * percent) / 100) - 1] ?? 0n
  const inMs = (ns: bigint) => Number(ns) / 1_000_000
  return { from, to, call_count: callCount, error_count: errorCount, p50_ms: inMs(rank(50)), p95_ms: inMs(rank(95)) }
}
