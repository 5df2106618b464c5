import { randomBytes } from 'node:crypto'
import type { Caller } from '../auth/caller.ts'
import { hashOf } from '../auth/key-text.ts'
import type { Metadata } from '../metadata/database.ts'
import { aheadMsMax } from '../metadata/lease.ts'
import { isTemporary, Problem } from '../problem/problem.ts'
import type { LoginLink } from './login-links.ts'

/** A session ends this long after its last use, and at the latest this long after it began. */
const idleMsMax = 12 * 3_600_000
const sessionMsMax = 7 * 24 * 3_600_000
/** A session that ends later than this was begun by a clock that was far ahead, and would outlive both limits. */
const endMsMax = idleMsMax + aheadMsMax
/** A use extends the session only if that adds this much, so that few requests write. */
const extensionMsMin = 15 * 60_000

export interface SessionStore {
  /** Begins a session and returns its secret. Returns undefined if the link has been followed before. */
  begin(link: LoginLink): Promise<string | undefined>
  /** Returns the caller of a session and extends it, or undefined if the session no longer exists. */
  find(secret: string): Promise<Caller | undefined>
  end(secret: string): Promise<void>
  /** Deletes what has ended. */
  sweep(): Promise<void>
}

/** Stores sessions in the metadata store, so that any server of an installation knows them. */
export function createSessionStore(metadata: Metadata, now: () => Date): SessionStore {
  const { db } = metadata
  return {
    begin: ({ id, caller, expiresAt }) =>
      metadata.transaction(async (transaction) => {
        const used = await transaction
          .insertInto('used_login_links')
          .values({ id, expires_at: expiresAt.toISOString() })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()
        if (used === undefined) return undefined
        const secret = randomBytes(32).toString('base64url')
        const { org, role, subject } = caller
        const times = { created_at: now().toISOString(), expires_at: later(now(), idleMsMax) }
        await transaction
          .insertInto('sessions')
          .values({ hash: hashOf(secret), org, role, subject, ...times })
          .execute()
        return secret
      }),
    async find(secret) {
      const hash = hashOf(secret)
      const found = await db.selectFrom('sessions').selectAll().where('hash', '=', hash).executeTakeFirst()
      const at = now()
      if (found === undefined || found.expires_at <= at.toISOString() || found.expires_at > later(at, endMsMax))
        return undefined
      const end = later(new Date(found.created_at), sessionMsMax)
      const extended = later(at, idleMsMax)
      const expires = extended < end ? extended : end
      if (Date.parse(expires) - Date.parse(found.expires_at) >= extensionMsMin)
        await db
          .updateTable('sessions')
          .set({ expires_at: expires })
          .where('hash', '=', hash)
          .execute()
          .catch(ignoreUnavailable)
      return { org: found.org, role: found.role, subject: found.subject }
    },
    async end(secret) {
      await db.deleteFrom('sessions').where('hash', '=', hashOf(secret)).execute()
    },
    async sweep() {
      const at = now()
      const past = at.toISOString()
      await db
        .deleteFrom('sessions')
        .where(({ eb, or }) => or([eb('expires_at', '<=', past), eb('expires_at', '>', later(at, endMsMax))]))
        .execute()
      await db.deleteFrom('used_login_links').where('expires_at', '<=', past).execute()
    },
  }
}

function later(date: Date, ms: number): string {
  return new Date(date.getTime() + ms).toISOString()
}

/** Lets reads go on while nothing can be written, as on a full disk. The next use extends the session again. */
function ignoreUnavailable(error: unknown): void {
  if (!(error instanceof Problem && isTemporary(error))) throw error
}
