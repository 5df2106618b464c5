import type { Selectable, Transaction } from 'kysely'
import type { Connection, Metadata } from '../metadata/database.ts'
import { type NewestPage, refuseBeyond, removeVersion, uniquely } from '../metadata/org-records.ts'
import type { IntegrationsTable, Schema } from '../metadata/schema.ts'
import type { IntegrationContent, StoredIntegration } from './integration-record.ts'

/** What is visible to a caller: all of an organization, or what is granted to a subject. */
export interface Visible {
  readonly org: string
  readonly grantedTo?: string
}

/** Integrations at rest. Every call takes the organization. */
export interface IntegrationStore {
  list(visible: Visible, page: NewestPage): Promise<StoredIntegration[]>
  find(visible: Visible, id: string): Promise<StoredIntegration | undefined>
  /** Throws the problems `conflict` for a name that is taken and `refused` when the organization has too many. */
  insert(org: string, content: IntegrationContent): Promise<StoredIntegration>
  /**
   * The change in one step, or undefined when the integration is no longer the one that was read. Throws the problem
   * `conflict` for a name that is taken.
   */
  replace(org: string, current: StoredIntegration, content: IntegrationContent): Promise<StoredIntegration | undefined>
  /** Whether the integration was still the one that was read; its grants go with it. */
  remove(org: string, current: StoredIntegration): Promise<boolean>
}

export interface IntegrationStoreOptions {
  readonly metadata: Metadata
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
}

export const integrationsPerOrgMax = 1_000

const columns = [
  ...(['id', 'name', 'description', 'rule_match', 'matchers'] as const),
  ...(['version', 'created_at', 'updated_at'] as const),
] as const

export function createIntegrationStore({ metadata, now, newId }: IntegrationStoreOptions): IntegrationStore {
  const { db } = metadata
  return {
    async list(visible, { limit, before }) {
      const all = selectVisible(db, visible)
      const older = before === undefined ? all : all.where('id', '<', before)
      return (await older.orderBy('id', 'desc').limit(limit).execute()).map(fromRow)
    },
    async find(visible, id) {
      const row = await selectVisible(db, visible).where('id', '=', id).executeTakeFirst()
      return row && fromRow(row)
    },
    insert: (org, content) =>
      metadata.transaction((transaction) =>
        insertIntegration(transaction, org, content, { id: newId(), moment: now().toISOString() }),
      ),
    replace: (org, current, content) => replaceIntegration(db, org, current, content, now().toISOString()),
    remove: (org, current) => removeIntegration(db, org, current),
  }
}

function selectVisible(connection: Connection, { org, grantedTo }: Visible) {
  const ofOrg = connection.selectFrom('integrations').select(columns).where('org', '=', org)
  if (grantedTo === undefined) return ofOrg
  const granted = connection
    .selectFrom('integration_grants')
    .select('integration_id')
    .where('org', '=', org)
    .where('subject', '=', grantedTo)
  return ofOrg.where('id', 'in', granted)
}

export async function insertIntegration(
  transaction: Transaction<Schema>,
  org: string,
  content: IntegrationContent,
  { id, moment }: { readonly id: string; readonly moment: string },
): Promise<StoredIntegration> {
  await refuseBeyond(transaction, org, { table: 'integrations', max: integrationsPerOrgMax, plural: 'integrations' })
  const stored = { ...content, id, version: 1, created_at: moment, updated_at: moment }
  const row = { ...stored, matchers: JSON.stringify(content.matchers), org, grants_version: 1 }
  await uniquely('an integration', content.name, () => transaction.insertInto('integrations').values(row).execute())
  return stored
}

export async function replaceIntegration(
  connection: Connection,
  org: string,
  { id, version, created_at }: StoredIntegration,
  content: IntegrationContent,
  updated_at: string,
): Promise<StoredIntegration | undefined> {
  const { name, description, rule_match, matchers } = content
  const stored = { id, name, description, rule_match, matchers, version: version + 1, created_at, updated_at }
  const update = connection
    .updateTable('integrations')
    .set({ ...{ name, description, rule_match, updated_at }, matchers: JSON.stringify(matchers), version: version + 1 })
    .where('org', '=', org)
    .where('id', '=', id)
    .where('version', '=', version)
  const { numUpdatedRows } = await uniquely('an integration', name, () => update.executeTakeFirst())
  return numUpdatedRows > 0n ? stored : undefined
}

export function removeIntegration(connection: Connection, org: string, current: StoredIntegration): Promise<boolean> {
  return removeVersion(connection, 'integrations', org, current)
}

/** All integrations of an organization, by name. */
export async function allIntegrations(connection: Connection, org: string): Promise<StoredIntegration[]> {
  return (await selectVisible(connection, { org }).orderBy('name').execute()).map(fromRow)
}

function fromRow(row: Pick<Selectable<IntegrationsTable>, (typeof columns)[number]>): StoredIntegration {
  return { ...row, matchers: JSON.parse(row.matchers) }
}
