import type { Handlers } from '../http/handlers.ts'
import type { Metadata } from '../metadata/database.ts'
import { untilUnchanged } from '../metadata/edit-record.ts'
import { notFound, raise } from '../problem/problem.ts'
import { byCodePoint, checkName } from '../problem/record-input.ts'

/** The restricted subjects that see the slice of an integration, and the version of that list. */
export interface StoredGrants {
  readonly subjects: string[]
  readonly version: number
}

export interface GrantStore {
  /** Finds the grants, or returns undefined if the integration does not exist. */
  find(org: string, integrationId: string): Promise<StoredGrants | undefined>
  /** Replaces the list. Returns undefined if its version has changed since it was read. */
  replace(
    org: string,
    integrationId: string,
    subjects: readonly string[],
    version: number,
  ): Promise<StoredGrants | undefined>
}

export function grantHandlers(store: GrantStore): Handlers<'getIntegrationGrants' | 'replaceIntegrationGrants'> {
  return {
    async getIntegrationGrants({ caller, path: { id } }) {
      return { status: 200, body: (await store.find(caller.org, id)) ?? raise(notFound('integration', id)) }
    },
    async replaceIntegrationGrants({ caller, path: { id }, headers, body }) {
      body.subjects.forEach((subject, index) => {
        checkName(subject, `/subjects/${index}`)
      })
      const subjects = [...new Set(body.subjects)].sort(byCodePoint)
      const grants = { noun: 'integration', id, ifMatch: headers['If-Match'], find: () => store.find(caller.org, id) }
      const stored = await untilUnchanged(grants, ({ version }) => store.replace(caller.org, id, subjects, version))
      return { status: 200, body: stored }
    },
  }
}

export function createGrantStore(metadata: Metadata): GrantStore {
  const { db } = metadata
  return {
    async find(org, integrationId) {
      // A single statement reads the list and its version from one snapshot.
      const rows = await db
        .selectFrom('integrations')
        .leftJoin('integration_grants', (join) =>
          join
            .onRef('integration_grants.org', '=', 'integrations.org')
            .onRef('integration_grants.integration_id', '=', 'integrations.id'),
        )
        .select(['grants_version', 'subject'])
        .where('integrations.org', '=', org)
        .where('integrations.id', '=', integrationId)
        .orderBy('subject')
        .execute()
      const [first] = rows
      return first && { version: first.grants_version, subjects: rows.flatMap(({ subject }) => subject ?? []) }
    },
    replace: (org, integration_id, subjects, version) =>
      metadata.transaction(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('integrations')
          .set({ grants_version: version + 1 })
          .where('org', '=', org)
          .where('id', '=', integration_id)
          .where('grants_version', '=', version)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return undefined
        await transaction
          .deleteFrom('integration_grants')
          .where('org', '=', org)
          .where('integration_id', '=', integration_id)
          .execute()
        const rows = subjects.map((subject) => ({ org, subject, integration_id }))
        if (rows.length > 0) await transaction.insertInto('integration_grants').values(rows).execute()
        return { subjects: [...subjects], version: version + 1 }
      }),
  }
}
