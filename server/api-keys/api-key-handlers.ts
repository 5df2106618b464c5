import type { Handlers } from '../http/handlers.ts'
import { invalid, notFound } from '../http/problem.ts'
import { decodePageCursor, encodePageCursor } from '../metadata/page-cursor.ts'
import type { ApiKeyStore } from './api-key-store.ts'
import type { ApiKeyVerifier } from './api-key-verifier.ts'

export interface ApiKeyHandlersOptions {
  readonly store: ApiKeyStore
  readonly verifier: ApiKeyVerifier
  readonly now: () => Date
}

const itemsDefault = 50

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function apiKeyHandlers(
  options: ApiKeyHandlersOptions,
): Handlers<'listApiKeys' | 'createApiKey' | 'deleteApiKey' | 'getCaller'> {
  const { store, verifier, now } = options
  return {
    async listApiKeys({ caller, query: { limit = itemsDefault, cursor } }) {
      const listed = `api-keys of ${caller.org}`
      const before = cursor === undefined ? undefined : decodePageCursor(listed, cursor)
      const found = await store.list(caller.org, { limit: limit + 1, before })
      const items = found.slice(0, limit)
      const last = found.length > limit ? items.at(-1) : undefined
      return { status: 200, body: { items, next_cursor: last ? encodePageCursor(listed, last.id) : null } }
    },
    async createApiKey({ caller, body }) {
      const expiresAt = parseExpiry(body.expires_at ?? undefined, now())
      const name = checkName(body.name)
      const made = await store.insert(caller.org, { name, role: body.role, expiresAt, createdBy: caller.subject })
      const headers = { Location: `/api/v1/api-keys/${made.record.id}` }
      return { status: 201, headers, body: { ...made.record, key: made.key } }
    },
    async deleteApiKey({ caller, path: { id } }) {
      const removed = await store.remove(caller.org, id)
      verifier.forget()
      if (!removed) throw notFound('API key', id)
      return { status: 204 }
    },
    async getCaller({ caller: { subject, org, role } }) {
      return { status: 200, body: { subject, org, role } }
    },
  }
}

/** Invisible characters would make two keys look alike, and Postgres cannot store the character 0. */
function checkName(name: string): string {
  if (/[\p{Cc}\p{Cs}]/u.test(name)) throw invalid('/name', 'control_character', 'must not hold control characters')
  return name
}

/** To the millisecond, later digits cut off: the key ends early rather than late. */
function parseExpiry(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) throw invalid('/expires_at', 'format', 'must be a moment that exists')
  if (moment <= now) throw invalid('/expires_at', 'past', 'must be in the future')
  return moment
}
