import type { components } from '../../openapi/types.ts'
import type { Handlers } from '../../server/http/handlers.ts'

const rule: components['schemas']['AlertRule'] = {
  ...{ id: '01JNB4Y8Z1C5D8F0G2H4J6K8MN', name: 'Checkout fails', kind: 'trace', conditions: [] },
  ...{ measure: 'error_count', comparator: 'gt', threshold: 5, window_s: 300, for_s: 0, severity: 'warning' },
  include: { link: true, summary: true, service: true, integration: true, check: true },
  ...{ channel_ids: [], enabled: true },
  state: {
    ...{ status: 'ok', since: '2026-03-01T09:00:00Z', value: null },
    ...{ evaluated_at: null, alert_id: null, last_error: null },
  },
  ...{ version: 1, created_at: '2026-03-01T09:00:00Z', updated_at: '2026-03-01T09:00:00Z' },
}

const created = { Location: `/api/v1/alerting/rules/${rule.id}` }

/** Handlers of alert rules and alerts that answer the least that the document allows. */
export const stubAlertHandlers: Pick<
  Handlers,
  Extract<keyof Handlers, `${string}AlertRule${string}` | 'listAlerts'>
> = {
  listAlertRules: () => ({ status: 200, body: { items: [rule], next_cursor: null } }),
  createAlertRule: () => ({ status: 201, headers: created, body: rule }),
  getAlertRule: () => ({ status: 200, body: rule }),
  updateAlertRule: () => ({ status: 200, body: rule }),
  deleteAlertRule: () => ({ status: 204 }),
  previewAlertRule: () => ({
    status: 200,
    body: { value: null, summary: 'Nothing.', step_s: 15, points: [], notifications: [] },
  }),
  listAlerts: () => ({ status: 200, body: { items: [], next_cursor: null } }),
}
