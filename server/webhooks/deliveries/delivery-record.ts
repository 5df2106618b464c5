import type { components } from '../../../openapi/types.ts'
import type { StoredDelivery } from './delivery-store.ts'

/** A delivery as the API shows it. */
export function toDeliveryRecord(stored: StoredDelivery): components['schemas']['Delivery'] {
  const { id, channel_id, alert_id, event, state, due_at, template_error, created_at, finished_at } = stored
  return {
    ...{ id, channel_id, alert_id, event, state, template_error, created_at, finished_at },
    next_attempt_at: state === 'pending' ? due_at : null,
    attempts: stored.attempts.map(({ number, started_at, duration_ms, status, response, error }) => ({
      ...{ number, started_at, duration_ms, status, response, error },
    })),
  }
}
