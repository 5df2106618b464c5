import { expressionBuilder, type Transaction } from 'kysely'
import { grantedIntegrationIds } from '../integrations/integration-store.ts'
import { recordModel } from '../metadata/record-model.ts'
import { createRecordStore, type RecordStore, type RecordStoreDeps } from '../metadata/record-store.ts'
import type { Schema } from '../metadata/schema.ts'
import { refusedFields, unknownAt } from '../problem/problem.ts'
import { type StoredView, toViewRecord, type ViewContent } from './view-record.ts'

export type ViewStore = RecordStore<ViewContent, StoredView>

const views = expressionBuilder<Schema, 'saved_views'>()

/**
 * A restricted subject sees the views of the integrations granted to it. The rows of other views name values of spans
 * that it may not see.
 */
const savedViewModel = recordModel({
  table: 'saved_views',
  key: 'id',
  noun: 'saved view',
  plural: 'saved views',
  perOrgMax: 1_000,
  kind: 'saved_view',
  toAudited: toViewRecord,
  initial: {},
  joined: views
    .selectFrom('integrations')
    .select('integrations.name')
    .whereRef('integrations.org', '=', 'saved_views.org')
    .whereRef('integrations.id', '=', 'saved_views.integration_id')
    .$asScalar()
    .as('integration_name'),
  toRow: ({ name, description, rows, relations, order, columns, integrationId, status, window }: ViewContent) => ({
    name,
    description,
    filter_rows: JSON.stringify(rows),
    relations: relations === undefined ? null : JSON.stringify(relations),
    message_order: order ?? null,
    message_columns: columns === undefined ? null : JSON.stringify(columns),
    integration_id: integrationId ?? null,
    status: status ?? null,
    time_window: JSON.stringify(window),
  }),
  fromRow: ({ integration_id, integration_name, status, ...row }): StoredView => ({
    id: row.id,
    name: row.name,
    description: row.description,
    rows: JSON.parse(row.filter_rows),
    ...(row.relations === null ? {} : { relations: JSON.parse(row.relations) }),
    ...(row.message_order === null ? {} : { order: row.message_order }),
    ...(row.message_columns === null ? {} : { columns: JSON.parse(row.message_columns) }),
    ...(integration_id === null ? {} : { integrationId: integration_id, integrationName: integration_name }),
    ...(status === null ? {} : { status }),
    window: JSON.parse(row.time_window),
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
  grantedTo: (org, subject) => views('integration_id', 'in', grantedIntegrationIds(org, subject)),
  async check(transaction, content, { org, before }) {
    if (content.integrationId !== before?.integrationId) await requireIntegration(transaction, org, content)
  },
})

export function createViewStore(deps: RecordStoreDeps): ViewStore {
  return createRecordStore(savedViewModel, deps)
}

/** Checks that the integration exists. @throws Problem 422 */
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
