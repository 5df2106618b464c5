import { timingSafeEqual } from 'node:crypto'
import type { Role } from '../auth/caller.ts'
import { generateKey, hashOf, publicParts } from '../auth/key-text.ts'
import { type Author, recordChange } from '../metadata/audit-log.ts'
import type { Metadata } from '../metadata/database.ts'
import { refuseBeyondKind, refuseBeyondQuota } from '../metadata/record-quotas.ts'
import type { NewestPage, RecordStoreDeps } from '../metadata/record-store.ts'
import type { ApiKeysTable } from '../metadata/schema.ts'

/** A key as the admins of its organization see it. */
export type ApiKey = Omit<ApiKeysTable, 'org' | 'hash'>

export interface NewApiKey {
  readonly name: string
  readonly role: Role
  readonly expiresAt: Date | undefined
}

export interface ApiKeyUse {
  readonly org: string
  readonly id: string
  readonly at: string
}

/**
 * Stores API keys. Keys are never changed and do not have unique names, so they do not use the general record store.
 */
export interface ApiKeyStore {
  /**
   * Creates a key. Only this response contains the text of the key; the store keeps a hash.
   * @throws Problem `refused` when the organization has too many keys
   */
  insert(author: Author, key: NewApiKey): Promise<{ readonly record: ApiKey; readonly key: string }>
  list(org: string, page: NewestPage): Promise<ApiKey[]>
  /** Deletes a key and reports whether it existed. */
  remove(author: Author, id: string): Promise<boolean>
  /** Finds the record of a well-formed key, expired or not. The record includes the organization. */
  find(key: string): Promise<(ApiKey & { readonly org: string }) | undefined>
  /** Records the last use of many keys. A use older than the recorded one changes nothing. */
  noteUses(uses: readonly ApiKeyUse[]): Promise<void>
}

export const keysPerOrgMax = 1_000

const recordColumns = [
  'id',
  'name',
  'role',
  'prefix',
  'last4',
  'created_by',
  'created_at',
  'updated_at',
  'expires_at',
  'last_used_at',
] as const

const limited = { table: 'api_keys', perOrgMax: keysPerOrgMax, plural: 'API keys' } as const

export function createApiKeyStore({ metadata, now, newId }: RecordStoreDeps): ApiKeyStore {
  const { db } = metadata
  return {
    async insert(author, { name, role, expiresAt }) {
      const { org, subject } = author.caller
      const key = generateKey()
      const at = now()
      const record: ApiKey = {
        id: newId(),
        name,
        role,
        ...publicParts(key),
        created_by: subject,
        created_at: at.toISOString(),
        updated_at: at.toISOString(),
        expires_at: expiresAt?.toISOString() ?? null,
        last_used_at: null,
      }
      await metadata.transaction(async (transaction) => {
        await refuseBeyondKind(transaction, org, limited)
        await refuseBeyondQuota(transaction, org, metadata.recordsMax)
        await transaction
          .insertInto('api_keys')
          .values({ ...record, org, hash: hashOf(key) })
          .execute()
        const change = { action: 'created', kind: 'api_key', id: record.id, name, after: { ...record } } as const
        await recordChange(transaction, { id: newId(), author }, change)
      })
      return { record, key }
    },
    list(org, { limit, before }) {
      const all = db.selectFrom('api_keys').select(recordColumns).where('org', '=', org)
      const older = before === undefined ? all : all.where('id', '<', before)
      return older.orderBy('id', 'desc').limit(limit).execute()
    },
    remove: (author, id) =>
      metadata.transaction(async (transaction) => {
        const before = await transaction
          .deleteFrom('api_keys')
          .where('org', '=', author.caller.org)
          .where('id', '=', id)
          .returning(recordColumns)
          .executeTakeFirst()
        if (before === undefined) return false
        const change = { action: 'deleted', kind: 'api_key', id, name: before.name, before } as const
        await recordChange(transaction, { id: newId(), author }, change)
        return true
      }),
    async find(key) {
      const columns = ['org', 'hash', ...recordColumns] as const
      const { prefix } = publicParts(key)
      const candidates = await db.selectFrom('api_keys').select(columns).where('prefix', '=', prefix).execute()
      const found = candidates.find(({ hash }) => sameHash(hash, hashOf(key)))
      if (found === undefined) return undefined
      const { hash: _, ...record } = found
      return record
    },
    noteUses: (uses) => noteUses(metadata, uses),
  }
}

/** Compares two hashes in constant time. */
function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** Writes in the order of ids, so that two servers that record uses of the same keys cannot deadlock. */
async function noteUses(metadata: Metadata, uses: readonly ApiKeyUse[]): Promise<void> {
  if (uses.length === 0) return
  const ordered = uses.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  await metadata.transaction(async (transaction) => {
    for (const { org, id, at } of ordered) {
      await transaction
        .updateTable('api_keys')
        .set({ last_used_at: at })
        .where('org', '=', org)
        .where('id', '=', id)
        .where(({ eb, or }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
        .execute()
    }
  })
}
