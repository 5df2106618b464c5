import { expect, it } from 'vitest'
import type { components } from '../../openapi/types.ts'
import { sharedApp, type Tenant } from '../support/integration-app.ts'
import { toOtlpJson } from '../support/span-model.ts'
import { drawTraces } from '../support/trace-text.ts'

type Preview = components['schemas']['AlertRulePreview']
type Condition = components['schemas']['AlertCondition']

const newTenant = sharedApp()

const window = { from: '2025-12-31T23:59:00Z', to: '2026-01-01T00:01:00Z' }

async function send(tenant: Tenant, drawn: string): Promise<void> {
  await tenant.app.sendSpans(toOtlpJson(drawTraces(drawn)), { org: tenant.org, role: 'ingest' })
}

/** Returns the value of a rule at the end of a window that holds all spans. */
async function measured(tenant: Tenant, change: object): Promise<number | null | undefined> {
  const rule = { kind: 'trace', measure: 'span_count', comparator: 'gt', threshold: 0, window_s: 300 }
  const body = { ...window, ...rule, ...change }
  return (await tenant.ask<Preview>('POST', '/alerting/rules/preview', { body })).body.points.at(-1)?.value
}

const tenantIs = (operator: string, value?: string) =>
  ({ attribute_key: 'tenant', operator, ...(value !== undefined && { value }) }) as Condition

it.each<[string, Condition[], number]>([
  ['1: a negation is true of spans that lack the attribute: is not', [tenantIs('neq', 't-1')], 4],
  ['1: a negation is true of spans that lack the attribute: does not contain', [tenantIs('not_contains', '1')], 3],
  ['2: is absent asks about the key', [tenantIs('not_exists')], 2],
  ['2: exists asks about the key, and ignores a value', [tenantIs('exists', 't-9')], 4],
  ['3: exists and a negation select other values', [tenantIs('exists'), tenantIs('neq', 't-1')], 2],
  ['4: exists and does not contain', [tenantIs('exists'), tenantIs('not_contains', '1')], 1],
  ['4: is absent selects exactly those that lack it', [tenantIs('not_exists'), tenantIs('neq', 't-1')], 2],
])('"Attribute condition semantics" %s', async (_, conditions, expected) => {
  const tenant = newTenant()
  await send(
    tenant,
    `a:one     tenant=t-1
       a:two   tenant=t-1
       a:three tenant=t-12
       a:four  tenant=
       a:five
     ---
     b:six`,
  )
  expect(await measured(tenant, { conditions })).toBe(expected)
})

const drawn = `
  gateway:in
    checkout:pay   tenant=t-1
      checkout:a   !
        bank:b     !
        checkout:c !
    checkout:d     !
  ---
  checkout:pay     tenant=t-1
    checkout:e
  ---
  checkout:pay     tenant=t-2
    checkout:f     !
    bank:g         !`

it.each([
  [
    '"Include child spans" 3: alert rules of an integration measure its slice',
    { include_descendants: true },
    {},
    [5, 2, 2],
  ],
  [
    '"Include child spans" 4: a child in another service counts if the service is a member',
    { include_descendants: true },
    { with: 'bank' },
    [7, 4, 3],
  ],
  ['without child spans, only spans that carry the attribute count', {}, {}, [2, 0, 2]],
  ['"Integration rule modes" 7: alerts narrow with the mode', {}, { with: 'bank', rule_match: 'all' }, [2, 1, 1]],
])('%s', async (_, change, { with: other, ...mode }: { with?: string; rule_match?: string }, expected) => {
  const tenant = newTenant()
  await send(tenant, drawn)
  const pay = { service: 'checkout', attribute_key: 'tenant', operator: 'equals', value: 't-1', ...change }
  const matchers = [
    pay,
    ...(other === undefined ? [] : [{ service: other, attribute_key: 'x', operator: 'not_exists' }]),
  ]
  const { id: integration_id } = await tenant.create({ matchers, ...mode } as never)
  const found = []
  for (const measure of ['span_count', 'error_count', 'message_count'])
    found.push(await measured(tenant, { measure, integration_id }))
  const stats = await tenant.ask<components['schemas']['IntegrationStats']>(
    ...(['GET', `/integrations/${integration_id}/stats?from=${window.from}&to=${window.to}`] as const),
  )
  const { span_count, error_span_count, trace_count } = stats.body
  expect(found).toEqual([span_count, error_span_count, trace_count])
  expect(found).toEqual(expected)
})
