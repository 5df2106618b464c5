import type { Metadata } from '../metadata/database.ts'

/** Who of the restricted callers sees the slice of an integration, and the version of that list. */
export interface StoredGrants {
  readonly subjects: string[]
  readonly version: number
}

export interface GrantStore {
  /** Undefined when there is no such integration. */
  find(org: string, integrationId: string): Promise<StoredGrants | undefined>
  /** The new list in one step, or undefined when its version is no longer the one that was read. */
  replace(
    org: string,
    integrationId: string,
    subjects: readonly string[],
    version: number,
  ): Promise<StoredGrants | undefined>
}

export function createGrantStore(metadata: Metadata): GrantStore {
  const { db } = metadata
  return {
    async find(org, integrationId) {
      // One statement, so that the list is the one of the version.
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
        const ofIntegration = transaction.deleteFrom('integration_grants').where('org', '=', org)
        await ofIntegration.where('integration_id', '=', integration_id).execute()
        const rows = subjects.map((subject) => ({ org, subject, integration_id }))
        if (rows.length > 0) await transaction.insertInto('integration_grants').values(rows).execute()
        return { subjects: [...subjects], version: version + 1 }
      }),
  }
}
