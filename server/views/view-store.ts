import type { Transaction } from 'kysely'
import type { Visible } from '../integrations/integration-store.ts'
import type { Connection, Metadata } from '../metadata/database.ts'
import { type NewestPage, refuseBeyond, removeVersion, uniquely } from '../metadata/org-records.ts'
import type { Schema } from '../metadata/schema.ts'
import { refusedFields, unknownAt } from '../problem/problem.ts'
import type { StoredView, ViewContent } from './view-record.ts'

/** Saved views at rest. Every call takes the organization; visible to a subject is what names no integration but one granted to it. */
export interface ViewStore {
  list(visible: Visible, page: NewestPage): Promise<StoredView[]>
  find(visible: Visible, id: string): Promise<StoredView | undefined>
  /**
   * Throws the problems `conflict` for a name that is taken and `refused` for an integration that does not exist, and when
   * the organization has too many views.
   */
  insert(org: string, content: ViewContent): Promise<StoredView>
  /**
   * The change in one step, or undefined when the view is no longer the one that was read. Throws the problems `conflict`
   * for a name that is taken and `refused` for another integration than before that does not exist.
   */
  replace(org: string, current: StoredView, content: ViewContent): Promise<StoredView | undefined>
  /** Whether the view was still the one that was read. */
  remove(org: string, current: StoredView): Promise<boolean>
}

export interface ViewStoreOptions {
  readonly metadata: Metadata
  readonly now: () => Date
  /** ULIDs, each greater than the last. */
  readonly newId: () => string
}

const viewsPerOrgMax = 1_000

export function createViewStore({ metadata, now, newId }: ViewStoreOptions): ViewStore {
  const { db } = metadata
  return {
    async list(visible, { limit, before }) {
      const all = selectViews(db, visible)
      const older = before === undefined ? all : all.where('saved_views.id', '<', before)
      return (await older.orderBy('saved_views.id', 'desc').limit(limit).execute()).map(fromRow)
    },
    find: (visible, id) => findView(db, visible, id),
    insert: (org, content) =>
      metadata.transaction(async (transaction) => {
        await requireIntegration(transaction, org, content)
        return insertView(transaction, org, content, { id: newId(), moment: now().toISOString() })
      }),
    replace: (org, current, content) =>
      metadata.transaction(async (transaction) => {
        if (content.integrationId !== current.integrationId) await requireIntegration(transaction, org, content)
        return replaceView(transaction, org, current, content, now().toISOString())
      }),
    remove: (org, current) => removeView(db, org, current),
  }
}

/** With the name of the integration, so that a deleted one shows; one statement, so that both are of one moment. */
function selectViews(connection: Connection, { org, grantedTo }: Visible) {
  const ofOrg = connection
    .selectFrom('saved_views')
    .leftJoin('integrations', (join) =>
      join
        .onRef('integrations.org', '=', 'saved_views.org')
        .onRef('integrations.id', '=', 'saved_views.integration_id'),
    )
    .selectAll('saved_views')
    .select('integrations.name as integration_name')
    .where('saved_views.org', '=', org)
  if (grantedTo === undefined) return ofOrg
  const granted = connection
    .selectFrom('integration_grants')
    .select('integration_id')
    .where('org', '=', org)
    .where('subject', '=', grantedTo)
  return ofOrg.where(({ or, eb }) =>
    or([eb('saved_views.integration_id', 'is', null), eb('saved_views.integration_id', 'in', granted)]),
  )
}

async function findView(connection: Connection, visible: Visible, id: string): Promise<StoredView | undefined> {
  const row = await selectViews(connection, visible).where('saved_views.id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

type ViewRow = Awaited<ReturnType<ReturnType<typeof selectViews>['executeTakeFirstOrThrow']>>

function fromRow(row: ViewRow): StoredView {
  const { id, name, description, integration_id, integration_name, status, version, created_at, updated_at } = row
  return {
    ...{ id, name, description, version, created_at, updated_at },
    rows: JSON.parse(row.filter_rows),
    window: JSON.parse(row.time_window),
    ...(integration_id === null ? {} : { integrationId: integration_id, integrationName: integration_name }),
    ...(status === null ? {} : { status }),
  }
}

function toRow({ name, description, rows, integrationId, status, window }: ViewContent) {
  return {
    ...{ name, description, integration_id: integrationId ?? null, status: status ?? null },
    filter_rows: JSON.stringify(rows),
    time_window: JSON.stringify(window),
  }
}

async function requireIntegration(
  transaction: Transaction<Schema>,
  org: string,
  { integrationId }: ViewContent,
): Promise<void> {
  if (integrationId === undefined) return
  const found = transaction.selectFrom('integrations').select('id').where('org', '=', org)
  if ((await found.where('id', '=', integrationId).executeTakeFirst()) === undefined)
    throw refusedFields([unknownAt('/integration_id', 'integration', integrationId)])
}

export async function insertView(
  transaction: Transaction<Schema>,
  org: string,
  content: ViewContent,
  { id, moment }: { readonly id: string; readonly moment: string },
): Promise<StoredView> {
  await refuseBeyond(transaction, org, { table: 'saved_views', max: viewsPerOrgMax, plural: 'saved views' })
  const row = { ...toRow(content), org, id, version: 1, created_at: moment, updated_at: moment }
  await uniquely('a saved view', content.name, () => transaction.insertInto('saved_views').values(row).execute())
  return readBack(transaction, org, id)
}

export async function replaceView(
  transaction: Transaction<Schema>,
  org: string,
  { id, version }: StoredView,
  content: ViewContent,
  updated_at: string,
): Promise<StoredView | undefined> {
  const update = transaction
    .updateTable('saved_views')
    .set({ ...toRow(content), updated_at, version: version + 1 })
    .where('org', '=', org)
    .where('id', '=', id)
    .where('version', '=', version)
  const { numUpdatedRows } = await uniquely('a saved view', content.name, () => update.executeTakeFirst())
  return numUpdatedRows > 0n ? readBack(transaction, org, id) : undefined
}

/** Within the transaction that wrote it, with what the store joins to it. */
async function readBack(transaction: Transaction<Schema>, org: string, id: string): Promise<StoredView> {
  return fromRow(await selectViews(transaction, { org }).where('saved_views.id', '=', id).executeTakeFirstOrThrow())
}

export function removeView(connection: Connection, org: string, current: StoredView): Promise<boolean> {
  return removeVersion(connection, 'saved_views', org, current)
}

/** All views of an organization, by name. */
export async function allViews(connection: Connection, org: string): Promise<StoredView[]> {
  return (await selectViews(connection, { org }).orderBy('saved_views.name').execute()).map(fromRow)
}
