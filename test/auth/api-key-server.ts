import { monotonicFactory } from 'ulid'
import { afterEach } from 'vitest'
import { type ApiKeyStore, createApiKeyStore } from '../../server/api-keys/api-key-store.ts'
import { type ApiKeyVerifier, createApiKeyVerifier } from '../../server/api-keys/api-key-verifier.ts'
import { apiKeyHandlers } from '../../server/api-keys/api-keys.ts'
import type { Caller } from '../../server/auth/caller.ts'
import { type Metadata, type MetadataOptions, openMetadata } from '../../server/metadata/database.ts'

export const admin: Caller = { org: 'acme', role: 'admin', subject: 'ada' }
export const stranger: Caller = { org: 'evil', role: 'admin', subject: 'eve' }
export const start = new Date('2026-03-01T09:00:00.000Z')

/** A server over a metadata store, with a clock that the test controls. */
export interface Server {
  readonly metadata: Metadata
  readonly store: ApiKeyStore
  readonly verifier: ApiKeyVerifier
  readonly handlers: ReturnType<typeof apiKeyHandlers>
  passMs(ms: number): void
  setClockBack(ms: number): void
}

const servers: Server[] = []
afterEach(async () => {
  for (const { verifier, metadata } of servers.splice(0)) {
    await verifier.close()
    await metadata.close()
  }
})

export async function openServer(options: MetadataOptions): Promise<Server> {
  let time = start.getTime()
  let passed = 0
  const now = () => new Date(time)
  const metadata = await openMetadata(options)
  await metadata.migrate()
  const store = createApiKeyStore({ metadata, now, newId: monotonicFactory() })
  const verifier = createApiKeyVerifier({ store, now, monotonicMs: () => passed })
  const handlers = apiKeyHandlers(store, verifier, now)
  const passMs = (ms: number) => {
    time += ms
    passed += ms
  }
  const setClockBack = (ms: number) => {
    time -= ms
  }
  const server = { metadata, store, verifier, handlers, passMs, setClockBack }
  servers.push(server)
  return server
}

export const rest = {
  path: {},
  query: {},
  headers: {},
  body: undefined,
  signal: AbortSignal.any([]),
  requestId: 'r1',
  operation: 'test',
}

export async function create({ handlers }: Server, body: object = {}, caller = admin) {
  const valid = { name: 'collector', role: 'ingest' as const, ...body }
  const answer = await handlers.createApiKey({ ...rest, caller, body: valid })
  if (!answer.body) throw new Error('The answer has no body.')
  return answer.body
}

export async function list({ handlers }: Server, query: { limit?: number; cursor?: string } = {}, caller = admin) {
  return (await handlers.listApiKeys({ ...rest, caller, query })).body
}

export async function remove({ handlers }: Server, id: string, caller = admin) {
  return handlers.deleteApiKey({ ...rest, caller, path: { id } })
}
