import type { components } from '../../openapi/types.ts'
import type { Handlers } from '../../server/http/handlers.ts'

const delivery: components['schemas']['Delivery'] = {
  id: '01JNB4Y8Z0V6Q3W2R7T5X9K1MD',
  channel_id: '01JNB4Y8Z1C5D8F0G2H4J6K8MN',
  alert_id: '01JNB4Y8Z2P7Q9R1S3T5V7W9XY',
  event: 'firing',
  state: 'pending',
  template_error: null,
  created_at: '2026-03-01T09:00:00.000Z',
  next_attempt_at: '2026-03-01T09:00:00.000Z',
  finished_at: null,
  attempts: [],
}

/** Handlers of deliveries that answer the least that the document allows. */
export const stubDeliveryHandlers: Pick<Handlers, 'listDeliveries' | 'retryDelivery' | 'testChannel'> = {
  listDeliveries: () => ({ status: 200, body: { items: [delivery], next_cursor: null } }),
  retryDelivery: () => ({ status: 200, body: delivery }),
  testChannel: () => ({ status: 200, body: delivery }),
}
