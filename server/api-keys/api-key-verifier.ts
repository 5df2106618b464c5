import { type Caller, keySubjectPrefix } from '../auth/caller.ts'
import { hashOf, isWellFormed } from '../auth/key-text.ts'
import { credentialInvalid } from '../auth/refusals.ts'
import type { ApiKeyStore, ApiKeyUse } from './api-key-store.ts'

export interface ApiKeyVerifier {
  /**
   * Returns the caller of a key, or undefined when the key does not exist.
   * @throws Problem `unauthenticated` when the key has expired, `unavailable` when the store does not respond
   */
  verify(key: string): Promise<Caller | undefined>
  /** Clears the cache of keys. Call it after deleting a key. */
  forget(): void
  /** Records the uses since the last flush. If that fails, the uses are kept for the next flush. */
  flush(): Promise<void>
  /** Stops the timer and flushes. Call it before closing the store. */
  close(): Promise<void>
}

export interface ApiKeyVerifierOptions {
  readonly store: ApiKeyStore
  readonly now: () => Date
  /** Called when a flush fails. The next flush tries again. */
  readonly onFlushError?: ((error: unknown) => void) | undefined
  /** The age of what is cached, which a clock that is set back must not extend. */
  readonly monotonicMs?: () => number
}

/**
 * Milliseconds for which a key is cached. A key deleted through this server is rejected at once (`forget`); a key
 * deleted through another server is rejected within this time. Expiry is checked at every use.
 */
export const cachedMsMax = 5_000
const cachedKeysMax = 10_000
const flushMs = 30_000

interface CachedKey {
  readonly record: ReturnType<ApiKeyStore['find']>
  readonly atMs: number
}

export function createApiKeyVerifier(options: ApiKeyVerifierOptions): ApiKeyVerifier {
  const { store, now, onFlushError, monotonicMs = () => performance.now() } = options
  const cache = new Map<string, CachedKey>()
  let uses = new Map<string, ApiKeyUse>()

  /**
   * Shares one query among concurrent requests. Only keys that exist are cached, so that forged ones cannot fill the
   * cache.
   */
  function lookUp(key: string): CachedKey['record'] {
    const hash = hashOf(key)
    const cached = cache.get(hash)
    const atMs = monotonicMs()
    if (cached && atMs - cached.atMs < cachedMsMax) return cached.record
    const entry: CachedKey = { record: store.find(key), atMs }
    cache.delete(hash)
    cache.set(hash, entry)
    const oldest = cache.size > cachedKeysMax ? cache.keys().next().value : undefined
    if (oldest !== undefined) cache.delete(oldest)
    const drop = () => {
      if (cache.get(hash) === entry) cache.delete(hash)
    }
    entry.record.then((record) => record ?? drop(), drop)
    return entry.record
  }

  async function flush(): Promise<void> {
    const flushed = uses
    uses = new Map()
    try {
      await store.noteUses([...flushed.values()])
    } catch (error) {
      uses = new Map([...flushed, ...uses])
      throw error
    }
  }

  const flushQuietly = () => flush().catch((error: unknown) => onFlushError?.(error))
  const timer = setInterval(flushQuietly, flushMs).unref()

  return {
    async verify(key) {
      if (!isWellFormed(key)) return undefined
      const record = await lookUp(key)
      if (record === undefined) return undefined
      const at = now().toISOString()
      const { org, id, role, name, expires_at: expiresAt } = record
      if (expiresAt !== null && expiresAt <= at) throw credentialInvalid(`The API key expired at ${expiresAt}.`)
      uses.set(id, { org, id, at })
      return { org, role, subject: `${keySubjectPrefix}${id}`, apiKeyName: name }
    },
    forget: () => cache.clear(),
    flush,
    async close() {
      clearInterval(timer)
      await flushQuietly()
    },
  }
}
