import { byCodePoint } from '#sql'
import type { Handlers } from '../http/contract/handlers.ts'
import { type AuditedChange, type Author, recordChange } from '../metadata/audit-log.ts'
import type { Connection } from '../metadata/database.ts'
import { untilUnchanged } from '../metadata/edit-record.ts'
import type { RecordStoreDeps } from '../metadata/record-store.ts'
import { notFound, raise } from '../problem/problem.ts'
import { checkName } from '../problem/record-input.ts'
import type { StoredIntegration } from './integration-record.ts'

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
    author: Author,
    integrationId: string,
    current: StoredGrants,
    subjects: readonly string[],
  ): Promise<StoredGrants | undefined>
}

export function grantHandlers(store: GrantStore): Handlers<'getIntegrationGrants' | 'replaceIntegrationGrants'> {
  return {
    async getIntegrationGrants({ caller, path: { id } }) {
      return { status: 200, body: (await store.find(caller.org, id)) ?? raise(notFound('integration', id)) }
    },
    async replaceIntegrationGrants(request) {
      const {
        caller,
        path: { id },
        headers,
        body,
      } = request
      body.subjects.forEach((subject, index) => {
        checkName(subject, `/subjects/${index}`)
      })
      const subjects = [...new Set(body.subjects)].sort(byCodePoint)
      const grants = { noun: 'integration', id, ifMatch: headers['If-Match'], find: () => store.find(caller.org, id) }
      const stored = await untilUnchanged(grants, (current) => store.replace(request, id, current, subjects))
      return { status: 200, body: stored }
    },
  }
}

export function createGrantStore({ metadata, newId }: Pick<RecordStoreDeps, 'metadata' | 'newId'>): GrantStore {
  return {
    find: (org, integrationId) => findGrants(metadata.db, org, integrationId),
    replace: (author, integration_id, current, subjects) =>
      metadata.transaction(async (transaction) => {
        const { org } = author.caller
        const updated = await transaction
          .updateTable('integrations')
          .set({ grants_version: current.version + 1 })
          .where('org', '=', org)
          .where('id', '=', integration_id)
          .where('grants_version', '=', current.version)
          .returning('name')
          .executeTakeFirst()
        if (updated === undefined) return undefined
        await transaction
          .deleteFrom('integration_grants')
          .where('org', '=', org)
          .where('integration_id', '=', integration_id)
          .execute()
        const rows = subjects.map((subject) => ({ org, subject, integration_id }))
        if (rows.length > 0) await transaction.insertInto('integration_grants').values(rows).execute()
        const after = { subjects: [...subjects], version: current.version + 1 }
        await recordChange(
          transaction,
          { id: newId(), author },
          {
            action: 'updated',
            kind: 'integration_grants',
            id: integration_id,
            name: updated.name,
            before: { ...current },
            after,
          },
        )
        return after
      }),
  }
}

/** Reads the list and its version in a single statement, so that both are from one snapshot. */
async function findGrants(
  connection: Connection,
  org: string,
  integrationId: string,
): Promise<StoredGrants | undefined> {
  const rows = await connection
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
}

/** Returns the change that deletes the grants of an integration together with it, unless it has none. */
export async function deletedGrants(
  connection: Connection,
  org: string,
  { id, name }: StoredIntegration,
): Promise<readonly AuditedChange[]> {
  const grants = await findGrants(connection, org, id)
  if (grants === undefined || grants.subjects.length === 0) return []
  return [{ action: 'deleted', kind: 'integration_grants', id, name, before: { ...grants } }]
}
