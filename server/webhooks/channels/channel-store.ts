import type { Connection } from '../../metadata/database.ts'
import { recordModel } from '../../metadata/record-model.ts'
import { createRecordStore, type RecordStore, type RecordStoreDeps } from '../../metadata/record-store.ts'
import type { ChannelContent, DisabledReason, SealedCredential, StoredChannel } from './channel.ts'

export type ChannelStore = RecordStore<ChannelContent, StoredChannel>

const channelModel = recordModel({
  table: 'channels',
  key: 'id',
  noun: 'channel',
  plural: 'channels',
  perOrgMax: 1_000,
  initial: {},
  toRow: ({ kind, name, url, format, bodyTemplate, authHeader, signingSecret, disabledReason }: ChannelContent) => ({
    kind,
    name,
    url,
    format,
    body_template: bodyTemplate,
    auth_header: authHeader?.sealed ?? null,
    auth_header_last4: authHeader?.last4 ?? null,
    signing_secret: signingSecret?.sealed ?? null,
    signing_secret_last4: signingSecret?.last4 ?? null,
    disabled_reason: disabledReason,
  }),
  fromRow: (row): StoredChannel => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    url: row.url,
    format: row.format,
    bodyTemplate: row.body_template,
    authHeader: toCredential(row.auth_header, row.auth_header_last4),
    signingSecret: toCredential(row.signing_secret, row.signing_secret_last4),
    disabledReason: row.disabled_reason,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
})

export function createChannelStore(deps: RecordStoreDeps): ChannelStore {
  return createRecordStore(channelModel, deps)
}

function toCredential(sealed: string | null, last4: string | null): SealedCredential | null {
  return sealed === null || last4 === null ? null : { sealed, last4 }
}

/** Disables a channel, so that it gets no further deliveries. Returns false if it was already disabled. */
export async function disableChannel(
  connection: Connection,
  { org, id }: { readonly org: string; readonly id: string },
  reason: DisabledReason,
  at: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable('channels')
    .set(({ eb }) => ({ disabled_reason: reason, updated_at: at.toISOString(), version: eb('version', '+', 1) }))
    .where('org', '=', org)
    .where('id', '=', id)
    .where('disabled_reason', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
