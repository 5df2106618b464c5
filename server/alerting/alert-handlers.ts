import type { Handlers } from '../http/handlers.ts'
import type { Metadata } from '../metadata/database.ts'
import { decodePageCursor, encodePageCursor } from '../metadata/page-cursor.ts'
import { listAlerts } from './alert-store.ts'

const itemsDefault = 50

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function alertHandlers(metadata: Metadata): Handlers<'listAlerts'> {
  return {
    async listAlerts({ caller: { org }, query: { state, limit = itemsDefault, cursor } }) {
      const listed = JSON.stringify(['alerts', org, state ?? null])
      const before = cursor === undefined ? undefined : decodePageCursor(listed, cursor)
      const found = await listAlerts(metadata, org, { state, limit: limit + 1, before })
      const items = found.slice(0, limit)
      const last = found.length > limit ? items.at(-1) : undefined
      return { status: 200, body: { items, next_cursor: last ? encodePageCursor(listed, last.id) : null } }
    },
  }
}
