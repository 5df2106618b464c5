import type { Handlers } from '../../http/handlers.ts'
import { readNewest } from '../../http/paging.ts'
import type { Metadata } from '../../metadata/database.ts'
import { listAlerts } from './alert-store.ts'

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function alertHandlers(metadata: Metadata): Handlers<'listAlerts'> {
  return {
    async listAlerts({ caller: { org }, query: { state, ...page } }) {
      const body = await readNewest(['alerts', org, state ?? null], page, (newest) =>
        listAlerts(metadata, org, { state, ...newest }),
      )
      return { status: 200, body }
    },
  }
}
