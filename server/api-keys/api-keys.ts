import type { Metadata } from '../metadata/database.ts'
import type { Logger } from '../observability/logging.ts'
import { apiKeyHandlers } from './api-key-handlers.ts'
import { createApiKeyStore } from './api-key-store.ts'
import { createApiKeyVerifier } from './api-key-verifier.ts'

export interface ApiKeysDeps {
  readonly metadata: Metadata
  readonly logger: Logger
  readonly now: () => Date
  /** Returns ULIDs in ascending order. */
  readonly newId: () => string
}

/** API keys: their records, and the verification of a key that a request carries. */
export function createApiKeys({ metadata, logger, now, newId }: ApiKeysDeps) {
  const store = createApiKeyStore({ metadata, now, newId })
  const onFlushError = (err: unknown) => logger.warn({ err }, 'Could not record when API keys were last used')
  const verifier = createApiKeyVerifier({ store, now, onFlushError })
  return { verifier, handlers: apiKeyHandlers({ store, verifier, now }) }
}
