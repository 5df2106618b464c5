import { timingSafeEqual } from 'node:crypto'
import type { Role } from '../auth/caller.ts'
import { generateKey, hashOf, publicParts } from '../auth/key-text.ts'
import type { Metadata } from '../metadata/database.ts'
import { refuseBeyond } from '../metadata/org-records.ts'
import type { NewestPage } from '../metadata/record-store.ts'
import type { ApiKeysTable } from '../metadata/schema.ts'

/** A key as its organization's admins see it. Moments are RFC 3339. */
export type ApiKey = Omit<ApiKeysTable, 'org' | 'hash'>

export interface NewApiKey {
  readonly name: string
  readonly role: Role
  readonly expiresAt: Date | undefined
  readonly createdBy: string
}

export interface ApiKeyUse {
  readonly org: string
  readonly id: string
  readonly at: string
}

/** Keys at rest. Every call takes the organization, except the look-up by the key itself, which tells it. */
export interface ApiKeyStore {
  /** Makes a key. Its text is in this answer and nowhere else. Throws the problem `refused` when the organization has too many. */
  insert(org: string, key: NewApiKey): Promise<{ readonly record: ApiKey; readonly key: string }>
  list(org: string, page: NewestPage): Promise<ApiKey[]>
  /** Whether there was such a key. */
  remove(org: string, id: string): Promise<boolean>
  /** The record of a well-formed key, expired or not. */
  find(key: string): Promise<(ApiKey & { readonly org: string }) | undefined>
  /** Notes the last use of many keys; an older use than the one noted changes nothing. */
  noteUses(uses: readonly ApiKeyUse[]): Promise<void>
}

export interface ApiKeyStoreOptions {
  readonly metadata: Metadata
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
}

export const keysPerOrgMax = 1_000

const recordColumns = [
  ...(['id', 'name', 'role', 'prefix', 'last4', 'created_by'] as const),
  ...(['created_at', 'updated_at', 'expires_at', 'last_used_at'] as const),
] as const

export function createApiKeyStore({ metadata, now, newId }: ApiKeyStoreOptions): ApiKeyStore {
  const { db } = metadata
  return {
    async insert(org, { name, role, expiresAt, createdBy }) {
      const key = generateKey()
      const moment = now().toISOString()
      const record: ApiKey = {
        ...{
          id: newId(),
          name,
          role,
          ...publicParts(key),
          created_by: createdBy,
          created_at: moment,
          updated_at: moment,
        },
        ...{ expires_at: expiresAt?.toISOString() ?? null, last_used_at: null },
      }
      await metadata.transaction(async (transaction) => {
        await refuseBeyond(transaction, org, { table: 'api_keys', max: keysPerOrgMax, plural: 'API keys' })
        await transaction
          .insertInto('api_keys')
          .values({ ...record, org, hash: hashOf(key) })
          .execute()
      })
      return { record, key }
    },
    list(org, { limit, before }) {
      const ofOrg = db.selectFrom('api_keys').select(recordColumns).where('org', '=', org)
      const older = before === undefined ? ofOrg : ofOrg.where('id', '<', before)
      return older.orderBy('id', 'desc').limit(limit).execute()
    },
    async remove(org, id) {
      const { numDeletedRows } = await db
        .deleteFrom('api_keys')
        .where('org', '=', org)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
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

/** The comparison takes the same time wherever two hashes begin to differ. */
function sameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}

/** In the order of ids, so that two servers that note the same keys wait for each other and never lock each other out. */
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
