import { expect, it } from 'vitest'
import { sharedApp } from '../integrations/integration-app.ts'

const newTenant = sharedApp()

it('what a new rule leaves out has a default', async () => {
  const tenant = newTenant()
  const body = { name: 'Fails', kind: 'trace', measure: 'error_count', comparator: 'gt', threshold: 5 }
  const made = await tenant.ask<{ id: string }>('POST', '/alerting/rules', { body })
  expect([made.status, made.location, made.etag]).toEqual([201, `/api/v1/alerting/rules/${made.body.id}`, '"1"'])
  expect(made.body).toMatchObject({
    ...body,
    ...{ conditions: [], window_s: 300, for_s: 0, severity: 'warning', channel_ids: [], enabled: true },
    include: { link: true, summary: true, service: true, integration: true, check: true },
    state: { status: 'ok', value: null, evaluated_at: null, alert_id: null, last_error: null },
  })
  expect((await tenant.ask('GET', `/alerting/rules/${made.body.id}`)).body).toEqual(made.body)
})
