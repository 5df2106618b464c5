import { expressionBuilder, type Transaction } from 'kysely'
import { recordChange } from '../../metadata/audit-log.ts'
import { recordModel } from '../../metadata/record-model.ts'
import { createRecordStore, type RecordStore, type RecordStoreDeps } from '../../metadata/record-store.ts'
import type { Schema } from '../../metadata/schema.ts'
import {
  type ChannelContent,
  changedChannelSecrets,
  type DisabledReason,
  type SealedCredential,
  type StoredChannel,
  toAuditedChannel,
} from './channel.ts'

export type ChannelStore = RecordStore<ChannelContent, StoredChannel>

const channelModel = recordModel({
  table: 'channels',
  key: 'id',
  noun: 'channel',
  plural: 'channels',
  perOrgMax: 1_000,
  kind: 'channel',
  toAudited: toAuditedChannel,
  changedSecrets: changedChannelSecrets,
  /** Credentials are sealed with a new key under the same version. An edit must not put the earlier text back. */
  copiedColumns: ({ authHeader, signingSecret }) => ({
    auth_header: authHeader?.sealed ?? null,
    signing_secret: signingSecret?.sealed ?? null,
  }),
  initial: {},
  joined: expressionBuilder<Schema, 'channels'>()
    .selectFrom('channel_failures')
    .select('channel_failures.since')
    .whereRef('channel_failures.org', '=', 'channels.org')
    .whereRef('channel_failures.channel_id', '=', 'channels.id')
    .$asScalar()
    .as('failing_since'),
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
    failingSince: row.failing_since,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
  /** A changed channel may have another receiver, or another credential, and gets the full time again. */
  async written(transaction, { org, before, after }) {
    if (before !== undefined && after !== undefined) await endFailing(transaction, { org, channelId: after.id })
  },
})

export function createChannelStore(deps: RecordStoreDeps): ChannelStore {
  return createRecordStore(channelModel, deps)
}

function toCredential(sealed: string | null, last4: string | null): SealedCredential | null {
  return sealed === null || last4 === null ? null : { sealed, last4 }
}

/** Ends the failing period of a channel, when a delivery succeeds or is skipped, or the channel is changed. */
export async function endFailing(
  transaction: Transaction<Schema>,
  { org, channelId }: { readonly org: string; readonly channelId: string },
): Promise<void> {
  await transaction.deleteFrom('channel_failures').where('org', '=', org).where('channel_id', '=', channelId).execute()
}

/**
 * Disables a channel, so that it gets no further deliveries, and audits the change as one by the server. Returns false
 * if it was already disabled. `entryId` is the id of the audit entry.
 */
export async function disableChannel(
  transaction: Transaction<Schema>,
  { org, id }: { readonly org: string; readonly id: string },
  { reason, at, entryId }: { readonly reason: DisabledReason; readonly at: Date; readonly entryId: string },
): Promise<boolean> {
  const row = await transaction
    .updateTable('channels')
    .set(({ eb }) => ({ disabled_reason: reason, updated_at: at.toISOString(), version: eb('version', '+', 1) }))
    .where('org', '=', org)
    .where('id', '=', id)
    .where('disabled_reason', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return false
  const after = channelModel.fromRow({ ...row, failing_since: null })
  // The statement does not return the previous time.
  const { updated_at: _, ...before } = toAuditedChannel({ ...after, disabledReason: null, version: after.version - 1 })
  await recordChange(
    transaction,
    { id: entryId, author: { org } },
    { action: 'updated', kind: 'channel', id, name: after.name, before, after: toAuditedChannel(after) },
  )
  return true
}
