import { expect, it } from 'vitest'
import { matcher, sharedApp } from '../support/integration-app.ts'

const newTenant = sharedApp()

const window = { from: '2026-03-01T09:00:00Z', to: '2026-03-01T10:00:00Z' }
const alertRule = { name: 'Errors', kind: 'trace', measure: 'error_rate', comparator: 'gt', threshold: 0.5 }

/** A body for each operation with lists that are optional, and those lists. */
const bodies = [
  ['/messages/search', window, ['rows', 'relations', 'columns']],
  ['/messages/count', window, ['rows', 'relations']],
  ['/messages/histogram', window, ['rows', 'relations', 'group_by']],
  ['/messages/breakdown', { ...window, group_by: [{ attribute_key: 'tenant' }] }, ['rows', 'relations']],
  ['/messages/summary', window, ['rows', 'relations']],
  ['/logs/search', window, ['conditions']],
  ['/metrics/query', { ...window, metric: 'requests', aggregation: 'sum' }, ['conditions', 'group_by']],
  ['/metrics/points/search', { ...window, metric: 'requests' }, ['conditions']],
  ['/integrations/preview', { ...window, matchers: [matcher('shop')] }, ['flags']],
  ['/alerting/rules/preview', { ...alertRule, ...window }, ['conditions', 'rows', 'relations', 'channel_ids']],
] as const

it.each(bodies)('%s answers the same for absent and for empty lists', async (path, body, lists) => {
  const tenant = newTenant()
  const absent = await tenant.ask('POST', path, { body })
  expect(absent.status).toBe(200)
  const empty = Object.fromEntries(lists.map((list) => [list, []]))
  expect((await tenant.ask('POST', path, { body: { ...body, ...empty } })).body).toEqual(absent.body)
})
