import { beforeAll, expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedApp, type Tenant } from '../support/integration-app.ts'
import { loadOpenSearch } from '../support/load-opensearch.ts'
import { describeOver, readShared } from '../support/load-shared-data.ts'
import { detectedFacets, type FacetMapping } from '../support/reference-facets.ts'
import { toRfc3339 } from '../support/reference-time.ts'
import { type SpanModel, toOtlpJson } from '../support/span-model.ts'
import { wholeOf } from './real-traces.ts'

type Schemas = components['schemas']

const checkout = 'opensearch-otel/oteldemo-checkout-trace.bulk_data.json'

const carries = (attribute_key: string) =>
  ({ attribute_source: 'span', attribute_key, match_operator: 'exists', match_value: '' }) as const
const has = (attribute_key: string, match_value: string) =>
  ({ attribute_source: 'span', attribute_key, match_operator: 'equals', match_value }) as const
const as = (kind: Schemas['IoKind'], role: Schemas['IoRole']) => ({ set_io_kind: kind, set_io_role: role })

/** gRPC calls use HTTP. An outgoing call names its peer. If both rules of a service match, the first one counts. */
const callsOut = { ...carries('net.peer.name'), ...as('http', 'output') }
const takesCalls = { ...carries('rpc.system'), ...as('http', 'input') }

/** The rules of each service in order of creation, and its resulting facets besides `core`. */
const services: Readonly<Record<string, { rules: readonly FacetMapping[]; facets: readonly string[] }>> = {
  accountingservice: {
    rules: [{ ...has('messaging.operation', 'receive'), ...as('queue', 'input') }],
    facets: ['queue-input'],
  },
  cartservice: {
    rules: [{ ...carries('db.system'), ...as('db', 'output') }, takesCalls],
    facets: ['http-input', 'db-output'],
  },
  checkoutservice: {
    rules: [{ ...has('messaging.operation', 'publish'), ...as('queue', 'output') }, callsOut, takesCalls],
    facets: ['http-input', 'http-output', 'queue-output'],
  },
  currencyservice: { rules: [takesCalls], facets: ['http-input'] },
  emailservice: { rules: [{ ...carries('http.route'), ...as('http', 'input') }], facets: ['http-input'] },
  featureflagservice: {
    rules: [{ ...carries('db.statement'), ...as('db', 'output') }, takesCalls],
    facets: ['http-input', 'db-output'],
  },
  frauddetectionservice: {
    rules: [{ ...has('messaging.operation', 'process'), ...as('queue', 'input') }],
    facets: ['queue-input'],
  },
  frontend: {
    rules: [{ ...carries('http.target'), ...as('http', 'input') }, callsOut],
    facets: ['http-input', 'http-output'],
  },
  paymentservice: { rules: [takesCalls], facets: ['http-input'] },
  productcatalogservice: { rules: [callsOut, takesCalls], facets: ['http-input', 'http-output'] },
  quoteservice: { rules: [{ ...has('http.method', 'POST'), ...as('http', 'input') }], facets: ['http-input'] },
  shippingservice: {
    rules: [{ ...carries('http.url'), ...as('http', 'output') }, takesCalls],
    facets: ['http-input', 'http-output'],
  },
}

describeOver([checkout], 'a checkout of the OpenTelemetry demo, whose spans carry no io.kind', () => {
  const newTenant = sharedApp()
  let tenant: Tenant
  let spans: SpanModel[]
  let range: URLSearchParams

  beforeAll(async () => {
    tenant = newTenant()
    spans = loadOpenSearch(readShared(checkout), tenant.org)
    const { window } = wholeOf(tenant.org, spans)
    range = new URLSearchParams({ from: toRfc3339(window.fromNs), to: toRfc3339(window.toNs) })
    await tenant.app.sendSpans(toOtlpJson(spans), { org: tenant.org })
  })

  async function facetsOfAll(): Promise<Record<string, string[]>> {
    const { body } = await tenant.ask<Schemas['ServicePage']>('GET', `/services?limit=200&${range}`)
    return Object.fromEntries(body.items.map(({ name, facets }) => [name, facets.map(({ slug }) => slug)]))
  }

  const facetsExpected = (rulesOf: (service: string) => readonly FacetMapping[]) =>
    Object.fromEntries(
      Object.keys(services).map((name) => [
        name,
        detectedFacets(
          spans.filter(({ service }) => service === name),
          rulesOf(name),
        ),
      ]),
    )

  it('shows only core, and worker for background work, without rules', async () => {
    expect(spans.some(({ attributes }) => attributes.some(([key]) => key.startsWith('io.')))).toBe(false)
    const detected = await facetsOfAll()
    expect(detected).toEqual(facetsExpected(() => []))
    expect(new Set(Object.values(detected).flat())).toEqual(new Set(['core', 'worker']))
  })

  it('shows HTTP, queues and databases by classification rules, and no longer worker', async () => {
    for (const [service, { rules }] of Object.entries(services)) {
      for (const rule of rules) {
        const { status, body } = await tenant.ask('POST', `/services/${service}/facet-mappings`, { body: rule })
        expect(status, JSON.stringify(body)).toBe(201)
      }
    }
    const detected = await facetsOfAll()
    const stated = Object.entries(services).map(([name, { facets }]) => [name, ['core', ...facets]])
    expect(detected).toEqual(Object.fromEntries(stated))
    expect(detected).toEqual(facetsExpected((service) => services[service]?.rules ?? []))
  })

  it.each([
    ['emailservice', 'http-input.routes', [['POST', '/send_order_confirmation', 1]]],
    [
      'frontend',
      'http-output.peers',
      [
        ['productcatalogservice', null, 2],
        ['checkoutservice', null, 1],
      ],
    ],
    ['checkoutservice', 'queue-output.operations', [['kafka', 'orders', 'publish', 1]]],
    ['accountingservice', 'queue-input.operations', [['kafka', 'orders', 'receive', 1]]],
    ['cartservice', 'db-output.tables', [['redis', null, null, null, 3]]],
  ])('widgets of %s show the data: %s', async (service, id, expected) => {
    const path = `/services/${service}/widgets/${id}/data?${range}`
    const { rows, columns } = (await tenant.ask<Schemas['WidgetTable']>('GET', path)).body
    const measuresFrom = columns.findIndex(({ name }) => name === 'count') + 1
    expect(rows.map((row) => row.slice(0, measuresFrom))).toEqual(expected)
  })
})
