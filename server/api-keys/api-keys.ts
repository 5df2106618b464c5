import { nsOfRfc3339 } from '#sql'
import type { Deps } from '../feature.ts'
import type { Handlers } from '../http/contract/handlers.ts'
import { readNewest } from '../http/paging.ts'
import { invalid, notFound } from '../problem/problem.ts'
import { checkName } from '../problem/record-input.ts'
import { nsPerMs } from '../telemetry/time-units.ts'
import { type ApiKeyStore, createApiKeyStore } from './api-key-store.ts'
import { type ApiKeyVerifier, createApiKeyVerifier } from './api-key-verifier.ts'

/** API keys: their records, and the verification of a key that a request carries. */
export function createApiKeys({ metadata, logger, now, newId }: Pick<Deps, 'metadata' | 'logger' | 'now' | 'newId'>) {
  const store = createApiKeyStore({ metadata, now, newId })
  const onFlushError = (err: unknown) => logger.warn({ err }, 'Could not record when API keys were last used')
  const verifier = createApiKeyVerifier({ store, now, onFlushError })
  return { verifier, handlers: apiKeyHandlers(store, verifier, now) }
}

export function apiKeyHandlers(
  store: ApiKeyStore,
  verifier: ApiKeyVerifier,
  now: () => Date,
): Handlers<'listApiKeys' | 'createApiKey' | 'deleteApiKey' | 'getCaller'> {
  return {
    async listApiKeys({ caller, query }) {
      const body = await readNewest(['api keys', caller.org], query, (newest) => store.list(caller.org, newest))
      return { status: 200, body }
    },
    async createApiKey(request) {
      const { body } = request
      const expiresAt = parseExpiry(body.expires_at ?? undefined, now())
      const name = checkName(body.name, '/name')
      const made = await store.insert(request, { name, role: body.role, expiresAt })
      const headers = { Location: `/api/v1/api-keys/${made.record.id}` }
      return { status: 201, headers, body: { ...made.record, key: made.key } }
    },
    async deleteApiKey(request) {
      const { id } = request.path
      const removed = await store.remove(request, id)
      verifier.forget()
      if (!removed) throw notFound('API key', id)
      return { status: 204 }
    },
    async getCaller({ caller: { subject, org, role } }) {
      return { status: 200, body: { subject, org, role } }
    },
  }
}

/** Truncates the expiry to milliseconds, so that a key expires early rather than late. */
function parseExpiry(text: string | undefined, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const ns = nsOfRfc3339(text)
  const expiry = new Date(ns === undefined ? text : Number(ns / nsPerMs))
  if (Number.isNaN(expiry.getTime())) throw invalid('/expires_at', 'format', 'must be a valid RFC 3339 timestamp')
  // A later time has more digits, as no timestamp of RFC 3339 has, and sorts before all others.
  if (expiry.toISOString().startsWith('+'))
    throw invalid('/expires_at', 'out_of_range', 'must not be later than the year 9999 in UTC')
  if (expiry <= now) throw invalid('/expires_at', 'past', 'must be in the future')
  return expiry
}
