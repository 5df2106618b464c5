import type { Handlers } from '../http/handlers.ts'
import { readNewest } from '../http/paging.ts'
import { invalid, notFound } from '../problem/problem.ts'
import { checkName } from '../problem/record-text.ts'
import type { ApiKeyStore } from './api-key-store.ts'
import type { ApiKeyVerifier } from './api-key-verifier.ts'

export interface ApiKeyHandlersOptions {
  readonly store: ApiKeyStore
  readonly verifier: ApiKeyVerifier
  readonly now: () => Date
}

/** Takes requests already checked against the OpenAPI document, from a caller already allowed in. */
export function apiKeyHandlers(
  options: ApiKeyHandlersOptions,
): Handlers<'listApiKeys' | 'createApiKey' | 'deleteApiKey' | 'getCaller'> {
  const { store, verifier, now } = options
  return {
    async listApiKeys({ caller, query }) {
      const body = await readNewest(['api keys', caller.org], query, (newest) => store.list(caller.org, newest))
      return { status: 200, body }
    },
    async createApiKey({ caller, body }) {
      const expiresAt = parseExpiry(body.expires_at ?? undefined, now())
      const name = checkName(body.name, '/name')
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

/** To the millisecond, later digits cut off: the key ends early rather than late. */
function parseExpiry(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const moment = new Date(text)
  if (Number.isNaN(moment.getTime())) throw invalid('/expires_at', 'format', 'must be a moment that exists')
  if (moment <= now) throw invalid('/expires_at', 'past', 'must be in the future')
  return moment
}
