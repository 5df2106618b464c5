import { expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import type { Whom } from '../support/app.ts'
import { sharedApp } from '../support/integration-app.ts'
import { numberedTrace } from '../support/reference-ask.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawnStartNs } from '../support/trace-text.ts'

type Schemas = components['schemas']

const tenant = sharedApp()
const size = 20_000

it('a restricted caller reads the services and calls of a trace of 20,000 spans', async () => {
  const { app, org, ask, create } = tenant()
  const services = ['web', 'bank']
  const spans = numberedTrace(size, (n) => n - 1).map((span, position) => {
    const service = services[position % 2] ?? ''
    const resourceAttributes: typeof span.resourceAttributes = [['service.name', { stringValue: service }]]
    return { ...span, service, resourceAttributes, startNs: drawnStartNs + BigInt(position) }
  })
  for (let at = 0; at < size; at += size / 4)
    await app.sendSpans(toOtlpJson(spans.slice(at, at + size / 4)), { org, role: 'ingest' })
  const { id } = await create({ matchers: services.map((service) => ({ service, include_descendants: true })) })
  await ask('PUT', `/integrations/${id}/grants`, { body: { subjects: ['guest'] } })
  const whom: Whom = { role: 'restricted', subject: 'guest' }
  const window = 'from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z'
  const listed = await ask<Schemas['ServicePage']>('GET', `/services?${window}`, { whom })
  const counts = [
    ['bank', size / 2],
    ['web', size / 2],
  ]
  expect(listed.refusal).toEqual([undefined])
  expect(listed.body.items.map(({ name, span_count }) => [name, span_count])).toEqual(counts)
  const { refusal, body } = await ask<Schemas['FlowGraph']>('GET', `/integrations/${id}/flow-graph?${window}`, { whom })
  expect(refusal).toEqual([undefined])
  expect(body.nodes.map(({ service, span_count }) => [service, span_count])).toEqual(counts)
  expect(body.edges.map(({ call_count }) => call_count)).toEqual([size / 2 - 1, size / 2])
})
