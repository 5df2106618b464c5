import type { Selectable, Transaction } from 'kysely'
import type { Connection, Metadata } from '../../metadata/database.ts'
import { refuseBeyond, removeVersion, uniquely } from '../../metadata/org-records.ts'
import type { NewestPage } from '../../metadata/record-store.ts'
import type { ChannelsTable, Schema } from '../../metadata/schema.ts'
import type { ChannelContent, DisabledReason, SealedCredential, StoredChannel } from './channel.ts'

/** Channels at rest, their credentials sealed. Every call takes the organization. */
export interface ChannelStore {
  list(org: string, page: NewestPage): Promise<StoredChannel[]>
  find(org: string, id: string): Promise<StoredChannel | undefined>
  /** Throws the problems `conflict` for a name that is taken and `refused` when the organization has too many. */
  insert(org: string, id: string, content: ChannelContent): Promise<StoredChannel>
  /**
   * The change in one step, or undefined when the channel is no longer the one that was read. Throws the problem
   * `conflict` for a name that is taken.
   */
  replace(org: string, current: StoredChannel, content: ChannelContent): Promise<StoredChannel | undefined>
  /** Whether the channel was still the one that was read. */
  remove(org: string, current: StoredChannel): Promise<boolean>
}

export interface ChannelStoreOptions {
  readonly metadata: Metadata
  readonly now: () => Date
}

const channelsPerOrgMax = 1_000

export function createChannelStore({ metadata, now }: ChannelStoreOptions): ChannelStore {
  const { db } = metadata
  const moment = () => now().toISOString()
  return {
    async list(org, { limit, before }) {
      const all = db.selectFrom('channels').selectAll().where('org', '=', org)
      const older = before === undefined ? all : all.where('id', '<', before)
      return (await older.orderBy('id', 'desc').limit(limit).execute()).map(fromRow)
    },
    find: (org, id) => findChannel(db, org, id),
    insert: (org, id, content) =>
      metadata.transaction((transaction) => insertChannel(transaction, org, content, { id, moment: moment() })),
    replace: (org, current, content) => replaceChannel(db, org, current, content, moment()),
    remove: (org, current) => removeChannel(db, org, current),
  }
}

export async function findChannel(connection: Connection, org: string, id: string): Promise<StoredChannel | undefined> {
  const one = connection.selectFrom('channels').selectAll().where('org', '=', org).where('id', '=', id)
  const row = await one.executeTakeFirst()
  return row && fromRow(row)
}

/** All channels of an organization, by name. */
export async function allChannels(connection: Connection, org: string): Promise<StoredChannel[]> {
  const all = connection.selectFrom('channels').selectAll().where('org', '=', org)
  return (await all.orderBy('name').execute()).map(fromRow)
}

export async function insertChannel(
  transaction: Transaction<Schema>,
  org: string,
  content: ChannelContent,
  { id, moment }: { readonly id: string; readonly moment: string },
): Promise<StoredChannel> {
  await refuseBeyond(transaction, org, { table: 'channels', max: channelsPerOrgMax, plural: 'channels' })
  const stored = { ...content, id, version: 1, created_at: moment, updated_at: moment }
  const row = { ...toColumns(content), org, id, version: 1, created_at: moment, updated_at: moment }
  await uniquely('a channel', content.name, () => transaction.insertInto('channels').values(row).execute())
  return stored
}

export async function replaceChannel(
  connection: Connection,
  org: string,
  { id, version, created_at }: StoredChannel,
  content: ChannelContent,
  updated_at: string,
): Promise<StoredChannel | undefined> {
  const update = connection
    .updateTable('channels')
    .set({ ...toColumns(content), version: version + 1, updated_at })
    .where('org', '=', org)
    .where('id', '=', id)
    .where('version', '=', version)
  const { numUpdatedRows } = await uniquely('a channel', content.name, () => update.executeTakeFirst())
  return numUpdatedRows > 0n ? { ...content, id, version: version + 1, created_at, updated_at } : undefined
}

export function removeChannel(connection: Connection, org: string, current: StoredChannel): Promise<boolean> {
  return removeVersion(connection, 'channels', org, current)
}

/** Ends deliveries to a channel that is still enabled; whether it was. */
export async function disableChannel(
  connection: Connection,
  { org, id }: { readonly org: string; readonly id: string },
  disabled_reason: DisabledReason,
  updated_at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await connection
    .updateTable('channels')
    .set(({ eb }) => ({ disabled_reason, updated_at, version: eb('version', '+', 1) }))
    .where('org', '=', org)
    .where('id', '=', id)
    .where('disabled_reason', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function toColumns({ kind, name, url, format, bodyTemplate, ...content }: ChannelContent) {
  const { authHeader, signingSecret, disabledReason } = content
  return {
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
  }
}

function fromRow(row: Selectable<ChannelsTable>): StoredChannel {
  const { id, kind, name, url, format, version, created_at, updated_at } = row
  return {
    id,
    kind,
    name,
    url,
    format,
    bodyTemplate: row.body_template,
    authHeader: toCredential(row.auth_header, row.auth_header_last4),
    signingSecret: toCredential(row.signing_secret, row.signing_secret_last4),
    disabledReason: row.disabled_reason,
    version,
    created_at,
    updated_at,
  }
}

function toCredential(sealed: string | null, last4: string | null): SealedCredential | null {
  return sealed === null || last4 === null ? null : { sealed, last4 }
}
